/* Folds numbers in straight code: what is known of registers is a number, or another register plus a number.
 *
 * Instructions whose operands are numbers become moves of a number; additions of numbers become one addition; copies
 * are read at their source; known sums in addresses move to the offset. An assembler does the same with the copies of
 * an unrolled loop. */
#ifndef SL_PTX_TEXT_PTX_FOLD_H
#define SL_PTX_TEXT_PTX_FOLD_H

#include "ptx/text/ptx_edit.h"

/* The register `base` as of a definition, plus a number; base SL_PTX_NO_REG: the number alone. Predicates are 0 or 1.
 */
struct sl_ptx_known {
  uint64_t number;
  uint32_t version;
  uint16_t base;
};

struct sl_ptx_fold {
  struct sl_ptx_editor *e;
  bool dry; /* instructions do not change; versions are values, which may be gone from their register */
  uint32_t version[SL_PTX_TOLD_APART];
  struct sl_ptx_known value[SL_PTX_TOLD_APART];
};

/* Each register has its first version, and is known as itself. */
void sl_ptx_fold_begin(struct sl_ptx_fold *f, struct sl_ptx_editor *e, bool dry);

void sl_ptx_fold_number(struct sl_ptx_fold *f, uint16_t id, uint64_t number);
struct sl_ptx_known sl_ptx_fold_of(const struct sl_ptx_fold *f, uint16_t id);
/* The same of an operand, `wide`: of 64 bits; false: it is neither a number nor a register. */
bool sl_ptx_fold_operand(const struct sl_ptx_fold *f, struct sl_ptx_place place, bool wide, struct sl_ptx_known *known);

/* Simplifies the next instruction and notes what it computes. False: it never executes. */
bool sl_ptx_fold(struct sl_ptx_fold *f, struct sl_ptx_insn *in);

/* The result of an instruction on integers of 32 and 64 bits with these operands; false: it is another instruction. */
bool sl_ptx_fold_evaluate(const struct sl_ptx_insn *in, const uint64_t operand[3], uint64_t *result);
/* Its operands: their number, and whether each has 64 bits. */
unsigned sl_ptx_fold_operands(const struct sl_ptx_insn *in, bool wide[3]);

#endif
