/* Issue of a Vortex core: the scoreboard, and which warp of a slice goes first. An instruction whose registers are
 * written in cycle W can issue in W. */
#ifndef SL_MACHINE_VORTEX_ISSUE_H
#define SL_MACHINE_VORTEX_ISSUE_H

#include "machine/vortex/core/vortex_flight.h"

void sl_vortex_issue(struct sl_vortex_pipeline *core);

#endif
