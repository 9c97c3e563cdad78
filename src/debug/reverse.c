/* Execution backwards: restores a checkpoint and replays up to the last stop before the present. */
#include <stdio.h>
#include <stdlib.h>

#include "debug/debug.h"

static struct sl_stop at_beginning(struct sl_control *c)
{
  sl_replay_go(c->replay, 0);
  struct sl_stop stop = sl_control_here(c, SL_SIGNAL_TRAP);
  snprintf(stop.reason, sizeof stop.reason, "replaylog:begin;");
  return stop;
}

/* Finds the last tick from `from` to before `to` in which the thread executes. */
static bool last_execution(struct sl_control *c, unsigned thread, uint64_t from, uint64_t to, uint64_t *found)
{
  bool any = false;
  sl_replay_go(c->replay, from);
  while (sl_replay_now(c->replay) < to) {
    const uint64_t at = sl_replay_now(c->replay);
    if (sl_replay_tick(c->replay) != SL_PAUSED)
      break;
    if (sl_has_executed(c, thread, true)) {
      *found = at;
      any = true;
    }
  }
  return any;
}

struct sl_stop sl_control_reverse_step(struct sl_control *c, unsigned thread)
{
  enum { WINDOW = 64, WIDER = 16 };
  uint64_t to = sl_replay_now(c->replay), found = 0;
  const bool has_moved = c->moved == SL_MOVED_BACK;
  c->moved = SL_NOT_MOVED;
  c->offer = 0;
  c->arrivals = 0;
  c->prompted = false;
  c->stepped = thread;
  if (has_moved)
    return sl_stop_at(c, thread, SL_SIGNAL_TRAP);
  for (uint64_t window = WINDOW; to > 0; window *= WIDER) {
    const uint64_t from = to > window ? to - window : 0;
    if (last_execution(c, thread, from, to, &found)) {
      sl_replay_go(c->replay, found);
      return sl_stop_at(c, thread, SL_SIGNAL_TRAP);
    }
    to = from;
    if (sl_packet_interrupted(c->connection)) {
      sl_replay_go(c->replay, to);
      return sl_control_here(c, SL_SIGNAL_INT);
    }
  }
  return at_beginning(c);
}

/* Finds the last stop from `from` to before `to`: a breakpoint that is reached, or a watched value before it changes.
 */
static bool last_stop(struct sl_control *c, uint64_t from, uint64_t to, uint64_t *found, struct sl_stop *last)
{
  bool any = false;
  struct sl_stop stop = {0};
  sl_replay_go(c->replay, from);
  sl_arm_watches(c);
  for (uint64_t at; (at = sl_replay_now(c->replay)) < to;) {
    const bool host_read = c->watchpoints > 0 && sl_any_host_read(c);
    if (sl_replay_tick(c->replay) != SL_PAUSED)
      break;
    sl_collect_arrivals(c);
    if (c->watchpoints > 0 && sl_check_watches(c, host_read, &stop)) {
      *found = at;
      *last = stop;
      any = true;
    }
    const bool ahead = sl_replay_fetches_ahead(c->replay);
    if ((ahead || sl_replay_now(c->replay) < to) && sl_take_arrival(c, &stop)) {
      *found = ahead ? at : sl_replay_now(c->replay);
      c->passed = at;
      *last = stop;
      any = true;
    }
  }
  return any;
}

/* Parts of a segment of the run that a scan has seen something in, newest last. */
enum { SCAN_TICKS = 1 << 13, SCAN_PARTS = 4096 };

struct scan {
  uint64_t from, to;
  uint32_t instruction[SL_BREAKPOINTS_MOST];
  bool part[SCAN_PARTS];
};

static bool any_changed(struct sl_control *c)
{
  bool changed = false;
  for (unsigned i = 0; i < c->watchpoints; i++)
    changed |= sl_value_changed(c, &c->watchpoint[i]);
  return changed;
}

/* Finds the parts in which a warp executes an instruction with a breakpoint or accesses a watched range. Parts without
 * such events count, too, if the host runs or a watched range is on a stack. */
static void scan_parts(struct sl_control *c, struct scan *scan)
{
  struct sl_replay *r = c->replay;
  for (unsigned i = 0; i < c->breakpoints; i++)
    scan->instruction[i] = c->breakpoint[i].address;
  bool elsewhere = false;
  for (unsigned i = 0; i < c->watchpoints; i++)
    elsewhere |= sl_is_elsewhere(c, c->watchpoint[i].thread, c->watchpoint[i].address);
  sl_replay_go(r, scan->from);
  sl_arm_watches(c);
  for (unsigned p = 0; p < SCAN_PARTS && sl_replay_now(r) < scan->to; p++) {
    const uint64_t left = scan->to - sl_replay_now(r), host = sl_device_result(r->device)->host_instructions;
    bool found = false;
    if (sl_replay_scan(r, left < SCAN_TICKS ? left : SCAN_TICKS, scan->instruction, c->breakpoints, &found) !=
        SL_PAUSED)
      break;
    const bool host_ran = sl_device_result(r->device)->host_instructions != host;
    scan->part[p] = any_changed(c) || found || host_ran || elsewhere;
  }
}

/* Finds the last stop of a segment. */
static bool last_stop_of_segment(struct sl_control *c, uint64_t from, uint64_t to, uint64_t *found,
                                 struct sl_stop *stop)
{
  static const struct scan empty;
  struct scan *scan =
      to - from > 2 * (uint64_t)SCAN_TICKS && (to - from) / SCAN_TICKS < SCAN_PARTS ? malloc(sizeof *scan) : NULL;
  if (scan == NULL)
    return last_stop(c, from, to, found, stop);
  *scan = empty;
  scan->from = from;
  scan->to = to;
  scan_parts(c, scan);
  bool any = false;
  for (uint64_t end = (to - from) / SCAN_TICKS + 1, p = end; p-- > 0 && !any;) {
    if (!scan->part[p])
      end = p;
    else if (p == 0 || !scan->part[p - 1]) {
      const uint64_t after = from + end * SCAN_TICKS;
      any = last_stop(c, from + p * SCAN_TICKS, after < to ? after : to, found, stop);
    }
  }
  free(scan);
  return any;
}

struct sl_stop sl_control_reverse_continue(struct sl_control *c)
{
  uint64_t to = sl_replay_now(c->replay), found = 0;
  struct sl_stop stop = {0};
  c->offer = 0;
  c->prompted = false;
  c->arrivals = 0;
  while (to > 0 && (c->breakpoints > 0 || c->watchpoints > 0)) {
    const uint64_t from = sl_replay_point_below(c->replay, to);
    const bool any = last_stop_of_segment(c, from, to, &found, &stop);
    c->offer = 0;
    c->arrivals = 0;
    c->moved = SL_NOT_MOVED;
    if (any) {
      c->moved = stop.has_pc ? SL_MOVED_BACK : SL_NOT_MOVED;
      stop.has_pc = false;
      sl_replay_go(c->replay, found);
      return stop;
    }
    to = from;
    if (sl_packet_interrupted(c->connection)) {
      sl_replay_go(c->replay, to);
      return sl_control_here(c, SL_SIGNAL_INT);
    }
  }
  return at_beginning(c);
}
