/* A kernel as the analysis of linear combinations sees it, whatever language it is in: each instruction is one of a few
 * operations on registers, or something else. Front ends make it of PTX (linear_ptx.h) and of machine code
 * (linear_rv32.h). Operations: R2D2, Fig. 6. */
#ifndef SL_LINEAR_LINEAR_CODE_H
#define SL_LINEAR_LINEAR_CODE_H

#include "base/error.h"
#include "base/types.h"

enum sl_linear_kind {
  SL_LINEAR_OTHER,        /* whatever it computes, it is no linear combination */
  SL_LINEAR_NUMBER,       /* dst = number */
  SL_LINEAR_SYMBOL,       /* dst = a symbol */
  SL_LINEAR_INDEX,        /* dst = an index, enum sl_linear_index */
  SL_LINEAR_MOVE,         /* dst = src[0]; also what extends or cuts a number */
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

/* How a value of 32 bits becomes one of 64. */
enum sl_linear_extension { SL_LINEAR_NOT_EXTENDED, SL_LINEAR_BY_SIGN, SL_LINEAR_BY_ZERO };

enum { SL_LINEAR_DESTINATIONS = 4, SL_LINEAR_SOURCES = 9 };

#define SL_LINEAR_NO_REG UINT32_MAX
#define SL_LINEAR_NOWHERE UINT32_MAX

struct sl_linear_operand {
  uint32_t reg; /* SL_LINEAR_NO_REG: the number */
  int64_t number;
};

struct sl_linear_insn {
  uint8_t kind, role; /* enum sl_linear_kind, sl_linear_role */
  uint8_t extension;  /* enum sl_linear_extension: of the sources, before the operation */
  uint8_t dsts, srcs;
  uint8_t kept;   /* the last sources, which are what the destinations were: lanes may keep it, by a guard */
  int8_t base;    /* of an access: which source is the address, -1: none */
  uint16_t which; /* SYMBOL: its number; INDEX: enum sl_linear_index */
  uint32_t dst[SL_LINEAR_DESTINATIONS];
  uint64_t clobbers; /* registers 0 to 63 that are something else afterwards: calls */
  struct sl_linear_operand src[SL_LINEAR_SOURCES];
  int64_t number;   /* NUMBER; of an access: what is added to the address */
  uint32_t next[2]; /* instructions that may follow, SL_LINEAR_NOWHERE: none */
};

enum { SL_LINEAR_SYMBOL_NAME = 32 };

/* Where a symbol's value comes from when a kernel is launched. */
enum sl_linear_origin {
  SL_LINEAR_ARGUMENT,   /* at: offset in the block of parameters */
  SL_LINEAR_BLOCK_SIZE, /* at: dimension */
  SL_LINEAR_GRID_SIZE,
  SL_LINEAR_REGISTER /* at: the register that has it at the beginning */
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
  uint32_t *entry; /* by register: the symbol that it holds at the beginning, 0: nothing that is known */
  uint32_t held;   /* a register that is read where no source says so, as the stack's is; 0: none */
  struct sl_linear_symbol *symbol; /* by number */
  uint16_t symbols;                /* at least 1: number 0 is none */
  char refusal[SL_LINEAR_REFUSAL]; /* why the kernel cannot be analysed, as a sentence; empty: it can */
};

/* The number of a symbol, which is new or not (its name tells); 0: no memory, or more than 30,000 of them. */
uint16_t sl_linear_symbol(struct sl_linear_code *code, const struct sl_linear_symbol *symbol);

void sl_linear_code_free(struct sl_linear_code *code);

#endif
