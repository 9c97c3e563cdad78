/* The parallel scalar pipeline: a queue, scheduler, units and register-file ports of its own, for warps whose next
 * instruction is predicted to be scalarisable.
 *
 * u = cycle in which a warp is picked: u pick, u+1 read thread state, u+2 fetch, u+3 read scalar registers, u+4 decode
 * and check, u+5 execute and predict the next instruction, u+6 write back: the register's new value can be read from
 * u+7 on, and the warp picked. One instruction per cycle, seven cycles per instruction of a warp; no suspension for
 * plain results. Multiplications, shifts and divisions suspend the warp (its lane 0) at the end of u+6; their result is
 * written when no plain one is, and the suspension ends with the cycle after that.
 *
 * Prediction: one bit per instruction word says whether the instruction was scalarisable when it last left the vector
 * pipeline. A warp comes here from the vector pipeline when all its lanes were active and went on to the next
 * instruction, that one's bit is set, and no more than the limit of warps are here; it goes back when the bit of its
 * next instruction is clear, or the instruction turns out not to be scalarisable after all.
 * (Paper, section III-C; stages and conditions from the published RTL.) */
#ifndef SL_UNIT_SCALAR_PIPELINE_H
#define SL_UNIT_SCALAR_PIPELINE_H

#include "unit/divider.h"
#include "unit/multiplier.h"
#include "unit/register_file.h"
#include "unit/scheduler.h"

enum { SL_SCALAR_CHECK = 3, SL_SCALAR_DEPTH = 5, SL_SCALAR_RING = 8 }; /* cycles from pick */
SL_HOLDS(SL_SCALAR_RING, SL_SCALAR_DEPTH + 1, "picks that have not executed");

/* An instruction between execute and write-back. */
struct sl_scalar_slot {
  bool full;
  bool returns;  /* the warp goes back to the vector pipeline */
  bool writes;   /* its result is written now */
  bool suspends; /* its result comes from a unit */
  uint8_t warp, rd;
};

struct sl_scalar_pipeline {
  bool active; /* something is queued, in the pipeline or in a unit */
  sl_warps queue, entering;
  unsigned resident; /* warps here: queued or in the pipeline */
  struct sl_scheduler scheduler;
  int8_t pipeline[SL_SCALAR_RING]; /* warp that executes in cycle c at c % RING, -1 for none */
  unsigned in_pipeline;
  sl_warps refused, suspended; /* of the warps in the pipeline: the check's outcome, the suspension it saw */
  struct sl_scalar_slot leaving;
  int resumed; /* warp resumed in the previous cycle, -1 for none */
  struct sl_pipeline_queue resume;
  struct sl_multiplier multiplier;
  struct sl_divider divider;
  bool multiplier_ready;
  uint64_t issues, aborts, bubbles, retries, misfits; /* issues include the last two */
};

/* Start of a kernel; the scheduler's history stays. */
static inline void sl_scalar_start(struct sl_scalar_pipeline *p)
{
  const struct sl_scheduler scheduler = p->scheduler;
  *p = (struct sl_scalar_pipeline){.scheduler = scheduler, .resumed = -1};
  for (unsigned i = 0; i < SL_SCALAR_RING; i++)
    p->pipeline[i] = -1;
  sl_multiplier_init(&p->multiplier);
  sl_divider_init(&p->divider, SL_DIVIDER_SEQUENTIAL, 0, 0);
}

/* Warps whose instruction has left the vector pipeline come here; they can be picked in the next cycle. */
static inline void sl_scalar_enter(struct sl_scalar_pipeline *p, sl_warps warps)
{
  p->active = true;
  p->entering |= warps;
  p->resident += sl_count(warps);
}

/* Stage u: picks a warp that is not busy (suspended or spilling). Whether there is one is hard to foretell, as is much
 * of what follows: no branch on it. */
static inline void sl_scalar_schedule(struct sl_scalar_pipeline *p, sl_warps busy, int64_t now)
{
  const sl_warps pick = sl_scheduler_pick_any(&p->scheduler, p->queue & ~busy);
  const bool picked = pick != 0;
  p->pipeline[(unsigned)(now + SL_SCALAR_DEPTH) % SL_SCALAR_RING] =
      (int8_t)sl_choose(picked, sl_lowest(pick | !picked), UINT64_MAX);
  p->queue &= ~pick;
  p->in_pipeline += picked;
}

/* The end of a cycle. */
static inline void sl_scalar_clock(struct sl_scalar_pipeline *p)
{
  p->queue |= p->entering;
  p->entering = 0;
  p->active = p->resident > 0 || p->leaving.full || p->resumed >= 0 || p->resume.full ||
              sl_multiplier_busy(&p->multiplier) || p->divider.count > 0;
}

/* Nothing moves here until a warp can be picked or a division ends. */
static inline bool sl_scalar_idle(const struct sl_scalar_pipeline *p)
{
  return p->in_pipeline == 0 && !p->entering && !p->leaving.full && p->resumed < 0 && !p->resume.full &&
         !sl_multiplier_busy(&p->multiplier);
}

/* Whether an instruction can be executed on one value, its operands being as the scalar registers hold them: all
 * uniform or, for an addition, all compressed and one of them uniform. */
static inline bool sl_scalar_accepts(const struct sl_warp_registers *r, const struct sl_operands *o)
{
  const uint32_t affine = r->affine & o->reads;
  const unsigned others = ((r->vector | r->spilled | r->zero) & o->reads) != 0;
  return (unsigned)o->scalarisable & ~others &
         ((unsigned)(affine == 0) | ((unsigned)o->addition & (unsigned)(affine != o->reads)));
}

/* An addition with an affine operand whose sum would not be one: its uniform operand is no multiple of
 * lanes * stride. Found only in the execute stage. */
bool sl_scalar_misfit(const struct sl_warp_registers *r, const struct sl_insn *in, unsigned lanes);

#endif
