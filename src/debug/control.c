#include "debug/debug.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/remote.h"

/* ---- reasons to stop --------------------------------------------------------------------------------------------- */

enum { ARRIVED_AT_START = 1 };

static const unsigned HOST_WARP = UINT32_MAX;

static const struct sl_breakpoint *breakpoint_at(const struct sl_control *c, uint32_t address)
{
  for (unsigned i = 0; i < c->breakpoints; i++)
    if (c->breakpoint[i].address == address)
      return &c->breakpoint[i];
  return NULL;
}

/* Whether the user's breakpoint at an address is away at the moment. */
static bool sl_is_missing(const struct sl_control *c, uint32_t address)
{
  for (unsigned i = 0; i < c->known_count; i++)
    if (c->known[i] == address)
      return breakpoint_at(c, address) == NULL;
  return false;
}

/* Whether a breakpoint is the user's. Those of a finished prompt are. Later ones are gdb's own, for the thread that it
 * steps, unless they come back after gdb has stepped over them. */
static bool is_users(struct sl_control *c, uint32_t address)
{
  bool found = false;
  for (unsigned i = 0; i < c->known_count; i++)
    found |= c->known[i] == address;
  if (!found && (c->prompted || address == c->left)) {
    c->known[c->known_next++ % SL_BREAKPOINTS_MOST] = address;
    c->known_count = c->known_next < SL_BREAKPOINTS_MOST ? c->known_next : SL_BREAKPOINTS_MOST;
    found = true;
  }
  return found;
}

bool sl_control_insert(struct sl_control *c, uint32_t address, const uint8_t *condition, size_t size)
{
  struct sl_breakpoint *b = c->breakpoint;
  while (b < c->breakpoint + c->breakpoints && b->address != address)
    b++;
  if (b == c->breakpoint + SL_BREAKPOINTS_MOST || size > SL_CONDITION_MOST)
    return false;
  if (b < c->breakpoint + c->breakpoints)
    free(b->condition);
  else
    c->breakpoints++;
  *b = (struct sl_breakpoint){.address = address, .owner = is_users(c, address) ? 0 : c->stepped};
  b->condition = size > 0 ? malloc(size) : NULL;
  if (b->condition != NULL) {
    memcpy(b->condition, condition, size);
    b->condition_size = size;
  }
  return true;
}

static void read_watched(struct sl_control *c, struct sl_watchpoint *w, uint8_t value[8])
{
  sl_target_load(c->target, w->thread, w->address, value, w->size);
}

bool sl_is_elsewhere(const struct sl_control *c, unsigned thread, uint32_t address)
{
  return sl_is_lane(c->target, thread) && sl_device_lane_byte(c->replay->device, sl_warp_of(c->target, thread),
                                                              sl_lane_of(c->target, thread), address) != NULL;
}

bool sl_control_watch(struct sl_control *c, unsigned type, uint32_t address, uint32_t size)
{
  const unsigned thread = sl_thread_lives(c->target, c->selected) ? c->selected : sl_thread_default(c->target);
  if (c->watchpoints == SL_REPLAY_WATCHES || size == 0 || size > sizeof c->watchpoint->value)
    return false;
  if (type != 2 && sl_is_elsewhere(c, thread, address))
    return false;
  struct sl_watchpoint *w = &c->watchpoint[c->watchpoints++];
  *w = (struct sl_watchpoint){.type = type, .thread = thread, .address = address, .size = size};
  read_watched(c, w, w->value);
  return true;
}

void sl_control_remove(struct sl_control *c, unsigned type, uint32_t address, uint32_t size)
{
  for (unsigned i = 0; type < 2 && i < c->breakpoints; i++)
    if (c->breakpoint[i].address == address) {
      free(c->breakpoint[i].condition);
      c->breakpoint[i] = c->breakpoint[--c->breakpoints];
      return;
    }
  for (unsigned i = 0; type >= 2 && i < c->watchpoints; i++)
    if (c->watchpoint[i].type == type && c->watchpoint[i].address == address && c->watchpoint[i].size == size) {
      c->watchpoint[i] = c->watchpoint[--c->watchpoints];
      return;
    }
}

void sl_control_close(struct sl_control *c)
{
  for (unsigned i = 0; i < c->breakpoints; i++)
    free(c->breakpoint[i].condition);
}

struct sl_stop sl_control_here(const struct sl_control *c, int signal)
{
  struct sl_stop stop = {.signal = signal, .thread = c->selected};
  const unsigned found = sl_thread_default(c->target);
  if (!sl_thread_lives(c->target, stop.thread) || (stop.thread == SL_THREAD_HOST && found != SL_THREAD_HOST))
    stop.thread = found;
  return stop;
}

struct sl_stop sl_stop_at(const struct sl_control *c, unsigned thread, int signal)
{
  struct sl_stop stop = sl_control_here(c, signal);
  if (sl_thread_lives(c->target, thread))
    stop.thread = thread;
  return stop;
}

static void note_missed(struct sl_control *c, unsigned warp, uint32_t pc, uint64_t tick)
{
  const bool steps = sl_is_lane(c->target, c->stepped) && sl_warp_of(c->target, c->stepped) == warp;
  if (c->ghost == 0 || pc != c->ghost || steps || c->missed_count == SL_ARRIVALS_MOST ||
      (c->missed_count > 0 && c->missed_at != tick))
    return;
  c->missed_at = tick;
  c->missed[c->missed_count++] = (struct sl_arrival){warp, pc};
}

/* Notes warps that reach an address as missed, until `ghost` is 0. */
static void sl_begin_ghost(struct sl_control *c, uint32_t address)
{
  unsigned kept = 0;
  c->ghost = address;
  for (unsigned i = 0; i < c->arrivals; i++)
    if (c->arrival[i].pc == address && c->arrival[i].warp != HOST_WARP)
      note_missed(c, c->arrival[i].warp, address, sl_replay_now(c->replay));
    else
      c->arrival[kept++] = c->arrival[i];
  c->arrivals = kept;
}

/* On machines that fetch ahead, warps that have executed an instruction with a breakpoint in the latest tick. */
static void collect_executed(struct sl_control *c)
{
  const struct sl_replay *r = c->replay;
  for (unsigned i = 0; i < r->executed && c->arrivals < SL_ARRIVALS_MOST; i++) {
    note_missed(c, r->event[i].warp, r->event[i].pc, sl_replay_now(r) - 1);
    if (breakpoint_at(c, r->event[i].pc) != NULL)
      c->arrival[c->arrivals++] = (struct sl_arrival){r->event[i].warp, r->event[i].pc};
  }
}

/* Warps that have reached their next instruction, if it has a breakpoint. */
void sl_collect_arrivals(struct sl_control *c)
{
  struct sl_replay *r = c->replay;
  unsigned kept = 0;
  c->arrivals = 0;
  if (sl_replay_fetches_ahead(r)) {
    collect_executed(c);
    return;
  }
  if (r->host_executed && c->target->has_host && breakpoint_at(c, sl_device_host_pc(r->device)) != NULL)
    c->arrival[c->arrivals++] = (struct sl_arrival){HOST_WARP, sl_device_host_pc(r->device)};
  for (unsigned i = 0; i < r->pending_count; i++) {
    const unsigned warp = r->pending[i];
    const bool lives = sl_warp_lives(c->target, warp);
    const struct sl_warp_status status = lives ? sl_target_warp(c->target, warp) : (struct sl_warp_status){0};
    const bool arrived = lives && status.pc != r->pending_from[warp] && status.wait != SL_WARP_AT_BARRIER;
    if ((lives || r->pending_from[warp] == ARRIVED_AT_START) && !arrived) {
      r->pending[kept++] = warp;
      continue;
    }
    r->is_pending[warp] = false;
    if (arrived)
      note_missed(c, warp, status.pc, sl_replay_now(r));
    if (arrived && c->arrivals < SL_ARRIVALS_MOST && breakpoint_at(c, status.pc) != NULL)
      c->arrival[c->arrivals++] = (struct sl_arrival){warp, status.pc};
  }
  r->pending_count = kept;
}

static unsigned read_register(const void *context, unsigned thread, uint64_t number, uint64_t *value)
{
  return sl_target_register(context, thread, number, value);
}

static void load(const void *context, unsigned thread, uint64_t address, uint8_t *bytes, size_t size)
{
  sl_target_load(context, thread, (uint32_t)address, bytes, size);
}

/* Whether the condition of a breakpoint holds for a thread. */
static bool holds(const struct sl_control *c, const struct sl_breakpoint *b, unsigned thread)
{
  const struct sl_agent_thread of = {read_register, load, c->target, thread};
  return sl_agent_holds(&of, b->condition, b->condition_size);
}

/* The lanes of a warp at a breakpoint that gdb is to see. */
static sl_lanes wanted_lanes(const struct sl_control *c, const struct sl_breakpoint *b, unsigned warp)
{
  sl_lanes lanes = sl_target_warp(c->target, warp).active, wanted = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned thread = sl_thread_of(c->target, warp, sl_lowest(lanes));
    if ((b->owner == 0 || b->owner == thread) && (b->condition == NULL || holds(c, b, thread)))
      wanted |= sl_bit(sl_lowest(lanes));
  }
  return wanted;
}

/* Offers the next lane of a warp. */
static struct sl_stop sl_offer(struct sl_control *c)
{
  const unsigned warp = c->offer_warp;
  unsigned lane = sl_lowest(c->offer);
  for (unsigned i = 0; i < 2; i++) {
    const unsigned wish = i == 0 ? c->selected : c->stepped;
    if (sl_is_lane(c->target, wish) && sl_warp_of(c->target, wish) == warp &&
        (c->offer >> sl_lane_of(c->target, wish) & 1))
      lane = sl_lane_of(c->target, wish);
  }
  c->offer &= ~sl_bit(lane);
  struct sl_stop stop = {.signal = SL_SIGNAL_TRAP, .thread = sl_thread_of(c->target, warp, lane)};
  snprintf(stop.reason, sizeof stop.reason, "hwbreak:;");
  return stop;
}

/* Stops at the next arrival that gdb is to see. */
bool sl_take_arrival(struct sl_control *c, struct sl_stop *stop)
{
  while (c->arrivals > 0) {
    const struct sl_arrival a = c->arrival[0];
    memmove(c->arrival, c->arrival + 1, --c->arrivals * sizeof a);
    const struct sl_breakpoint *b = breakpoint_at(c, a.pc);
    if (b == NULL)
      continue;
    if (a.warp == HOST_WARP) {
      if ((b->owner != 0 && b->owner != SL_THREAD_HOST) || (b->condition != NULL && !holds(c, b, SL_THREAD_HOST)))
        continue;
      *stop = (struct sl_stop){.signal = SL_SIGNAL_TRAP, .thread = SL_THREAD_HOST, .reason = "hwbreak:;"};
      return true;
    }
    c->offer_warp = a.warp;
    c->offer = wanted_lanes(c, b, a.warp);
    if (c->offer != 0) {
      *stop = sl_offer(c);
      return true;
    }
  }
  return false;
}

/* The thread that has executed in the latest tick. */
static unsigned acting_thread(const struct sl_control *c)
{
  const struct sl_replay *r = c->replay;
  if (r->accessed)
    return sl_thread_of(c->target, r->access.warp, r->access.lane);
  if (r->executed > 0 && r->event[0].active != 0)
    return sl_thread_of(c->target, r->event[0].warp, sl_lowest(r->event[0].active));
  return sl_thread_default(c->target);
}

bool sl_value_changed(struct sl_control *c, struct sl_watchpoint *w)
{
  uint8_t now[8] = {0};
  read_watched(c, w, now);
  const bool changed = memcmp(now, w->value, w->size) != 0;
  memcpy(w->value, now, sizeof now);
  return changed;
}

/* A load or an atomic of the host's next instruction reads a watched range. */
static bool host_reads(const struct sl_control *c, const struct sl_watchpoint *w)
{
  const struct sl_insn *in = sl_device_host_instruction(c->replay->device);
  if (in == NULL || in->width == 0 || (in->kind != SL_KIND_LOAD && in->kind != SL_KIND_AMO))
    return false;
  const uint32_t address = sl_device_host_register(c->replay->device, in->rs1) + in->imm;
  return address < w->address + w->size && w->address < address + in->width;
}

/* The pc of the instruction that the thread has executed in the latest tick. */
static uint32_t executed_pc(const struct sl_control *c, unsigned thread)
{
  const struct sl_replay *r = c->replay;
  for (unsigned i = 0; thread != SL_THREAD_HOST && i < r->executed; i++)
    if (r->event[i].warp == sl_warp_of(c->target, thread))
      return r->event[i].pc;
  return sl_target_pc(c->target, thread) - 4;
}

/* Notes a stop of the latest tick by a watchpoint. */
bool sl_check_watches(struct sl_control *c, bool host_read, struct sl_stop *stop)
{
  static const char *const name[] = {[2] = "watch", [3] = "rwatch", [4] = "awatch"};
  bool hit = false;
  for (unsigned i = 0; i < c->watchpoints; i++) {
    struct sl_watchpoint *w = &c->watchpoint[i];
    const bool changed = sl_value_changed(c, w);
    const bool accessed = (c->replay->accessed && c->replay->access.watch == i && w->type != 2) || host_read;
    if (hit || !((changed && w->type != 3) || (w->type != 2 && accessed)))
      continue;
    hit = true;
    const bool own = sl_is_elsewhere(c, w->thread, w->address) && sl_has_executed(c, w->thread, true);
    *stop = sl_stop_at(c, own ? w->thread : acting_thread(c), SL_SIGNAL_TRAP);
    snprintf(stop->reason, sizeof stop->reason, "%s:%" PRIx32 ";", name[w->type], w->address);
    stop->has_pc = true;
    stop->pc = executed_pc(c, stop->thread);
    c->moved = SL_MOVED;
  }
  return hit;
}

void sl_arm_watches(struct sl_control *c)
{
  for (unsigned i = 0; i < c->watchpoints; i++) {
    const struct sl_watchpoint *w = &c->watchpoint[i];
    c->replay->watch[i] =
        (struct sl_replay_watch){.address = w->address, .size = w->size, .reads = w->type != 2, .writes = w->type != 3};
    read_watched(c, &c->watchpoint[i], c->watchpoint[i].value);
  }
  c->replay->watches = c->watchpoints;
}

bool sl_any_host_read(const struct sl_control *c)
{
  for (unsigned i = 0; i < c->watchpoints; i++)
    if (c->watchpoint[i].type != 2 && !sl_replay_kernel_runs(c->replay) && host_reads(c, &c->watchpoint[i]))
      return true;
  return false;
}

/* Whether the thread's warp, or the host, has executed an instruction in the latest tick. */
bool sl_has_executed(const struct sl_control *c, unsigned thread, bool active)
{
  const struct sl_replay *r = c->replay;
  if (thread == SL_THREAD_HOST)
    return r->host_executed;
  for (unsigned i = 0; i < r->executed; i++)
    if (r->event[i].warp == sl_warp_of(c->target, thread) &&
        (!active || (r->event[i].active >> sl_lane_of(c->target, thread) & 1)))
      return true;
  return false;
}

/* ---- execution --------------------------------------------------------------------------------------------------- */

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
