/* Simty's path tracking by (call depth, PC): hot context tables 1 and 2 (HCT1, HCT2), cold context table (CCT),
 * sort/compact unit and background sorter.
 *
 * A path is a set of lanes with the same PC and call depth. The front end follows the running path (HCT1); an
 * instruction belongs to it if and only if the PCs are equal. Every instruction sorts the next path (HCT2) with the
 * running one. All other paths wait on a stack (CCT, one entry per lane), which a separate state machine sorts. Order:
 * deepest call first, then lowest PC.
 *
 * An instruction leaves at most two paths, which are sorted with HCT2; equal paths merge. The first goes to HCT1, the
 * second to HCT2, and a third is pushed on the CCT. If there is no second path, HCT2 is popped from the CCT without a
 * comparison.
 *
 * Timing contract: HCT1 is read when the instruction's mask is formed (issue + 2). HCT2 and the CCT are written two and
 * three cycles later. Instructions of a warp issue at least four cycles apart, so each finds the tables as the previous
 * one left them, and one call here does all the work. The sorter makes one probe per instruction of the warp that
 * neither pushes nor pops.
 *
 * Source: Simty paper (RR-8944), section 3.3; Min(SP:PC) order, section 3.1. */
#ifndef SL_CONVERGENCE_SORTED_PATHS_H
#define SL_CONVERGENCE_SORTED_PATHS_H

#include "convergence/convergence.h"

/* A path with its sort key: a lower key runs first. No lanes: no path. */
struct sl_ordered_path {
  sl_lanes lanes;
  uint64_t key;
};

struct sl_sorted_paths {
  struct sl_ordered_path running, next;
  bool uncompared; /* HCT2 came from the CCT and has not been compared with HCT1 */
  uint8_t cold_count;
  uint8_t probe; /* the sorter's position, in places below the top */
  struct sl_ordered_path cold[SL_MAX_LANES];
};

/* Key bit of all paths except a favoured one (convergence/convergence.h), which therefore runs first. */
#define SL_PATH_ORDINARY (UINT64_C(1) << 41)

/* The call depth has eight bits and wraps, as in hardware: a return always undoes its call. */
static inline struct sl_ordered_path sl_ordered_path(sl_lanes lanes, uint32_t pc, uint8_t depth)
{
  return (struct sl_ordered_path){lanes, SL_PATH_ORDINARY | (uint64_t)(uint8_t)~depth << 32 | pc};
}

static inline uint32_t sl_path_pc(struct sl_ordered_path p)
{
  return (uint32_t)p.key;
}

static inline uint8_t sl_path_depth(struct sl_ordered_path p)
{
  return (uint8_t) ~(p.key >> 32);
}

/* Key bit of a path that has parked: it must wait for all other paths of its warp and runs after them. */
#define SL_PATH_PARKED (UINT64_C(1) << 40)

static inline struct sl_ordered_path sl_parked_path(struct sl_ordered_path p)
{
  return (struct sl_ordered_path){p.lanes, p.key | SL_PATH_PARKED};
}

static inline struct sl_ordered_path sl_no_path(void)
{
  return (struct sl_ordered_path){0, 0};
}

/* Resets: all lanes at one address, depth 0. */
void sl_sorted_paths_start(struct sl_sorted_paths *paths, sl_lanes lanes, uint32_t pc);

/* The general case of sl_sorted_paths_update. */
bool sl_sorted_paths_sort(struct sl_sorted_paths *paths, struct sl_ordered_path a, struct sl_ordered_path b);

/* Replaces the running path by a and b, each of which may be empty. Sorts, merges, pushes and pops. Returns true if it
 * used the CCT. */
static inline bool sl_sorted_paths_update(struct sl_sorted_paths *paths, struct sl_ordered_path a,
                                          struct sl_ordered_path b)
{
  if (paths->next.lanes == 0 && paths->cold_count == 0 && (a.lanes == 0) != (b.lanes == 0)) {
    paths->running = a.lanes != 0 ? a : b;
    return false; /* the only path */
  }
  return sl_sorted_paths_sort(paths, a, b);
}

/* One probe of the sorter: compares HCT2 with one entry of the CCT. If they are out of order it swaps them and restarts
 * at the top; else it moves one entry down. */
void sl_sorted_paths_probe(struct sl_sorted_paths *paths);

/* Gives the visible final result of the sorter: HCT2 is the first of all waiting paths, merged with equal ones. For
 * execution without timing. */
void sl_sorted_paths_settle(struct sl_sorted_paths *paths);

/* Returns the path of a lane; an empty one if it has none. */
struct sl_ordered_path sl_sorted_paths_of(const struct sl_sorted_paths *paths, unsigned lane);

/* Moves a lane to another pc. It keeps its depth. Sorts and merges all paths. Do not call while an instruction of the
 * warp is in flight. */
void sl_sorted_paths_place(struct sl_sorted_paths *paths, unsigned lane, uint32_t pc);

/* The places of all paths, first the running one's. */
unsigned sl_sorted_paths_places(const struct sl_sorted_paths *paths, struct sl_warp_path place[SL_MAX_LANES]);

/* Returns true if all paths are parked at more than one place: none can continue. */
bool sl_sorted_paths_stuck(const struct sl_sorted_paths *paths);

/* Checks the invariants: the paths are disjoint and cover `lanes`; the hot tables are in order and differ in depth or
 * PC once compared; the CCT is not over-full. Returns NULL or the broken invariant. */
const char *sl_sorted_paths_broken(const struct sl_sorted_paths *paths, sl_lanes lanes);

/* Validates the tables of a checkpoint. */
bool sl_sorted_paths_valid(const struct sl_sorted_paths *paths, sl_lanes lanes);

#endif
