/* Machine code of x86-64, written instruction by instruction: the few dozen forms that blocks of a warp need.
 *
 * Vector instructions are written with EVEX prefixes (AVX-512 F and VL), from 128 to 512 bits and on some lanes, or
 * with VEX prefixes (AVX2), of 128 or 256 bits and vector registers below 16. Encodings: Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 2, chapters 2 and 3 to 5. */
#ifndef SL_WARP_EMITTED_X86_H
#define SL_WARP_EMITTED_X86_H

#include "base/types.h"

enum sl_x86_register {
  SL_RAX,
  SL_RCX,
  SL_RDX,
  SL_RBX,
  SL_RSP,
  SL_RBP,
  SL_RSI,
  SL_RDI,
  SL_R12 = 12,
  SL_R13,
  SL_R14,
  SL_R15
};

enum { SL_X86_CONSTANTS = 256, SL_X86_NO_INDEX = 0xff };

/* Where an instruction's operand is in memory: base + index + displacement, or a constant behind the code. */
struct sl_x86_place {
  uint8_t base, index;
  bool constant;
  int32_t displacement; /* of a constant: its value */
};

static inline struct sl_x86_place sl_x86_at(enum sl_x86_register base, size_t displacement)
{
  return (struct sl_x86_place){(uint8_t)base, SL_X86_NO_INDEX, false, (int32_t)displacement};
}

static inline struct sl_x86_place sl_x86_indexed(enum sl_x86_register base, enum sl_x86_register index,
                                                 size_t displacement)
{
  return (struct sl_x86_place){(uint8_t)base, (uint8_t)index, false, (int32_t)displacement};
}

static inline struct sl_x86_place sl_x86_constant(uint32_t value)
{
  return (struct sl_x86_place){.constant = true, .displacement = (int32_t)value};
}

/* Code that is being written. Whoever runs out of room goes on writing nothing, and finds `full`. */
struct sl_x86 {
  uint8_t *code;
  size_t used, room;
  bool full;
  unsigned constants; /* that have been asked for and not been written */
  struct sl_x86_wanted {
    uint32_t value;
    size_t at, behind; /* where the distance to it is written; the end of that instruction */
  } wanted[SL_X86_CONSTANTS];
};

/* ---- integers; 32 bits wide unless it says otherwise --------------------------------------------------------------
 */

enum sl_x86_binary { SL_X86_ADD, SL_X86_OR, SL_X86_AND = 4, SL_X86_SUB, SL_X86_XOR, SL_X86_CMP };

void sl_x86_move(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register from);
void sl_x86_move_wide(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register from); /* 64 bits */
void sl_x86_move_number(struct sl_x86 *o, enum sl_x86_register to, uint32_t value);
void sl_x86_move_address(struct sl_x86 *o, enum sl_x86_register to, uint64_t value); /* 64 bits */
void sl_x86_load(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place from);
void sl_x86_load_wide(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place from); /* 64 bits */
void sl_x86_store_wide(struct sl_x86 *o, struct sl_x86_place to, enum sl_x86_register from);
void sl_x86_load_address(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place place); /* 32 bits of it */
void sl_x86_binary(struct sl_x86 *o, enum sl_x86_binary op, enum sl_x86_register a, enum sl_x86_register b);
void sl_x86_binary_place(struct sl_x86 *o, enum sl_x86_binary op, enum sl_x86_register a, struct sl_x86_place b);
void sl_x86_binary_number(struct sl_x86 *o, enum sl_x86_binary op, enum sl_x86_register a, uint32_t value);
void sl_x86_add_registers_wide(struct sl_x86 *o, enum sl_x86_register a, enum sl_x86_register b); /* 64 bits */
void sl_x86_lowest_bit(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register of);       /* its number */
void sl_x86_add_wide(struct sl_x86 *o, enum sl_x86_register a, int32_t value); /* 64 bits; sets the sign flag */
void sl_x86_shift_left(struct sl_x86 *o, enum sl_x86_register a, unsigned bits);
void sl_x86_shift_right(struct sl_x86 *o, enum sl_x86_register a, unsigned bits);
void sl_x86_test_bits(struct sl_x86 *o, enum sl_x86_register a, uint32_t bits);                   /* zero flag */
void sl_x86_test_byte(struct sl_x86 *o);                                                          /* of al: zero flag */
void sl_x86_compare_places_wide(struct sl_x86 *o, enum sl_x86_register a, struct sl_x86_place b); /* 64 bits */
void sl_x86_compare_byte(struct sl_x86 *o, struct sl_x86_place a, uint8_t value);
void sl_x86_compare_wide(struct sl_x86 *o, struct sl_x86_place a, uint8_t value); /* 64 bits */
void sl_x86_compare_half(struct sl_x86 *o, struct sl_x86_place a, uint8_t value); /* 16 bits */
void sl_x86_add_half(struct sl_x86 *o, struct sl_x86_place a, int8_t value);      /* 16 bits */
void sl_x86_push(struct sl_x86 *o, enum sl_x86_register a);
void sl_x86_pop(struct sl_x86 *o, enum sl_x86_register a);
void sl_x86_call(struct sl_x86 *o, enum sl_x86_register address);
void sl_x86_jump_register(struct sl_x86 *o, enum sl_x86_register address);
void sl_x86_return(struct sl_x86 *o); /* after vzeroupper */

/* ---- jumps --------------------------------------------------------------------------------------------------------
 */

enum sl_x86_condition {
  SL_X86_BELOW = 2,
  SL_X86_EQUAL = 4,
  SL_X86_UNEQUAL,
  SL_X86_ABOVE = 7,
  SL_X86_NEGATIVE,
  SL_X86_NOT_LESS = 13,
  SL_X86_NOT_GREATER,
  SL_X86_ALWAYS = 16
};

/* A jump to a place that is told later; returns where its distance is. */
size_t sl_x86_jump(struct sl_x86 *o, enum sl_x86_condition condition);

/* It goes to `target`. */
void sl_x86_land(struct sl_x86 *o, size_t jump, size_t target);

/* ---- vectors ------------------------------------------------------------------------------------------------------
 */

/* map: 1 = 0F, 2 = 0F38, 3 = 0F3A; prefix: 0 none, 1 = 66, 2 = F3, 3 = F2. */
struct sl_x86_vector {
  uint8_t map, prefix, opcode;
};

/* How wide, and which lanes: bits = 128, 256 or 512; mask register 0: all lanes; zeroing: the others become 0. */
struct sl_x86_lanes {
  unsigned bits;
  uint8_t mask;
  bool zeroing;
};

/* d = a op b, where d or b may be a mask register, a 0 where the instruction has only two operands. */
void sl_x86_vector(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d, unsigned a,
                   unsigned b);
/* The same with b in memory, `unit` bytes of which are read. 4: one word for all lanes, where the instruction can. */
void sl_x86_vector_place(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d, unsigned a,
                         struct sl_x86_place b, unsigned unit, bool broadcast, unsigned tail);
/* The byte at the end of instructions that have one. */
void sl_x86_tail(struct sl_x86 *o, uint8_t byte);

/* Moves words between vector d and memory at base + each word of vector `index`, signed, on the lanes of the mask,
 * which is empty afterwards. */
void sl_x86_vector_scattered(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d,
                             enum sl_x86_register base, unsigned index);

/* With VEX prefixes: d = a op b, a 0 where the instruction has only two operands; and with b in memory, where so many
 * bytes of the instruction follow. */
void sl_x86_vex(struct sl_x86 *o, struct sl_x86_vector op, unsigned bits, unsigned d, unsigned a, unsigned b);
void sl_x86_vex_place(struct sl_x86 *o, struct sl_x86_vector op, unsigned bits, unsigned d, unsigned a,
                      struct sl_x86_place b, unsigned tail);
/* d = b where the bytes of `mask` are negative, a elsewhere. */
void sl_x86_vex_blend(struct sl_x86 *o, unsigned bits, unsigned d, unsigned a, unsigned b, unsigned mask);
/* d = words at base (but rbp and r13) + each word of `index`, signed, where those of `mask` are negative, which becomes
 * 0; all three of them different. */
void sl_x86_vex_gather(struct sl_x86 *o, unsigned bits, unsigned d, enum sl_x86_register base, unsigned index,
                       unsigned mask);
/* The signs of the words of a vector, as a set. */
void sl_x86_vex_signs(struct sl_x86 *o, unsigned bits, enum sl_x86_register to, unsigned from);

/* Mask registers, 16 bits unless it says otherwise. */
void sl_x86_mask_copy(struct sl_x86 *o, unsigned to, unsigned from);
void sl_x86_mask_all(struct sl_x86 *o, unsigned to); /* all bits */
void sl_x86_mask_from(struct sl_x86 *o, unsigned mask, enum sl_x86_register from);
void sl_x86_mask_to(struct sl_x86 *o, enum sl_x86_register to, unsigned mask);     /* 32 bits */
void sl_x86_mask_join(struct sl_x86 *o, unsigned to, unsigned high, unsigned low); /* two of 16 to one of 32 */
void sl_x86_mask_test(struct sl_x86 *o, unsigned a, unsigned b);                   /* zero flag: a | b is empty */

/* Writes the constants that have been asked for; where nothing runs into them. */
void sl_x86_flush(struct sl_x86 *o);

#endif
