/* x86-64 assembler: the few dozen instruction forms that the JIT emits.
 *
 * Vector instructions have EVEX prefixes (AVX-512 F and VL; 128 to 512 bits, masked) or VEX prefixes (AVX2; 128 or 256
 * bits, vector registers below 16). Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2,
 * chapters 2 and 3 to 5. */
#ifndef SL_WARP_JIT_X86_H
#define SL_WARP_JIT_X86_H

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
  SL_R8,
  SL_R9,
  SL_R10,
  SL_R11,
  SL_R12,
  SL_R13,
  SL_R14,
  SL_R15
};

enum { SL_X86_CONSTANTS = 256, SL_X86_NO_INDEX = 0xff };

/* A memory operand: base + index + displacement, or a constant after the code. */
struct sl_x86_place {
  uint8_t base, index;
  bool constant;
  int32_t displacement; /* for a constant: its value */
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

/* An output buffer. When it is full, the functions write nothing more and set `full`. */
struct sl_x86 {
  uint8_t *code;
  size_t used, room;
  bool full;
  unsigned constants; /* requested constants that have not been written */
  struct sl_x86_wanted {
    uint32_t value;
    size_t at, behind; /* offset of the distance to the constant; end of that instruction */
  } wanted[SL_X86_CONSTANTS];
};

/* ---- integers; 32 bits unless noted ----------------------------------------------------------------------------- */

enum sl_x86_binary { SL_X86_ADD, SL_X86_OR, SL_X86_AND = 4, SL_X86_SUB, SL_X86_XOR, SL_X86_CMP };

void sl_x86_move(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register from);
void sl_x86_move_wide(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register from); /* 64 bits */
void sl_x86_move_number(struct sl_x86 *o, enum sl_x86_register to, uint32_t value);
void sl_x86_move_address(struct sl_x86 *o, enum sl_x86_register to, uint64_t value); /* 64 bits */
void sl_x86_load(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place from);
void sl_x86_load_wide(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place from); /* 64 bits */
void sl_x86_store_wide(struct sl_x86 *o, struct sl_x86_place to, enum sl_x86_register from);
void sl_x86_load_address(struct sl_x86 *o, enum sl_x86_register to,
                         struct sl_x86_place place); /* the low 32 bits of it */
void sl_x86_binary(struct sl_x86 *o, enum sl_x86_binary op, enum sl_x86_register a, enum sl_x86_register b);
void sl_x86_binary_place(struct sl_x86 *o, enum sl_x86_binary op, enum sl_x86_register a, struct sl_x86_place b);
void sl_x86_binary_number(struct sl_x86 *o, enum sl_x86_binary op, enum sl_x86_register a, uint32_t value);
void sl_x86_add_registers_wide(struct sl_x86 *o, enum sl_x86_register a, enum sl_x86_register b); /* 64 bits */
void sl_x86_lowest_bit(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register of);       /* its bit number */
void sl_x86_add_wide(struct sl_x86 *o, enum sl_x86_register a, int32_t value); /* 64 bits; sets the sign flag */
void sl_x86_shift_left(struct sl_x86 *o, enum sl_x86_register a, unsigned bits);
void sl_x86_shift_right(struct sl_x86 *o, enum sl_x86_register a, unsigned bits);
void sl_x86_test_bits(struct sl_x86 *o, enum sl_x86_register a, uint32_t bits); /* sets the zero flag */
void sl_x86_test_byte(struct sl_x86 *o);                                        /* of al; sets the zero flag */
void sl_x86_compare_places_wide(struct sl_x86 *o, enum sl_x86_register a, struct sl_x86_place b); /* 64 bits */
void sl_x86_compare_byte(struct sl_x86 *o, struct sl_x86_place a, uint8_t value);
void sl_x86_compare_wide(struct sl_x86 *o, struct sl_x86_place a, uint8_t value); /* 64 bits */
void sl_x86_compare_half(struct sl_x86 *o, struct sl_x86_place a, uint8_t value); /* 16 bits */
void sl_x86_add_half(struct sl_x86 *o, struct sl_x86_place a, int8_t value);      /* 16 bits */
/* Units of 1, 2 or 4 bytes. A stored byte comes from rax, rcx, rdx or rbx. */
void sl_x86_load_unit(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place from, unsigned bytes, bool sign);
void sl_x86_store_unit(struct sl_x86 *o, struct sl_x86_place to, enum sl_x86_register from, unsigned bytes);
void sl_x86_low_half(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register from); /* its low 16 bits */
/* Shifts by cl, modulo 32, and by a number of bits. */
enum sl_x86_shift { SL_X86_LEFT = 4, SL_X86_RIGHT, SL_X86_RIGHT_SIGNED = 7 };
void sl_x86_shift_by_cl(struct sl_x86 *o, enum sl_x86_shift kind, enum sl_x86_register a);
void sl_x86_shift_by(struct sl_x86 *o, enum sl_x86_shift kind, enum sl_x86_register a, unsigned bits);
void sl_x86_multiply(struct sl_x86 *o, enum sl_x86_register a, enum sl_x86_register b); /* a = the low half of a * b */
/* NEGATE: a = -a. MULTIPLY: edx:eax = eax * a. DIVIDE: eax and the remainder edx of edx:eax / a. */
enum sl_x86_unary { SL_X86_NEGATE = 3, SL_X86_MULTIPLY, SL_X86_MULTIPLY_SIGNED, SL_X86_DIVIDE, SL_X86_DIVIDE_SIGNED };
void sl_x86_unary(struct sl_x86 *o, enum sl_x86_unary op, enum sl_x86_register a);
void sl_x86_sign_to_edx(struct sl_x86 *o);                          /* edx = the sign of eax in all bits */
void sl_x86_condition_to_eax(struct sl_x86 *o, unsigned condition); /* eax = 1 if it holds, else 0 */
void sl_x86_test_wide(struct sl_x86 *o, enum sl_x86_register a);    /* 64 bits; sets the zero flag */
void sl_x86_push(struct sl_x86 *o, enum sl_x86_register a);
void sl_x86_pop(struct sl_x86 *o, enum sl_x86_register a);
void sl_x86_call(struct sl_x86 *o, enum sl_x86_register address);
void sl_x86_jump_register(struct sl_x86 *o, enum sl_x86_register address);
void sl_x86_return(struct sl_x86 *o); /* after vzeroupper */

/* ---- jumps ------------------------------------------------------------------------------------------------------ */

enum sl_x86_condition {
  SL_X86_BELOW = 2,
  SL_X86_NOT_BELOW,
  SL_X86_EQUAL,
  SL_X86_UNEQUAL,
  SL_X86_ABOVE = 7,
  SL_X86_NEGATIVE,
  SL_X86_LESS = 12,
  SL_X86_NOT_LESS,
  SL_X86_NOT_GREATER,
  SL_X86_ALWAYS = 16
};

/* Emits a jump whose target is set later. Returns the offset of its distance. */
size_t sl_x86_jump(struct sl_x86 *o, enum sl_x86_condition condition);

/* Sets the target of a jump. */
void sl_x86_land(struct sl_x86 *o, size_t jump, size_t target);

/* ---- vectors ---------------------------------------------------------------------------------------------------- */

/* map: 1 = 0F, 2 = 0F38, 3 = 0F3A; prefix: 0 none, 1 = 66, 2 = F3, 3 = F2. */
struct sl_x86_vector {
  uint8_t map, prefix, opcode;
};

/* Vector length and mask: bits = 128, 256 or 512; mask register 0: all lanes; zeroing: other lanes become 0. */
struct sl_x86_lanes {
  unsigned bits;
  uint8_t mask;
  bool zeroing;
};

/* d = a op b. d or b may be a mask register. a is 0 for instructions with two operands. */
void sl_x86_vector(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d, unsigned a,
                   unsigned b);
/* The same with b in memory; the instruction reads `unit` bytes. With unit 4 and `broadcast`: one word for all lanes.
 */
void sl_x86_vector_place(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d, unsigned a,
                         struct sl_x86_place b, unsigned unit, bool broadcast, unsigned tail);
/* Emits the immediate byte at the end of an instruction. */
void sl_x86_tail(struct sl_x86 *o, uint8_t byte);

/* Gathers or scatters the words of vector d at base + each signed word of vector `index`, for the lanes of the mask.
 * The instruction clears the mask. */
void sl_x86_vector_scattered(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d,
                             enum sl_x86_register base, unsigned index);

/* VEX forms: d = a op b; a is 0 for instructions with two operands. The second function has b in memory, followed by
 * `tail` bytes of the instruction. */
void sl_x86_vex(struct sl_x86 *o, struct sl_x86_vector op, unsigned bits, unsigned d, unsigned a, unsigned b);
void sl_x86_vex_place(struct sl_x86 *o, struct sl_x86_vector op, unsigned bits, unsigned d, unsigned a,
                      struct sl_x86_place b, unsigned tail);
/* d = b where the bytes of `mask` are negative, else a. */
void sl_x86_vex_blend(struct sl_x86 *o, unsigned bits, unsigned d, unsigned a, unsigned b, unsigned mask);
/* d = words at base + each signed word of `index`, where the words of `mask` are negative. The instruction clears
 * `mask`. base is not rbp or r13; d, index and mask differ. */
void sl_x86_vex_gather(struct sl_x86 *o, unsigned bits, unsigned d, enum sl_x86_register base, unsigned index,
                       unsigned mask);
/* The sign bits of a vector's words, as a bit set. */
void sl_x86_vex_signs(struct sl_x86 *o, unsigned bits, enum sl_x86_register to, unsigned from);

/* Mask registers, 16 bits unless noted. */
void sl_x86_mask_copy(struct sl_x86 *o, unsigned to, unsigned from);
void sl_x86_mask_all(struct sl_x86 *o, unsigned to); /* all bits */
void sl_x86_mask_from(struct sl_x86 *o, unsigned mask, enum sl_x86_register from);
void sl_x86_mask_to(struct sl_x86 *o, enum sl_x86_register to, unsigned mask);     /* 32 bits */
void sl_x86_mask_join(struct sl_x86 *o, unsigned to, unsigned high, unsigned low); /* two of 16 bits to one of 32 */
void sl_x86_mask_test(struct sl_x86 *o, unsigned a, unsigned b); /* sets the zero flag if a | b is empty */

/* Writes the requested constants. Call where no code runs into them. */
void sl_x86_flush(struct sl_x86 *o);

/* A fixed-size code buffer for machine code that the process generates. Its pages are never writable and executable at
 * once.
 *
 * Code is appended piece by piece. A sealed piece stays unchanged: making its pages writable again costs more than
 * writing most pieces. The buffer is not available on hosts other than x86-64, nor where the system forbids it. Callers
 * must be able to work without it. */

struct sl_executable {
  uint8_t *code;
  size_t bytes,
      sealed; /* bytes: size, a multiple of the page size; sealed: size of the executable part at the beginning */
};

/* Reserves address space for `bytes` bytes, all writable. Returns false if that fails. */
bool sl_executable_open(struct sl_executable *e, size_t bytes);
void sl_executable_close(struct sl_executable *e);

/* Makes the code before byte `used` executable and no longer writable; the next piece begins at `sealed`. Returns false
 * if the system refuses. No code in the buffer may be executed then. */
bool sl_executable_seal(struct sl_executable *e, size_t used);

/* Makes the whole buffer writable again. Returns false if the system refuses. */
bool sl_executable_reset(struct sl_executable *e);

#endif
