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
 * Bound: among P eligible paths, each executes an instruction within (P - 1) * 2N + N instructions of its warp. The
 * order changes only where lanes meet, never what they compute. Timing: the choice takes no cycle, as the scheme's. */
#ifndef SL_CONVERGENCE_FAIRNESS_H
#define SL_CONVERGENCE_FAIRNESS_H

#include "base/types.h"

struct sl_paths;

enum { SL_FAIR_LEAST = 16, SL_FAIR_MOST = 65536 };

/* State of a warp. Without diverged lanes it has no meaning. */
struct sl_fairness {
  uint32_t period; /* N; 0: off */
  uint32_t turns;  /* instructions since a path was favoured; of a favoured one, those that it has executed */
  sl_lanes favoured, parked;
  uint8_t queue[SL_MAX_LANES]; /* the lanes; those whose path was favoured longest ago come first */
};

/* Resets the state when a warp diverges. */
void sl_fair_start(struct sl_fairness *fair);

/* Returns the path that runs next; there are several. */
unsigned sl_fair_select(const struct sl_paths *paths);

/* Counts an instruction, or a replay, of the selected path i; there are several. */
void sl_fair_count(struct sl_paths *paths, unsigned i);

/* Parks path i at a warp command. Returns false if no other path is eligible. */
bool sl_fair_park(struct sl_paths *paths, unsigned i);

#endif
