/* The paths that the threads of a warp follow, tracked by (call depth, PC) alone: hot context tables 1 and 2, cold
 * context table, sort/compact unit and background sorter.
 *
 * A path is a set of lanes that agree in PC and call depth. The running path (HCT1) is the one that the front end
 * follows; an instruction belongs to it iff its PC is that path's. The next one (HCT2) is kept in order with it by
 * every instruction; all others wait on a stack (CCT, a place per lane) and are put in order by a state machine of
 * their own. The order: deepest call first, then lowest PC.
 *
 * An instruction leaves at most two paths, which are sorted with HCT2; equal ones merge. The first goes to HCT1, the
 * second to HCT2, a third is pushed on the CCT. If there is no second, HCT2 is popped from the CCT, without being
 * compared.
 *
 * Timing: HCT1 is read when the instruction's mask is formed (issue + 2), HCT2 and the CCT are written two and three
 * cycles later. Instructions of a warp are issued at least four cycles apart, so that each finds the tables as the one
 * before left them and a call here does all of it. The sorter makes one probe per instruction of the warp that neither
 * pushes nor pops.
 *
 * Source: Simty paper (RR-8944), section 3.3; Min(SP:PC) order, section 3.1. */
#ifndef SL_WARP_SORTED_PATHS_H
#define SL_WARP_SORTED_PATHS_H

#include "base/types.h"

/* The key orders: a lower one runs first. No lanes: no path. */
struct sl_ordered_path {
  sl_lanes lanes;
  uint64_t key;
};

struct sl_sorted_paths {
  struct sl_ordered_path running, next;
  bool uncompared; /* HCT2 came from the CCT and has not been compared with HCT1 yet */
  uint8_t cold_count;
  uint8_t probe; /* places below the top that the sorter looks at */
  struct sl_ordered_path cold[SL_MAX_LANES];
};

/* The call depth has eight bits and wraps, as in the hardware: what counts is that a return undoes its call. */
static inline struct sl_ordered_path sl_ordered_path(sl_lanes lanes, uint32_t pc, uint8_t depth)
{
  return (struct sl_ordered_path){lanes, (uint64_t)(uint8_t)~depth << 32 | pc};
}

static inline uint32_t sl_path_pc(struct sl_ordered_path p)
{
  return (uint32_t)p.key;
}

static inline uint8_t sl_path_depth(struct sl_ordered_path p)
{
  return (uint8_t) ~(p.key >> 32);
}

/* A path that has come to where it must wait for all others of its warp: it runs after them. */
#define SL_PATH_PARKED (UINT64_C(1) << 40)

static inline struct sl_ordered_path sl_parked_path(struct sl_ordered_path p)
{
  return (struct sl_ordered_path){p.lanes, p.key | SL_PATH_PARKED};
}

static inline struct sl_ordered_path sl_no_path(void)
{
  return (struct sl_ordered_path){0, 0};
}

/* All lanes at one address, depth 0. */
void sl_sorted_paths_start(struct sl_sorted_paths *paths, sl_lanes lanes, uint32_t pc);

/* The general case of what follows. */
bool sl_sorted_paths_sort(struct sl_sorted_paths *paths, struct sl_ordered_path a, struct sl_ordered_path b);

/* The running path becomes a and b, either of which may be none; sorts, merges, pushes and pops. Returns whether the
 * CCT was used. */
static inline bool sl_sorted_paths_update(struct sl_sorted_paths *paths, struct sl_ordered_path a,
                                          struct sl_ordered_path b)
{
  if (paths->next.lanes == 0 && paths->cold_count == 0 && b.lanes == 0 && a.lanes != 0) {
    paths->running = a;
    return false; /* the only path */
  }
  return sl_sorted_paths_sort(paths, a, b);
}

/* A visit of the sorter: compares HCT2 with one place of the CCT. In the wrong order they are swapped, and the sorter
 * begins again at the top; else it moves one place down. */
void sl_sorted_paths_probe(struct sl_sorted_paths *paths);

/* What the sorter comes to in the end, as far as it shows: HCT2 is the first of all waiting paths, and merged with its
 * like. For execution without timing. */
void sl_sorted_paths_settle(struct sl_sorted_paths *paths);

/* The path of a lane; none if it has no path. */
struct sl_ordered_path sl_sorted_paths_of(const struct sl_sorted_paths *paths, unsigned lane);

/* A lane is put elsewhere, at the depth it had: afterwards all paths are in order and merged. Not while an instruction
 * of the warp is under way. */
void sl_sorted_paths_place(struct sl_sorted_paths *paths, unsigned lane, uint32_t pc);

/* Whether all paths are parked, and at more than one place: none can ever go on. */
bool sl_sorted_paths_stuck(const struct sl_sorted_paths *paths);

/* NULL, or what is broken: the masks of a warp's paths are disjoint and cover `lanes`, the hot tables are in order and
 * differ in depth or PC once compared, the CCT holds no more than it has room for. */
const char *sl_sorted_paths_broken(const struct sl_sorted_paths *paths, sl_lanes lanes);

#endif
