/* Decoded instructions, which all engines execute and all listings print.
 *
 * The instruction table is isa/rv32.def; this header defines its columns. Source of the decoding: The RISC-V
 * Instruction Set Manual, Volume I, chapter 24 (instruction listings). */
#ifndef SL_ISA_ISA_H
#define SL_ISA_ISA_H

#include "base/types.h"

/* One identifier per row; SL_OP_UNKNOWN for a word that matches no row. */
enum sl_op {
  SL_OP_UNKNOWN,
#define ROW_ALL(kind, id, match, semantics) SL_OP_##id,
#include "isa/rows.h"
  SL_OP_COUNT
};

/* How an engine treats an instruction. Those that need a unit which may be busy come first among the known ones. */
enum sl_kind {
  SL_KIND_UNKNOWN,
  SL_KIND_MUL, /* a value for rd, from the multiplier: multiplications and shifts */
  SL_KIND_DIV, /* a value for rd, from the divider */
  SL_KIND_FPU, /* a value for rd, from the floating-point unit */
  SL_KIND_FPX, /* the same, of a unit with flags and rounding modes only: see fp.h */
  SL_KIND_LOAD,
  SL_KIND_STORE,
  SL_KIND_AMO,
  SL_KIND_LRSC,
  SL_KIND_FENCE,
  SL_KIND_VOTE,   /* a value for rd that depends on other lanes' registers: votes and shuffles */
  SL_KIND_ALU,    /* writes rd in one cycle */
  SL_KIND_BRANCH, /* conditional branch */
  SL_KIND_JAL,
  SL_KIND_JALR,
  SL_KIND_CSR,
  SL_KIND_SYSTEM,
  SL_KIND_PUSH,  /* SIMTight: nesting level + 1 */
  SL_KIND_POP,   /* SIMTight: nesting level - 1 */
  SL_KIND_FLUSH, /* SIMTight host: flush the cache line at rs1 */
  SL_KIND_WARP,  /* Vortex: masks, IPDOM stack, spawning, barriers; in 1.x also what else its opcodes hold */
  SL_KIND_LINEAR /* linear registers, see wide.h */
};

enum { SL_KINDS = SL_KIND_LINEAR + 1 };

/* AMO, LR or SC. */
static inline bool sl_kind_is_atomic(enum sl_kind kind)
{
  return kind == SL_KIND_AMO || kind == SL_KIND_LRSC;
}

static inline bool sl_kind_needs_unit(enum sl_kind kind)
{
  return (unsigned)kind - SL_KIND_MUL <= SL_KIND_VOTE - SL_KIND_MUL;
}

/* Latency class of an instruction. A machine defines the cycles of each class that it has. */
enum sl_class {
  SL_CLASS_ALU,
  SL_CLASS_SHIFT,
  SL_CLASS_MUL,
  SL_CLASS_DIV,
  SL_CLASS_BRANCH, /* and jumps */
  SL_CLASS_LOAD,
  SL_CLASS_STORE,
  SL_CLASS_ATOMIC,
  SL_CLASS_FENCE,
  SL_CLASS_CSR,
  SL_CLASS_SYSTEM,
  SL_CLASS_FADD,
  SL_CLASS_FMUL,
  SL_CLASS_FFUSED, /* fused multiply-add */
  SL_CLASS_FDIV,
  SL_CLASS_FSQRT,
  SL_CLASS_FMINMAX,
  SL_CLASS_FTOINT,
  SL_CLASS_FFROMINT,
  SL_CLASS_FEQUAL,
  SL_CLASS_FLESS,
  SL_CLASS_FSIGN,
  SL_CLASS_FMOVE, /* and classification */
  SL_CLASS_WARP,
  SL_CLASS_VOTE, /* reads registers of other lanes */
  SL_CLASS_MARK, /* reconvergence annotation */
  SL_CLASS_COUNT
};

/* Operand formats. */
enum sl_format {
#define FORMAT(name, fields, operands) SL_FORMAT_##name,
#include "isa/formats.def"
#undef FORMAT
};

/* Register fields of a format. */
enum sl_field { SL_FIELD_RD = 1, SL_FIELD_RS1 = 2, SL_FIELD_RS2 = 4, SL_FIELD_RS3 = 8 };

/* Set of extensions. Single precision has three variants, of which a machine has one: with separate registers (F), in
 * the integer registers (Zfinx), and the subset of Zfinx in SIMTight's FPU, which ignores rounding modes and has no
 * flags. If a set contains F and a Zfinx variant, F is ignored. */
enum sl_isa_set {
  SL_ISA_I = 1 << 0,
  SL_ISA_M = 1 << 1,
  SL_ISA_A = 1 << 2,
  SL_ISA_ZICSR = 1 << 3,
  SL_ISA_SIMT_FPU = 1 << 4,
  SL_ISA_SIMT = 1 << 5, /* SIMTight: custom instructions of the SM */
  SL_ISA_HOST = 1 << 6, /* SIMTight: custom instructions of the host CPU */
  SL_ISA_ZFINX = 1 << 7,
  SL_ISA_F = 1 << 8,
  SL_ISA_ZICOND = 1 << 9,
  SL_ISA_WARP2 = 1 << 10,  /* Vortex 2.x */
  SL_ISA_WARP1 = 1 << 11,  /* Vortex 1.x */
  SL_ISA_WIDE = 1 << 12,   /* instructions that exist only as 64-bit words */
  SL_ISA_LINEAR = 1 << 13, /* linear registers of R2D2 */
  SL_ISA_LANES = 1 << 14,  /* votes and shuffles on machines other than Vortex */
  /* Sets for rows that belong to several extensions. */
  SL_ISA_FLOAT = SL_ISA_SIMT_FPU | SL_ISA_ZFINX | SL_ISA_F,
  SL_ISA_FULL_FLOAT = SL_ISA_ZFINX | SL_ISA_F,
  SL_ISA_WARP = SL_ISA_WARP2 | SL_ISA_WARP1,
  SL_ISA_VOTE = SL_ISA_WARP2 | SL_ISA_LANES
};

/* With F, fields that name a floating-point register decode to 32 (f0) to 63 (f31). */
enum { SL_FLOAT_REGISTERS = 32 };

/* A decoded instruction, 24 bytes. Register fields that the instruction lacks are 0. The RV32 word 0, which is not an
 * instruction, decodes to zeros, because memory that the host's kernel clears holds such words. */
struct sl_insn {
  uint16_t op;   /* enum sl_op */
  uint8_t kind;  /* enum sl_kind */
  uint8_t width; /* bytes of a memory access, or 0 */
  uint8_t rd;
  uint8_t rs1; /* for CSR immediates: the 5-bit immediate */
  uint8_t rs2;
  uint8_t rs3;
  uint32_t imm;  /* sign-extended immediate */
  uint16_t csr;  /* CSR number */
  uint8_t isa;   /* enum sl_isa_number: whose instruction it is */
  uint8_t zero;  /* no byte is undefined, since decoded code is part of a saved state */
  uint64_t word; /* the instruction word */
};

/* The instruction sets. */
enum sl_isa_number { SL_ISA_RV32, SL_ISA_WIDE64, SL_ISA_COUNT };

/* Bytes of an instruction's word: the next one is behind it. */
static inline uint32_t sl_insn_bytes(const struct sl_insn *in)
{
  _Static_assert(SL_ISA_RV32 == 0 && SL_ISA_WIDE64 == 1, "words of 4 bytes and of 8");
  return UINT32_C(4) << in->isa;
}

/* The address behind an instruction. */
static inline uint32_t sl_next(const struct sl_insn *in, uint32_t pc)
{
  return pc + sl_insn_bytes(in);
}

/* Properties of a row that the cycle loop does not need. */
struct sl_op_info {
  const char *name;
  uint32_t match, mask;
  enum sl_format format;
  enum sl_kind kind;
  enum sl_isa_set set;
  enum sl_class class;
  unsigned fields; /* set of enum sl_field: registers that it reads and writes */
  bool once;       /* computable once if its operands are uniform */
};

/* The row of an op; for an invalid op, that of SL_OP_UNKNOWN. */
const struct sl_op_info *sl_op_info(unsigned op);

/* The op of an instruction word, among those of a set of enum sl_isa_set; SL_OP_UNKNOWN: there is none. */
unsigned sl_op_of(uint32_t word, unsigned sets);

/* An instruction set: its decoding and printing. Sets share the rows, which define the semantics. */
struct sl_isa {
  const char *name;    /* "RV32" */
  unsigned word_bytes; /* of an instruction */
  unsigned registers;  /* that a register field can name */
  size_t rows;         /* instruction numbers below this one are rows of sl_op_info() */
  /* Decodes a word with the extensions in `sets`. A word that matches none of their rows gives SL_OP_UNKNOWN. */
  struct sl_insn (*decode)(uint64_t word, unsigned sets);
  size_t (*disassemble)(const struct sl_insn *in, uint32_t pc, char *text, size_t size);
  const char *(*register_name)(unsigned reg);
};

/* The instruction set with that number; the first one if it is invalid. */
const struct sl_isa *sl_isa(unsigned number);

/* Decodes an RV32 word with the extensions in `sets`. A word that matches none of their rows gives SL_OP_UNKNOWN. */
struct sl_insn sl_decode(uint32_t word, unsigned sets);

/* The register fields that an instruction actually reads and writes. */
bool sl_reads_rs1(const struct sl_insn *in);
bool sl_reads_rs2(const struct sl_insn *in);
bool sl_reads_rs3(const struct sl_insn *in);
bool sl_writes_rd(const struct sl_insn *in);

/* Whether a jump is a function call: it links to x1 or x5, and does not merely continue with the next instruction (The
 * RISC-V Instruction Set Manual, Volume I, table 2.1). */
bool sl_is_call(const struct sl_insn *in);

/* Whether a split or pred of Vortex 2.x negates its predicate. */
bool sl_negates(const struct sl_insn *in);

/* The rounding field of its word: a mode, or 7 for the mode in the status register. */
unsigned sl_rounding_field(const struct sl_insn *in);

/* Whether one computation suffices if the operands are uniform: integer arithmetic, jumps, branches, nesting levels. */
bool sl_scalarisable(unsigned op);

/* Writes the assembly text of an instruction at address pc into text (at most size bytes, always terminated) and
 * returns its length. RV32 text is that of GNU objdump without -M no-aliases,numeric (ABI register names). */
size_t sl_disassemble(const struct sl_insn *in, uint32_t pc, char *text, size_t size);

/* Name of a register of the instruction's set; in RV32 the ABI name: 0 to 31 integer, 32 to 63 floating-point. */
const char *sl_register_name(const struct sl_insn *in, unsigned reg);

/* The manual's name of a CSR, or its hexadecimal number, in text. */
enum { SL_CSR_NAME_SIZE = 20 };
const char *sl_csr_name(unsigned csr, char text[SL_CSR_NAME_SIZE]);

/* The mapping of registers to the banks of a register file. Machines and the compiler's register allocator share it. */

enum { SL_BANKS_MAX = 8 };

enum sl_bank_map {
  SL_BANK_MODULO, /* neighbours in different banks, as in the published register file */
  SL_BANK_BLOCKS, /* the first registers in bank 0, and so on */
  SL_BANK_FOLDED, /* exclusive or of the number's digits, modulo banks: it also spreads strides of the number of banks
                   */
  SL_BANK_MAPS
};

/* The bank of a register; `banks` is 1 to SL_BANKS_MAX. */
static inline unsigned sl_bank_of(enum sl_bank_map map, unsigned banks, unsigned registers, unsigned reg)
{
  switch (map) {
  case SL_BANK_BLOCKS: return reg / ((registers + banks - 1) / banks) % banks;
  case SL_BANK_FOLDED: {
    unsigned folded = 0;
    for (unsigned rest = reg; rest != 0 && banks > 1; rest /= banks)
      folded ^= rest % banks;
    return folded % banks;
  }
  case SL_BANK_MODULO:
  case SL_BANK_MAPS: break;
  }
  return reg % banks;
}

#endif
