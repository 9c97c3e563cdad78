/* Registers of a warp in vector registers of the host, while a block of code is written.
 *
 * A register of L lanes is one vector of up to 16 words, or two. Every result is stored to the warp's register block at
 * once: whatever is left in the middle, the block is up to date. So what vector registers hold is only a copy, which a
 * call may lose.
 *
 * Blocks have two forms. In `all` all lanes are active. In `some` mask registers 1 and 2 hold the active lanes; a
 * copy then has the lanes of the others too, from before.
 *
 * Scalar registers: rbx the frame (struct sl_emitted_frame), rbp the warp's registers, r12 the byte of address 0, r13
 * the instructions left, r14 the marks of waiting paths, r15 the active lanes. rax, rcx, rdx, rsi and rdi are free. */
#ifndef SL_WARP_EMITTED_EMIT_LANES_H
#define SL_WARP_EMITTED_EMIT_LANES_H

#include "isa/isa.h"
#include "warp/emitted/x86.h"

#define SL_EMIT_FRAME SL_RBX
#define SL_EMIT_REGISTERS SL_RBP
#define SL_EMIT_MEMORY SL_R12
#define SL_EMIT_LEFT SL_R13
#define SL_EMIT_WAITS SL_R14
#define SL_EMIT_ACTIVE SL_R15

enum { SL_EMIT_SLOTS = 28, SL_EMIT_TEMPORARY = 28 /* to 31: vector registers that hold no copy */ };

struct sl_emit_lanes {
  struct sl_x86 x;
  unsigned lanes, row_bits; /* log2 of the bytes of a register */
  unsigned bits, parts;     /* of a vector; vectors of a register */
  bool some;
  unsigned slots;
  int16_t held[SL_EMIT_SLOTS]; /* the register a slot has a copy of, or -1 */
  uint32_t locked;             /* slots of the instruction that is being written */
  unsigned victim;             /* where the next copy goes, if nothing is free */
};

/* Code for warps of so many lanes, 4 to 32 and a power of two. */
void sl_emit_lanes_init(struct sl_emit_lanes *c, unsigned lanes, bool some);

/* Before each instruction; no copies are left after forget. */
static inline void sl_emit_begin(struct sl_emit_lanes *c)
{
  c->locked = 0;
}
void sl_emit_forget(struct sl_emit_lanes *c);

/* Slot of a register's copy, loaded if there was none. */
unsigned sl_emit_use(struct sl_emit_lanes *c, unsigned reg);

/* Slot of a register that is to be written: with its old lanes, where some are not. */
unsigned sl_emit_define(struct sl_emit_lanes *c, unsigned reg);

/* Vector register of a part of a slot. */
static inline unsigned sl_emit_vector(const struct sl_emit_lanes *c, unsigned slot, unsigned part)
{
  return slot * c->parts + part;
}

/* Active lanes of a part, or all of them. */
struct sl_x86_lanes sl_emit_active(const struct sl_emit_lanes *c, unsigned part);
struct sl_x86_lanes sl_emit_every(const struct sl_emit_lanes *c);

/* Where a part of a register is. */
struct sl_x86_place sl_emit_place(const struct sl_emit_lanes *c, unsigned reg, unsigned part);

/* The defined register's copy goes to where the register is; or from there. */
void sl_emit_store(struct sl_emit_lanes *c, unsigned slot, unsigned reg);
void sl_emit_reload(struct sl_emit_lanes *c, unsigned slot, unsigned reg);

/* The mask registers, from r15. */
void sl_emit_masks(struct sl_emit_lanes *c);

/* rd = a number, on the active lanes. */
void sl_emit_number(struct sl_emit_lanes *c, unsigned rd, uint32_t value);

/* An instruction that computes a value, which is not for x0. False: it has no code here; nothing was written. */
bool sl_emit_value(struct sl_emit_lanes *c, const struct sl_insn *in, uint32_t pc);

/* The lanes on which a branch is taken, of the active ones, to eax. False: as above. */
bool sl_emit_condition(struct sl_emit_lanes *c, const struct sl_insn *in);

/* Vector instructions that others need too. */
extern const struct sl_x86_vector sl_x86_vector_load, sl_x86_vector_store, sl_x86_vector_broadcast, sl_x86_vector_add,
    sl_x86_vector_subtract, sl_x86_vector_or, sl_x86_vector_xor, sl_x86_vector_test, sl_x86_vector_compare,
    sl_x86_vector_compare_unsigned;

enum { SL_X86_IS_EQUAL, SL_X86_IS_LESS, SL_X86_IS_UNEQUAL = 4, SL_X86_IS_NOT_LESS, SL_X86_IS_GREATER };

#endif
