/* Detects affine results: whether the values that a block's warps compute at one instruction are first + step * l +
 * rise * w in lane l of warp w, modulo the size of the value. Predicates must be the same in all. */
#ifndef SL_PTX_ORACLE_PTX_AFFINE_H
#define SL_PTX_ORACLE_PTX_AFFINE_H

#include "ptx/oracle/ptx_redundancy.h"

/* Initialise with zeros. */
struct sl_ptx_affine {
  bool no;        /* not affine */
  unsigned warps; /* that had active lanes */
  unsigned warp;  /* the first of them */
  uint64_t first; /* the value that its lane 0 would have */
  int64_t step, rise;
};

/* Adds the values that a warp has computed in these lanes. */
void sl_ptx_affine_take(struct sl_ptx_affine *affine, unsigned warp, uint32_t lanes,
                        const struct sl_ptx_result *result);

#endif
