/* A relay of events: the simulating thread writes each into a buffer, and a second thread makes the trace from it.
 *
 * There are two buffers. While the second thread reads one, the run fills the other; then it waits for the thread. An
 * event is a record (isa/probe_records.h) that the machine or sl_relay_tell writes. Events with data have more behind
 * it: the values and addresses of lanes, for the kinds that the format reads them of, and a decoded instruction if no
 * event before had one of its pc. So the thread hears what the formats of traces read (trace.h), without what belongs
 * to the machine: a block, stored values, or a warp of PTX. */
#ifndef SL_OBSERVE_TRACE_RELAY_H
#define SL_OBSERVE_TRACE_RELAY_H

#include "isa/probe_records.h"

struct sl_relay;

/* Values by lane: of 32 bits, or of 64 if there are none of these; or none. */
struct sl_trace_values {
  const uint32_t *narrow;
  const uint64_t *wide;
};

/* What an execution has of its lanes. */
struct sl_trace_data {
  struct sl_trace_values results, addresses;
};

/* What is behind a record of a life. */
struct sl_relay_life {
  const struct sl_record_life *life;
  const struct sl_insn *insn; /* NULL: there has been one of the same pc, or it has not executed */
  struct sl_trace_data data;
};

struct sl_relay_hearer {
  unsigned arrays; /* kinds of the events that have their lanes' values and addresses */
  /* Hears an event. False: stop. It is an observer of its own thread. */
  bool (*hear)(void *context, const struct sl_probe *probe);
  /* Hears an event by its record alone, which takes less time. False: it does not, and `hear` has to. */
  bool (*hear_record)(void *context, const struct sl_probe_record *record, unsigned launch);
  /* Hears the life of an instruction (SL_RECORD_LIFE). NULL: it comes as events. False: stop. */
  bool (*hear_life)(void *context, const struct sl_probe_record *record, const struct sl_relay_life *life,
                    unsigned launch);
  void *context;
};

/* Returns NULL if out of memory. */
struct sl_relay *sl_relay_create(struct sl_relay_hearer hearer);

/* The observer of the run. A launch, and what happens to buffers, is heard before it returns. False: `hear` has
 * returned false for an earlier event. */
bool sl_relay_tell(void *relay, const struct sl_probe *probe);

/* Where machines write the observer's records. */
struct sl_probe_records *sl_relay_records(struct sl_relay *relay);

/* Adds `base` to the pcs of later events. */
void sl_relay_rebase(struct sl_relay *relay, uint64_t base);

/* Waits until all events are heard. */
void sl_relay_drain(struct sl_relay *relay);

void sl_relay_free(struct sl_relay *relay);

#endif
