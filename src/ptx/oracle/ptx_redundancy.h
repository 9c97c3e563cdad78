/* Redundancy classification of the next instruction of a warp: the operands that it reads, and the values that it
 * computes in all active lanes.
 *
 * An observer of grids (struct sl_ptx_bounds) is notified only after instructions. Between two instructions of a warp
 * no other warp writes its registers. The classifier therefore examines the next instruction at that point, and the
 * first one when the block begins. The executor needs no hooks for it. */
#ifndef SL_PTX_ORACLE_PTX_REDUNDANCY_H
#define SL_PTX_ORACLE_PTX_REDUNDANCY_H

#include "base/types.h"
#include "ptx/run/ptx_execute.h"

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

#endif
