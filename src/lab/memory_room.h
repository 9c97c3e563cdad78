/* Admits runs by memory: a run starts if what the computer has left, less what the runs under way will still take, is
 * as much as the run needs. What a run needs is what runs of its program have been measured to take at most in this
 * sweep, on its machine or, before one has ended there, on others. */
#ifndef SL_LAB_MEMORY_ROOM_H
#define SL_LAB_MEMORY_ROOM_H

#include "lab/plan.h"
#include "lab/process.h"
#include "lab/record.h"

/* All in megabytes. */
struct sl_memory_room {
  const struct sl_plan *plan;
  struct sl_record *record;
  uint64_t limit; /* of all runs together; 0: none */
  uint64_t *peak; /* by program and machine; 0: unknown */
  double looked;  /* when the computer was last asked */
  bool *asked;    /* the record, by program and machine */
  int64_t left;   /* for runs that start */
};

enum sl_status sl_memory_room_open(struct sl_memory_room *room, const struct sl_plan *plan, struct sl_record *record,
                                   uint64_t limit, struct sl_error *err);
void sl_memory_room_close(struct sl_memory_room *room);

/* Asks the computer, twice per second. */
void sl_memory_room_look(struct sl_memory_room *room, const struct sl_worker_process *workers, unsigned count);

/* Reserves memory for a run of a worker. False: there is too little; `alone`, without other runs, there is always
 * enough. */
bool sl_memory_room_take(struct sl_memory_room *room, struct sl_worker_process *worker, size_t run, bool alone);

/* A run has ended that took so much at most; 0: it was not measured, because it was too short to take much. */
void sl_memory_room_learn(struct sl_memory_room *room, size_t run, uint64_t megabytes);

/* A worker without runs gives back its reservation. */
void sl_memory_room_give(struct sl_memory_room *room, struct sl_worker_process *worker);

/* Of this process and those that it has started, since the last call: the most that it has taken. */
uint64_t sl_memory_taken(void);

#endif
