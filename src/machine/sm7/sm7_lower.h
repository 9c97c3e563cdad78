/* Lowering: PTX instructions that the machine code of a GPU does not have take no issue slot.
 *
 * An assembler reads parameters as operands, keeps copies in one register, and fuses pairs of instructions, such as a
 * multiplication and an addition of addresses. Here the first instruction of a pair becomes free: it executes when its
 * warp reaches it, without a slot, a unit or registers. The second one waits for the operands of both. Values are those
 * of PTX, because each instruction executes as before; only the facts about timing change. */
#ifndef SL_MACHINE_SM7_LOWER_H
#define SL_MACHINE_SM7_LOWER_H

#include "machine/sm7/sm7_code.h"
#include "machine/sm7/sm7_gpu.h"
#include "machine/sm7/sm7_spec.h"
#include "ptx/ptx.h"
#include "ptx/run/ptx_grid.h"
#include "ptx/run/ptx_linear.h"

/* The transformations, each with a key. */
enum sl_sm7_lowering {
  SL_SM7_LOWER_PARAMETERS, /* loads of parameters, conversions of addresses between spaces */
  SL_SM7_LOWER_MOVES,      /* copies of registers that end there, constants, widening for addresses */
  SL_SM7_LOWER_ADDRESSES,  /* multiplication or shift, and addition */
  SL_SM7_LOWER_ADDS,       /* two additions */
  SL_SM7_LOWER_LOGIC,      /* two operations on bits, or on predicates */
  SL_SM7_LOWER_VECTORS,    /* loads of adjacent words of shared memory (sm7_vectors.c) */
  SL_SM7_LOWERINGS
};

/* Sets the options for transformations that are made when a module is parsed. */
void sl_sm7_lower_text(const struct sl_sm7_spec *spec, struct sl_ptx_options *options);

/* Lowers the code of a module, if a key asks for it. `kind`: receives the transformation of each free instruction;
 * NULL: not wanted. False: nothing is lowered. */
bool sl_sm7_lower(const struct sl_sm7_spec *spec, const struct sl_ptx_module *module, struct sl_sm7_instruction *code,
                  uint8_t *kind);

/* The free instructions of a module, by pc, which the caller frees; NULL: nothing is lowered, or an oracle chooses the
 * instructions that take no slot. SL_INTERNAL: out of memory. */
enum sl_status sl_sm7_find_free(const struct sl_sm7_spec *spec, const struct sl_ptx_module *module, bool **free_ones,
                                struct sl_error *err);

/* ---- vectors (sm7_vectors.c) ------------------------------------------------------------------------------------- */

/* Adjacent loads from shared or constant memory are one load of a vector.
 *
 * An assembler knows the addresses of such variables, and so the alignment of many accesses. It joins two or four
 * loads of words from an aligned piece of 8 or 16 bytes, of constant memory two (LDC.64), if they are in one basic
 * block and no store is between them that could write there. Here the first of them gets the registers of all and the
 * bytes of all; the others become free and execute where they are in the PTX, so values do not change.
 *
 * Source: CUDA C++ Best Practices Guide, "Vectorized memory access"; the shape of machine code of Volta in
 * arXiv:1804.06826, section 1. Of constant memory: mri-q reads 4,096 words of it per warp, and a Quadro V100 counts
 * 2,151 requests (CC_ACC in AccelWattch's hw_perf.csv). */

/* Joins the loads of a function, whose code may be lowered otherwise before. `defs`: by register number, how often the
 * function defines it. `joined` is called for each load that became free. */
void sl_sm7_join_loads(const struct sl_ptx_module *module, const struct sl_ptx_function *function,
                       struct sl_sm7_instruction *code, const uint32_t defs[SL_SM7_REGISTERS],
                       void (*joined)(void *context, uint32_t pc), void *context);

/* Linear registers of R2D2 (ISCA 2023, section 4.3) in the register file of an SM: thread registers first, then block
 * registers, then coefficients. A register is a warp register of 32 words; a 64-bit value takes two. */

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
