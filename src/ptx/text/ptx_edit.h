/* Editing of the instructions of a kernel whose branches have their targets: operands by role, new registers, renaming,
 * and replacing a piece of code. Transformations of code use it (ptx_unroll.h, ptx_predicate.h). */
#ifndef SL_PTX_TEXT_PTX_EDIT_H
#define SL_PTX_TEXT_PTX_EDIT_H

#include "ptx/text/ptx_parser.h"

enum { SL_PTX_READS = 5, SL_PTX_WRITES = SL_PTX_ELEMENTS };

/* Operands of an instruction in operand order, without guard and address. */
struct sl_ptx_roles {
  struct sl_ptx_place *read[SL_PTX_READS], *written[SL_PTX_WRITES];
  unsigned reads, writes;
};

/* False: instructions of this kind are not edited. */
bool sl_ptx_roles_find(struct sl_ptx_roles *roles, struct sl_ptx_insn *in);

struct sl_ptx_editor {
  struct sl_ptx_parser *p;
  uint32_t begin;                        /* the kernel's first instruction; its last one is the parser's */
  uint32_t index[SL_PTX_TOLD_APART];     /* in the parser's registers, by number */
  uint16_t id_at[8 * SL_PTX_TOLD_APART]; /* by place, in units of the smallest register */
};

/* False: the kernel has more registers than machines tell apart. Call it again when registers are removed. */
bool sl_ptx_edit_begin(struct sl_ptx_editor *e, struct sl_ptx_parser *p, uint32_t begin);

/* The number of the register at a place; SL_PTX_NO_REG: there is none. */
uint16_t sl_ptx_edit_id(const struct sl_ptx_editor *e, struct sl_ptx_place place);
struct sl_ptx_place sl_ptx_edit_place(const struct sl_ptx_editor *e, uint16_t id);
struct sl_ptx_reg sl_ptx_edit_reg(const struct sl_ptx_editor *e, uint16_t id);
enum sl_ptx_type sl_ptx_edit_type(const struct sl_ptx_editor *e, uint16_t id);

/* Adds a register; SL_PTX_NO_REG: no number is left, or no memory. */
uint16_t sl_ptx_edit_new(struct sl_ptx_editor *e, enum sl_ptx_type type);
/* Removes the registers from number `used` on, which no instruction has. */
void sl_ptx_edit_drop(struct sl_ptx_editor *e, uint16_t used);

/* Renames registers that the instruction reads and writes: new numbers by old ones. */
void sl_ptx_edit_rename(const struct sl_ptx_editor *e, struct sl_ptx_insn *in, const uint16_t *reads,
                        const uint16_t *writes);
/* Sets the lists of registers of an instruction whose operands were changed. */
void sl_ptx_edit_registers(const struct sl_ptx_editor *e, struct sl_ptx_insn *in);

/* The value of a constant operand; false: the place is another one, or its value is not known yet. */
bool sl_ptx_edit_number(const struct sl_ptx_editor *e, struct sl_ptx_place place, bool wide, uint64_t *bits);

/* An instruction of a row, at the place in the text of another instruction. */
struct sl_ptx_insn sl_ptx_edit_row(const struct sl_ptx_editor *e, const struct sl_ptx_insn *like, unsigned row,
                                   struct sl_ptx_place d, struct sl_ptx_place a, struct sl_ptx_place b);

/* The new PC of an instruction if `count` instructions replace `removed` ones at `at`. */
uint32_t sl_ptx_edit_moved(uint32_t pc, uint32_t at, uint32_t removed, uint32_t count);
/* Replaces instructions. Branches to the first one go to the first new one; no other branch may lead to removed ones.
 * Targets of new branches are new PCs. False: out of memory. */
bool sl_ptx_edit_replace(struct sl_ptx_editor *e, uint32_t at, uint32_t removed, const struct sl_ptx_insn *code,
                         uint32_t count);

#endif
