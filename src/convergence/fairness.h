/* A bound on the waiting of paths, laid over the order of a scheme (ours; no published hardware has it).
 *
 * A scheme selects by place, so a path may wait for ever: for example the lane that holds a lock, while others spin.
 * With a period of N, each instruction of the warp that finds more than one eligible path adds 1 to `turns`. At N the
 * eligible path that has waited longest is *favoured*. It goes first, whatever the order says, until it has executed N
 * instructions, has ended or is not eligible. If it splits, the part that the order prefers stays favoured; if it meets
 * another path in the same state, they merge as always. Replays count as instructions.
 *
 * A path at a warp command (barrier or end) is parked there, and not eligible, until all other lanes of the warp are
 * there, too. If only parked paths are left, the command is a fault as without fairness.
 *
 * Simty's tables know the order only in part. There the favoured path becomes the running one by force: it changes
 * places with it, which counts as a use of the cold context table. It merges with an equal path when that is the next
 * one.
 *
 * Bound: among P eligible paths, each executes an instruction within (P - 1) * 2N + N instructions of its warp. The
 * order changes only where lanes meet, never what they compute. Timing: the choice takes no cycle, as the scheme's. */
#ifndef SL_CONVERGENCE_FAIRNESS_H
#define SL_CONVERGENCE_FAIRNESS_H

#include "base/types.h"

struct sl_paths;
struct sl_sorted_paths;
struct sl_ordered_path;

enum { SL_FAIR_LEAST = 16, SL_FAIR_MOST = 65536 };

/* State of a warp. Without diverged lanes it has no meaning. */
struct sl_fairness {
  uint32_t period; /* N; 0: off */
  uint32_t turns;  /* instructions since a path was favoured; of a favoured one, those that it has executed */
  sl_lanes favoured, parked;
  uint8_t queue[SL_MAX_LANES]; /* the lanes; those whose path was favoured longest ago come first */
};

/* Resets the state when a warp diverges. */
static inline void sl_fair_start(struct sl_fairness *fair)
{
  *fair = (struct sl_fairness){.period = fair->period};
  for (unsigned lane = 0; lane < SL_MAX_LANES; lane++)
    fair->queue[lane] = (uint8_t)lane;
}

/* Records that these lanes have been favoured. */
static inline void sl_fair_move_to_end(struct sl_fairness *fair, sl_lanes lanes)
{
  uint8_t moved[SL_MAX_LANES];
  unsigned kept = 0, last = 0;
  for (unsigned n = 0; n < SL_MAX_LANES; n++)
    if (lanes >> fair->queue[n] & 1)
      moved[last++] = fair->queue[n];
    else
      fair->queue[kept++] = fair->queue[n];
  for (unsigned n = 0; n < last; n++)
    fair->queue[kept + n] = moved[n];
}

/* Returns the path that runs next; there are several. */
unsigned sl_fair_select(const struct sl_paths *paths);

/* Counts an instruction, or a replay, of the selected path i; there are several. */
void sl_fair_count(struct sl_paths *paths, unsigned i);

/* The same for the tables of sorted paths, at the end of an instruction: sl_sorted_paths_update with fairness. */
bool sl_fair_update(struct sl_fairness *fair, struct sl_sorted_paths *paths, struct sl_ordered_path a,
                    struct sl_ordered_path b);

/* Parks path i at a warp command. Returns false if no other path is eligible. */
bool sl_fair_park(struct sl_paths *paths, unsigned i);

#endif
