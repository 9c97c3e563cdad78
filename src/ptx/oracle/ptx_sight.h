/* What the next instruction of a warp reads, and what it has computed: its values in all active lanes.
 *
 * A listener of grids (struct sl_ptx_bounds) is told after instructions only. Between two instructions of a warp nobody
 * else writes its registers, so that it looks at the next one then, and at the first one when the block begins:
 * execution itself knows nothing of it. */
#ifndef SL_PTX_ORACLE_PTX_SIGHT_H
#define SL_PTX_ORACLE_PTX_SIGHT_H

#include "ptx/run/ptx_execute.h"

/* What machines that avoid repetition make of an instruction. */
enum sl_ptx_sort {
  SL_PTX_SORT_OTHER, /* stores, atomics, control, barriers, what lanes exchange, clocks: executed in any case */
  SL_PTX_SORT_VALUE, /* arithmetic, predicates, moves; a kernel's parameter, which is an operand in machine code */
  SL_PTX_SORT_LOAD   /* from memory that the lanes of a block share */
};
enum sl_ptx_sort sl_ptx_sort_of(const struct sl_ptx_insn *insn);

/* Whether a value is neither floating point nor computed from it; moves of any bits are not. */
bool sl_ptx_is_integer(const struct sl_ptx_insn *insn);

/* Whether it reads a special register that is not the same in all lanes of a warp. */
bool sl_ptx_reads_lanes(const struct sl_ptx_insn *insn);

struct sl_ptx_sight {
  const struct sl_ptx_insn *insn; /* NULL: the warp has ended */
  uint32_t pc;
  uint32_t active;
  uint64_t sources; /* of VALUE and LOAD: a hash of the active lanes and of what each reads; of a load its addresses */
  bool alike;       /* of these: all active lanes read the same */
};

struct sl_ptx_sight sl_ptx_look(const struct sl_ptx_warp *warp);

/* With what a LOAD that has been executed has read. */
uint64_t sl_ptx_loaded(const struct sl_ptx_warp *warp, const struct sl_ptx_sight *before, uint64_t hash);

/* What an integer VALUE has computed in each lane; of predicates 0 or 1. False: it has no result, or several. */
struct sl_ptx_result {
  uint64_t lane[SL_PTX_LANES];
  unsigned bytes; /* of arithmetic; 0: a predicate */
};
bool sl_ptx_result(const struct sl_ptx_warp *warp, const struct sl_ptx_insn *insn, struct sl_ptx_result *result);

/* A number mixed into a hash. */
static inline uint64_t sl_ptx_mixed(uint64_t hash, uint64_t number)
{
  hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

#endif
