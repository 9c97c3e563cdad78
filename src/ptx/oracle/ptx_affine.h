/* Whether what the warps of a block have computed at one instruction is affine: lane l of warp w has
 * first + step * l + rise * w, modulo the size of the value; predicates are the same in all. */
#ifndef SL_PTX_ORACLE_PTX_AFFINE_H
#define SL_PTX_ORACLE_PTX_AFFINE_H

#include "ptx/oracle/ptx_sight.h"

/* To be zero at first. */
struct sl_ptx_affine {
  bool no;        /* it is not */
  unsigned warps; /* that have had lanes */
  unsigned warp;  /* the first of them */
  uint64_t first; /* what its lane 0 would have */
  int64_t step, rise;
};

/* Takes what a warp has computed in these lanes. */
void sl_ptx_affine_take(struct sl_ptx_affine *affine, unsigned warp, uint32_t lanes,
                        const struct sl_ptx_result *result);

#endif
