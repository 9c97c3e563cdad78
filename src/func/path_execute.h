/* Functional execution of one instruction on the active lanes of a warp.
 *
 * The timed pipelines and the functional mode both call sl_path_execute(), so timing never changes a result. Registers
 * and memory change at the call. When lanes store to the same DRAM address, the lowest lane wins, like the leader in
 * the coalescing unit. The scratchpad serves conflicting lanes in the order of its banks. */
#ifndef SL_WARP_PATH_EXECUTE_H
#define SL_WARP_PATH_EXECUTE_H

#include "func/path_access.h"
#include "func/path_warps.h"
#include "mem/request.h"

/* Executes ex->insn on ex->active, the lanes of path `path`, and advances that path. Memory kinds fill in *request. */
enum sl_effect sl_path_execute(struct sl_path_warps *t, unsigned warp, unsigned path, struct sl_execution *ex,
                               struct sl_request *request);

/* The frequent kinds, for a caller that has already decoded the kind: */

/* ALU, MUL, DIV, FPU. */
SL_RV_BODY enum sl_effect sl_path_compute(struct sl_path_warps *t, unsigned warp, unsigned path,
                                          const struct sl_execution *ex)
{
  const struct sl_rv_lanes l = sl_path_lanes(t, warp, ex);
  if (ex->insn->rd != 0)
    sl_rv_compute(&l);
  sl_paths_advance(&t->paths[warp], path, sl_code_next(&t->code, ex->pc));
  return ex->insn->rd != 0 ? SL_EFFECT_RESULT : SL_EFFECT_NONE;
}

/* The lanes `taken` of a path branch. */
SL_RV_BODY enum sl_effect sl_path_branched(struct sl_path_warps *t, unsigned warp, unsigned path,
                                           struct sl_execution *ex, sl_lanes taken, uint32_t target)
{
  const uint32_t next = sl_code_next(&t->code, ex->pc);
  /* The fault names the branch, since no function or line is known at the target. */
  if (taken && __builtin_expect(sl_path_warps_outside(t, target), 0)) {
    sl_path_fault(t, warp, ex, SL_FAULT_JUMP, taken, target);
    return SL_EFFECT_FAULT;
  }
  ex->jumped = taken != 0;
  if (taken == 0 || taken == ex->active)
    sl_paths_advance(&t->paths[warp], path, taken ? target : next);
  else
    sl_paths_branch(&t->paths[warp], path, taken, target, next);
  return SL_EFFECT_NONE;
}

/* BRANCH. */
SL_RV_BODY enum sl_effect sl_path_branch(struct sl_path_warps *t, unsigned warp, unsigned path, struct sl_execution *ex)
{
  const struct sl_rv_lanes l = sl_path_lanes(t, warp, ex);
  return sl_path_branched(t, warp, path, ex, sl_rv_compute(&l), ex->pc + ex->insn->imm);
}

/* PUSH and POP. A mark that the scheme refuses changes nothing; sl_path_execute then makes the fault. */
SL_RV_BODY enum sl_effect sl_path_mark(struct sl_path_warps *t, unsigned warp, unsigned path, struct sl_execution *ex,
                                       enum sl_mark_kind kind)
{
  if (__builtin_expect(sl_paths_mark(&t->paths[warp], path, kind) != SL_MARKED, 0))
    return sl_path_execute(t, warp, path, ex, NULL);
  sl_paths_advance(&t->paths[warp], path, sl_code_next(&t->code, ex->pc));
  return SL_EFFECT_NONE;
}

/* JAL. */
SL_RV_BODY enum sl_effect sl_path_jump(struct sl_path_warps *t, unsigned warp, unsigned path, struct sl_execution *ex)
{
  const uint32_t target = ex->pc + ex->insn->imm;
  if (__builtin_expect(sl_path_warps_outside(t, target), 0))
    return sl_path_execute(t, warp, path, ex, NULL);
  const struct sl_rv_lanes l = sl_path_lanes(t, warp, ex);
  sl_rv_link(&l);
  ex->jumped = true;
  sl_path_warps_count_call(t, &t->paths[warp].path[path], ex->insn);
  sl_paths_advance(&t->paths[warp], path, target);
  return ex->insn->rd != 0 ? SL_EFFECT_RESULT : SL_EFFECT_NONE;
}

/* LOAD, STORE, AMO, LRSC, FENCE. */
static inline __attribute__((always_inline)) enum sl_effect sl_path_access(struct sl_path_warps *t, unsigned warp,
                                                                           unsigned path, const struct sl_execution *ex,
                                                                           struct sl_request *request)
{
  if (!sl_memory_access(t, warp, ex, request))
    return SL_EFFECT_FAULT;
  sl_paths_advance(&t->paths[warp], path, sl_code_next(&t->code, ex->pc));
  return SL_EFFECT_NONE;
}

#endif
