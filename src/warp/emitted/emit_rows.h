/* Registers of a warp as rows of words in vector registers of the host, while a block of code is written.
 *
 * A row of L lanes is one vector, or two or four where the host's are shorter. Every result is stored to the warp's
 * register block at once: whatever is left in the middle, the block is up to date. So what vector registers hold is
 * only a copy, which a call may lose.
 *
 * Blocks have two forms. In `all` all lanes are active. In `some` those of r15 are; a copy then has the lanes of the
 * others too, from before. What rows can do is written for two levels of hosts: AVX-512 and AVX2.
 *
 * Scalar registers: rbx the frame (emit_frame.h), rbp the warp's registers, r12 the byte of address 0, r13 the
 * instructions left, r14 the marks of waiting paths, r15 the active lanes. rax, rcx, rdx, rsi and rdi are free. */
#ifndef SL_WARP_EMITTED_EMIT_ROWS_H
#define SL_WARP_EMITTED_EMIT_ROWS_H

#include "isa/isa.h"
#include "warp/emitted/emit_frame.h"
#include "warp/emitted/x86.h"

#define SL_EMIT_FRAME SL_RBX
#define SL_EMIT_REGISTERS SL_RBP
#define SL_EMIT_MEMORY SL_R12
#define SL_EMIT_LEFT SL_R13
#define SL_EMIT_WAITS SL_R14
#define SL_EMIT_ACTIVE SL_R15

#define SL_EMIT_FIELD(name) sl_x86_at(SL_EMIT_FRAME, offsetof(struct sl_emitted_frame, name))

enum { SL_EMIT_SLOTS = 28 };

struct sl_emit_rows {
  struct sl_x86 x;
  const struct sl_emit_level *level;
  unsigned lanes, row_bits; /* log2 of the bytes of a row */
  unsigned bits, parts;     /* of a vector; vectors of a row */
  bool some;
  unsigned slots;              /* rows that vector registers can hold */
  int16_t held[SL_EMIT_SLOTS]; /* the register a slot has a copy of, or -1 */
  uint32_t locked;             /* slots of the instruction that is being written */
  uint32_t unsaved;            /* slots whose copy is not yet where the register is */
  unsigned victim;             /* where the next copy goes, if nothing is free */
};

enum sl_emit_relation {
  SL_EMIT_EQUAL,
  SL_EMIT_UNEQUAL,
  SL_EMIT_LESS,
  SL_EMIT_NOT_LESS,
  SL_EMIT_BELOW, /* as unsigned numbers */
  SL_EMIT_NOT_BELOW
};

/* The second operand: a slot, or a word that all lanes have. */
struct sl_emit_operand {
  bool word;
  unsigned slot;
  struct sl_x86_place place;
};

/* What is done with rows. d, a, b: slots; d may be one of the others. On the active lanes, unless it says otherwise. */
struct sl_emit_level {
  unsigned bits;       /* of the widest vector */
  unsigned vectors;    /* registers that hold copies, from 0 on; four more are free */
  bool masks_in_frame; /* active lanes are a row there */
  /* After a call: what stands for the active lanes. */
  void (*masks)(struct sl_emit_rows *c);
  /* All lanes, from and to memory. */
  void (*load)(struct sl_emit_rows *c, unsigned d, struct sl_x86_place from);
  void (*store)(struct sl_emit_rows *c, unsigned a, struct sl_x86_place to);
  void (*unary)(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a); /* d = op a */
  void (*spread)(struct sl_emit_rows *c, unsigned d, struct sl_x86_place word);
  void (*op)(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, struct sl_emit_operand b);
  void (*shift)(struct sl_emit_rows *c, unsigned member, unsigned d, unsigned a, unsigned bits); /* 72 /member */
  /* By counts of which only five bits count. */
  void (*shift_by)(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, struct sl_emit_operand b);
  /* 1 where it is true, or 0; of numbers, and of floats with a predicate of vcmpps. */
  void (*relate)(struct sl_emit_rows *c, enum sl_emit_relation relation, unsigned d, unsigned a,
                 struct sl_emit_operand b);
  void (*relate_floats)(struct sl_emit_rows *c, unsigned predicate, unsigned d, unsigned a, unsigned b);
  /* eax = the lanes where it is true. */
  void (*compare)(struct sl_emit_rows *c, enum sl_emit_relation relation, unsigned a, struct sl_emit_operand b);
  /* a where b is 0, or where it is not, else 0. */
  void (*choose)(struct sl_emit_rows *c, unsigned d, unsigned a, unsigned b, bool where_zero);
  /* A result that is a NaN becomes the canonical one; `single`: of one operand, a. */
  void (*float_op)(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, unsigned b, bool single);
  void (*float_to_int)(struct sl_emit_rows *c, unsigned d, unsigned a);
  /* Jumps if the words of a are not all the one at a place; not that and the ones of a row further on. */
  size_t (*unless_equal)(struct sl_emit_rows *c, unsigned a, struct sl_x86_place word);
  size_t (*unless_apart)(struct sl_emit_rows *c, unsigned a, struct sl_x86_place word, struct sl_x86_place row);
  /* Units that follow each other in memory. Of stores, false: only whole words. */
  void (*load_units)(struct sl_emit_rows *c, const struct sl_insn *in, unsigned d, struct sl_x86_place from);
  bool (*stores_units)(unsigned width);
  void (*store_units)(struct sl_emit_rows *c, const struct sl_insn *in, unsigned a, struct sl_x86_place to);
};

extern const struct sl_emit_level sl_emit_avx512, sl_emit_avx2;

/* Code for warps of so many lanes, 4 to 32 and a power of two. */
void sl_emit_rows_init(struct sl_emit_rows *c, const struct sl_emit_level *level, unsigned lanes, bool some);

/* Before each instruction; no copies are left after forget, when all have been saved. */
static inline void sl_emit_begin(struct sl_emit_rows *c)
{
  c->locked = 0;
}
void sl_emit_forget(struct sl_emit_rows *c);

/* Slot of a register's copy, loaded if there was none. */
unsigned sl_emit_use(struct sl_emit_rows *c, unsigned reg);

/* Slot of a register that is to be written: with its old lanes, where some are not. */
unsigned sl_emit_define(struct sl_emit_rows *c, unsigned reg);

/* Vector register of a part of a slot. */
static inline unsigned sl_emit_vector(const struct sl_emit_rows *c, unsigned slot, unsigned part)
{
  return slot * c->parts + part;
}

static inline struct sl_emit_operand sl_emit_slot(unsigned slot)
{
  return (struct sl_emit_operand){.slot = slot};
}

static inline struct sl_emit_operand sl_emit_word(struct sl_x86_place place)
{
  return (struct sl_emit_operand){.word = true, .place = place};
}

/* The same place so many vectors on. */
static inline struct sl_x86_place sl_emit_part(const struct sl_emit_rows *c, struct sl_x86_place place, unsigned part)
{
  place.displacement += (int32_t)(part * c->bits / 8);
  return place;
}

/* The vector instruction that loads units as words. */
struct sl_x86_vector sl_emit_loader(const struct sl_insn *in);

/* Where a register's row is. */
struct sl_x86_place sl_emit_place(const struct sl_emit_rows *c, unsigned reg);

/* The copy in a slot is the register's new value, which is yet to be saved. */
static inline void sl_emit_defined(struct sl_emit_rows *c, unsigned slot)
{
  c->unsaved |= 1u << slot;
}

/* Copies go to where their registers are: those of slots, all that are not there yet, and a register's. */
void sl_emit_save_slots(struct sl_emit_rows *c, const int16_t *held, uint32_t slots);
void sl_emit_save(struct sl_emit_rows *c);
void sl_emit_save_register(struct sl_emit_rows *c, unsigned reg);

/* A copy comes from there. */
void sl_emit_reload(struct sl_emit_rows *c, unsigned slot, unsigned reg);

/* Vector instructions. */
#define SL_VECTOR(name, map, prefix, opcode)                                                                           \
  static const struct sl_x86_vector sl_x86_vector_##name __attribute__((unused)) = {map, prefix, opcode};
SL_VECTOR(load, 1, 2, 0x6f) /* vmovdqu, vmovdqu32 */
SL_VECTOR(store, 1, 2, 0x7f)
SL_VECTOR(broadcast, 2, 1, 0x58)     /* vpbroadcastd */
SL_VECTOR(from_register, 2, 1, 0x7c) /* the same from a scalar register, AVX-512 */
SL_VECTOR(add, 1, 1, 0xfe)           /* vpaddd */
SL_VECTOR(subtract, 1, 1, 0xfa)
SL_VECTOR(and, 1, 1, 0xdb)
SL_VECTOR(and_not, 1, 1, 0xdf)
SL_VECTOR(or, 1, 1, 0xeb)
SL_VECTOR(xor, 1, 1, 0xef)
SL_VECTOR(multiply, 2, 1, 0x40)
SL_VECTOR(shift_left, 2, 1, 0x47) /* vpsllvd */
SL_VECTOR(shift_right, 2, 1, 0x45)
SL_VECTOR(shift_signed, 2, 1, 0x46)
SL_VECTOR(shift_number, 1, 1, 0x72)
SL_VECTOR(float_add, 1, 0, 0x58) /* vaddps */
SL_VECTOR(float_subtract, 1, 0, 0x5c)
SL_VECTOR(float_multiply, 1, 0, 0x59)
SL_VECTOR(float_divide, 1, 0, 0x5e)
SL_VECTOR(float_root, 1, 0, 0x51)
SL_VECTOR(float_compare, 1, 0, 0xc2)  /* vcmpps */
SL_VECTOR(float_from_int, 1, 0, 0x5b) /* vcvtdq2ps */
SL_VECTOR(float_truncate, 1, 2, 0x5b) /* vcvttps2dq */
#undef SL_VECTOR

#endif
