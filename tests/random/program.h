/* Random SM programs as lists of statements, which the generator makes, the writer prints as assembly and the shrinker
 * reduces.
 *
 * Two profiles. `timing`: warps share memory, and the counters are compared; values that depend on the order of warps
 * reach neither an address nor a branch nor a register that is read. `function`: every lane has its own memory, so that
 * a lane's final registers and memory are those of one thread on an ordinary RV32 processor. */
#ifndef RND_PROGRAM_H
#define RND_PROGRAM_H

#include <stdio.h>

#include "base/types.h"

enum rnd_profile { RND_TIMING, RND_FUNCTION, RND_FUNCTION_FLOAT };

enum rnd_kind {
  RND_INIT,      /* rd = a value of pattern op, from imm */
  RND_REGISTER,  /* rd = op(rs1, rs2) */
  RND_IMMEDIATE, /* rd = op(rs1, imm) */
  RND_FLOAT2,    /* rd = op(rs1, rs2), single precision */
  RND_FLOAT1,    /* rd = op(rs1) */
  RND_LOAD,      /* rd = memory */
  RND_STORE,     /* memory = rs2 */
  RND_ATOMIC,    /* rd = memory, memory = op(memory, rs2) */
  RND_CONFLICT,  /* rd = memory, memory = op(memory, a hash of the lane): few words, many lanes */
  RND_FENCE,
  RND_BARRIER,
  RND_CONVERGE, /* POP, PUSH */
  RND_CSR,      /* rd = hart id or closure */
  RND_LINK,     /* rd = a difference of program counters: auipc, jal, jalr */
  RND_IF,       /* op(rs1, rs2), or op(rs1 & imm, 0) when imm is not 0 */
  RND_ELSE,
  RND_LOOP, /* imm times, or 1 + (rs1 & imm) times when rs1 is not 0; rd counts */
  RND_END,  /* of an if or a loop */
  RND_KINDS
};

/* The place of an access. Those up to STACK are a lane's own. */
enum rnd_place {
  RND_WORDS,   /* DRAM, 16 words, neighbouring lanes in neighbouring words */
  RND_BLOCK,   /* DRAM, 64 consecutive bytes */
  RND_SCRATCH, /* scratchpad, 4 words */
  RND_STACK,   /* 16 words */
  RND_HALVES,  /* DRAM, 8 halfwords, neighbouring lanes in neighbouring halfwords */
  RND_BYTES,   /* DRAM, 8 bytes, neighbouring lanes in neighbouring bytes */
  RND_TABLE,   /* DRAM, read by all, written by none */
  RND_SINK,    /* DRAM, written by all, read by none */
  RND_ZEROES,  /* scratchpad, read by all, written by none */
  RND_DRAIN,   /* scratchpad, written by all, read by none */
  RND_PLACES
};

struct rnd_statement {
  uint8_t kind; /* enum rnd_kind */
  uint8_t op;   /* of its kind */
  uint8_t rd, rs1, rs2;
  uint8_t place; /* of an access; its index is rs1, or imm when rs1 is 0 */
  uint8_t other; /* the place of lanes in which bit 0 of `select` is set; the same as place: none */
  uint8_t select;
  uint8_t offset; /* within a word; of shared places bytes */
  uint8_t scale;  /* of shared places: log2 of the bytes from an index to the next */
  bool marked;    /* if, loop: between PUSH and POP */
  int32_t imm;
};

enum { RND_MOST_STATEMENTS = 320, RND_FIRST_POOL = 18, RND_BATCH = 24 };

struct rnd_program {
  uint64_t seed;
  enum rnd_profile profile;
  unsigned active_warps, warps_per_block;
  unsigned stride_bits;  /* log2 of lanes that memory is laid out for */
  bool scratch_by_words; /* the scratchpad's words of neighbouring lanes are neighbours */
  bool wrapped;          /* the whole program is between PUSH and POP */
  unsigned count;
  struct rnd_statement statement[RND_MOST_STATEMENTS];
};

/* The same profile and seed give the same program on any host. */
void rnd_generate(struct rnd_program *program, enum rnd_profile profile, uint64_t seed);

/* Operations of a kind: their number, and the mnemonic. */
unsigned rnd_op_count(enum rnd_kind kind);
const char *rnd_op_name(enum rnd_kind kind, unsigned op);
/* Bytes of a load or store. */
unsigned rnd_op_width(enum rnd_kind kind, unsigned op);

/* Registers of a program's computations: x1 and x18 up to the last of its profile. */
bool rnd_in_pool(enum rnd_profile profile, unsigned reg);

/* The END of the if or loop at i. */
unsigned rnd_block_end(const struct rnd_program *program, unsigned i);

/* One assembly file with the programs as kernel_0, kernel_1 ... for the SM or, assembled with HOSTED defined, for a
 * processor without warps. `broken`: a mnemonic with a wrong result on the SM within loops (bit 0 flipped), or NULL. */
void rnd_write_batch(const struct rnd_program *const *programs, unsigned count, const char *broken, FILE *file);

/* One program in the form of the recorded micro-programs: entry kentry, word warps_per_block. */
void rnd_write_kernel(const struct rnd_program *program, FILE *file);

/* Only the code of the statements, and its number of instructions. */
void rnd_write_body(const struct rnd_program *program, FILE *file);
unsigned rnd_instructions(const struct rnd_program *program);

/* Memory of a function program of n = 2^stride_bits lanes: offsets in bytes from its area, times n. Words come first;
 * lane l's half, byte or word is at index * n + l, its block at 64 * l. */
enum {
  RND_AREA_WORDS = 0,
  RND_AREA_RESULTS = 64,
  RND_AREA_BLOCKS = 224,
  RND_AREA_HALVES = 288,
  RND_AREA_BYTES = 304,
  RND_AREA = 312,
  RND_RESULT_SCRATCH = 15, /* result words: first the registers of the pool, then scratchpad, then stack */
  RND_RESULT_STACK = 19,
  RND_RESULTS = 35
};

#endif
