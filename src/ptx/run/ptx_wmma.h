/* The matrices of Volta's tensor cores, 16 x 16 x 16 with f16 factors and f32 sums: what ptx_tensor.h does for all
 * matrices, with the same results in a tenth of the time. */
#ifndef SL_PTX_RUN_PTX_WMMA_H
#define SL_PTX_RUN_PTX_WMMA_H

#include "ptx/run/ptx_block.h"

/* Executes d = a * b + c. False: other shapes or formats. */
bool sl_ptx_wmma_multiply(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in);

/* Moves a matrix between registers and memory. Line i is at data + offset[i]. False: as above, and sums of f16. */
bool sl_ptx_wmma_move(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data, const uint64_t *offset);

#endif
