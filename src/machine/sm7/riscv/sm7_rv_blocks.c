#include "machine/sm7/riscv/sm7_rv_warps.h"

#include "convergence/simt_stack.h"
#include "func/jit/jit.h"

enum { LANE_BITS = 5 };

SL_HOLDS(1 << LANE_BITS, SL_SM7_LANES, "registers of a lane");

void sl_sm7_rv_blocks_init(struct sl_sm7_rv *rv, enum sl_execution_mode mode, bool portable)
{
  if (rv->environment.memory->flat == NULL || mode == SL_MODE_INSTRUCTIONS ||
      !sl_probes_allow_blocks(rv->environment.probes))
    return;
  const struct sl_jit_rules rules = {.lanes = SL_SM7_LANES, .level_max = -1};
  sl_basic_blocks_init(&rv->basic_blocks, SL_SM7_LANES, LANE_BITS, true,
                       UINT64_C(1) << SL_KIND_AMO | UINT64_C(1) << SL_KIND_LINEAR, portable);
  sl_basic_blocks_observe(&rv->basic_blocks, rv->environment.probes, rv->ops);
  sl_jit_open(&rv->basic_blocks, &rules, mode, portable);
}

/* What the events of this warp's accesses have in common. */
static void observe(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, struct sl_probe_block *block)
{
  *block = (struct sl_probe_block){.index = sl_sm7_rv_block_at(rv, at)->index,
                                   .size = rv->launch.block,
                                   .grid = rv->launch.grid,
                                   .warp = at->warp,
                                   .launch = rv->closure};
  rv->basic_blocks.observer.event = (struct sl_probe){.launch = rv->launches - 1,
                                                      .core = at->sm,
                                                      .warp = sl_sm7_rv_number(rv, at->sm, at->slot, at->warp),
                                                      .lanes = SL_SM7_LANES,
                                                      .block = block};
}

/* Memory regions of block execution: data below the shared window, and the block's shared memory. Stacks are not
 * included. */
static struct sl_step_lanes lanes_of(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, struct sl_sm7_rv_warp *w)
{
  struct sl_memory *m = rv->environment.memory;
  uint8_t *shared = sl_sm7_rv_block_at(rv, at)->shared;
  return (struct sl_step_lanes){.x = w->x,
                                .lanes = SL_SM7_LANES,
                                .last_wins = true,
                                .filled = m->fill != 0,
                                .memory = m,
                                .region[SL_STEP_MEMORY] = {m->flat, m->low, SL_SM7_RV_SHARED - m->low},
                                .region[SL_STEP_LOCAL] = {(uint8_t *)((uintptr_t)shared - SL_SM7_RV_SHARED),
                                                          SL_SM7_RV_SHARED,
                                                          shared != NULL ? rv->launch.shared_bytes : 0},
                                .stack = {.virtual_base = UINT32_MAX, .physical_base = UINT32_MAX},
                                .fp = rv->fp,
                                .insn = rv->code.insn,
                                .fcsr = &w->fcsr,
                                .observed = &rv->basic_blocks};
}

static bool jump(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, const struct sl_insn *in, uint32_t index,
                 uint32_t target)
{
  const uint32_t mask = sl_simt_stack_mask(&w->stack);
  const bool calls = sl_is_call(in) && target != index + 1;
  if (calls && w->stack.depth >= SL_SIMT_STACK_DEPTH)
    return false;
  if (in->rd != 0)
    rv->ops->broadcast(w->x + (size_t)in->rd * SL_SM7_LANES, sl_code_address(&rv->code, index + 1), mask, SL_SM7_LANES);
  if (calls)
    return sl_simt_stack_call(&w->stack, target);
  sl_simt_stack_advance(&w->stack, target);
  return true;
}

/* Executes the instruction after a block if it only moves the warp and cannot fault. */
static bool leave(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, uint32_t index)
{
  const struct sl_insn *in = &rv->code.insn[index];
  const uint32_t pc = sl_code_address(&rv->code, index), target = sl_code_index(&rv->code, pc + in->imm);
  if ((in->kind != SL_KIND_BRANCH && in->kind != SL_KIND_JAL) || target >= rv->code.count ||
      (in->kind == SL_KIND_BRANCH && target == index + 1)) /* a branch with the same target on both sides */
    return false;
  if (in->kind == SL_KIND_JAL)
    return jump(rv, w, in, index, target);
  const uint32_t mask = sl_simt_stack_mask(&w->stack);
  const uint32_t taken = (uint32_t)rv->ops->execute[in->op](w->x, in, mask, pc, SL_SM7_LANES);
  return sl_simt_stack_branch(&w->stack, taken, target, rv->reconvergence[index]);
}

/* Runs JIT code as far as it goes: up to the reconvergence point, if the lanes check for it there. */
static uint64_t run_emitted(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, struct sl_step_lanes *s,
                            const struct sl_simt_stack_entry *top, uint64_t instructions)
{
  struct sl_jit *e = rv->basic_blocks.emitted;
  const bool meets = top->reconvergence < rv->code.count;
  uint32_t index = top->pc;
  if (e == NULL || (meets && !sl_jit_wait(e, top->reconvergence)))
    return 0;
  const bool some = meets || s->active != sl_low_bits(SL_SM7_LANES);
  const uint64_t run = sl_jit_run(&rv->basic_blocks, &rv->code, s, some, NULL, &index, NULL, instructions);
  if (meets)
    sl_jit_go(e, top->reconvergence);
  if (run > 0)
    sl_simt_stack_advance(&w->stack, index);
  return run;
}

struct sl_sm7_rv_run sl_sm7_rv_blocks_run(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint64_t instructions)
{
  struct sl_sm7_rv_run run = {0};
  struct sl_sm7_rv_warp *w = sl_sm7_rv_warp_at(rv, at);
  if (rv->shadow != NULL || !sl_basic_blocks_of(&rv->basic_blocks, &rv->code, rv->edition))
    return run;
  sl_jit_of(&rv->basic_blocks, &rv->code);
  uint32_t left_at = UINT32_MAX; /* by a block, which would leave there again */
  struct sl_step_lanes s = lanes_of(rv, at, w);
  struct sl_probe_block block;
  if (rv->basic_blocks.observer.probes != NULL)
    observe(rv, at, &block);
  while (run.instructions < instructions) {
    const struct sl_simt_stack_entry *top = &w->stack.entries[w->stack.depth - 1];
    const uint32_t index = top->pc, meets = top->reconvergence - index;
    if (index >= rv->code.count || (w->stack.turn.period != 0 && sl_simt_groups_apart(&w->stack)))
      break;
    const uint64_t left = instructions - run.instructions;
    const uint32_t straight = sl_basic_blocks_from(&rv->basic_blocks, &rv->code, index);
    const uint32_t until = meets < straight ? meets : straight, count = until < left ? until : (uint32_t)left;
    s.active = top->mask;
    const unsigned lanes = sl_count(s.active);
    const uint64_t emitted = left_at == index ? 0 : run_emitted(rv, w, &s, top, left);
    run.instructions += emitted;
    run.thread_instructions += emitted * lanes;
    left_at = sl_simt_stack_pc(&w->stack);
    if (emitted > 0)
      continue;
    uint32_t done = sl_basic_blocks_perform(&s, &rv->basic_blocks.step[index], count, lanes == SL_SM7_LANES);
    const bool whole = done == count, behind = whole && done == straight && done < meets && done < left;
    if (done > 0)
      sl_simt_stack_advance(&w->stack, index + done);
    const bool left_it = behind && leave(rv, w, index + done);
    if (left_it && w->stack.turn.period != 0)
      sl_simt_groups_count(&w->stack, false); /* if the lanes part here, a turn begins, which cannot end at once */
    done += left_it;
    run.instructions += done;
    run.thread_instructions += (uint64_t)done * lanes;
    if (!whole || (behind && !left_it))
      break;
  }
  return run;
}
