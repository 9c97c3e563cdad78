/* Basic blocks: runs of consecutive steps (steps.h), indexed by their first instruction.
 *
 * A block ends before an instruction that is not a step (a branch, a jump, an instruction of another unit) and at the
 * end of the code. An engine may stop anywhere in a block, because registers and memory are up to date after every
 * step. */
#ifndef SL_WARP_BLOCKS_BASIC_BLOCKS_H
#define SL_WARP_BLOCKS_BASIC_BLOCKS_H

#include "convergence/convergence.h"
#include "isa/code.h"
#include "isa/fp.h"
#include "isa/lanes.h"
#include "isa/probe.h"
#include "mem/memory.h"

/* Steps: the instructions of a basic block, each decoded once to a function pointer and operand offsets.
 *
 * A step either does what sl_path_execute() does for the lanes of a path, or nothing. It leaves to that function every
 * possible fault and every access that needs a special lane order. So a step handles only valid addresses in flat
 * memory. The semantics column of rv32.def defines the computations, as in isa/lanes.h. The functions are built for
 * several x86-64 levels and lane counts. */

/* A region of data: `size` bytes from address `low`. */
struct sl_step_region {
  uint8_t *bytes; /* host address of address 0 */
  uint32_t low, size;
};

enum { SL_STEP_MEMORY, SL_STEP_LOCAL };

/* The lanes and the memory that steps work on. */
struct sl_basic_blocks;

struct sl_step_lanes {
  uint32_t *x; /* registers of the warp */
  sl_lanes active;
  unsigned lanes;
  bool last_wins;           /* stores by several lanes to one DRAM address: the highest lane wins, not the lowest */
  bool filled;              /* untouched memory reads as a word other than 0 */
  struct sl_memory *memory; /* flat memory */
  /* Regions of data without interleaved stacks: the memory, and the core's own local memory. Unused: size 0. */
  struct sl_step_region region[2];
  uint32_t scratchpad_base, scratchpad_bytes;
  struct sl_stack_map stack; /* of this warp */
  /* For floating point with flags and rounding modes. */
  const struct sl_fp_ops *fp;
  const struct sl_insn *insn;       /* instructions of the code */
  uint32_t *fcsr;                   /* of this warp */
  struct sl_basic_blocks *observed; /* the blocks, if they have an observer */
};

struct sl_step;

/* Returns false if it has changed nothing and sl_path_execute() must execute the instruction. */
typedef bool sl_step_function(const struct sl_step_lanes *s, const struct sl_step *step);

struct sl_step {
  sl_step_function *all, *some; /* for all lanes; for any set of active lanes */
  uint32_t d, a, b;             /* offsets of rd, rs1 and rs2 in the registers */
  uint32_t imm;                 /* plus the pc, for pc-relative instructions */
};

/* The step functions of one build level and lane count; NULL: not a step. */
struct sl_step_ops {
  sl_step_function *all[SL_OP_COUNT], *some[SL_OP_COUNT];
};

/* Returns the fastest functions of this host for a lane count from 1 to 64, or those of the portable build. */
const struct sl_step_ops *sl_step_ops(unsigned lanes, bool portable);

/* The observer of loads and stores. Each of them is a step that reports it; the JIT calls these steps. */
struct sl_step_observer {
  struct sl_probes *probes; /* NULL: none */
  const struct sl_lane_ops *lane_ops;
  struct sl_probe event; /* launch, core, warp, lanes and block: the caller sets them before it executes blocks */
};

struct sl_jit;
struct sl_jit_parting;

struct sl_basic_blocks {
  const struct sl_step_ops *ops; /* NULL: there are no basic blocks */
  unsigned lane_bits;
  bool floats;                /* floating point has flags and rounding modes */
  uint64_t others;            /* kinds that are not steps here, as bits 1 << enum sl_kind */
  uint64_t edition;           /* edition of the decoded code */
  uint32_t count;             /* number of instructions in the code */
  struct sl_step *step;       /* by instruction index */
  uint16_t *straight;         /* 1 + number of consecutive steps from here; 0: not decoded yet */
  uint32_t first, last;       /* decoded range: first to last - 1 */
  struct sl_step_lanes lanes; /* of the executing warp, where warps differ little */
  struct sl_step_observer observer;
  const struct sl_code *code; /* of the decoded steps */
  /* Host machine code of blocks (func/jit/jit.h) and its edition. NULL: none. */
  struct sl_jit *emitted;
  uint64_t emitted_edition;
  const struct sl_jit_parting *parting; /* set by the machine code that ran last; NULL: no lanes diverged */
};

/* Prepares basic blocks for a lane count. `floats` and `others` as in struct sl_basic_blocks. With `floats` the caller
 * sets fp and fcsr of the lanes. */
void sl_basic_blocks_init(struct sl_basic_blocks *s, unsigned lanes, unsigned lane_bits, bool floats, uint64_t others,
                          bool portable);
void sl_basic_blocks_free(struct sl_basic_blocks *s);

/* Reports loads and stores to an observer that allows blocks (sl_probes_allow_blocks); NULL: none. Call it after
 * sl_basic_blocks_init. */
void sl_basic_blocks_observe(struct sl_basic_blocks *s, struct sl_probes *probes, const struct sl_lane_ops *lane_ops);

/* Whether a step reports an access to an observer. */
static inline bool sl_basic_blocks_reports(const struct sl_basic_blocks *s, const struct sl_insn *in)
{
  return s->observer.probes != NULL && (in->kind == SL_KIND_LOAD || in->kind == SL_KIND_STORE);
}

/* The general cases of the two functions below. */
bool sl_basic_blocks_renew(struct sl_basic_blocks *s, const struct sl_code *code, uint64_t edition);
uint32_t sl_basic_blocks_decode(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t index);

/* Drops what was decoded from another edition of the code. Call before every use. Returns false if there are no blocks.
 */
static inline bool sl_basic_blocks_of(struct sl_basic_blocks *s, const struct sl_code *code, uint64_t edition)
{
  return s->ops != NULL && (__builtin_expect(s->edition == edition, 1) || sl_basic_blocks_renew(s, code, edition));
}

/* Returns the number of consecutive steps from an instruction. */
static inline uint32_t sl_basic_blocks_from(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t index)
{
  const uint16_t known = s->straight[index];
  return __builtin_expect(known != 0, 1) ? known - 1u : sl_basic_blocks_decode(s, code, index);
}

/* Executes up to `count` steps and returns their number; it stops at a step that returns false. `all`: all lanes are
 * active. */
static inline uint32_t sl_basic_blocks_perform(const struct sl_step_lanes *lanes, const struct sl_step *step,
                                               uint32_t count, bool all)
{
  uint32_t i = 0;
  if (all)
    while (i < count && step[i].all(lanes, &step[i]))
      i++;
  else
    while (i < count && step[i].some(lanes, &step[i]))
      i++;
  return i;
}

/* Hammocks. A hammock is a short forward branch that the engine if-converts: the lanes that do not take it execute the
 * steps after it, and then all lanes continue together. So the warp does not split into two paths.
 *
 * Path selection (convergence/convergence.h) gives the same result when the branching lanes wait behind the steps. They
 * wait either because the other lanes are selected first, or because they soon reach a pop, which lowers their level.
 * In the second case they execute only computations (the tail) up to the pop, before the other lanes start. The
 * counters then include the tail twice. The order of loads, stores and possible faults does not change. */

enum { SL_HAMMOCK_STEPS = 16, SL_HAMMOCK_TAIL = 4 };

struct sl_hammock {
  uint32_t branch, steps; /* index of the branch; number of steps after it, 0: not a hammock */
  uint32_t tail;          /* computations after the steps, before an annotation that lowers the level */
  bool pops;              /* such an annotation exists */
  bool nesting;           /* selection by nesting level, not by depth and PC */
};

/* Returns the hammock of the branch with this index, under one of these two schemes. */
struct sl_hammock sl_hammock_at(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t branch, bool nesting);

static inline uint32_t sl_hammock_join(const struct sl_hammock *h)
{
  return h->branch + 1 + h->steps;
}

/* Selection between two disjoint sets of lanes at one level prefers the set with the highest lane. */
static inline bool sl_hammock_taken_first(const struct sl_hammock *h, sl_lanes taken, sl_lanes others)
{
  return h->nesting && taken > others;
}

/* Returns true if the other lanes can execute the steps while the lanes that take the branch wait. `left`: number of
 * instructions that may follow the branch. If the limit falls inside, the warp splits into two paths instead. */
static inline bool sl_hammock_may(const struct sl_hammock *h, sl_lanes taken, sl_lanes others, int level, uint64_t left)
{
  const bool good = h->pops ? level > 0 : !sl_hammock_taken_first(h, taken, others);
  return h->steps > 0 && good && left >= h->steps + 2 * (h->tail + 1);
}

/* Warp and thread instructions executed after the branch when the other lanes have done `done` steps. */
struct sl_hammock_count {
  uint32_t instructions, thread_instructions;
};

struct sl_hammock_count sl_hammock_count(const struct sl_hammock *h, sl_lanes taken, sl_lanes others, uint32_t done);

/* Splits the warp's only path, whose lanes are the active ones, in two: the other lanes stop after `done` of the steps.
 */
void sl_hammock_part(const struct sl_hammock *h, struct sl_basic_blocks *s, struct sl_step_lanes *lanes,
                     struct sl_paths *paths, const struct sl_code *code, sl_lanes taken, uint32_t done);

#endif
