/* Watchpoints on global memory, on the shared memory of a block, and on the local memory of a lane.
 *
 * A watchpoint on shared or local memory belongs to the block or lane that was selected when gdb set it, by its number
 * in the grid. gdb takes all watchpoints away at a stop and sets them again when the run goes on, so a watchpoint that
 * comes back before the run has moved keeps its block and lane. */
#ifndef SL_DEBUG_PTX_WATCH_H
#define SL_DEBUG_PTX_WATCH_H

#include "debug/ptx/ptx_view.h"
#include "isa/probe.h"

enum { SL_PTX_WATCHES = 16, SL_PTX_WATCH_BYTES = 8 };
enum sl_ptx_watch_type { SL_PTX_WATCH_WRITE = 2, SL_PTX_WATCH_READ, SL_PTX_WATCH_ACCESS };

struct sl_ptx_watchpoint {
  enum sl_ptx_watch_type type;
  bool set; /* else gdb has taken it away since the last stop */
  uint64_t address;
  unsigned size;
  uint64_t block;      /* of shared and local memory */
  unsigned warp, lane; /* of local memory */
  bool known;          /* value: what the memory has had since the last look */
  uint8_t value[SL_PTX_WATCH_BYTES];
};

struct sl_ptx_watches {
  struct sl_ptx_watchpoint item[SL_PTX_WATCHES];
  unsigned count; /* with those that have been taken away */
  bool any;       /* is set */
};

/* Sets and takes away. Returns false if gdb has too many, or this one cannot be watched. */
bool sl_ptx_watch_set(struct sl_ptx_watches *watches, const struct sl_ptx_view *view, unsigned thread,
                      enum sl_ptx_watch_type type, uint64_t address, uint64_t size);
void sl_ptx_watch_remove(struct sl_ptx_watches *watches, enum sl_ptx_watch_type type, uint64_t address, uint64_t size);

/* The run goes on: forgets watchpoints that gdb has not set again, and all values. */
void sl_ptx_watch_go_on(struct sl_ptx_watches *watches);

/* Looks at the values that are visible in the view. */
void sl_ptx_watch_look(struct sl_ptx_watches *watches, const struct sl_ptx_view *view);

/* After an executed instruction, whose block is in the view: the first watchpoint that stops the run, and the lane that
 * made it stop. NULL: none. */
const struct sl_ptx_watchpoint *sl_ptx_watch_check(struct sl_ptx_watches *watches, const struct sl_ptx_view *view,
                                                   const struct sl_probe *executed, unsigned *lane);

#endif
