/* Writes a kernel with linear registers as RV32 machine code: the descriptor (compiler/linear/linear_form.h), the three
 * phases that compute the registers, then the remaining instructions with the plan's operands.
 *
 * A uniform register is set before its loop to its initial value minus a step. The step is added at the start of each
 * iteration, because instructions have no guards that could restrict an update to the back edge. */
#ifndef SL_LINEAR_RV32_RV32_WRITE_H
#define SL_LINEAR_RV32_RV32_WRITE_H

#include "base/error.h"
#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_rewrite.h"
#include "isa/wide.h"

struct sl_rv32_form {
  uint32_t *word;
  uint32_t count;
};

/* Returns the words of the kernel's linear variant, to be placed at `address`. SL_USAGE: the message says why it cannot
 * be written. */
enum sl_status sl_rv32_form_make(struct sl_rv32_form *form, struct sl_linear_plan *plan,
                                 const struct sl_linear_machine_code *machine, uint32_t address, struct sl_error *err);
void sl_rv32_form_free(struct sl_rv32_form *form);

/* RV32 instructions before layout: addresses and branch distances are computed when all instructions are present. A
 * prefix (isa/wide.h) stays with its word. */

enum sl_rv32_item_kind {
  SL_RV32_PLAIN,
  SL_RV32_BRANCH, /* to a label */
  SL_RV32_JUMP,   /* jal to a label */
  SL_RV32_CALL    /* jal to an address */
};

struct sl_rv32_item {
  uint32_t prefix, word; /* prefix 0: none */
  uint32_t target;       /* label, or address */
  uint8_t kind;          /* enum sl_rv32_item_kind */
  bool far;              /* a branch beyond 4 KiB: it goes to a jump, which the fall-through path skips */
};

struct sl_rv32_items {
  struct sl_rv32_item *item;
  uint32_t count;
  bool failed; /* out of memory */
};

void sl_rv32_items_free(struct sl_rv32_items *items);
void sl_rv32_add(struct sl_rv32_items *items, struct sl_rv32_item item);
static inline void sl_rv32_add_word(struct sl_rv32_items *items, uint32_t prefix, uint32_t word)
{
  sl_rv32_add(items, (struct sl_rv32_item){.prefix = prefix, .word = word});
}

/* Returns the word of an instruction with its operands; a branch has no target yet. */
struct sl_rv32_operands {
  uint32_t rd, rs1, rs2;
  int32_t imm;
};
uint32_t sl_rv32_word(enum sl_op op, struct sl_rv32_operands operands);
/* Loads a number: one instruction or two. */
void sl_rv32_add_number(struct sl_rv32_items *items, uint32_t rd, uint32_t number);
static inline bool sl_rv32_is_short(int64_t number)
{
  return number >= -2048 && number < 2048;
}

/* Computes the place of each item, in words from the first; place[count] is the end. Label l is item label[l]. */
void sl_rv32_places(struct sl_rv32_items *items, const uint32_t *label, uint32_t *place);

/* Writes all items, beginning at `address`. SL_USAGE: a jump exceeds 1 MiB. */
enum sl_status sl_rv32_items_write(const struct sl_rv32_items *items, const uint32_t *label, const uint32_t *place,
                                   uint32_t address, uint32_t *word, struct sl_error *err);

/* The three phases before the rest of an RV32 kernel with linear registers (R2D2, section 3.2): coefficients, which one
 * lane computes; thread part; block part, in which lane i is linear register i. A warp enters them in the state of a
 * kernel entry: a0 is the launch block, sp the stack. */

enum { SL_RV32_FACTOR_BITS = 12 }; /* signed numbers of this size need no coefficient register */

/* Appends the phases; begins[p] is the first item of phase p. */
void sl_rv32_phases_add(struct sl_rv32_items *items, const struct sl_linear_plan *plan,
                        const struct sl_linear_coefficients *coefficients, const struct sl_linear_abi *abi,
                        uint32_t begins[3]);

#endif
