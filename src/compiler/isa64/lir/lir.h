/* Low-level IR ("LIR") between machine IR and 64-bit words: machine instructions, a few pseudo instructions that become
 * several words or none, and operands that are virtual registers, later physical ones.
 *
 * Blocks are in memory order, and each names its successors explicitly: there is no fall-through. All passes work on
 * this IR. Registers and stack slots share one numbering, so that the liveness analysis covers both:
 *   0 to 255  physical registers      from 256 on  virtual registers; some of them are slots, which are in memory */
#ifndef SL_BACKEND_LIR_H
#define SL_BACKEND_LIR_H

#include "compiler/isa64/mir/mir.h"
#include "compiler/isa64/object64.h"

/* Basic-block placement: puts blocks that often execute in sequence next to each other, which minimises jumps.
 *
 * K. Pettis and R. C. Hansen, "Profile guided code positioning", PLDI 1990, section 4: joins chains of blocks along the
 * most frequent edges from the end of one to the beginning of another. */

/* Writes the order, one element per block; the first block stays first. False: out of memory. */
bool sl_block_order(const struct sl_mir_function *f, const double *frequency, uint32_t *order);

/* Static block frequencies: executions of each block per call of the function, from branch probabilities.
 *
 * Y. Wu and J. R. Larus, "Static branch frequency and program profile analysis", MICRO 27, 1994: processes loops from
 * the innermost outwards, each with the probability of its back edge. An edge that does not lead forwards in a
 * depth-first order closes a loop, also a loop with several entries. */

/* Writes one element per block; 0 for unreachable blocks. False: out of memory. */
bool sl_frequencies(const struct sl_mir_function *f, double *frequency);

enum { SL_LIR_VIRTUAL = 256, SL_LIR_NONE = UINT32_MAX };

/* Opcodes in addition to enum sl_op. */
enum sl_lir_op {
  SL_LIR_COPY = SL_OP_COUNT, /* rd = rs1 */
  SL_LIR_CALL,               /* call of a symbol; operands: arguments and results */
  SL_LIR_CALL_REGISTER,      /* call of the address in rs1 */
  SL_LIR_TAIL,               /* a jump that leaves this function */
  SL_LIR_TAIL_REGISTER,
  SL_LIR_RETURN,
  SL_LIR_JUMP,          /* to a block */
  SL_LIR_JUMP_REGISTER, /* to one of the successors (jump table) */
  SL_LIR_STACK,         /* stack pointer + imm */
  SL_LIR_UNDEFINED,     /* rd has any value */
  SL_LIR_TRAP,
  SL_LIR_ASSEMBLY,
  SL_LIR_COMPARE_EXCHANGE, /* loops of lr and sc (lower/emit.c) */
  SL_LIR_ATOMIC_LOOP,
  SL_LIR_RELOAD, /* rd = slot */
  SL_LIR_SPILL,  /* slot = rs1 */
  SL_LIR_FRAME,  /* sets up the frame pointer */
  SL_LIR_UNFRAME /* restores the stack pointer from the frame pointer */
};

enum sl_lir_role { SL_LIR_USE, SL_LIR_DEF, SL_LIR_EARLY_DEF /* does not share a use's register */ };

/* Register field of the instruction word. */
enum sl_lir_field { SL_LIR_RD, SL_LIR_RS1, SL_LIR_RS2, SL_LIR_RS3, SL_LIR_NO_FIELD };

struct sl_lir_operand {
  uint32_t reg;
  uint8_t role, field; /* the enumerations above */
};

/* Base that an immediate is relative to. */
enum sl_lir_place {
  SL_LIR_NUMBER,
  SL_LIR_SYMBOL,   /* target: text number of the module */
  SL_LIR_OBJECT,   /* object of the frame */
  SL_LIR_FIXED,    /* object of the caller's frame */
  SL_LIR_CONSTANT, /* constant of the function */
  SL_LIR_TABLE,    /* jump table of the function: addresses of blocks */
  SL_LIR_BLOCK
};

struct sl_lir_insn {
  uint16_t op;   /* enum sl_op or sl_lir_op */
  uint16_t csr;  /* of CSR instructions; for atomic loops the opcode of the machine IR */
  uint8_t mode;  /* as in struct sl_wide */
  uint8_t place; /* enum sl_lir_place */
  uint8_t fix;   /* enum sl_fix64 of a symbolic immediate */
  uint16_t operand_count;
  uint32_t operand; /* index of the first one */
  uint32_t imm, target;
  uint32_t text, piece, piece_count; /* of assembly: template, and the pieces for its operands */
  uint32_t file, line, column;
  uint32_t origin; /* instruction number before allocation; SL_LIR_NONE: added by the allocator */
};

/* Kind of a template's operand. */
enum sl_lir_piece_kind { SL_LIR_PIECE_REGISTER, SL_LIR_PIECE_IMMEDIATE, SL_LIR_PIECE_MEMORY, SL_LIR_PIECE_SYMBOL };

struct sl_lir_piece {
  uint8_t kind, place;
  uint16_t operand; /* index among the instruction's operands: register, or base of memory */
  uint32_t target;
  int32_t value;
};

struct sl_lir_block {
  uint32_t insn, insn_count;
  uint32_t edge, edge_count; /* outgoing edges, to blocks of this LIR */
  double frequency;          /* executions per call of the function */
};

struct sl_lir {
  struct sl_mir_module *module;
  const struct sl_mir_function *source;
  struct sl_lir_block *block;
  size_t block_count;
  uint32_t *edge;   /* target blocks */
  uint32_t *placed; /* per block of the machine IR: block number here */
  struct sl_lir_insn *insn;
  struct sl_lir_operand *operand;
  struct sl_lir_piece *piece;
  size_t insn_count, operand_count, piece_count;
  uint8_t *kind; /* per virtual register: enum sl_lir_kind */
  size_t kind_count;
  bool frame_pointer; /* x8 holds the stack pointer at entry */
  bool dynamic;       /* the stack pointer changes within the function */
  bool calls;
  uint32_t outgoing; /* largest size of stack arguments of a call, bytes */
};

enum sl_lir_kind {
  SL_LIR_PLAIN,
  SL_LIR_PIECE,  /* part of a spilled register: within a block */
  SL_LIR_MOMENT, /* part of a spilled register: within an instruction; cannot be spilled */
  SL_LIR_SLOT    /* in memory */
};

void sl_lir_free(struct sl_lir *lir);

/* Makes an empty function with the same blocks, facts and virtual registers. False: out of memory. */
bool sl_lir_like(const struct sl_lir *lir, struct sl_lir *empty);

/* Append an instruction to the current block; then append its operands. False: out of memory. */
bool sl_lir_add(struct sl_lir *lir, const struct sl_lir_insn *insn);
bool sl_lir_add_operand(struct sl_lir *lir, uint32_t reg, enum sl_lir_role role, enum sl_lir_field field);

/* Appends an instruction of another function with its operands and pieces. */
bool sl_lir_add_copy(struct sl_lir *lir, const struct sl_lir *from, const struct sl_lir_insn *insn);

/* Returns a new virtual register, or SL_LIR_NONE if out of memory. */
uint32_t sl_lir_new(struct sl_lir *lir, enum sl_lir_kind kind);

/* Returns the register in a field of the instruction, or SL_LIR_NONE. */
uint32_t sl_lir_field(const struct sl_lir *lir, const struct sl_lir_insn *insn, enum sl_lir_field field);

/* Whether the instruction sets rd to a constant: a number or an address. */
bool sl_lir_is_constant(const struct sl_lir *lir, const struct sl_lir_insn *insn);

/* Whether two such instructions produce the same constant. */
bool sl_lir_same_constant(const struct sl_lir_insn *a, const struct sl_lir_insn *b);

static inline bool sl_lir_is_call(const struct sl_lir_insn *insn)
{
  return insn->op == SL_LIR_CALL || insn->op == SL_LIR_CALL_REGISTER;
}

/* Whether the instruction leaves the function. */
static inline bool sl_lir_is_exit(const struct sl_lir_insn *insn)
{
  return insn->op == SL_LIR_RETURN || insn->op == SL_LIR_TAIL || insn->op == SL_LIR_TAIL_REGISTER;
}

static inline bool sl_lir_is_branch(const struct sl_lir_insn *insn)
{
  return insn->op < SL_OP_COUNT && sl_op_info(insn->op)->kind == SL_KIND_BRANCH;
}

static inline bool sl_lir_is_slot(const struct sl_lir *lir, uint32_t reg)
{
  return reg >= SL_LIR_VIRTUAL && lir->kind[reg - SL_LIR_VIRTUAL] == SL_LIR_SLOT;
}

/* Operands of an instruction. */
static inline struct sl_lir_operand *sl_lir_operands(const struct sl_lir *lir, const struct sl_lir_insn *insn)
{
  return lir->operand + insn->operand;
}

/* Constant folding with 32-bit immediates: if two RV32 instructions build an address or a number, the instruction that
 * uses it takes it as an immediate, where it has one (sections 3.1 and 3.2 of the paper on 64-bit instruction words).
 *
 * All uses of a virtual register with a single definition see that definition's value. The pass therefore moves
 * constants into their uses. Absolute addresses become offsets from x0, and added offsets move into the accesses. It
 * removes instructions without uses. */

/* False: out of memory. */
bool sl_lir_fold(struct sl_lir *lir);

/* Instruction selection: translates machine IR to LIR. It translates opcodes, expands pseudo instructions, orders the
 * blocks for memory, and chooses the base register of frame objects. */

enum { SL_ZERO = 0, SL_RA = 1, SL_SP = 2, SL_GP = 3, SL_TP = 4, SL_FP = 8 };

/* SL_USAGE: the function contains something unsupported. */
enum sl_status sl_lir_select(struct sl_mir_module *module, const struct sl_mir_function *f, struct sl_lir *lir,
                             struct sl_error *err);

/* In lir.c: returns the register of an operand; for a frame object its base register. An operand whose value is
 * not read may be any register. */
uint32_t sl_lir_register(const struct sl_lir *lir, const struct sl_mir_operand *operand);

/* Finds the base of an operand that is no register; false if it has none. */
bool sl_lir_place_of(const struct sl_mir_operand *operand, uint8_t *place, uint32_t *target);

#endif
