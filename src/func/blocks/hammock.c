#include "func/blocks/hammock.h"

static bool computes(const struct sl_insn *in)
{
  return in->kind == SL_KIND_ALU || in->kind == SL_KIND_MUL || in->kind == SL_KIND_DIV || in->kind == SL_KIND_FPU;
}

/* Finds the pop that lanes reach from `join` through computations only. */
static void find_pop(struct sl_hammock *h, struct sl_basic_blocks *s, const struct sl_code *code, uint32_t join)
{
  const uint32_t steps = sl_basic_blocks_from(s, code, join);
  while (h->tail < steps && h->tail < SL_HAMMOCK_TAIL && computes(&code->insn[join + h->tail]))
    h->tail++;
  h->pops = code->insn[join + h->tail].kind == SL_KIND_POP;
  h->tail = h->pops ? h->tail : 0;
}

struct sl_hammock sl_hammock_at(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t branch, bool nesting)
{
  const struct sl_insn *in = &code->insn[branch];
  const uint32_t first = branch + 1, steps = (in->imm >> code->shift) - 1, join = first + steps;
  struct sl_hammock h = {.branch = branch, .nesting = nesting};
  if (steps - 1 >= SL_HAMMOCK_STEPS || (steps + 1) << code->shift != in->imm || in->kind != SL_KIND_BRANCH ||
      join >= code->count || sl_basic_blocks_from(s, code, first) < steps)
    return h;
  h.steps = steps;
  if (nesting)
    find_pop(&h, s, code, join);
  return h;
}

struct sl_hammock_count sl_hammock_count(const struct sl_hammock *h, sl_lanes taken, sl_lanes others, uint32_t done)
{
  const uint32_t ahead = sl_hammock_taken_first(h, taken, others) ? h->tail + 1 : 0;
  /* The caller counts the instructions that all lanes execute together after the steps. */
  const unsigned lanes_ahead = done == h->steps ? 0 : sl_count(taken);
  return (struct sl_hammock_count){done + ahead, done * sl_count(others) + ahead * lanes_ahead};
}

void sl_hammock_part(const struct sl_hammock *h, struct sl_basic_blocks *s, struct sl_step_lanes *lanes,
                     struct sl_paths *paths, const struct sl_code *code, sl_lanes taken, uint32_t done)
{
  const sl_lanes all = lanes->active;
  const uint32_t join = sl_hammock_join(h);
  paths->path[0].pc = sl_code_address(code, h->branch);
  sl_paths_branch(paths, 0, taken, sl_code_address(code, join), sl_code_address(code, h->branch + 1 + done));
  if (!sl_hammock_taken_first(h, taken, all & ~taken))
    return;
  struct sl_path *ahead = &paths->path[paths->path[0].lanes == taken ? 0 : 1];
  lanes->active = taken;
  sl_basic_blocks_perform(lanes, &s->step[join], h->tail, false);
  lanes->active = all;
  ahead->pc = sl_code_address(code, join + h->tail + 1);
  ahead->level--;
}
