/* Oracles: determine the warp instructions that a machine with perfect knowledge of all values would eliminate. They
 * are optimistic models of the two published machines that the R2D2 paper (ISCA 2023) compares with. They do not model
 * misses caused by limited tables or time.
 *
 * DAC: decoupled affine computation (K. Wang and C. Lin, ISCA 2017). Results of a block's warps at the same occurrence
 * of an instruction are computed once if they are affine: the step over lanes is the same for all warps, and the first
 * values are affine in the warp's number. Integer values only.
 *
 * DARSIE (T. Yeh et al., ASPLOS 2020): a warp eliminates an instruction that another warp of its block has executed
 * before with the same lanes and operands, at the same occurrence of the instruction. This includes loads, if the block
 * has neither written that address nor passed a barrier since. With the scalar pipeline, a remaining instruction needs
 * one lane if all lanes read the same operands. */
#ifndef SL_PTX_ORACLE_PTX_ORACLE_H
#define SL_PTX_ORACLE_PTX_ORACLE_H

#include "base/types.h"
#include "ptx/run/ptx_execute.h"
#include "ptx/run/ptx_grid.h"

/* Redundancy classification of the next instruction of a warp: the operands that it reads, and the values that it
 * computes in all active lanes.
 *
 * An observer of grids (struct sl_ptx_bounds) is notified only after instructions. Between two instructions of a warp
 * no other warp writes its registers. The classifier therefore examines the next instruction at that point, and the
 * first one when the block begins. The executor needs no hooks for it. */

/* Class of an instruction in redundancy-elimination schemes. */
enum sl_ptx_sort {
  SL_PTX_SORT_OTHER, /* always executed: stores, atomics, control, barriers, lane exchanges, clocks */
  SL_PTX_SORT_VALUE, /* arithmetic, predicates, moves; reads of kernel parameters, which are operands in machine code */
  SL_PTX_SORT_LOAD   /* from memory that the lanes of a block share */
};
enum sl_ptx_sort sl_ptx_sort_of(const struct sl_ptx_insn *insn);

/* Whether a value is neither floating point nor computed from it; untyped moves are not integers. */
bool sl_ptx_is_integer(const struct sl_ptx_insn *insn);

/* Whether it reads a special register that differs between the lanes of a warp. */
bool sl_ptx_reads_lanes(const struct sl_ptx_insn *insn);

struct sl_ptx_redundancy {
  const struct sl_ptx_insn *insn; /* NULL: the warp has ended */
  uint32_t pc;
  uint32_t active;
  uint64_t sources; /* of VALUE and LOAD: a hash of the active lanes and their operands; for a load, of its addresses */
  bool alike;       /* of these: all active lanes read the same */
};

struct sl_ptx_redundancy sl_ptx_look(const struct sl_ptx_warp *warp);

/* The hash extended by the values that an executed LOAD has read. */
uint64_t sl_ptx_loaded(const struct sl_ptx_warp *warp, const struct sl_ptx_redundancy *before, uint64_t hash);

/* The result of an integer VALUE in each lane; for predicates 0 or 1. False: it has no result, or several. */
struct sl_ptx_result {
  uint64_t lane[SL_PTX_LANES];
  unsigned bytes; /* of arithmetic; 0: a predicate */
};
bool sl_ptx_result(const struct sl_ptx_warp *warp, const struct sl_ptx_insn *insn, struct sl_ptx_result *result);

/* Mixes a number into a hash. */
static inline uint64_t sl_ptx_mixed(uint64_t hash, uint64_t number)
{
  hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* Detects affine results: whether the values that a block's warps compute at one instruction are first + step * l +
 * rise * w in lane l of warp w, modulo the size of the value. Predicates must be the same in all. */

/* Initialise with zeros. */
struct sl_ptx_affine {
  bool no;        /* not affine */
  unsigned warps; /* that had active lanes */
  unsigned warp;  /* the first of them */
  uint64_t first; /* the value that its lane 0 would have */
  int64_t step, rise;
};

/* Adds the values that a warp has computed in these lanes. */
void sl_ptx_affine_take(struct sl_ptx_affine *affine, unsigned warp, uint32_t lanes,
                        const struct sl_ptx_result *result);

/* Hash table of numbers by key, which grows and can be cleared in constant time. It holds what the warps of a block
 * have executed before. */

struct sl_ptx_once_entry {
  uint64_t key, value;
  uint64_t age; /* generation of the table at insertion */
};

/* Initialise with zeros. */
struct sl_ptx_once {
  struct sl_ptx_once_entry *entry;
  size_t room, count; /* room: a power of two, or 0 */
  uint64_t age;
};

/* The number of a key, inserted if new; NULL: out of memory. Valid until the next call. */
uint64_t *sl_ptx_once_put(struct sl_ptx_once *once, uint64_t key, bool *is_new);
/* NULL: not found. */
const uint64_t *sl_ptx_once_find(const struct sl_ptx_once *once, uint64_t key);

void sl_ptx_once_clear(struct sl_ptx_once *once);
void sl_ptx_once_free(struct sl_ptx_once *once);

/* An oracle's classification of each executed instruction of each warp of a launch, in execution order, a few bits
 * each. A hash of the warp's path is stored with them, to detect a warp that takes another path. */

enum { SL_PTX_CHUNK = 64 /* instructions */ };

struct sl_ptx_chunk {
  uint64_t dropped; /* eliminated instructions */
  uint64_t alike;   /* of the others: all lanes read the same */
  uint64_t way;     /* hash of the PCs so far, including these */
};

/* Initialise with zeros. */
struct sl_ptx_marks {
  struct sl_ptx_chunk *chunk;
  size_t count, room;
  uint64_t *first; /* index in `chunk` by warp, block after block, and one for the end */
  size_t warps;
};

/* Prepares for a number of warps, which are appended in order. False: out of memory. */
bool sl_ptx_marks_open(struct sl_ptx_marks *marks, size_t warps);
bool sl_ptx_marks_append(struct sl_ptx_marks *marks, size_t warp, const struct sl_ptx_chunk *chunk, size_t count);
void sl_ptx_marks_free(struct sl_ptx_marks *marks);

/* A warp's current position. */
struct sl_ptx_place_of_marks {
  const struct sl_ptx_chunk *at; /* NULL: it took another path, or went past the end; nothing is classified */
  uint64_t left;                 /* remaining groups, including this one */
  uint64_t way;
  unsigned within; /* position in the group */
};

struct sl_ptx_place_of_marks sl_ptx_marks_begin(const struct sl_ptx_marks *marks, size_t warp);

static inline bool sl_ptx_marks_drop(const struct sl_ptx_place_of_marks *p)
{
  return p->at != NULL && p->at->dropped >> p->within & 1;
}
static inline bool sl_ptx_marks_alike(const struct sl_ptx_place_of_marks *p)
{
  return p->at != NULL && p->at->alike >> p->within & 1;
}

/* The warp executes the instruction at `pc`. False: it has just left the recorded path. */
bool sl_ptx_marks_next(struct sl_ptx_place_of_marks *place, uint32_t pc);

/* Extends the path hash with a PC. */
uint64_t sl_ptx_way(uint64_t way, uint32_t pc);

/* Runs a grid without timing and reports each warp instruction with its operands. Used to count what a machine could
 * eliminate, and to classify instructions in advance. */

struct sl_ptx_seen {
  const struct sl_ptx_warp *warp;
  const struct sl_ptx_effect *effect;
  const struct sl_ptx_redundancy *before; /* the executed instruction */
  uint64_t occurrence;                    /* a hash of its PC and of the warp's number of visits to it */
};

/* False: out of memory. */
struct sl_ptx_tracer {
  bool (*begun)(void *context, const struct sl_ptx_block *block); /* before each block; may be NULL */
  bool (*seen)(void *context, const struct sl_ptx_seen *seen);
  void *context;
};

/* As sl_ptx_grid_run with the same bounds; their observers are notified first. */
enum sl_status sl_ptx_trace(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                            const struct sl_ptx_tracer *watcher, struct sl_ptx_counts *counts, struct sl_error *err);

enum sl_ptx_oracle { SL_PTX_NO_ORACLE, SL_PTX_DAC, SL_PTX_DARSIE, SL_PTX_DARSIE_SCALAR };

struct sl_ptx_spared {
  uint64_t warp_insns, thread_insns; /* eliminated */
  uint64_t scalar;                   /* of the others: warp instructions that need one lane */
};

/* Runs a grid without timing and classifies its instructions: totals, and for each warp if `marks` is not NULL. Counts
 * are not reduced by the eliminated instructions. */
enum sl_status sl_ptx_oracle_run(enum sl_ptx_oracle oracle, const struct sl_ptx_launch *launch,
                                 const struct sl_ptx_bounds *bounds, struct sl_ptx_marks *marks,
                                 struct sl_ptx_counts *counts, struct sl_ptx_spared *spared, struct sl_error *err);

#endif
