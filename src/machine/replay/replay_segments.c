#include "machine/replay/replay_segments.h"

#include <string.h>

#include "base/arrays.h"
#include "func/lane_access.h"

/* An executed instruction of a segment is a word: its number in the code, its warp, and whether some lanes only execute
 * it. These follow, and then the outcome, unless there can be only one. An instruction that changes no value and can
 * have one outcome only is left out. */
enum {
  ENTRY_WARP = 16, /* bits of the number below */
  ENTRY_PARTIAL = 1u << 24,
  ENTRY_REFUSED = 1u << 25,
  ENTRY_WORDS = 5, /* at most */
  NUMBERS = 1 << ENTRY_WARP,
  MOST_WORDS = 64 << 10, /* of a segment */
  CHUNK = 64 << 10       /* words that are populated together */
};

void sl_segments_count(struct sl_segments *g, void *counters, size_t bytes)
{
  for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
    g->counter[g->counters++] = (uint64_t *)counters + i;
}

bool sl_segments_room(struct sl_segments *g, uint32_t words)
{
  if (words > SL_SEGMENT_WORDS - g->used)
    return false;
  while (g->populated < g->used + words) {
    sl_populate(&g->store[g->populated], CHUNK * sizeof *g->store);
    g->populated += CHUNK;
  }
  return true;
}

/* ---- recording --------------------------------------------------------------------------------------------------- */

/* Whether an executed instruction changes no value and has only one outcome: it has no entry. */
static bool fixed(const struct sl_insn *in)
{
  switch (in->kind) {
  case SL_KIND_FENCE:
  case SL_KIND_PUSH:
  case SL_KIND_POP: return true;
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU:
  case SL_KIND_JAL: return in->rd == 0;
  default: return false;
  }
}

/* Whether an instruction of this kind can have several outcomes. */
static inline bool has_outcome(unsigned kind)
{
  return kind == SL_KIND_BRANCH || kind == SL_KIND_JALR || kind == SL_KIND_LOAD || kind == SL_KIND_STORE ||
         kind == SL_KIND_AMO;
}

/* Whether an executed instruction can be part of a segment. */
static bool repeatable(const struct sl_execution *ex)
{
  switch (ex->insn->kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU:
  case SL_KIND_JAL:
  case SL_KIND_JALR:
  case SL_KIND_BRANCH:
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO: return true;
  case SL_KIND_CSR:
    return ex->insn->csr == SL_CSR_HART_ID || ex->insn->csr == SL_CSR_CLOSURE ||
           (ex->insn->csr == SL_CSR_COMMAND && ex->command == SL_COMMAND_BARRIER);
  default: return false;
  }
}

void sl_segments_begin(struct sl_segments *g, int64_t now)
{
  g->entries = 0;
  g->from = now;
  for (unsigned i = 0; i < g->counters; i++)
    g->start[i] = *g->counter[i];
}

bool sl_segments_record(struct sl_segments *g, unsigned warp, const struct sl_execution *ex, bool refused,
                        uint64_t outcome)
{
  const struct sl_path_warps *t = g->warps;
  const uint32_t number = sl_code_number(&t->code, ex->insn);
  if (fixed(ex->insn))
    return true;
  if (!repeatable(ex) || number >= NUMBERS || g->entries + ENTRY_WORDS > MOST_WORDS ||
      !sl_segments_room(g, g->entries + ENTRY_WORDS))
    return false;
  uint32_t *entry = &g->store[g->used + g->entries];
  const bool partial = ex->active != t->all;
  *entry++ = number | warp << ENTRY_WARP | (partial ? ENTRY_PARTIAL : 0) | (refused ? ENTRY_REFUSED : 0);
  if (partial) {
    memcpy(entry, &ex->active, sizeof ex->active);
    entry += 2;
  }
  if (has_outcome(ex->insn->kind)) {
    const struct sl_rv_lanes l = sl_path_lanes(t, warp, ex);
    const uint64_t value = ex->insn->kind == SL_KIND_BRANCH ? sl_rv_compute(&l) : outcome;
    memcpy(entry, &value, sizeof value);
    entry += 2;
  }
  g->entries = (uint32_t)(entry - &g->store[g->used]);
  return true;
}

struct sl_segment *sl_segments_end(struct sl_segments *g, int64_t now)
{
  if (!sl_segments_room(g, g->entries + g->counters))
    return NULL;
  struct sl_segment *s = &g->segment[g->count];
  *s = (struct sl_segment){
      .entries = g->used, .words = g->entries, .gains = g->used + g->entries, .cycles = now - g->from};
  g->used = s->gains + g->counters;
  for (unsigned i = 0; i < g->counters; i++)
    g->store[s->gains + i] = (uint32_t)(*g->counter[i] - g->start[i]);
  return s;
}

/* ---- undoing ----------------------------------------------------------------------------------------------------- */

static inline bool keep(struct sl_segments *g, void *at, uint32_t bytes)
{
  if (__builtin_expect(g->changes == SL_SEGMENT_CHANGES || g->changed_bytes + bytes > SL_SEGMENT_CHANGED, 0))
    return false;
  if (bytes == 32 * sizeof(uint32_t)) /* a constant for the usual number of lanes */
    memcpy(g->changed + g->changed_bytes, at, 32 * sizeof(uint32_t));
  else
    memcpy(g->changed + g->changed_bytes, at, bytes);
  g->change[g->changes++] = (struct sl_segment_change){at, bytes, g->changed_bytes};
  g->changed_bytes += bytes;
  return true;
}

/* A register is kept once, before its first change. */
static inline bool keep_register(struct sl_segments *g, unsigned warp, unsigned rd)
{
  if (g->kept[warp] >> rd & 1)
    return true;
  g->kept[warp] |= UINT32_C(1) << rd;
  uint32_t *const row = sl_path_warps_registers(g->warps, warp) + ((size_t)rd << g->warps->lane_bits);
  return keep(g, row, 4u << g->warps->lane_bits);
}

bool sl_segments_keep_register(struct sl_segments *g, unsigned warp, unsigned rd)
{
  return keep_register(g, warp, rd);
}

bool sl_segments_keep_row(struct sl_segments *g, uint32_t address)
{
  return keep(g, sl_memory_at(g->warps->memory, address), 4u << g->warps->lane_bits);
}

bool sl_segments_keep_words(struct sl_segments *g, const struct sl_execution *ex, const uint32_t *address,
                            const struct sl_addresses *s)
{
  if (s->consecutive && ex->active == g->warps->all && ex->insn->width == 4 && sl_lanes_in_page(s))
    return sl_segments_keep_row(g, s->low);
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1)
    if (!keep(g, sl_memory_at(g->warps->memory, address[sl_lowest(rest)] & ~3u), 4))
      return false;
  return true;
}

static void undo(struct sl_segments *g)
{
  while (g->changes > 0) {
    const struct sl_segment_change *c = &g->change[--g->changes];
    memcpy(c->to, g->changed + c->before, c->bytes);
  }
  g->warps->s.global_atomics = g->global_atomics;
  g->warps->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
}

/* ---- replaying --------------------------------------------------------------------------------------------------- */

/* Performs a jump with a link, or an access to a CSR. */
static bool repeat_other(struct sl_segments *g, unsigned warp, struct sl_execution *ex, uint64_t *outcome)
{
  const struct sl_rv_lanes l = sl_path_lanes(g->warps, warp, ex);
  if (ex->insn->rd != 0 && !keep_register(g, warp, ex->insn->rd))
    return false;
  if (ex->insn->kind == SL_KIND_CSR)
    return sl_csr_access(g->warps, warp, ex) != SL_EFFECT_FAULT && ex->command == SL_COMMAND_BARRIER;
  if (ex->insn->kind == SL_KIND_JALR) {
    *outcome = sl_rv_target(&l, sl_lowest(ex->active));
    if (sl_rv_lanes_to(&l, (uint32_t)*outcome) != ex->active)
      return false;
  }
  sl_rv_link(&l);
  return true;
}

/* Executes an instruction of a segment and sets *outcome if it can have several. Returns false if none has been
 * recorded with this effect. */
static inline __attribute__((always_inline)) bool repeat(struct sl_segments *g, unsigned warp, struct sl_execution *ex,
                                                         bool refused, uint64_t *outcome)
{
  const struct sl_rv_lanes l = sl_path_lanes(g->warps, warp, ex);
  switch (ex->insn->kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU:
    if (!keep_register(g, warp, ex->insn->rd))
      return false;
    sl_rv_compute(&l);
    return true;
  case SL_KIND_BRANCH: *outcome = sl_rv_compute(&l); return true;
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO: return g->access(g->sm, g, warp, ex, refused, outcome);
  default: return repeat_other(g, warp, ex, outcome);
  }
}

static inline uint64_t two_words(const uint32_t *word)
{
  uint64_t value;
  memcpy(&value, word, sizeof value);
  return value;
}

/* Returns a segment that is equal to this one in the words before `same`, and has this outcome there; or
 * SL_NO_SEGMENT. `first` and its alternatives are searched. */
static uint16_t alternative(const struct sl_segments *g, uint16_t first, uint16_t segment, size_t same,
                            uint64_t outcome)
{
  const uint32_t *const words = &g->store[g->segment[segment].entries];
  uint16_t other = first;
  for (; other != SL_NO_SEGMENT; other = g->segment[other].alternative) {
    const uint32_t *const others = &g->store[g->segment[other].entries];
    if (same + 2 <= g->segment[other].words && two_words(others + same) == outcome &&
        memcmp(others, words, same * sizeof *words) == 0)
      break;
  }
  return other;
}

/* Executes the instructions of a segment, or of the alternative with their outcomes. */
static uint16_t execute(struct sl_segments *g, const uint16_t candidate)
{
  const struct sl_code *code = &g->warps->code;
  uint16_t segment = candidate;
  const uint32_t *first = &g->store[g->segment[segment].entries], *end = first + g->segment[segment].words;
  for (const uint32_t *at = first; at < end;) {
    const uint32_t entry = *at++, number = entry % NUMBERS;
    struct sl_execution ex = {
        .insn = &code->insn[number], .pc = sl_code_address(code, number), .active = g->warps->all};
    if (entry & ENTRY_PARTIAL) {
      ex.active = two_words(at);
      at += 2;
    }
    uint64_t outcome = 0;
    const bool possible = repeat(g, entry >> ENTRY_WARP & 0xff, &ex, entry & ENTRY_REFUSED, &outcome);
    const bool compared = has_outcome(ex.insn->kind);
    if (__builtin_expect(possible && (!compared || outcome == two_words(at)), 1)) {
      at += compared ? 2 : 0;
      continue;
    }
    const size_t same = (size_t)(at - first);
    segment = possible ? alternative(g, candidate, segment, same, outcome) : SL_NO_SEGMENT;
    if (segment == SL_NO_SEGMENT)
      break;
    first = &g->store[g->segment[segment].entries];
    end = first + g->segment[segment].words;
    at = first + same + 2;
  }
  return segment;
}

uint16_t sl_segments_replay(struct sl_segments *g, uint16_t first)
{
  g->changes = g->changed_bytes = 0;
  memset(g->kept, 0, sizeof g->kept);
  g->global_atomics = g->warps->s.global_atomics;
  const uint16_t segment = execute(g, first);
  if (segment == SL_NO_SEGMENT || g->warps->memory->code.any) {
    undo(g);
    return SL_NO_SEGMENT;
  }
  const uint32_t *gains = &g->store[g->segment[segment].gains];
  for (unsigned i = 0; i < g->counters; i++)
    *g->counter[i] += gains[i];
  return segment;
}
