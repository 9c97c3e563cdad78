/* Reasons to stop at a place of the run, which control.c and reverse.c look for. */
#ifndef SL_DEBUG_STOPS_H
#define SL_DEBUG_STOPS_H

#include "debug/control.h"

/* A stop at a thread, if it lives, else at another one. */
struct sl_stop sl_stop_at(const struct sl_control *c, unsigned thread, int signal);

/* After a tick: the warps that are about to execute an instruction with a breakpoint. On machines that fetch ahead, the
 * warps that have executed one. */
void sl_collect_arrivals(struct sl_control *c);

/* Takes the next arrival that gdb is to see. Returns false if there is none. */
bool sl_take_arrival(struct sl_control *c, struct sl_stop *stop);

/* Whether the user's breakpoint at an address is away at the moment. */
bool sl_is_missing(const struct sl_control *c, uint32_t address);

/* Notes warps that reach an address as missed, until `ghost` is 0. */
void sl_begin_ghost(struct sl_control *c, uint32_t address);

/* Offers the next lane of a warp. */
struct sl_stop sl_offer(struct sl_control *c);

/* Whether the byte is on the lane's stack or in its block's shared memory, on machines that have these elsewhere. The
 * addresses of accesses do not tell about it. */
bool sl_is_elsewhere(const struct sl_control *c, unsigned thread, uint32_t address);

/* Watchpoints: their values before a run, a change of one, whether the host's next instruction reads one, and the stop
 * of the latest tick. */
void sl_arm_watches(struct sl_control *c);
bool sl_value_changed(struct sl_control *c, struct sl_watchpoint *watchpoint);
bool sl_any_host_read(const struct sl_control *c);
bool sl_check_watches(struct sl_control *c, bool host_read, struct sl_stop *stop);

/* Whether the thread's warp, or the host, has executed an instruction in the latest tick; `active`: with its lane. */
bool sl_has_executed(const struct sl_control *c, unsigned thread, bool active);

#endif
