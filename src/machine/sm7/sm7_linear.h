/* Linear registers of R2D2 (ISCA 2023, section 4.3) in the register file of an SM: thread registers first, then block
 * registers, then coefficients. A register is a warp register of 32 words; a 64-bit value takes two. */
#ifndef SL_MACHINE_SM7_LINEAR_H
#define SL_MACHINE_SM7_LINEAR_H

#include "machine/sm7/sm7_gpu.h"
#include "ptx/run/ptx_grid.h"
#include "ptx/run/ptx_linear.h"

struct sl_sm7_linear {
  unsigned trs, crs, warps; /* warps: of a block */
  unsigned words;           /* of a value: 1 or 2 */
};

static inline unsigned sl_sm7_linear_tr(const struct sl_sm7_linear *l, unsigned tr, unsigned warp, unsigned word)
{
  return l->words * (tr * l->warps + warp % l->warps) + word;
}
static inline unsigned sl_sm7_linear_br(const struct sl_sm7_linear *l, unsigned slot, unsigned word)
{
  return l->words * (l->trs * l->warps + slot) + word;
}
/* A register holds 32 of their words; `blocks` is the number of resident blocks. */
static inline unsigned sl_sm7_linear_cr(const struct sl_sm7_linear *l, unsigned cr, unsigned blocks)
{
  return l->words * (l->trs * l->warps + blocks) + cr / (SL_SM7_LANES / l->words);
}

/* Linear registers that an instruction reads; SL_PTX_LINEAR_NONE for none. */
struct sl_sm7_linear_parts {
  unsigned lr, tr, cr;
};
void sl_sm7_linear_read(struct sl_sm7_instruction *code, const struct sl_sm7_linear *file,
                        const struct sl_sm7_linear_parts *parts);
/* Adds a read of a thread's own register, at the given bank. */
void sl_sm7_linear_read_own(struct sl_sm7_instruction *code, unsigned bank, unsigned words);

/* Whether as many blocks fit for a kernel that needs `before` registers per thread without linear registers and `after`
 * with them; if so, *with becomes its demand. */
bool sl_sm7_linear_fits(const struct sl_sm7_spec *spec, const struct sl_sm7_demand *demand,
                        const struct sl_sm7_linear *linear, unsigned before, unsigned after,
                        struct sl_sm7_demand *with);

/* Of a kernel for a launch. */
struct sl_sm7_linear sl_sm7_linear_of(const struct sl_ptx_linear *linear, const struct sl_ptx_launch *launch);

/* Replaces `launch` by its variant with linear registers, and changes the registers per thread by the estimated
 * difference. This happens if the module has the variant, the machine can distinguish its registers, and as many blocks
 * of it fit; else both stay unchanged. The caller frees *linear (sl_ptx_linear_free). */
enum sl_status sl_sm7_linear_choose(const struct sl_sm7_spec *spec, struct sl_ptx_launch *launch,
                                    struct sl_sm7_demand *demand, struct sl_ptx_linear **linear, struct sl_error *err);

/* With r2d2.shadow: makes `original` the shadow of the selected launch; the caller keeps it. SL_USAGE: the run has
 * checkpoints, which cannot hold the shadow. */
enum sl_status sl_sm7_linear_shadow(const struct sl_sm7_spec *spec, struct sl_ptx_launch *launch,
                                    const struct sl_ptx_launch *original, const struct sl_ptx_bounds *bounds,
                                    struct sl_error *err);

/* Sets the registers that instructions with sums check, in place of the registers that stand for the sums. */
void sl_sm7_linear_facts(struct sl_sm7_instruction *code, const struct sl_ptx_launch *launch, uint32_t adds);

#endif
