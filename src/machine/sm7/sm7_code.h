/* Interface between the SM core and the front ends for program languages: static properties of each instruction, and
 * the front end's functions. Functional execution happens at issue. */
#ifndef SL_MACHINE_SM7_CODE_H
#define SL_MACHINE_SM7_CODE_H

#include "base/types.h"

enum sl_sm7_unit { SL_SM7_SP, SL_SM7_DP, SL_SM7_INT, SL_SM7_SFU, SL_SM7_TENSOR, SL_SM7_MEM, SL_SM7_UNITS };

/* Rows of the table of latencies. */
enum sl_sm7_class {
  SL_SM7_C_OTHER,
  SL_SM7_C_INT_ADD,
  SL_SM7_C_INT_MINMAX,
  SL_SM7_C_INT_MUL,
  SL_SM7_C_INT_MAD,
  SL_SM7_C_MUL24,
  SL_SM7_C_MAD24,
  SL_SM7_C_F32_ADD,
  SL_SM7_C_F32_MUL,
  SL_SM7_C_F32_MAD,
  SL_SM7_C_F32_MINMAX,
  SL_SM7_C_F64_ADD,
  SL_SM7_C_F64_MUL,
  SL_SM7_C_F64_MINMAX,
  SL_SM7_C_INT_DIV,
  SL_SM7_C_F32_DIV,
  SL_SM7_C_F64_DIV,
  SL_SM7_C_SFU,
  SL_SM7_C_SINE,
  SL_SM7_C_POWER,
  SL_SM7_C_LOGARITHM,
  SL_SM7_C_SHFL,
  SL_SM7_C_MMA,
  SL_SM7_C_MEMORY,
  SL_SM7_CLASSES
};

enum sl_sm7_space { SL_SM7_NO_SPACE, SL_SM7_CONST, SL_SM7_SHARED, SL_SM7_GLOBAL, SL_SM7_LOCAL, SL_SM7_TEXTURE };

/* An asynchronous load has no destination; its warp commits a group of them, and waits for groups. */
enum sl_sm7_kind {
  SL_SM7_ALU,
  SL_SM7_LOAD,
  SL_SM7_STORE,
  SL_SM7_ATOMIC,
  SL_SM7_BARRIER,
  SL_SM7_FENCE,
  SL_SM7_ASYNC_LOAD,
  SL_SM7_ASYNC_COMMIT,
  SL_SM7_ASYNC_WAIT /* `groups`: those that may be outstanding */
};

enum {
  SL_SM7_LANES = 32,
  SL_SM7_WATCHED = 10, /* registers that the scoreboard checks */
  SL_SM7_READ = 6,     /* operands that collectors read */
  SL_SM7_SOURCES = 6,
  SL_SM7_PLACED = 0x8000, /* in `id` of a source: the rest is its place in the register file */
  SL_SM7_WRITTEN = 4,
  SL_SM7_READ_IN_ALL = 27, /* by an instruction with the parts that follow it */
  SL_SM7_WRITTEN_IN_ALL = 8,
  SL_SM7_GROUPS = 8, /* of asynchronous loads that a warp tells apart */
  SL_SM7_BARRIERS = 16,
  SL_SM7_NEVER_OPENS = UINT8_MAX, /* a barrier of more warps than an SM has */
  SL_SM7_REGISTERS = 1024
};

/* A register that an instruction reads, and its size per thread in 32-bit words. */
struct sl_sm7_source {
  uint16_t id;
  uint8_t words;
};

/* A register has two numbers: `id` distinguishes the registers of a thread, `bank` selects the bank that holds it. */
struct sl_sm7_instruction {
  uint8_t unit, class, kind;
  uint8_t watched, reads, writes; /* their numbers */
  bool uncached;                  /* bypasses L1 */
  bool returns;                   /* an atomic with a destination */
  bool branch;                    /* has a unit of its own, with registers.model=volta */
  uint8_t adds;                   /* cycles to sum its operands */
  bool free, fused;               /* lowered (sm7_lower.h): takes no slot; does the work of two */
  uint8_t vector, before;         /* lowered: bytes that a joined load reads, those before its own; 0: not joined */
  bool joins;                     /* lowered: a branch leads here */
  bool reduces;                   /* lowered: a multiplication precedes it (sm7_lower.h) */
  bool shifts;                    /* lowered: a shift precedes it */
  bool update;                    /* of a linear operand that grows in a loop */
  uint8_t more;                   /* further words of its code */
  uint8_t groups;                 /* of asynchronous loads; SL_SM7_GROUPS: waits for all loads */
  uint8_t share;                  /* of the latency and interval of its class, in 64ths; 0: all */
  /* Distance to an element with further registers, which is not an instruction of its own; 0: there is none. */
  uint32_t rest;
  /* Registers of a warp, of 32 words, that it reads and writes, each once; reads of a value that all lanes share. */
  uint8_t words_read, words_written, narrow_reads;
  uint8_t others;      /* operands that are no registers: numbers, addresses, labels */
  uint8_t values_read; /* of a PTX instruction: registers that it reads, of any size */
  uint16_t watch[SL_SM7_WATCHED];
  uint16_t read_bank[SL_SM7_READ]; /* each once */
  uint16_t write[SL_SM7_WRITTEN], write_bank[SL_SM7_WRITTEN];
  uint8_t sources; /* for core/sm7_register_file.c: without predicates, each once, in operand order */
  struct sl_sm7_source source[SL_SM7_SOURCES];
};

static inline void sl_sm7_add_source(struct sl_sm7_instruction *code, unsigned id, unsigned words)
{
  bool again = words == 0 || code->sources == SL_SM7_SOURCES;
  for (unsigned n = 0; n < code->sources; n++)
    again |= code->source[n].id == id;
  if (!again)
    code->source[code->sources++] = (struct sl_sm7_source){(uint16_t)id, (uint8_t)words};
}

/* Units that are reserved at issue: those of an instruction, and that of branches. */
enum { SL_SM7_BRANCHES = SL_SM7_UNITS, SL_SM7_RESERVED };

static inline unsigned sl_sm7_reserves(const struct sl_sm7_instruction *code)
{
  return code->branch ? SL_SM7_BRANCHES : code->unit;
}

static inline const struct sl_sm7_instruction *sl_sm7_rest(const struct sl_sm7_instruction *code)
{
  return code->rest != 0 ? code + code->rest : NULL;
}

/* Effect of an executed instruction. */
struct sl_sm7_effect {
  uint32_t next;          /* PC on top of the warp's SIMT stack, if lanes live */
  uint32_t live;          /* lanes that have not exited */
  uint32_t counted;       /* thread instructions */
  uint32_t active;        /* lanes that access memory */
  bool exited;            /* some lane has exited */
  uint8_t space;          /* enum sl_sm7_space of an access */
  uint8_t bytes;          /* of a lane */
  uint8_t barrier;        /* number */
  bool arrives;           /* at the barrier, without waiting */
  bool late;              /* `settle` will perform its accesses; false before `issue` */
  bool scalar;            /* one lane has executed it for all; false before `issue` */
  bool lines;             /* the lanes access contiguous lines of a matrix; false before `issue` */
  uint8_t accesses;       /* with `lines`, in shared memory: of machine code, or 0 */
  uint16_t passes;        /* their cycles together */
  bool strays;            /* the warp left the predicted path; false before `issue` */
  uint32_t barrier_warps; /* that it waits for; 0: all of the block */
  uint64_t id;            /* with an observer, set before `issue`: of the instruction */
  uint64_t address[SL_SM7_LANES];
};

/* Phases of a kernel with linear registers (core/sm7_phases.c). */
enum sl_sm7_phase_of_kernel { SL_SM7_PHASE_COEFFICIENTS, SL_SM7_PHASE_THREADS, SL_SM7_PHASE_BLOCK, SL_SM7_PHASE_REST };

/* Eliminated instructions that a warp skips. */
struct sl_sm7_passed {
  uint32_t instructions, lanes;
  uint32_t next; /* PC, if there were any */
  bool straight; /* each was followed by the next one in memory */
  bool strays;   /* as of an effect */
};

struct sl_trial_memory; /* base/livelock.h */

struct sl_sm7_front {
  void *context;
  const struct sl_sm7_instruction *code;
  uint32_t count;
  uint64_t code_address; /* of the first instruction in memory, for the instruction cache */
  uint32_t code_bytes;   /* of an instruction */
  /* Begins block number `block` of the grid in a block slot of an SM. False: a fault, as for issue. */
  bool (*begin)(void *context, unsigned sm, unsigned slot, uint64_t block);
  /* Reports that the block has begun, if the observer wants it. */
  void (*report_begun)(void *context, unsigned sm, unsigned slot, uint64_t cycle);
  /* Lanes and PC of a warp of a block that has begun; no lanes: it has ended, or there is none. */
  uint32_t (*lanes)(void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t *pc);
  /* The phase of a warp, enum sl_sm7_phase_of_kernel. NULL: kernels have one phase only. */
  uint8_t (*phase)(void *context, unsigned sm, unsigned slot, unsigned warp);
  /* Skips eliminated instructions before a warp's next instruction, which is live; the functional effects on its lanes
   * still happen. False: a fault, as for issue. NULL: no instructions are eliminated. */
  bool lowered; /* `pass` executes free instructions only */
  bool (*pass)(void *context, unsigned sm, unsigned slot, unsigned warp, struct sl_sm7_passed *passed);
  bool scalar; /* effects may be scalar, or leave the predicted path */
  /* Executes the next instruction of a warp. False: a fault that the front end keeps; the run ends. */
  bool (*issue)(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle, struct sl_sm7_effect *effect);
  /* Prefetch what the next instruction of a warp needs, and its registers (core/sm7_prefetch.h). NULL: nothing. */
  void (*prefetch_warp)(const void *context, unsigned sm, unsigned slot, unsigned warp);
  void (*prefetch_registers)(const void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t pc);
  /* Performs, in order, the accesses to globally shared memory that `issue` has deferred. A front end with this
   * function defers all of them if the GPU has several partitions; SMs may then issue in parallel. NULL: accesses
   * happen at issue, in one host thread. */
  void (*settle)(void *context, unsigned sm);
  /* All live warps of the block wait at barriers that cannot open: records the fault for the given warp. NULL: this
   * cannot happen. */
  void (*stuck)(void *context, unsigned sm, unsigned slot, unsigned warp);
  /* Whether a live warp spins as long as memory stays as it is (base/livelock.h). If so, records a livelock as the
   * front end's fault, unless one is recorded that says more. The run ends only if all warps spin. */
  bool (*spins)(void *context, unsigned sm, unsigned slot, unsigned warp, struct sl_trial_memory *memory);
};

/* ---- operands (sm7_operands.c) ----------------------------------------------------------------------------------- */

/* Operands of instructions in Volta's register file (core/sm7_register_file.c): their banks, and their reuse.
 *
 * PTX has virtual registers, and simtlab has no allocation of real ones. The 32-bit registers that remain after
 * lowering are numbered in the order in which the code defines them first; the bank of a register is its number
 * modulo 2. A 64-bit register is a pair, which has a half in each bank. A register that no instruction defines any more
 * is a parameter or a number, which is read from the constant bank.
 *
 * An operand is kept in the reuse cache if the next instruction that reads the same bank in the same place of its list
 * of operands reads the same register, and both are in one piece of straight code. An assembler sets a flag there
 * (Jia et al., arXiv:1804.06826, section 3.5.3). */

enum { SL_SM7_READ_BANKS = 2, SL_SM7_PLACES = 3 };

struct sl_sm7_operands {
  uint16_t place[SL_SM7_PLACES];    /* register number + SL_SM7_READ_BANKS of a 32-bit register; 0: none */
  uint8_t reads[SL_SM7_READ_BANKS]; /* further ones of a bank: halves of pairs, and those behind the places */
  uint8_t keeps;                    /* set of places whose operand is kept */
};

static inline unsigned sl_sm7_read_bank(unsigned number)
{
  return number % SL_SM7_READ_BANKS;
}

void sl_sm7_find_operands(const struct sl_sm7_instruction *code, uint32_t count, struct sl_sm7_operands *operands);

#endif
