/* Line requests of a Vortex core's extensions, at the ports of the data cache and of local memory.
 *
 * Timing contract: a line granted in cycle c waits at its port for its bank from c on. On a hit, the answer of the data
 * cache or of local memory reaches the extension streams.latency after the grant. While the LSU has a line to send,
 * port 0 belongs to the LSU. */
#ifndef SL_MACHINE_VORTEX_PORTS_H
#define SL_MACHINE_VORTEX_PORTS_H

#include "machine/vortex/core/vortex_flight.h"

/* Takes returned lines and grants the next requests. The socket takes the lines that wait at the ports. */
void sl_vortex_ports(struct sl_vortex_pipeline *core);

/* Allocates a number for a read in the cache; -1: all are in use. */
int sl_vortex_port_number(struct sl_vortex_pipeline *core, const struct sl_vortex_port_line *line);

/* Handles an answer of the cache. */
void sl_vortex_port_answered(struct sl_vortex_pipeline *core, uint32_t number);

/* No extension request is outstanding. */
bool sl_vortex_ports_idle(const struct sl_vortex_pipeline *core);

#endif
