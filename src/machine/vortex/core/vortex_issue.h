/* Issue of a Vortex core: the scoreboard, which warp of a slice goes first, and who owns a cycle.
 *
 * Timing contract: an instruction whose registers are written in cycle W can issue in W. Issue is looked at in cycles
 * in which a warp is shown an instruction, a register is written or a warp could issue, and in those behind an issue or
 * behind what warps do to each other; in all others what was found last still holds. */
#ifndef SL_MACHINE_VORTEX_ISSUE_H
#define SL_MACHINE_VORTEX_ISSUE_H

#include "machine/vortex/core/vortex_flight.h"

void sl_vortex_issue(struct sl_vortex_pipeline *core);

/* So many cycles in which issue is not looked at. */
static inline void sl_vortex_no_issue(struct sl_vortex_pipeline *core, uint64_t cycles)
{
  core->s.counts.cause[core->known.cause] += cycles;
  core->s.counts.scoreboard_stalls += core->known.scoreboard ? cycles : 0;
}

#endif
