/* The replay of an SM's timing (machine/replay): on a plain register file, without fairness, in runs without an
 * observer. */
#ifndef SL_MACHINE_SIMTIGHT_REPLAY_H
#define SL_MACHINE_SIMTIGHT_REPLAY_H

#include "machine/replay/timing_replay.h"
#include "machine/simtight/simtight_windows.h"

/* Returns the replay of an SM, or NULL if the SM cannot use one. */
struct sl_replay *sl_simtight_replay_create(struct sl_simtight_sm *sm);

/* An instruction has been executed. request: of a memory kind, with its pass chosen. */
void sl_simtight_replay_record(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                               const struct sl_request *request);

#endif
