/* Linear registers of R2D2 (D. Ha, Y. Oh and W. W. Ro, ISCA 2023) for kernels in PTX.
 *
 * The kernel NAME$r2d2 is a variant of kernel NAME that computes the same result in four phases: the coefficients (one
 * lane, once per SM), the thread part (the warps of one block, once per SM), the block part (one warp of each block,
 * lane i for linear register i), and the rest. Each of the first three ends with r2.end, which publishes its results:
 * coefficient registers (cr) and thread registers (tr) of the SM, block registers (br) of the block. In the last phase
 * a register declared by r2.sum has, at each read, the value tr + br[lr] + cr + a uniform register + a number. */
#ifndef SL_PTX_RUN_PTX_LINEAR_H
#define SL_PTX_RUN_PTX_LINEAR_H

#include "ptx/run/ptx_block.h"

enum { SL_PTX_LINEAR_NONE = 0xff, SL_PTX_LINEAR_CRS = 255 };

enum sl_ptx_phase {
  SL_PTX_PHASE_COEFFICIENTS,
  SL_PTX_PHASE_THREADS,
  SL_PTX_PHASE_BLOCK,
  SL_PTX_PHASE_REST,
  SL_PTX_PHASES
};

/* A register that stands for number `number` of the SM's. */
struct sl_ptx_linear_name {
  struct sl_ptx_place place;
  uint32_t number;
};

struct sl_ptx_linear_sum {
  struct sl_ptx_place place, ur; /* ur: a constant 0 if absent */
  uint16_t id, ur_id;            /* as in struct sl_ptx_reg */
  uint8_t lr, tr, cr;            /* SL_PTX_LINEAR_NONE */
  bool wide;
  int64_t number;
};

/* Properties of a kernel, before it is launched. */
struct sl_ptx_linear {
  const struct sl_ptx_function *kernel; /* NAME$r2d2 */
  uint32_t start[SL_PTX_PHASES];
  struct sl_ptx_linear_name *cr, *tr, *slice;
  struct sl_ptx_place br;
  struct sl_ptx_linear_sum *sum;
  unsigned crs, trs, slices, sums;
  unsigned lrs, tr_count, cr_count; /* registers in an SM: the highest number plus 1 */
  uint32_t *first;                  /* by instruction of the kernel: index in `reads` */
  uint16_t *reads;                  /* sums */
};

/* Of the SM. */
struct sl_ptx_linear_registers {
  const struct sl_ptx_linear *linear;
  int64_t *cr;
  int64_t *tr; /* by register and lane of the block */
  unsigned lanes;
  bool begun; /* a block of this launch has begun; its warps compute the values per SM */
};

/* The variant of a kernel with linear registers; NULL: the module has none. SL_USAGE: the variant is invalid. */
enum sl_status sl_ptx_linear_find(struct sl_ptx_linear **linear, const struct sl_ptx_module *module,
                                  const struct sl_ptx_function *kernel, struct sl_error *err);
void sl_ptx_linear_free(struct sl_ptx_linear *linear);

enum sl_status sl_ptx_linear_make(struct sl_ptx_linear_registers *r, const struct sl_ptx_linear *linear,
                                  const struct sl_ptx_launch *launch, struct sl_error *err);
void sl_ptx_linear_unmake(struct sl_ptx_linear_registers *r);

/* Call it after sl_ptx_block_start: warps start at their first phase. */
void sl_ptx_linear_begin(struct sl_ptx_block *b);

/* Before the instruction at pc: computes the sums that it reads, or the initial registers of a phase. */
void sl_ptx_linear_read(struct sl_ptx_warp *w, uint32_t pc);

/* A warp has reached the end of its phase and moves to its next one. */
void sl_ptx_linear_end(struct sl_ptx_warp *w);

#endif
