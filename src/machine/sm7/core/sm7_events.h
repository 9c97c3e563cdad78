/* Events of an SM for observers. The cycle loop of an SM is compiled twice: sm7_unit.c without events, and
 * sm7_events_cycle.c with them (SL_SM7_OBSERVED). So a run without an observer executes no instruction for events.
 *
 * The instructions in flight have ids in tables beside the SM's state. The tables follow the places of that state:
 * buffers, ops, completions, loads, and results on their way to the registers. Checkpoints do not hold them: an
 * instruction in flight at a checkpoint has no events after the restore. */
#ifndef SL_MACHINE_SM7_EVENTS_H
#define SL_MACHINE_SM7_EVENTS_H

#include "isa/probe.h"
#include "machine/sm7/core/sm7_sm.h"

#ifndef SL_SM7_OBSERVED
#define SL_SM7_OBSERVED 0
#endif

enum sl_sm7_stage {
  SL_SM7_STAGE_BUFFER,
  SL_SM7_STAGE_ISSUE,
  SL_SM7_STAGE_COLLECT,
  SL_SM7_STAGE_EXECUTE,
  SL_SM7_STAGE_MEMORY,
  SL_SM7_STAGE_DONE,
  SL_SM7_STAGES
};

/* An instruction in flight. Id 0: none, or it is unknown. */
struct sl_sm7_in_flight {
  uint64_t id;
  uint32_t pc, lanes;
  uint8_t warp;
};

/* Slots of a scheduler in a row with one stall reason, which have not been reported. The slots of no instruction have
 * the kernel's first PC, and no warp: SL_SM7_NONE. */
struct sl_sm7_unreported {
  uint64_t count;
  uint32_t pc;
  uint8_t cause, warp;
};

/* Of a launch. */
struct sl_sm7_observation {
  struct sl_probes *probes;
  uint64_t ids;   /* instructions that have an id */
  uint64_t cycle; /* the current one */
  unsigned launch;
  unsigned warps;       /* of an SM */
  uint64_t base, scale; /* the pc of an event is base + scale x the SM's pc */
  uint32_t entry;       /* the kernel's first PC */
};

/* Of an SM. */
struct sl_sm7_events {
  struct sl_sm7_observation *observation;
  unsigned sm;
  struct sl_sm7_in_flight buffer[SL_SM7_MAX_WARPS][2];
  struct sl_sm7_in_flight arrived[SL_SM7_MAX_WARPS]; /* the barrier that the warp waits at */
  struct sl_sm7_in_flight op[SL_SM7_OPS];
  struct sl_sm7_in_flight completion[SL_SM7_COMPLETIONS];
  struct sl_sm7_in_flight shared[SL_SM7_SHARED_ROOM], write_back;
  struct sl_sm7_in_flight *load;
  uint32_t loads;                                                                        /* entries of `load` */
  struct sl_sm7_unreported slots[SL_SM7_MAX_SCHEDULERS], charged[SL_SM7_MAX_SCHEDULERS]; /* charged: in this cycle */
  uint64_t spent;                                                                        /* slots in all */
};

/* As sl_sm7_sm_start and sl_sm7_sm_cycle, with events. */
void sl_sm7_sm_start_observed(struct sl_sm7_sm *sm, uint64_t cycle);
uint64_t sl_sm7_sm_cycle_observed(struct sl_sm7_sm *sm, uint64_t cycle, uint64_t now, bool crowded);

/* Creates the tables of `sms` SMs. NULL: out of memory. */
struct sl_sm7_events *sl_sm7_events_create(unsigned sms, struct sl_sm7_observation *observation);
void sl_sm7_events_free(struct sl_sm7_events *events, unsigned sms);

/* Reports the slots that have not been reported. */
void sl_sm7_events_flush(struct sl_sm7_events *events);

/* The kernel has ended after so many cycles, in each of which an SM has a slot per scheduler: reports the rest of the
 * events. No event has more slots than the kernel has cycles. */
void sl_sm7_events_end(struct sl_sm7_events *events, uint64_t cycles, unsigned schedulers);

/* Assigns an id. */
static inline uint64_t sl_sm7_event_id(struct sl_sm7_events *events)
{
  return ++events->observation->ids;
}

/* The rest are called by the cycle loop with events. */
void sl_sm7_event_fetched(struct sl_sm7_events *events, unsigned warp, const uint32_t buffer[2]);
void sl_sm7_event_flushed(struct sl_sm7_events *events, unsigned warp);

/* The instruction moves to a stage. */
void sl_sm7_event_staged(struct sl_sm7_events *events, const struct sl_sm7_in_flight *insn, enum sl_sm7_stage stage);

/* The instruction is complete; its entry becomes empty. */
void sl_sm7_event_retired(struct sl_sm7_events *events, struct sl_sm7_in_flight *insn);

void sl_sm7_event_arrived(struct sl_sm7_events *events, const struct sl_sm7_in_flight *insn);
void sl_sm7_event_released(struct sl_sm7_events *events, uint64_t warps);

/* A load in flight. False: out of memory. */
bool sl_sm7_event_load(struct sl_sm7_events *events, uint32_t load, const struct sl_sm7_in_flight *insn);

/* The scheduler's slots are charged to an instruction of the warp from now on; SL_SM7_NONE: to none. */
static inline void sl_sm7_event_charged(struct sl_sm7_events *events, unsigned scheduler, unsigned warp, uint32_t pc)
{
  events->charged[scheduler] = (struct sl_sm7_unreported){.pc = pc, .warp = (uint8_t)warp};
}

/* Slots of a scheduler have this stall reason; `count` slots move from one reason to another. */
void sl_sm7_event_spent(struct sl_sm7_events *events, unsigned scheduler, uint8_t cause, uint64_t count);
void sl_sm7_event_moved(struct sl_sm7_events *events, unsigned warp, uint32_t pc, uint8_t from, uint8_t to,
                        uint64_t count);

#endif
