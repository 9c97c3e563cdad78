/* RV32 instructions before layout: addresses and branch distances are computed when all instructions are present. A
 * prefix (isa/linear_words.h) stays with its word. */
#ifndef SL_LINEAR_RV32_RV32_ITEMS_H
#define SL_LINEAR_RV32_RV32_ITEMS_H

#include "base/error.h"
#include "isa/linear_words.h"

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

#endif
