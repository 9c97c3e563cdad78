#include "func/ipdom_execute.h"

#include "func/ipdom_warps.h"
#include "func/jit/jit.h"

void sl_ipdom_blocks_init(struct sl_basic_blocks *b, const struct sl_ipdom_warps *w, enum sl_execution_mode mode,
                          bool portable, struct sl_probes *probes)
{
  *b = (struct sl_basic_blocks){0};
  if (w->memory->flat == NULL || w->extensions != 0 || mode == SL_MODE_INSTRUCTIONS || !sl_probes_allow_blocks(probes))
    return;
  const struct sl_jit_rules rules = {.lanes = w->spec.lanes, .level_max = -1, .calls = true};
  sl_basic_blocks_init(b, w->spec.lanes, w->lane_bits, true, UINT64_C(1) << SL_KIND_AMO, portable);
  sl_basic_blocks_observe(b, probes, w->ops);
  sl_jit_open(b, &rules, mode, portable);
}

/* Data regions: from the I/O region to local memory, and local memory if all of it exists. No lane has an interleaved
 * stack. */
static struct sl_step_lanes lanes_of(struct sl_basic_blocks *b, const struct sl_ipdom_warps *w, unsigned warp)
{
  const struct sl_ipdom_spec *spec = &w->spec;
  const uint32_t end = spec->local_base, bytes = spec->local_storage_bytes == spec->local_bytes ? spec->local_bytes : 0;
  return (struct sl_step_lanes){
      .x = sl_ipdom_registers(w, warp),
      .active = w->warp[warp].mask,
      .lanes = spec->lanes,
      .last_wins = true,
      .filled = w->memory->fill != 0,
      .memory = w->memory,
      .region[SL_STEP_MEMORY] = {w->memory->flat, SL_IPDOM_IO_END, end > SL_IPDOM_IO_END ? end - SL_IPDOM_IO_END : 0},
      .region[SL_STEP_LOCAL] = {(uint8_t *)((uintptr_t)w->local - end), end, bytes},
      .stack = {.virtual_base = UINT32_MAX, .physical_base = UINT32_MAX},
      .fp = w->fp,
      .insn = w->code->insn,
      .fcsr = &w->warp[warp].fcsr,
      .observed = b};
}

/* Executes the instruction after a block if it only moves the warp, cannot fault, and is the same for all lanes. */
static bool leave(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *in)
{
  struct sl_ipdom_warp *p = &w->warp[warp];
  const uint32_t target = p->pc + in->imm, next = sl_next(in, p->pc);
  if (sl_ipdom_watched(w, in) || (in->kind != SL_KIND_BRANCH && in->kind != SL_KIND_JAL))
    return false;
  uint32_t *x = sl_ipdom_registers(w, warp);
  sl_lanes taken = p->mask;
  if (in->kind == SL_KIND_BRANCH)
    taken = w->ops->execute[in->op](x, in, p->mask, p->pc, w->spec.lanes);
  if (taken != 0 && (taken != p->mask || sl_ipdom_insn(w, target) == NULL))
    return false;
  if (in->kind == SL_KIND_JAL && in->rd != 0)
    w->ops->broadcast(x + ((size_t)in->rd << w->lane_bits), next, p->mask, w->spec.lanes);
  p->pc = taken ? target : next;
  return true;
}

/* Executes JIT code as far as it goes. It does not report jumps that may begin or end a kernel. */
static uint64_t run_emitted(struct sl_basic_blocks *b, struct sl_ipdom_warps *w, struct sl_step_lanes *s, unsigned warp,
                            uint32_t index, bool all, uint64_t instructions)
{
  if (b->emitted == NULL || (w->watched >> SL_KIND_JAL & 1))
    return 0;
  const uint64_t run = sl_jit_run(b, w->code, s, !all, NULL, &index, NULL, instructions);
  w->warp[warp].pc = sl_code_address(w->code, index);
  return run;
}

uint64_t sl_ipdom_blocks_run(struct sl_basic_blocks *b, struct sl_ipdom_warps *w, uint64_t edition, unsigned warp,
                             uint64_t instructions)
{
  struct sl_ipdom_warp *p = &w->warp[warp];
  struct sl_step_lanes s = lanes_of(b, w, warp);
  const bool all = s.active == w->all;
  uint64_t run = 0;
  if (w->memory->code.any || (w->turns && w->convergence->apart(p)) || !sl_basic_blocks_of(b, w->code, edition))
    return 0;
  sl_jit_of(b, w->code);
  uint32_t left_at = UINT32_MAX; /* index at which a block stopped; it would stop there again */
  while (run < instructions) {
    const uint32_t index = sl_code_index(w->code, p->pc);
    if (index >= w->code->count)
      break;
    const uint64_t emitted = left_at == index ? 0 : run_emitted(b, w, &s, warp, index, all, instructions - run);
    run += emitted;
    left_at = sl_code_index(w->code, p->pc);
    if (emitted > 0)
      continue;
    const uint64_t left = instructions - run;
    const uint32_t straight = sl_basic_blocks_from(b, w->code, index),
                   count = straight < left ? straight : (uint32_t)left;
    const uint32_t done = sl_basic_blocks_perform(&s, &b->step[index], count, all);
    p->pc += done * w->code->word_bytes;
    run += done;
    if (done < count || run == instructions || !leave(w, warp, &w->code->insn[index + done]))
      break;
    run++;
  }
  return run;
}
