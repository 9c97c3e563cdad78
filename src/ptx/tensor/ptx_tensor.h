/* Instructions on matrices that the lanes of a warp hold together.
 *
 * Fragments of wmma and mma have the same layout, that of mma in the PTX ISA, continued to larger shapes: lane l holds
 * row l / 4 of each group of 8 rows (of B and of the transposed matrix in ldmatrix.trans: column), and in it the
 * elements from l % 4 times those in a register on. Registers follow the groups of rows first. Fragments of wmma for
 * f16 that have more registers than elements hold their elements again. wmma leaves its layout open; that of the real
 * machine's first generation is another.
 *
 * d = a * b + c is computed in this order: each element of d starts with that of c, and the products are added by
 * ascending k. Products of f16 are exact in f32. Products of bf16 and tf32 are exact, too, unless they leave the range
 * of f32. Each sum is rounded to nearest f32; a result of f16 is rounded once more at the end. f64 is one fma per
 * product. Integers wrap, or with .satfinite are clamped at the end. The hardware's order and rounding are not
 * documented; this is the order in which a program on the host checks it. */
#ifndef SL_PTX_TENSOR_PTX_TENSOR_H
#define SL_PTX_TENSOR_PTX_TENSOR_H

#include "ptx/run/ptx_block.h"

/* Executes an instruction of kind TENSOR; all lanes are active. */
void sl_ptx_tensor(struct sl_ptx_warp *w, const struct sl_ptx_insn *in);

/* Moves a matrix between registers and memory; kind TILE. Line i is at data + offset[i]. */
void sl_ptx_tile_move(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data, const uint64_t *offset);

/* Bytes between the lines of a matrix, by their stride in elements. */
uint64_t sl_ptx_tile_bytes(const struct sl_ptx_more *more, uint32_t stride);

/* The matrices of Volta's tensor cores, 16 x 16 x 16 with f16 factors and f32 sums: what the functions
 * above do for all matrices, with the same results in a tenth of the time. */

#endif
