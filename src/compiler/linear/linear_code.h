/* Language-independent form of a kernel for the analysis of linear combinations: each instruction is one of a few
 * operations on registers, or "other". Front ends produce it from PTX (linear_ptx.c) and from machine code
 * (linear_rv32.c). Operations: R2D2, Fig. 6. */
#ifndef SL_LINEAR_LINEAR_CODE_H
#define SL_LINEAR_LINEAR_CODE_H

#include "base/error.h"
#include "base/types.h"
#include "isa/code.h"

struct sl_ptx_module;
struct sl_ptx_function;

enum sl_linear_kind {
  SL_LINEAR_OTHER,        /* never a linear combination */
  SL_LINEAR_NUMBER,       /* dst = number */
  SL_LINEAR_SYMBOL,       /* dst = a symbol */
  SL_LINEAR_INDEX,        /* dst = an index, enum sl_linear_index */
  SL_LINEAR_MOVE,         /* dst = src[0]; also extension and truncation */
  SL_LINEAR_ADD,          /* dst = src[0] + src[1] */
  SL_LINEAR_SUBTRACT,     /* dst = src[0] - src[1] */
  SL_LINEAR_MULTIPLY,     /* dst = src[0] * src[1] */
  SL_LINEAR_MULTIPLY_ADD, /* dst = src[0] * src[1] + src[2] */
  SL_LINEAR_SHIFT_LEFT    /* dst = src[0] << src[1] */
};

enum sl_linear_role { SL_LINEAR_COMPUTES, SL_LINEAR_ACCESSES, SL_LINEAR_CONTROLS };

/* Elements of a coefficient vector. */
enum sl_linear_index {
  SL_LINEAR_TX,
  SL_LINEAR_TY,
  SL_LINEAR_TZ,
  SL_LINEAR_BX,
  SL_LINEAR_BY,
  SL_LINEAR_BZ,
  SL_LINEAR_INDICES
};

/* Extension of a 32-bit value to 64 bits. */
enum sl_linear_extension { SL_LINEAR_NOT_EXTENDED, SL_LINEAR_BY_SIGN, SL_LINEAR_BY_ZERO };

enum { SL_LINEAR_DESTINATIONS = 4, SL_LINEAR_SOURCES = 9 };

#define SL_LINEAR_NO_REG UINT32_MAX
#define SL_LINEAR_NOWHERE UINT32_MAX

struct sl_linear_operand {
  uint32_t reg; /* SL_LINEAR_NO_REG: the operand is the number */
  int64_t number;
};

struct sl_linear_insn {
  uint8_t kind, role; /* enum sl_linear_kind, sl_linear_role */
  uint8_t extension;  /* enum sl_linear_extension: of the sources, before the operation */
  uint8_t dsts, srcs;
  uint8_t kept;   /* number of last sources that are the destinations' old values: a guard may keep them */
  int8_t base;    /* of an access: index of the address source, -1: none */
  uint16_t which; /* SYMBOL: its number; INDEX: enum sl_linear_index */
  uint32_t dst[SL_LINEAR_DESTINATIONS];
  uint64_t clobbers; /* registers 0 to 63 that are undefined afterwards: calls */
  struct sl_linear_operand src[SL_LINEAR_SOURCES];
  int64_t number;   /* NUMBER; of an access: offset of the address */
  uint32_t next[2]; /* successors, SL_LINEAR_NOWHERE: none */
};

enum { SL_LINEAR_SYMBOL_NAME = 32 };

/* Source of a symbol's value at launch. */
enum sl_linear_origin {
  SL_LINEAR_ARGUMENT,   /* at: offset in the parameter block */
  SL_LINEAR_BLOCK_SIZE, /* at: dimension */
  SL_LINEAR_GRID_SIZE,
  SL_LINEAR_REGISTER /* at: the register that holds it at entry */
};

struct sl_linear_symbol {
  char name[SL_LINEAR_SYMBOL_NAME];
  uint8_t origin; /* enum sl_linear_origin */
  uint8_t bytes;  /* of an argument */
  uint32_t at;
};

enum { SL_LINEAR_REFUSAL = 160 };

struct sl_linear_code {
  unsigned bits; /* of the arithmetic: 32 or 64 */
  struct sl_linear_insn *insn;
  uint32_t count;
  uint32_t registers;
  uint32_t *entry;                 /* per register: the symbol that it holds at entry, 0: unknown */
  uint32_t held;                   /* a register with implicit reads, such as the stack pointer; 0: none */
  struct sl_linear_symbol *symbol; /* by number */
  uint16_t symbols;                /* at least 1: number 0 means no symbol */
  char refusal[SL_LINEAR_REFUSAL]; /* reason why the kernel cannot be analysed, as a sentence; empty: it can */
};

/* Returns the number of a symbol; adds it if its name is new. 0: out of memory, or more than 30,000 symbols. */
uint16_t sl_linear_symbol(struct sl_linear_code *code, const struct sl_linear_symbol *symbol);

void sl_linear_code_free(struct sl_linear_code *code);

/* PTX front end of the analysis: translates a kernel of a module to struct sl_linear_code, one instruction for each PTX
 * instruction. */

/* Instruction i is code[kernel->begin + i] of the module. Parameters are symbols P0, P1, ... in order. */
enum sl_status sl_linear_from_ptx(struct sl_linear_code *code, const struct sl_ptx_module *module,
                                  const struct sl_ptx_function *kernel, struct sl_error *err);

/* RV32 front end of the analysis: translates a kernel's machine code to struct sl_linear_code, one instruction for each
 * machine instruction.
 *
 * Arguments are words read from the launch block; indices and sizes come from CSRs. A stack word that holds a register
 * is a register, too (linear_frame.c). Called functions preserve the registers of the calling convention (RISC-V ABIs
 * Specification, version 1.0, chapter 1). Arithmetic is modulo 2^32, as on the machine. */

/* State of a kernel at entry. */
struct sl_linear_abi {
  uint16_t place_csr;    /* the first of 12: x, y, z of thread, block, block size, grid size */
  uint16_t launch_csr;   /* address of the launch block, also in a0 */
  uint16_t end_csr;      /* writing 1 to bit 0 ends the thread */
  uint16_t grid_at;      /* byte offset in the launch block: three words */
  uint16_t block_at;     /* three words */
  uint16_t arguments_at; /* first argument word */
};

struct sl_linear_machine_code {
  const struct sl_code *code;
  const struct sl_linear_abi *abi;
  uint32_t first, end; /* words of the kernel */
};

/* Instruction i is word machine->first + i. Arguments are symbols P0, P1, ... by word. */
enum sl_status sl_linear_from_rv32(struct sl_linear_code *code, const struct sl_linear_machine_code *machine,
                                   struct sl_error *err);

/* Constant propagation for the registers of an RV32 kernel: finds registers that hold the launch block's address, the
 * stack pointer (each plus a constant), or a constant. From these it finds the stack words that are register slots.
 *
 * A stack word is a slot under three conditions. The kernel's instructions access it only as a whole word. They read it
 * at least once. They compute, store or pass no address of the stack. Then no other code can change the word. The
 * kernel does not read back words that it passes to functions on the stack. */

enum {
  SL_LINEAR_FIRST_SLOT = 64, /* number of the register that represents slot 0 */
  SL_LINEAR_SLOTS = 64,
  SL_LINEAR_PLACES = SL_LINEAR_FIRST_SLOT + SL_LINEAR_SLOTS
};

enum sl_linear_knowledge {
  SL_LINEAR_UNSEEN, /* no path has reached this point yet */
  SL_LINEAR_KNOWN_NUMBER,
  SL_LINEAR_KNOWN_LAUNCH, /* the launch block's address plus `more` */
  SL_LINEAR_KNOWN_STACK,  /* the stack pointer at entry plus `more` */
  SL_LINEAR_UNKNOWN
};

struct sl_linear_known {
  uint8_t what; /* enum sl_linear_knowledge */
  uint32_t more;
};

struct sl_linear_frame {
  uint32_t slot[SL_LINEAR_SLOTS]; /* bytes from the stack pointer at entry */
  unsigned slots;
  struct sl_linear_known (*before)[SL_LINEAR_PLACES]; /* per instruction: registers, then slots */
};

/* False: out of memory. `code` must have its successors. */
bool sl_linear_frame_find(struct sl_linear_frame *frame, const struct sl_linear_machine_code *machine,
                          const struct sl_linear_code *code);
void sl_linear_frame_free(struct sl_linear_frame *frame);

/* Returns the register that represents the word of a stack load or store; SL_LINEAR_NO_REG: the word is no slot. */
uint32_t sl_linear_frame_slot(const struct sl_linear_frame *frame, uint32_t at, const struct sl_insn *access);

#endif
