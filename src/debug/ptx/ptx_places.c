/* Threads of a block at places in the run, and the conditions that stop the run there. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "debug/ptx/ptx_debug.h"
#include "debug/ptx/ptx_symbols.h"
#include "debug/remote.h"
#include "isa/lanes.h"

struct sl_ptx_spot sl_ptx_spot_of(const struct sl_ptx_stub *s, unsigned thread)
{
  const struct sl_ptx_warp *w = sl_ptx_view_warp(&s->view, thread);
  return (struct sl_ptx_spot){.place = s->replay.place,
                              .launch = s->launch,
                              .block = s->view.block != NULL ? sl_ptx_view_number(s->view.block) : 0,
                              .warp = w != NULL ? w->index : 0,
                              .lane = sl_ptx_view_lane(thread),
                              .any = w == NULL};
}

bool sl_ptx_find_spot(struct sl_ptx_stub *s, const struct sl_ptx_spot *spot, struct sl_ptx_view *view)
{
  if (spot->any || (spot->launch == s->launch && view->block != NULL && sl_ptx_view_number(view->block) == spot->block))
    return true;
  for (size_t i = 0; i < SL_PTX_KNOWN; i++) {
    const struct sl_ptx_block *b = s->known[i].block;
    if (b == NULL || sl_ptx_view_number(b) != spot->block || b->warps[spot->warp].stack.depth == 0)
      continue;
    view->block = b;
    view->first = s->known[i].first;
    return true;
  }
  if (s->replay.from == 0) /* no run of the same script comes here */
    return true;
  s->replay.ask = s->replay.from; /* the block began before this run */
  s->leaving = true;
  if (s->goal == SL_PTX_FORWARD) { /* silently to the same event */
    s->goal = SL_PTX_AGAIN;
    s->spot = (struct sl_ptx_spot){.place = s->replay.place, .any = true};
  }
  return false;
}

void sl_ptx_leave(struct sl_ptx_stub *s, enum sl_ptx_goal goal, uint64_t target)
{
  s->goal = goal;
  s->replay.ask = target;
  s->replay.target = goal == SL_PTX_LAST_STOP ? SL_PTX_NEVER : target;
  s->missed_count = 0;
  s->leaving = true;
}

void sl_ptx_go(struct sl_ptx_stub *s, const struct sl_ptx_spot *spot, const struct sl_ptx_stop *stop)
{
  s->spot = *spot;
  s->stop = *stop;
  sl_ptx_leave(s, SL_PTX_GO, spot->place);
}

/* ---- conditions -------------------------------------------------------------------------------------------------- */

struct sl_ptx_stop sl_ptx_watch_stop(const struct sl_ptx_watchpoint *w)
{
  static const char *const name[] = {
      [SL_PTX_WATCH_WRITE] = "watch", [SL_PTX_WATCH_READ] = "rwatch", [SL_PTX_WATCH_ACCESS] = "awatch"};
  struct sl_ptx_stop stop = {.signal = SL_PTX_TRAP};
  snprintf(stop.reason, sizeof stop.reason, "%s:%" PRIx64 ";", name[w->type], w->address);
  return stop;
}

static unsigned read_register(const void *context, unsigned thread, uint64_t number, uint64_t *value)
{
  const struct sl_ptx_stub *s = context;
  return sl_ptx_view_register(&s->view, thread, number, value);
}

void sl_ptx_read_memory(const void *context, unsigned thread, uint64_t address, uint8_t *bytes, size_t size)
{
  static const uint8_t nop[4] = {0x13, 0, 0, 0}; /* what gdb reads as code */
  const struct sl_ptx_stub *s = context;
  const bool is_code = address >= SL_PTX_CODE && address < 2 * (uint64_t)SL_PTX_CODE;
  const uint8_t *from = is_code ? NULL : sl_ptx_view_memory(&s->view, thread, address, size, false);
  if (sl_ptx_view_stack(&s->view, thread, address, bytes, size))
    return;
  memset(bytes, 0, size);
  for (size_t i = 0; i < size && is_code; i++)
    bytes[i] = nop[(address + i) % 4];
  if (from != NULL)
    memcpy(bytes, from, size);
}

/* The lanes of a warp whose next instruction has this breakpoint, if it holds for them. */
static uint32_t broken_by(const struct sl_ptx_stub *s, const struct sl_ptx_breakpoint *b, const struct sl_ptx_warp *w)
{
  uint32_t wanted = 0;
  if (w->stack.depth == 0 || sl_ptx_view_place(w) != b->pc)
    return 0;
  for (uint32_t rest = sl_simt_stack_mask(&w->stack); rest != 0; rest &= rest - 1) {
    const struct sl_agent_thread of = {read_register, sl_ptx_read_memory, s,
                                       sl_ptx_view_thread(&s->view, w, sl_lowest(rest))};
    if (b->size == 0 || sl_agent_holds(&of, b->condition, b->size))
      wanted |= (uint32_t)sl_bit(sl_lowest(rest));
  }
  return wanted;
}

uint32_t sl_ptx_broken(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  uint32_t wanted = 0;
  for (unsigned i = 0; i < s->breakpoints; i++)
    if (!s->breakpoint[i].away)
      wanted |= broken_by(s, &s->breakpoint[i], w);
  return wanted;
}

void sl_ptx_note_missed(struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  const uint32_t lanes = broken_by(s, s->ghost, w);
  if (lanes == 0 || s->missed_count == SL_PTX_MISSED)
    return;
  s->missed[s->missed_count++] = (struct sl_ptx_missed){
      .spot = sl_ptx_spot_of(s, sl_ptx_view_thread(&s->view, w, sl_lowest(lanes))), .pc = s->ghost->pc, .lanes = lanes};
}
