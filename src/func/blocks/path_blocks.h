/* Functional execution of a warp with paths, one basic block at a time: sl_path_execute() without its dispatch.
 *
 * A basic block lies between two instructions that can change the order of paths: branches, jumps, reconvergence
 * annotations, and instructions that are not steps. Within it no other path can overtake the running one. A waiting
 * path can join only at its own instruction, so a block ends there. Paths are compared only between blocks. */
#ifndef SL_WARP_BLOCKS_PATH_BLOCKS_H
#define SL_WARP_BLOCKS_PATH_BLOCKS_H

#include "convergence/convergence.h"
#include "convergence/sorted_paths.h"
#include "func/blocks/basic_blocks.h"
#include "func/blocks/time_slice.h"
#include "func/path_warps.h"

/* Prepares the basic blocks for a convergence scheme and an observer. There are none without flat memory, or if the
 * observer wants to hear of each instruction. */
void sl_path_blocks_init(struct sl_basic_blocks *b, const struct sl_path_warps *t, enum sl_scheme scheme,
                         enum sl_execution_mode mode, bool portable, struct sl_probes *probes);

static inline void sl_path_step_lanes_of(struct sl_step_lanes *s, const struct sl_path_warps *t, unsigned warp)
{
  s->x = sl_path_warps_registers(t, warp);
  s->stack.lane0 = warp << (2 + t->lane_bits);
}

/* The result of a call. */
struct sl_path_blocks_run {
  uint64_t instructions, thread_instructions;
  bool commands;    /* the last instruction was a warp command */
  uint32_t command; /* value of the warp command */
};

/* Executes up to `most` instructions of the warp that has the time slice. If it executes fewer, the slice is over or
 * sl_path_execute() must execute the next one. */
struct sl_path_blocks_run sl_path_blocks_run(struct sl_basic_blocks *b, struct sl_path_warps *t,
                                             struct sl_time_slice *slice, uint64_t most);

/* Functional execution of a warp with sorted paths (convergence/sorted_paths.h), one basic block at a time. The
 * paths are fully sorted: the running path precedes all others, so within a block it can only reach the next one. */

/* The result of a call. */
struct sl_sorted_blocks_run {
  uint64_t instructions, thread_instructions;
  uint64_t stack_uses; /* pushes to and pops from the cold context table */
};

/* Executes up to `instructions` instructions of a warp. If it executes fewer, the caller must execute the next one
 * alone. */
struct sl_sorted_blocks_run sl_sorted_blocks_run(struct sl_basic_blocks *b, struct sl_path_warps *t,
                                                 struct sl_sorted_paths *paths, unsigned warp, uint64_t instructions);

/* ---- diverged_paths.c -------------------------------------------------------------------------------------------- */

/* Diverged paths of a warp as integers that are fast to compare, for execution by basic blocks (path_blocks.h).
 *
 * A place holds the level above the address. Places of one level are in the order of their addresses, and their
 * difference says how far ahead a path waits. The functions give the same paths, in the same order, as those of
 * convergence/convergence.h under nesting and depth-pc. */

struct sl_diverged {
  unsigned count;
  unsigned now; /* index of the running path */
  bool nesting; /* scheme: nesting, not depth and PC */
  uint64_t place[SL_MAX_LANES];
  sl_lanes lanes[SL_MAX_LANES];
};

/* Converts paths to places. Returns false if a sorter holds the paths or one of them must retry. */
bool sl_diverged_begin(struct sl_diverged *a, const struct sl_paths *paths);

/* Converts the places back to paths. */
void sl_diverged_end(const struct sl_diverged *a, struct sl_paths *paths);

/* Moves the running path to pc, where it may join another path. */
void sl_diverged_move(struct sl_diverged *a, uint32_t pc);

/* Splits the running path at a branch: `taken`, a non-empty proper subset of its lanes, goes to `pc`, the others to
 * `next`. */
void sl_diverged_split(struct sl_diverged *a, sl_lanes taken, uint32_t pc, uint32_t next);

/* Moves the running path to pc and changes its level. */
void sl_diverged_change_level(struct sl_diverged *a, int change, uint32_t pc);

static inline uint32_t sl_diverged_pc(const struct sl_diverged *a)
{
  return (uint32_t)a->place[a->now];
}

static inline sl_lanes sl_diverged_lanes(const struct sl_diverged *a)
{
  return a->lanes[a->now];
}

static inline int sl_diverged_level_of(uint64_t place)
{
  return (int16_t)(uint16_t)(place >> 32 ^ 0x8000);
}

static inline int sl_diverged_level(const struct sl_diverged *a)
{
  return sl_diverged_level_of(a->place[a->now]);
}

/* Returns the number of instructions (1 << word_shift bytes each) until the running path reaches a waiting one; at most
 * `count`. */
static inline uint32_t sl_diverged_alone(const struct sl_diverged *a, unsigned word_shift, uint32_t count)
{
  uint64_t least = (uint64_t)count << word_shift;
  for (unsigned j = 0; j < a->count; j++) {
    const uint64_t ahead = a->place[j] - a->place[a->now] - 1; /* for the running path itself: a huge distance */
    least = ahead < least ? ahead + 1 : least;
  }
  return (uint32_t)(least >> word_shift);
}

#endif
