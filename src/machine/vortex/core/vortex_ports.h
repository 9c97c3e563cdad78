/* Lines that extensions of a Vortex core ask for, at the ports of the data cache and of local memory.
 *
 * Timing contract: a line granted in cycle c waits at its port from c on for its bank; what the data cache answers, and
 * what local memory does, comes back to the extension streams.latency after the grant on a hit. Port 0 is the LSU's
 * while that has a line to send. */
#ifndef SL_MACHINE_VORTEX_PORTS_H
#define SL_MACHINE_VORTEX_PORTS_H

#include "machine/vortex/core/vortex_flight.h"

/* What comes back, and what is asked for next, of which the socket takes what waits at the ports. */
void sl_vortex_ports(struct sl_vortex_pipeline *core);

/* A number for a read on its way through the cache; -1: all are taken. */
int sl_vortex_port_number(struct sl_vortex_pipeline *core, const struct sl_vortex_port_line *line);

/* The cache has answered. */
void sl_vortex_port_answered(struct sl_vortex_pipeline *core, uint32_t number);

/* Nothing is under way for an extension. */
bool sl_vortex_ports_idle(const struct sl_vortex_pipeline *core);

#endif
