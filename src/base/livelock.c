#include "base/livelock.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------------------------ */

enum { WORD = 4, FIRST_WORDS = 256, PENDING = 2 * SL_MAX_LANES * 4 /* most words that an instruction writes */ };

/* A word of host memory, aligned. Only the bytes of `mask` are known. */
struct word {
  uint8_t *at;
  uint8_t mask, original[WORD], seen[WORD]; /* before the trials, and in the state that must repeat */
  bool shared, changed;                     /* more than one trial accesses it; one changes it */
};

/* Words in the order of their first accesses. Those of the present trial begin at `first`. */
struct sl_trial_memory {
  struct word *word;
  uint32_t *slot; /* hash table with open addressing: number of a word + 1 */
  uint32_t count, capacity, slots, first;
  uint32_t pending[PENDING], pendings; /* words that the present instruction writes */
};

struct sl_trial_memory *sl_trial_memory_create(void)
{
  return calloc(1, sizeof(struct sl_trial_memory));
}

void sl_trial_memory_free(struct sl_trial_memory *memory)
{
  if (memory == NULL)
    return;
  free(memory->word);
  free(memory->slot);
  free(memory);
}

static uint32_t *slot_of(struct sl_trial_memory *m, const uint8_t *at)
{
  uint32_t i = (uint32_t)(((uintptr_t)at / WORD * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
  for (i &= m->slots - 1; m->slot[i] != 0 && m->word[m->slot[i] - 1].at != at; i = (i + 1) & (m->slots - 1))
    ;
  return &m->slot[i];
}

static bool grow(struct sl_trial_memory *m)
{
  const uint32_t capacity = m->capacity == 0 ? FIRST_WORDS : 2 * m->capacity;
  if (m->count < m->capacity)
    return true;
  struct word *word = capacity <= SL_TRIAL_WORDS ? realloc(m->word, capacity * sizeof *word) : NULL;
  if (word != NULL)
    m->word = word;
  uint32_t *slot = word != NULL ? calloc(2 * (size_t)capacity, sizeof *slot) : NULL;
  if (slot == NULL)
    return false;
  free(m->slot);
  m->slot = slot;
  m->slots = 2 * capacity;
  m->capacity = capacity;
  for (uint32_t i = 0; i < m->count; i++)
    *slot_of(m, m->word[i].at) = i + 1;
  return true;
}

static bool access_word(struct sl_trial_memory *m, uint8_t *at, unsigned mask, bool writes)
{
  if (!grow(m))
    return false;
  uint32_t *slot = slot_of(m, at);
  if (*slot == 0) {
    m->word[m->count] = (struct word){.at = at};
    *slot = ++m->count;
  }
  const uint32_t n = *slot - 1;
  struct word *w = &m->word[n];
  for (unsigned i = 0; i < WORD; i++)
    if ((mask & ~(unsigned)w->mask) >> i & 1)
      w->original[i] = w->seen[i] = at[i];
  w->mask = (uint8_t)(w->mask | mask);
  w->shared |= n < m->first;
  if (w->shared && w->changed)
    return false;
  if (writes && m->pendings == PENDING)
    return false;
  if (writes)
    m->pending[m->pendings++] = n;
  return true;
}

bool sl_trial_access(struct sl_trial_memory *memory, uint8_t *at, unsigned bytes, bool writes)
{
  bool accepted = memory != NULL;
  while (bytes > 0 && accepted) {
    const unsigned skip = (unsigned)((uintptr_t)at % WORD), rest = WORD - skip, n = bytes < rest ? bytes : rest;
    accepted = access_word(memory, at - skip, ((1u << n) - 1) << skip, writes);
    at += n;
    bytes -= n;
  }
  return accepted;
}

static bool differs(const struct word *w, const uint8_t *from)
{
  bool differs = false;
  for (unsigned i = 0; i < WORD; i++)
    differs |= (w->mask >> i & 1) != 0 && w->at[i] != from[i];
  return differs;
}

static void restore_word(const struct word *w)
{
  for (unsigned i = 0; i < WORD; i++)
    if (w->mask >> i & 1)
      w->at[i] = w->original[i];
}

/* After an instruction: returns false if it has changed a word that another warp accesses. */
static bool settle(struct sl_trial_memory *m)
{
  bool own = true;
  for (uint32_t i = 0; i < m->pendings; i++) {
    struct word *w = &m->word[m->pending[i]];
    if (!differs(w, w->original))
      continue;
    own &= !w->shared;
    w->changed |= !w->shared;
    if (w->shared)
      restore_word(w);
  }
  m->pendings = 0;
  return own;
}

static void save_words(struct sl_trial_memory *m)
{
  for (uint32_t i = m->first; i < m->count; i++)
    for (unsigned k = 0; k < WORD; k++)
      if (m->word[i].changed && m->word[i].mask >> k & 1)
        m->word[i].seen[k] = m->word[i].at[k];
}

static bool same_words(const struct sl_trial_memory *m)
{
  bool same = true;
  for (uint32_t i = m->first; i < m->count && same; i++)
    same = !m->word[i].changed || !differs(&m->word[i], m->word[i].seen);
  return same;
}

static void restore_words(const struct sl_trial_memory *m)
{
  for (uint32_t i = m->first; i < m->count; i++)
    if (m->word[i].changed)
      restore_word(&m->word[i]);
}

/* ---- trials ------------------------------------------------------------------------------------------------------ */

static void add(struct sl_trial *trial, void *at, size_t bytes, bool decides)
{
  if (bytes > 0)
    trial->area[trial->areas++] = (struct sl_trial_area){at, bytes, decides};
}

void sl_trial_add(struct sl_trial *trial, void *at, size_t bytes)
{
  add(trial, at, bytes, true);
}

void sl_trial_keep(struct sl_trial *trial, void *at, size_t bytes)
{
  add(trial, at, bytes, false);
}

static size_t size_of(const struct sl_trial *trial)
{
  size_t bytes = 0;
  for (unsigned i = 0; i < trial->areas; i++)
    bytes += trial->area[i].bytes;
  return bytes;
}

static void save(const struct sl_trial *trial, uint8_t *to)
{
  for (unsigned i = 0; i < trial->areas; to += trial->area[i++].bytes)
    memcpy(to, trial->area[i].at, trial->area[i].bytes);
  save_words(trial->memory);
}

static void restore(const struct sl_trial *trial, const uint8_t *from)
{
  for (unsigned i = 0; i < trial->areas; from += trial->area[i++].bytes)
    memcpy(trial->area[i].at, from, trial->area[i].bytes);
}

static bool same(const struct sl_trial *trial, const uint8_t *as)
{
  bool same = true;
  for (unsigned i = 0; i < trial->areas && same; as += trial->area[i++].bytes)
    same = !trial->area[i].decides || memcmp(as, trial->area[i].at, trial->area[i].bytes) == 0;
  return same && same_words(trial->memory);
}

static void note(struct sl_spin *spin, const struct sl_trial_step *step)
{
  if (step->back || spin->lanes == 0)
    spin->pc = step->pc;
  spin->jumps |= step->back;
  spin->lanes |= step->lanes;
  if (step->held != 0)
    spin->held_pc = step->pc;
  spin->held |= step->held;
}

/* Executes until the state is that of `seen`, which moves on at growing distances. */
static bool repeats(const struct sl_trial *trial, uint8_t *seen, struct sl_spin *spin)
{
  unsigned since = 0, limit = 1;
  save(trial, seen);
  *spin = (struct sl_spin){0};
  for (unsigned n = 0; n < SL_LIVELOCK_INSTRUCTIONS; n++) {
    struct sl_trial_step step = {.memory = trial->memory};
    const bool executed = trial->step(trial->context, &step);
    if (!settle(trial->memory) || !executed)
      return false;
    note(spin, &step);
    if (same(trial, seen))
      return true;
    if (++since == limit) {
      save(trial, seen);
      *spin = (struct sl_spin){0};
      since = 0;
      limit *= 2;
    }
  }
  return false;
}

bool sl_trial_spins(const struct sl_trial *trial, struct sl_spin *spin)
{
  const size_t bytes = size_of(trial);
  uint8_t *copies = malloc(2 * bytes);
  if (copies == NULL || trial->memory == NULL) { /* no verdict */
    free(copies);
    return false;
  }
  trial->memory->first = trial->memory->count;
  save(trial, copies);
  const bool spins = repeats(trial, copies + bytes, spin);
  restore(trial, copies);
  restore_words(trial->memory);
  free(copies);
  return spins;
}
