/* SIMTight's parallel scalar pipeline: its own queue, scheduler, units and register-file ports, for warps whose next
 * instruction is predicted to be scalarisable.
 *
 * With a warp picked in cycle u: u pick, u+1 read thread state, u+2 fetch, u+3 read scalar registers, u+4 decode and
 * check, u+5 execute and predict the next instruction, u+6 write back. From u+7 on the new register value can be read
 * and the warp can be picked. The pipeline issues one instruction per cycle, and each warp one per seven cycles. Plain
 * results do not suspend the warp. Multiplications, shifts and divisions suspend the warp (its lane 0) at the end of
 * u+6. Their result is written in a cycle without a plain result, and the suspension ends with the cycle after that.
 *
 * Prediction: one bit per instruction word tells whether the instruction was scalarisable when it last left the vector
 * pipeline. A warp moves from the vector pipeline to this one under three conditions: all its lanes were active and
 * continue with the next instruction; that instruction's bit is set; no more than the limit of warps are here. It
 * returns when the bit of its next instruction is clear, or when the instruction proves not to be scalarisable.
 *
 * Source: paper, section III-C; stages and conditions from the published RTL. */
#ifndef SL_UNIT_SCALAR_PIPELINE_H
#define SL_UNIT_SCALAR_PIPELINE_H

#include "timing/pipeline/arithmetic_units.h"
#include "timing/pipeline/register_file.h"
#include "timing/pipeline/warp_scheduler.h"

enum { SL_SCALAR_CHECK = 3, SL_SCALAR_DEPTH = 5, SL_SCALAR_RING = 8 }; /* cycles after the pick */
SL_HOLDS(SL_SCALAR_RING, SL_SCALAR_DEPTH + 1, "picks that have not executed");

/* An instruction between execute and write-back. */
struct sl_scalar_slot {
  bool full;
  bool returns;  /* the warp returns to the vector pipeline */
  bool writes;   /* its result is written now */
  bool suspends; /* its result comes from a unit */
  uint8_t warp, rd;
};

struct sl_scalar_pipeline {
  bool active; /* the queue, the pipeline or a unit is not empty */
  sl_warps queue, entering;
  unsigned resident; /* number of warps in the queue or the pipeline */
  struct sl_scheduler scheduler;
  int8_t pipeline[SL_SCALAR_RING]; /* warp that executes in cycle c at c % RING, or -1 */
  unsigned in_pipeline;
  sl_warps refused,
      suspended; /* of the warps in the pipeline: those that failed the check, and those that it found suspended */
  struct sl_scalar_slot leaving;
  int resumed; /* warp resumed in the previous cycle, or -1 */
  struct sl_pipeline_queue resume;
  struct sl_multiplier multiplier;
  struct sl_divider divider;
  bool multiplier_ready;
  uint64_t issues, aborts, bubbles, retries, misfits; /* issues include retries and misfits */
};

/* Starts a kernel. The scheduler's history persists. */
static inline void sl_scalar_start(struct sl_scalar_pipeline *p)
{
  const struct sl_scheduler scheduler = p->scheduler;
  *p = (struct sl_scalar_pipeline){.scheduler = scheduler, .resumed = -1};
  for (unsigned i = 0; i < SL_SCALAR_RING; i++)
    p->pipeline[i] = -1;
  sl_multiplier_init(&p->multiplier);
  sl_divider_init(&p->divider, SL_DIVIDER_SEQUENTIAL, 0, 0);
}

/* Enters warps whose instruction has left the vector pipeline. They can be picked in the next cycle. */
static inline void sl_scalar_enter(struct sl_scalar_pipeline *p, sl_warps warps)
{
  p->active = true;
  p->entering |= warps;
  p->resident += sl_count(warps);
}

/* Stage u: picks a warp that is not busy (suspended or spilling). The code here and below has no branch on whether
 * there is one: that is hard to predict. */
static inline void sl_scalar_schedule(struct sl_scalar_pipeline *p, sl_warps busy, int64_t now)
{
  const sl_warps pick = sl_scheduler_pick_any(&p->scheduler, p->queue & ~busy);
  const bool picked = pick != 0;
  p->pipeline[(unsigned)(now + SL_SCALAR_DEPTH) % SL_SCALAR_RING] =
      (int8_t)sl_choose(picked, sl_lowest(pick | !picked), UINT64_MAX);
  p->queue &= ~pick;
  p->in_pipeline += picked;
}

/* Ends a cycle. */
static inline void sl_scalar_clock(struct sl_scalar_pipeline *p)
{
  p->queue |= p->entering;
  p->entering = 0;
  p->active = p->resident > 0 || p->leaving.full || p->resumed >= 0 || p->resume.full ||
              sl_multiplier_busy(&p->multiplier) || p->divider.count > 0;
}

/* Whether the pipeline does nothing until a warp can be picked or a division ends. */
static inline bool sl_scalar_idle(const struct sl_scalar_pipeline *p)
{
  return p->in_pipeline == 0 && !p->entering && !p->leaving.full && p->resumed < 0 && !p->resume.full &&
         !sl_multiplier_busy(&p->multiplier);
}

/* Whether an instruction can execute on one value, given the state of its operands in the scalar registers. All must be
 * uniform; for an addition, all must be compressed and one uniform. */
static inline bool sl_scalar_accepts(const struct sl_warp_registers *r, const struct sl_operands *o)
{
  const uint32_t affine = r->affine & o->reads;
  const unsigned others = ((r->vector | r->spilled | r->zero) & o->reads) != 0;
  return (unsigned)o->scalarisable & ~others &
         ((unsigned)(affine == 0) | ((unsigned)o->addition & (unsigned)(affine != o->reads)));
}

/* Whether adding `addend` to an affine vector keeps its base aligned. */
static inline bool sl_scalar_fits(uint32_t addend, unsigned stride, unsigned lanes)
{
  return stride == 0 || (addend & (lanes * stride - 1)) == 0;
}

/* Whether an addition with an affine operand has no affine sum, because its uniform operand is not a multiple of lanes
 * * stride. Only the execute stage detects this. */
static inline bool sl_scalar_misfit(const struct sl_warp_registers *r, const struct sl_insn *in, unsigned lanes)
{
  if ((in->op != SL_OP_ADD && in->op != SL_OP_ADDI) || in->rd == 0)
    return false;
  const bool immediate = in->op == SL_OP_ADDI;
  const uint32_t a = r->base[in->rs1], b = immediate ? in->imm : r->base[in->rs2];
  return !sl_scalar_fits(b, r->stride[in->rs1], lanes) || !sl_scalar_fits(a, immediate ? 0 : r->stride[in->rs2], lanes);
}

#endif
