#include "debug/control.h"

#include <stdio.h>
#include <string.h>

enum { POLL_TICKS = 1 << 14, BULK = 1 << 18, MASKED_STEPS = 200000, POLL_STEPS = 64 };

/* The run has ended at the latest tick, which began at `before`. A fault stops before its instruction. */
static struct sl_stop stop_at_end(struct sl_control *c, uint64_t before)
{
  struct sl_replay *r = c->replay;
  const struct sl_fault fault = r->fault;
  struct sl_stop stop = {.exited = r->over == SL_OK, .status = sl_device_result(r->device)->status};
  if (stop.exited)
    return stop;
  const bool lane = fault.kind != SL_FAULT_NONE && fault.warp >= 0;
  char text[sizeof r->error.text];
  memcpy(text, r->error.text, sizeof text);
  sl_replay_go(r, before);
  stop = sl_control_here(c, SL_SIGNAL_SEGV);
  if (lane && fault.lanes != 0 && sl_warp_lives(c->target, (unsigned)fault.warp))
    stop.thread = sl_thread_of(c->target, (unsigned)fault.warp, sl_lowest(fault.lanes));
  else if (!lane && c->target->has_host && !sl_replay_kernel_runs(r))
    stop.thread = SL_THREAD_HOST;
  stop.faults = true;
  if (fault.kind == SL_FAULT_MISALIGNED)
    stop.signal = SL_SIGNAL_BUS;
  if (fault.kind == SL_FAULT_UNKNOWN_INSTRUCTION || fault.kind == SL_FAULT_SYSTEM)
    stop.signal = SL_SIGNAL_ILL;
  snprintf(stop.text, sizeof stop.text, "simtlab: %s\n", text);
  return stop;
}

/* Moves by a tick and looks for a reason to stop there. */
static bool tick(struct sl_control *c, struct sl_stop *stop)
{
  struct sl_replay *r = c->replay;
  const uint64_t before = sl_replay_now(r);
  const bool host_read = c->watchpoints > 0 && sl_any_host_read(c);
  if (sl_replay_tick(r) != SL_PAUSED) {
    *stop = stop_at_end(c, before);
    return true;
  }
  sl_collect_arrivals(c);
  if (c->arrivals > 0 && sl_replay_fetches_ahead(r)) {
    if (c->passed == before)
      c->arrivals = 0;
    else
      sl_replay_go(r, before);
    c->passed = before;
    if (c->arrivals > 0)
      return sl_take_arrival(c, stop);
  }
  if (c->watchpoints > 0 && sl_check_watches(c, host_read, stop))
    return true;
  if (c->stop_at_launch && (r->launched || r->ended)) {
    *stop = sl_control_here(c, SL_SIGNAL_TRAP);
    snprintf(stop->text, sizeof stop->text, "simtlab: %s\n", r->launched ? "a kernel begins" : "the kernel has ended");
    return true;
  }
  return sl_take_arrival(c, stop);
}

/* Without anything to look for, the run needs no ticks but for the last one before its end. */
static bool run_freely(struct sl_control *c, struct sl_stop *stop)
{
  struct sl_replay *r = c->replay;
  const uint64_t before = sl_replay_now(r);
  if (sl_replay_run(r, BULK) == SL_PAUSED)
    return false;
  const uint64_t end = sl_replay_now(r);
  if (r->over == SL_OK) {
    *stop = stop_at_end(c, before);
    return true;
  }
  sl_replay_go(r, end > before + 2 ? end - 2 : before);
  while (!tick(c, stop))
    ;
  return true;
}

/* What the user has seen at a prompt is not offered again. */
static void leave_prompt(struct sl_control *c)
{
  if (!c->prompted)
    return;
  c->missed_count = 0;
  c->offer = 0;
  c->left = sl_target_pc(c->target, c->selected);
  c->prompted = false;
}

/* Begins a run. Returns true at a stop that needs no move. */
static bool resume(struct sl_control *c, struct sl_stop *stop)
{
  c->moved = SL_NOT_MOVED;
  leave_prompt(c);
  if (c->replay->over != SL_PAUSED) {
    *stop = stop_at_end(c, sl_replay_now(c->replay));
    return true;
  }
  sl_arm_watches(c);
  if (c->offer != 0) {
    *stop = sl_offer(c);
    return true;
  }
  return sl_take_arrival(c, stop);
}

struct sl_stop sl_control_continue(struct sl_control *c)
{
  struct sl_stop stop = {0};
  if (c->missed_count > 0 && !c->prompted) {
    sl_replay_go(c->replay, c->missed_at);
    memcpy(c->arrival, c->missed, c->missed_count * sizeof *c->missed);
    c->arrivals = c->missed_count;
    c->passed = c->missed_at;
  }
  c->missed_count = 0;
  if (resume(c, &stop))
    return stop;
  for (uint64_t n = 1;; n++) {
    const bool looks = c->breakpoints > 0 || c->watchpoints > 0 || c->stop_at_launch;
    if (looks ? tick(c, &stop) : run_freely(c, &stop))
      return stop;
    if ((!looks || n % POLL_TICKS == 0) && sl_packet_interrupted(c->connection))
      return sl_control_here(c, SL_SIGNAL_INT);
  }
}

/* Steps by one instruction of the thread. Returns true if something else has stopped it. */
static bool step_once(struct sl_control *c, unsigned thread, struct sl_stop *stop)
{
  for (uint64_t n = 1;; n++) {
    if (tick(c, stop))
      return true;
    const bool waits = !sl_has_executed(c, thread, n < MASKED_STEPS);
    if (!sl_thread_lives(c->target, thread)) {
      *stop = sl_control_here(c, SL_SIGNAL_TRAP);
      snprintf(stop->text, sizeof stop->text, "simtlab: the lane has ended; the run stops at another thread\n");
      return true;
    }
    if (!waits)
      return false;
    if (n % POLL_TICKS == 0 && sl_packet_interrupted(c->connection)) {
      *stop = sl_control_here(c, SL_SIGNAL_INT);
      return true;
    }
  }
}

struct sl_stop sl_control_step(struct sl_control *c, unsigned thread, uint32_t from, uint32_t to, bool alone)
{
  struct sl_stop stop = {0};
  c->stepped = thread;
  if (c->moved == SL_MOVED) {
    c->moved = SL_NOT_MOVED;
    return sl_stop_at(c, thread, SL_SIGNAL_TRAP);
  }
  const uint32_t pc = sl_target_pc(c->target, thread);
  const bool ghost = alone && sl_is_missing(c, pc);
  if (alone && !c->prompted && (c->offer != 0 || (ghost && c->arrivals > 0))) {
    stop = sl_stop_at(c, thread, SL_SIGNAL_TRAP);
    stop.has_pc = true;
    stop.pc = pc + 4;
    return stop;
  }
  leave_prompt(c);
  if (ghost)
    sl_begin_ghost(c, pc);
  if (resume(c, &stop)) {
    c->ghost = 0;
    return stop;
  }
  bool stopped = false;
  for (unsigned n = 1;; n++) {
    stopped = step_once(c, thread, &stop);
    if (stopped || sl_target_pc(c->target, thread) - from >= to - from)
      break;
    if (n % POLL_STEPS == 0 && sl_packet_interrupted(c->connection)) {
      stop = sl_stop_at(c, thread, SL_SIGNAL_INT);
      stopped = true;
      break;
    }
  }
  c->ghost = 0;
  if (stopped)
    return stop;
  return sl_stop_at(c, thread, SL_SIGNAL_TRAP);
}
