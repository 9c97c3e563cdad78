/* Functional execution of one instruction on the active lanes of a warp.
 *
 * The timed pipelines and the functional mode both call sl_path_execute(), so timing never changes a result. Registers
 * and memory change at the call. When lanes store to the same DRAM address, the lowest lane wins, like the leader in
 * the coalescing unit. The scratchpad serves conflicting lanes in the order of its banks. */
#ifndef SL_WARP_PATH_EXECUTE_H
#define SL_WARP_PATH_EXECUTE_H

#include "func/path_warps.h"
#include "mem/request.h"

/* ---- accesses (path_access.c) ------------------------------------------------------------------------------------ */

/* Loads, stores, atomics and fences of a warp's lanes, and the requests that they put on the memory path; and accesses
 * to CSRs. */

/* Records a fault of lanes at an instruction (NULL: there is none); returns false. */
bool sl_path_fault(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, enum sl_fault_kind kind,
                   sl_lanes lanes, uint32_t address);

/* Names lanes for which the faulting ones would wait, at the first place with any of these. */
void sl_path_held(struct sl_path_warps *t, unsigned warp, sl_lanes lanes);

/* Performs the access of ex->insn and describes it in *request. Returns false on a fault. */
bool sl_memory_access(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                      struct sl_request *request);

/* The same in two steps, except for fences. sl_memory_addresses computes the addresses of ex->active into
 * request->address and *s. sl_memory_access_addressed performs the access; it also takes lanes whose addresses were
 * added later. The memo is the result of the first step, or NULL for other lanes. */
struct sl_access_memo_entry *sl_memory_addresses(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                                 struct sl_request *request, struct sl_addresses *s);
bool sl_memory_access_addressed(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                struct sl_request *request, const struct sl_addresses *s,
                                struct sl_access_memo_entry *memo);

/* The same for a load or store of all lanes with rs1 = base + lane * stride. Returns false if the access must be made
 * lane by lane; then nothing has changed. */
bool sl_memory_access_regular(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, uint32_t base,
                              uint32_t stride, struct sl_request *request);

/* The same for a load by all lanes from one address. Sets *value to the result. It writes no register and, of the
 * request's addresses, only lane 0's. */
bool sl_memory_load_uniform(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, uint32_t base,
                            uint32_t *value, struct sl_request *request);

/* CSRs of the SM: hart id, closure address, warp command, and the simulation-only output of a word. Source of the
 * numbers: SIMTight's published kernel library. */

enum sl_sm_csr {
  SL_CSR_PRINT_WORD = 0x800, /* simulation only */
  SL_CSR_END = 0x801,        /* simulation only: ends the program */
  SL_CSR_COMMAND = 0x830,
  SL_CSR_CLOSURE = 0x831,
  SL_CSR_HART_ID = 0xf14
};

/* Executes a CSR instruction. A warp command requires all lanes of the warp and takes lane 0's value. */
enum sl_effect sl_csr_access(struct sl_path_warps *t, unsigned warp, struct sl_execution *ex);

/* Returns true if an instruction that all lanes of a warp execute is a warp command, and sets *value to it. */
bool sl_csr_commands(const struct sl_path_warps *t, unsigned warp, const struct sl_insn *in, uint32_t *value);

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
