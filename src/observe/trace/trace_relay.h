/* A relay of events: the simulating thread writes each into a buffer, and a second thread makes the trace from it.
 *
 * There are two buffers. While the second thread reads one, the run fills the other; then it waits for the thread. An
 * event is a record of 64 bytes, and its arrays behind it: the values and addresses of lanes, for the kinds that the
 * format reads them of, and a decoded instruction if no event before had one of its pc. So the thread hears what the
 * formats of traces read (trace.h), without what belongs to the machine: a block, stored values, or a warp of PTX. */
#ifndef SL_OBSERVE_TRACE_RELAY_H
#define SL_OBSERVE_TRACE_RELAY_H

#include "isa/probe.h"

enum { SL_RELAY_CODES = 1 << 12 };

/* The place of a pc in a table of SL_RELAY_CODES. A later pc of the same place takes it over. */
static inline size_t sl_relay_code(uint64_t pc)
{
  return (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SL_RELAY_CODES;
}

struct sl_relay;

/* `arrays`: kinds of the events that have their lanes' values and addresses. `hear` hears the events; it is an observer
 * of its own thread. Returns NULL if out of memory. */
struct sl_relay *sl_relay_create(unsigned arrays, bool (*hear)(void *context, const struct sl_probe *probe),
                                 void *context);

/* The observer of the run. A launch, and what happens to buffers, is heard before it returns. False: `hear` has
 * returned false for an earlier event. */
bool sl_relay_tell(void *relay, const struct sl_probe *probe);

/* Adds `base` to the pcs of later events. */
void sl_relay_rebase(struct sl_relay *relay, uint64_t base);

/* Waits until all events are heard. */
void sl_relay_drain(struct sl_relay *relay);

void sl_relay_free(struct sl_relay *relay);

#endif
