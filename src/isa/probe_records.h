/* Events as records in a buffer, for an observer that only copies them (struct sl_probes, `records`): a machine writes
 * the usual events without data in place instead of calling the observer for each.
 *
 * A record has the event's cycle, instruction and place, and one number more. The other kinds, and machines that know
 * nothing of records, call the observer, which adds to the same buffer; so the events stay in order. */
#ifndef SL_ISA_PROBE_RECORDS_H
#define SL_ISA_PROBE_RECORDS_H

#include "isa/probe.h"

/* Kinds whose record has the active lanes, and kinds whose record has the count. */
enum {
  SL_RECORDS_OF_LANES = SL_PROBE_FETCHED | SL_PROBE_ISSUED | SL_PROBE_STAGED | SL_PROBE_RETIRED | SL_PROBE_RETRIED |
                        SL_PROBE_FLUSHED | SL_PROBE_ABORTED | SL_PROBE_TRANSACTED | SL_PROBE_ARRIVED |
                        SL_PROBE_RELEASED,
  SL_RECORDS_OF_COUNTS = SL_PROBE_WAITED | SL_PROBE_DEQUEUED
};

struct sl_probe_record {
  uint64_t cycle, id, pc;
  uint64_t more; /* lanes or count */
  uint32_t warp;
  uint16_t core;
  uint8_t kind;  /* number of its bit */
  uint8_t stage; /* WAITED: sl_record_wait */
};

/* The stage of a wait's record. Stall reasons fit in 5 bits. */
static inline uint8_t sl_record_wait(unsigned cause, enum sl_probe_idle idle, bool any_warp)
{
  return (uint8_t)(cause | (unsigned)idle << 5 | (any_warp ? 1u : 0u) << 7);
}

struct sl_probe_records {
  uint8_t *at;     /* of the next record */
  uint8_t *full;   /* from here on there is no room for every record */
  unsigned launch; /* of the records */
  /* Makes room, and notes the launch of the next records. False: the run has to stop. */
  bool (*turn)(struct sl_probe_records *records, unsigned launch);
};

/* Adds a record, which the caller fills in. */
static inline struct sl_probe_record *sl_record_add(struct sl_probes *probes, unsigned launch)
{
  struct sl_probe_records *records = probes->records;
  if (__builtin_expect(records->at >= records->full || records->launch != launch, 0))
    probes->stopped = !records->turn(records, launch) || probes->stopped;
  struct sl_probe_record *record = (void *)records->at;
  records->at += sizeof *record;
  return record;
}

#endif
