/* The run of a launch script under the debugger: where it stops. */
#include <stdio.h>
#include <string.h>

#include "debug/ptx/ptx_debug.h"
#include "debug/ptx/ptx_stub.h"
#include "isa/lanes.h"
#include "ptx/run/ptx_access.h"

enum { POLL = 1024 /* events */ };

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Remembers where a block of the launch is. */
static void know(struct sl_ptx_stub *s, const struct sl_ptx_block *b, unsigned first)
{
  size_t at = ((uintptr_t)b >> 4) * 0x9e3779b1u % SL_PTX_KNOWN;
  while (s->known[at].block != NULL && s->known[at].block != b)
    at = (at + 1) % SL_PTX_KNOWN;
  if (s->known[at].block == NULL && ++s->known_count > SL_PTX_KNOWN / 4 * 3) {
    memset(s->known, 0, sizeof s->known);
    s->known_count = 1;
  }
  s->known[at] = (struct sl_ptx_known){b, first};
}

static void see(struct sl_ptx_stub *s, const struct sl_ptx_block *b, unsigned first, uint64_t cycle)
{
  if (b != s->view.block || first != s->view.first)
    know(s, b, first);
  s->view.block = b;
  s->view.first = first;
  s->view.cycle = cycle;
}

static void note_step(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const struct sl_ptx_warp *w = p->ptx_warp;
  struct sl_ptx_step *step = &s->step[s->replay.place % SL_PTX_STEPS];
  *step = (struct sl_ptx_step){.place = s->replay.place, .launch = s->launch};
  if (w == NULL)
    return;
  step->block = sl_ptx_view_number(w->block);
  step->warp = w->index;
  step->lanes = p->ptx_effect->issued;
}

/* ---- stops ------------------------------------------------------------------------------------------------------- */

/* The run goes on from a stop. */
static void go_on(struct sl_ptx_stub *s)
{
  sl_ptx_watch_go_on(&s->watches);
  if (s->watches.any)
    sl_ptx_watch_look(&s->watches, &s->view);
}

/* Serves gdb at the selected thread, whose pc is said to be this one. */
static void stop_at(struct sl_ptx_stub *s, const struct sl_ptx_stop *stop, uint64_t pc)
{
  s->chosen = s->focus;
  s->prompted = false;
  s->ghost = NULL;
  s->served = true;
  s->last = *stop;
  s->goal = SL_PTX_FORWARD;
  s->replay.target = SL_PTX_NEVER;
  if (s->asked) {
    sl_ptx_send_text(s, stop->text);
    s->reply.size = 0;
    sl_ptx_answer_stop(s, pc);
    sl_packet_write(&s->connection, s->reply.text, s->reply.size);
  }
  s->steps = s->launched = false;
  sl_ptx_serve(s);
  if (!s->leaving && !s->detached && !s->killed)
    go_on(s);
}

/* Stops at the selected thread, if it is one of these lanes, or else at the lowest. */
static void stop(struct sl_ptx_stub *s, const struct sl_ptx_warp *w, uint32_t lanes, int signal, const char *reason)
{
  const unsigned wanted = sl_ptx_view_warp(&s->view, s->focus) == w ? sl_ptx_view_lane(s->focus) : 0;
  struct sl_ptx_stop why = {.signal = signal};
  s->focus = sl_ptx_view_thread(&s->view, w, (lanes >> wanted & 1) != 0 ? wanted : sl_lowest(lanes));
  s->offer = reason[0] != '\0' ? lanes & ~(uint32_t)sl_bit(sl_ptx_view_lane(s->focus)) : 0;
  s->moved = SL_PTX_STOP_PLAIN;
  snprintf(why.reason, sizeof why.reason, "%s", reason);
  stop_at(s, &why, sl_ptx_view_pc(&s->view, s->focus));
}

/* Whether it is the warp of the step. */
static bool is_stepped(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  const struct sl_ptx_spot *of = &s->stepped;
  return s->steps && of->launch == s->launch && of->warp == w->index && of->block == sl_ptx_view_number(w->block);
}

/* Whether a step ends here: its lane is next at another place, or has ended. */
static bool step_ends(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  const struct sl_ptx_spot *of = &s->stepped;
  if (!is_stepped(s, w))
    return false;
  if (sl_ptx_view_entry(w, of->lane) == NULL)
    return true;
  if ((sl_simt_stack_mask(&w->stack) >> of->lane & 1) == 0)
    return false;
  const uint64_t pc = sl_ptx_view_pc(&s->view, sl_ptx_view_thread(&s->view, w, of->lane));
  return s->from == s->to || pc < s->from || pc >= s->to;
}

/* A watchpoint stops before its instruction, as gdb sees it. */
static bool watched(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  unsigned lane = 0;
  const struct sl_ptx_watchpoint *w = s->watches.any ? sl_ptx_watch_check(&s->watches, &s->view, p, &lane) : NULL;
  if (w == NULL)
    return false;
  const struct sl_ptx_stop why = sl_ptx_watch_stop(w);
  s->focus = sl_ptx_view_thread(&s->view, p->ptx_warp, lane);
  s->moved = SL_PTX_STOP_AFTER;
  s->offer = 0;
  stop_at(s, &why, sl_ptx_code_address(s->view.block->launch->module, p->ptx_effect->pc));
  return true;
}

static void executed(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const struct sl_ptx_warp *w = p->ptx_warp;
  const uint32_t next = w->stack.depth > 0 ? sl_simt_stack_mask(&w->stack) : 0;
  if (watched(s, p))
    return;
  const uint32_t lanes = s->breakpoints > 0 ? sl_ptx_broken(s, w) : 0;
  if (s->ghost != NULL && !is_stepped(s, w))
    sl_ptx_note_missed(s, w);
  const bool ends = step_ends(s, w);
  if (lanes != 0)
    stop(s, w, lanes, SL_PTX_TRAP, "hwbreak:;");
  else if (ends && next != 0)
    stop(s, w, next, SL_PTX_TRAP, "");
  else if (ends) /* the warp has ended: the next one that comes to a block's beginning or executes */
    s->launched = true;
  else if (next != 0 && s->launched)
    stop(s, w, next, SL_PTX_TRAP, "");
}

static void begun(struct sl_ptx_stub *s, const struct sl_ptx_block *b, unsigned from)
{
  if (s->watches.any)
    sl_ptx_watch_look(&s->watches, &s->view);
  for (unsigned i = from; i < b->warp_count && !s->detached && !s->killed && !s->leaving; i++) {
    const struct sl_ptx_warp *w = &b->warps[i];
    const uint32_t lanes = s->launched ? w->threads : sl_ptx_broken(s, w);
    if (s->ghost != NULL && !is_stepped(s, w))
      sl_ptx_note_missed(s, w);
    if (lanes != 0)
      stop(s, w, lanes, SL_PTX_TRAP, s->launched ? "" : "hwbreak:;");
  }
}

/* gdb reads the symbols of new modules, and sets its breakpoints in them. Then the run goes on at the same place. */
static void tell_news(struct sl_ptx_stub *s, const struct sl_ptx_block *b)
{
  const bool launched = s->launched;
  const struct sl_ptx_stop library = {.signal = SL_PTX_TRAP, .reason = "library:;"};
  s->news = false;
  s->focus = sl_ptx_view_thread(&s->view, &b->warps[0], 0);
  stop_at(s, &library, sl_ptx_view_pc(&s->view, s->focus));
  s->launched |= launched;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* At the spot where gdb has given a monitor command that has left the run. */
static void answer_monitor(struct sl_ptx_stub *s)
{
  s->goal = SL_PTX_FORWARD;
  s->replay.target = SL_PTX_NEVER;
  s->reply.size = 0;
  sl_reply_hex(&s->reply, s->monitored.text, s->monitored.size);
  s->monitored.size = 0;
  sl_packet_write(&s->connection, s->reply.text, s->reply.size);
  sl_ptx_serve(s);
  if (!s->leaving && !s->detached && !s->killed)
    go_on(s);
}

/* At the spot that the run has gone to. */
static void arrive(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const struct sl_ptx_block *b = s->view.block;
  const struct sl_ptx_spot spot = s->spot;
  struct sl_ptx_view view = s->view;
  unsigned warp = p->ptx_warp != NULL ? p->ptx_warp->index : 0;
  if (!sl_ptx_find_spot(s, &spot, &view))
    return;
  s->view = view;
  const bool own = spot.any || sl_ptx_view_number(view.block) != spot.block;
  warp = own ? warp : spot.warp;
  s->focus = sl_ptx_view_thread(&s->view, &view.block->warps[warp], own ? 0 : spot.lane);
  const struct sl_ptx_stop stop_there = s->stop;
  if (s->monitors) {
    answer_monitor(s);
  } else {
    s->offer = 0;
    stop_at(s, &stop_there, sl_ptx_view_pc(&s->view, s->focus));
  }
  if (p->kind == SL_PROBE_BEGUN && !s->leaving && view.block == b)
    begun(s, b, warp + 1);
}

/* The trace is complete. gdb has gone, or waits for the answer. */
static void end_trace(struct sl_ptx_stub *s)
{
  sl_ptx_trace_close(s, &s->monitored);
  s->killed = s->trace_end == SL_PTX_TRACE_KILLED;
  s->detached = s->trace_end == SL_PTX_TRACE_DETACHED;
  s->goal = SL_PTX_GO;
  if (s->trace_end == SL_PTX_TRACE_OFF && s->replay.place != s->spot.place) {
    s->replay.ask = s->replay.target = s->spot.place;
    s->leaving = true;
  }
}

/* Ctrl-C stops at the warp of the event, if it has not ended. */
static bool interrupted(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const struct sl_ptx_warp *w = p->ptx_warp != NULL ? p->ptx_warp : &s->view.block->warps[0];
  if (s->events++ % POLL != 0 || w->stack.depth == 0 || !sl_packet_interrupted(&s->connection))
    return false;
  stop(s, w, sl_simt_stack_mask(&w->stack), SL_PTX_INTERRUPT, "");
  return true;
}

/* What the user has changed at this place. Returns false if it is too early to repeat it. */
static bool repeat_changes(struct sl_ptx_stub *s)
{
  for (size_t i = 0; i < s->changes.count; i++) {
    const struct sl_ptx_change *c = &s->changes.change[i];
    struct sl_ptx_view view = s->view;
    if (c->spot.place != s->replay.place)
      continue;
    if (!sl_ptx_find_spot(s, &c->spot, &view))
      return false;
    if (sl_ptx_view_number(view.block) == c->spot.block)
      sl_ptx_change_repeat(c, &view);
  }
  return true;
}

static void event(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const struct sl_ptx_block *b = p->ptx_warp != NULL ? p->ptx_warp->block : p->ptx_block;
  struct sl_ptx_replay *r = &s->replay;
  if (s->view.registers == NULL || s->view.registers->module != b->launch->module)
    s->view.registers = sl_ptx_register_set_bind(&s->set, b->launch->module);
  r->place++;
  r->furthest = r->place > r->furthest ? r->place : r->furthest;
  see(s, b, p->ptx_warp != NULL ? p->warp - p->ptx_warp->index : p->warp, p->cycle);
  note_step(s, p);
  if (s->changes.count > 0 && !repeat_changes(s))
    return;
  if (s->goal == SL_PTX_AGAIN && r->place == s->spot.place)
    s->goal = SL_PTX_FORWARD;
  if (s->goal == SL_PTX_TRACE && r->place == s->before)
    end_trace(s);
  if (s->leaving || s->killed || s->detached)
    return;
  if (s->goal == SL_PTX_GO && r->place == s->spot.place)
    arrive(s, p);
  else if (s->goal != SL_PTX_TRACE && interrupted(s, p))
    ;
  else if (s->goal == SL_PTX_LAST_STEP || s->goal == SL_PTX_LAST_STOP)
    sl_ptx_search(s, p);
  else if (s->goal == SL_PTX_FORWARD && p->ptx_warp != NULL)
    executed(s, p);
  else if (s->goal == SL_PTX_FORWARD) {
    if (s->news && s->asked)
      tell_news(s, b);
    begun(s, b, 0);
  }
}

bool sl_ptx_tell(void *context, const struct sl_probe *p)
{
  struct sl_ptx_stub *s = context;
  if (s->leaving || s->killed)
    return false;
  if (s->goal == SL_PTX_TRACE && !s->detached)
    sl_ptx_trace_tell(s, p);
  if (p->kind == SL_PROBE_LAUNCHED) {
    s->launch = p->launch;
    s->view.block = NULL;
    memset(s->known, 0, sizeof s->known);
    s->known_count = 0;
    if (s->goal == SL_PTX_FORWARD)
      s->launched |= s->stop_at_launch;
  } else if (!s->detached && (p->kind == SL_PROBE_BEGUN || p->kind == SL_PROBE_EXECUTED) &&
             (p->ptx_block != NULL || p->ptx_warp != NULL)) {
    event(s, p);
  }
  return !s->killed && !s->leaving;
}
