#include "linear/linear_calls.h"

#include <stdlib.h>
#include <string.h>

enum state { UNSEEN, ACTIVE, DONE };

/* A function during the traversal: the part of the worklist above `bottom` has its unvisited words. */
struct activation {
  uint32_t entry;
  size_t bottom;
};

struct walk {
  const struct sl_code *code;
  uint8_t *state; /* enum state, by the function's first word */
  uint32_t *seen; /* per word: the function that has visited it last */
  uint32_t *word; /* worklist of all active functions */
  struct activation *call;
  size_t words, calls, room;
  bool failed;
};

/* Each word is on the worklist of an active function at most once, or twice with its two successors. */
static void look_later(struct walk *w, uint32_t word)
{
  if (word >= w->code->count)
    return;
  if (w->words == w->room) {
    const size_t room = w->room * 2 + 64;
    uint32_t *grown = realloc(w->word, room * sizeof *grown);
    w->failed |= grown == NULL;
    if (grown == NULL)
      return;
    w->word = grown;
    w->room = room;
  }
  w->word[w->words++] = word;
}

static void begin(struct walk *w, uint32_t entry)
{
  w->state[entry] = ACTIVE;
  w->call[w->calls++] = (struct activation){.entry = entry, .bottom = w->words};
  look_later(w, entry);
}

/* Visits a word of the innermost function; true: it calls an active function. */
static bool look(struct walk *w)
{
  const uint32_t entry = w->call[w->calls - 1].entry, word = w->word[--w->words];
  if (w->seen[word] == entry + 1)
    return false;
  w->seen[word] = entry + 1;
  const struct sl_insn *in = &w->code->insn[word];
  const uint32_t target = sl_code_index(w->code, sl_code_address(w->code, word) + in->imm);
  const bool call = sl_is_call(in), jump = in->kind == SL_KIND_JAL && !call;
  if (!jump && in->kind != SL_KIND_UNKNOWN && (in->kind != SL_KIND_JALR || call))
    look_later(w, word + 1);
  if (jump || in->kind == SL_KIND_BRANCH)
    look_later(w, target);
  if (!call || in->kind != SL_KIND_JAL || target >= w->code->count)
    return false;
  if (w->state[target] == UNSEEN) {
    begin(w, target);
    return false;
  }
  return w->state[target] == ACTIVE;
}

static bool walk(struct walk *w, uint32_t entry)
{
  begin(w, entry);
  while (w->calls > 0 && !w->failed) {
    struct activation *a = &w->call[w->calls - 1];
    if (w->words == a->bottom) {
      w->state[a->entry] = DONE;
      w->calls--;
    } else if (look(w)) {
      return true;
    }
  }
  return false;
}

bool sl_linear_calls_recur(const struct sl_linear_machine_code *machine, bool *recurs)
{
  const size_t count = machine->code->count + (size_t)1;
  struct walk w = {.code = machine->code,
                   .state = calloc(count, sizeof *w.state),
                   .seen = calloc(count, sizeof *w.seen),
                   .call = malloc(count * sizeof *w.call)};
  const bool room = w.state != NULL && w.seen != NULL && w.call != NULL;
  *recurs = room && walk(&w, machine->first);
  free(w.state);
  free(w.seen);
  free(w.word);
  free(w.call);
  return room && !w.failed;
}
