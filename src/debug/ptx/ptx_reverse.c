/* The way back: the script is played again up to an earlier place. */
#include <stdio.h>

#include "debug/ptx/ptx_debug.h"
#include "isa/lanes.h"
#include "ptx/run/ptx_access.h"

/* No place is before the first block. */
static void go_to_beginning(struct sl_ptx_stub *s)
{
  const struct sl_ptx_spot first = {.place = 1, .any = true};
  struct sl_ptx_stop stop = {.signal = SL_PTX_TRAP};
  snprintf(stop.reason, sizeof stop.reason, "replaylog:begin;");
  s->moved = SL_PTX_STOP_PLAIN;
  sl_ptx_go(s, &first, &stop);
}

/* ---- the last instruction of a thread ---------------------------------------------------------------------------- */

static bool is_step_of(const struct sl_ptx_step *step, const struct sl_ptx_spot *thread)
{
  return step->launch == thread->launch && step->block == thread->block && step->warp == thread->warp &&
         (step->lanes >> thread->lane & 1) != 0;
}

/* Goes to before an instruction of the thread. */
static void go_before(struct sl_ptx_stub *s, uint64_t place)
{
  const struct sl_ptx_stop stop = {.signal = SL_PTX_TRAP};
  struct sl_ptx_spot spot = s->spot;
  spot.place = place - 1;
  sl_ptx_go(s, &spot, &stop);
}

/* Looks at the latest places up to `place`, as far as they are known. Returns the latest unknown one; 0: the run
 * leaves.
 */
static uint64_t look_back(struct sl_ptx_stub *s, uint64_t place)
{
  for (; place > 0; place--) {
    const struct sl_ptx_step *step = &s->step[place % SL_PTX_STEPS];
    if (step->place != place)
      return place;
    if (is_step_of(step, &s->spot)) {
      go_before(s, place);
      return 0;
    }
  }
  go_to_beginning(s);
  return 0;
}

void sl_ptx_reverse_step(struct sl_ptx_stub *s, unsigned thread)
{
  s->spot = sl_ptx_spot_of(s, thread);
  s->found = false;
  s->moved = SL_PTX_STOP_PLAIN;
  const uint64_t unknown = look_back(s, s->replay.place);
  s->before = unknown + 1;
  if (unknown > 0)
    sl_ptx_leave(s, SL_PTX_LAST_STEP, unknown);
}

/* ---- the last stop ----------------------------------------------------------------------------------------------- */

void sl_ptx_reverse_continue(struct sl_ptx_stub *s)
{
  s->found = false;
  s->moved = SL_PTX_STOP_PLAIN;
  s->before = s->replay.place;
  sl_ptx_watch_go_on(&s->watches);
  if ((s->breakpoints == 0 && !s->watches.any) || s->before <= 1)
    go_to_beginning(s);
  else
    sl_ptx_leave(s, SL_PTX_LAST_STOP, s->before);
}

static void note_hit(struct sl_ptx_stub *s, const struct sl_ptx_warp *w, unsigned lane, uint64_t place,
                     const struct sl_ptx_stop *stop)
{
  s->hit = sl_ptx_spot_of(s, sl_ptx_view_thread(&s->view, w, lane));
  s->hit.place = place;
  s->hit_stop = *stop;
  s->found = true;
}

/* The lane to tell: the wanted one, or else the lowest. */
static unsigned told_lane(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w, uint32_t lanes)
{
  const struct sl_ptx_spot *of = &s->wanted;
  const bool own = of->launch == s->launch && of->warp == w->index && of->block == sl_ptx_view_number(w->block);
  return own && (lanes >> of->lane & 1) != 0 ? of->lane : sl_lowest(lanes);
}

/* A watchpoint's stop is before its instruction, and so before a breakpoint after it. */
static void look_for_stop(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const uint64_t place = s->replay.place;
  const struct sl_ptx_stop at_breakpoint = {.signal = SL_PTX_TRAP, .reason = "hwbreak:;"};
  const struct sl_ptx_block *b = s->view.block;
  unsigned lane = 0;
  const struct sl_ptx_watchpoint *w = NULL;
  if (s->watches.any && p->ptx_warp != NULL)
    w = sl_ptx_watch_check(&s->watches, &s->view, p, &lane);
  else if (s->watches.any)
    sl_ptx_watch_look(&s->watches, &s->view);
  if (w != NULL) {
    const struct sl_ptx_stop stop = sl_ptx_watch_stop(w);
    note_hit(s, p->ptx_warp, lane, place - 1, &stop);
  }
  if (place == s->before || s->breakpoints == 0)
    return;
  for (unsigned i = 0; i < b->warp_count; i++) {
    const struct sl_ptx_warp *warp = &b->warps[i];
    const uint32_t lanes = p->ptx_warp == NULL || p->ptx_warp == warp ? sl_ptx_broken(s, warp) : 0;
    if (lanes != 0)
      note_hit(s, warp, told_lane(s, warp, lanes), place, &at_breakpoint);
  }
}

/* The run has come to the place before which it has looked: the outcome, or the search goes on before this run. That
 * part ends with the place of the checkpoint, which this run has not seen. */
static void decide(struct sl_ptx_stub *s)
{
  const bool stops = s->goal == SL_PTX_LAST_STOP;
  if (s->found && stops) {
    s->moved = s->hit_stop.reason[0] == 'h' ? SL_PTX_STOP_PLAIN : SL_PTX_STOP_BACK;
    sl_ptx_go(s, &s->hit, &s->hit_stop);
  } else if (s->found) {
    go_before(s, s->hit.place);
  } else if (s->replay.from == 0) {
    go_to_beginning(s);
  } else {
    s->before = s->replay.from + 1;
    sl_ptx_leave(s, s->goal, s->replay.from);
  }
}

void sl_ptx_search(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const uint64_t place = s->replay.place;
  if (s->goal == SL_PTX_LAST_STOP)
    look_for_stop(s, p);
  else if (p->ptx_warp != NULL && is_step_of(&s->step[place % SL_PTX_STEPS], &s->spot)) {
    s->hit.place = place;
    s->found = true;
  }
  if (place + (s->goal == SL_PTX_LAST_STEP) >= s->before)
    decide(s);
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

void sl_ptx_restart(struct sl_ptx_stub *s)
{
  sl_ptx_changes_clear(&s->changes);
  sl_ptx_replay_restart(&s->replay);
  for (size_t i = 0; i < SL_PTX_STEPS; i++)
    s->step[i].place = 0;
  s->steps = false;
  s->offer = s->missed_count = 0;
  s->moved = SL_PTX_STOP_PLAIN;
  s->launched = true;
  s->goal = SL_PTX_FORWARD;
  s->replay.target = SL_PTX_NEVER;
  s->leaving = true;
}
