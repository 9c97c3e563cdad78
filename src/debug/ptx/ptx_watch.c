#include "debug/ptx/ptx_debug.h"

#include <string.h>

#include "isa/lanes.h"
#include "ptx/run/ptx_access.h"

static bool is_shared(uint64_t address)
{
  return address - SL_PTX_SHARED_WINDOW < SL_PTX_WINDOW_BYTES;
}

static bool is_local(uint64_t address)
{
  return address - SL_PTX_LOCAL_WINDOW < SL_PTX_WINDOW_BYTES;
}

static bool is_constant(uint64_t address)
{
  return address - SL_PTX_CONST_WINDOW < SL_PTX_WINDOW_BYTES;
}

static struct sl_ptx_watchpoint *find(struct sl_ptx_watches *w, enum sl_ptx_watch_type type, uint64_t address,
                                      uint64_t size)
{
  for (unsigned i = 0; i < w->count; i++)
    if (w->item[i].type == type && w->item[i].address == address && w->item[i].size == size)
      return &w->item[i];
  return NULL;
}

static void forget_unset(struct sl_ptx_watches *w)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < w->count; i++)
    if (w->item[i].set)
      w->item[kept++] = w->item[i];
  w->count = kept;
}

bool sl_ptx_watch_set(struct sl_ptx_watches *w, const struct sl_ptx_view *view, unsigned thread,
                      enum sl_ptx_watch_type type, uint64_t address, uint64_t size)
{
  const struct sl_ptx_warp *warp = sl_ptx_view_warp(view, thread);
  struct sl_ptx_watchpoint *old = find(w, type, address, size);
  if (size == 0 || size > SL_PTX_WATCH_BYTES || is_constant(address) || view->block == NULL)
    return false;
  if (old == NULL && sl_ptx_view_memory(view, thread, address, size, true) == NULL)
    return false;
  if (old == NULL && w->count == SL_PTX_WATCHES)
    forget_unset(w);
  if (old == NULL && w->count == SL_PTX_WATCHES)
    return false;
  if (old == NULL) {
    old = &w->item[w->count++];
    *old = (struct sl_ptx_watchpoint){.type = type,
                                      .address = address,
                                      .size = (unsigned)size,
                                      .block = sl_ptx_view_number(view->block),
                                      .warp = warp != NULL ? warp->index : 0,
                                      .lane = sl_ptx_view_lane(thread)};
  }
  old->set = w->any = true;
  return true;
}

void sl_ptx_watch_remove(struct sl_ptx_watches *w, enum sl_ptx_watch_type type, uint64_t address, uint64_t size)
{
  struct sl_ptx_watchpoint *old = find(w, type, address, size);
  if (old != NULL)
    old->set = false;
  w->any = false;
  for (unsigned i = 0; i < w->count; i++)
    w->any |= w->item[i].set;
}

void sl_ptx_watch_go_on(struct sl_ptx_watches *w)
{
  forget_unset(w);
  for (unsigned i = 0; i < w->count; i++)
    w->item[i].known = false;
}

/* The watched memory; NULL: the view does not have it. */
static const uint8_t *memory_of(const struct sl_ptx_watchpoint *w, const struct sl_ptx_view *view)
{
  const bool local = is_local(w->address);
  if ((local || is_shared(w->address)) && sl_ptx_view_number(view->block) != w->block)
    return NULL;
  if (local && w->warp >= view->block->warp_count)
    return NULL;
  const unsigned thread = local ? sl_ptx_view_thread(view, &view->block->warps[w->warp], w->lane) : 0;
  return sl_ptx_view_memory(view, thread, w->address, w->size, true);
}

static bool has_changed(struct sl_ptx_watchpoint *w, const uint8_t *now)
{
  const bool changed = w->known && memcmp(w->value, now, w->size) != 0;
  memcpy(w->value, now, w->size);
  w->known = true;
  return changed;
}

void sl_ptx_watch_look(struct sl_ptx_watches *w, const struct sl_ptx_view *view)
{
  for (unsigned i = 0; i < w->count; i++) {
    const uint8_t *now = w->item[i].set ? memory_of(&w->item[i], view) : NULL;
    if (now != NULL)
      has_changed(&w->item[i], now);
  }
}

/* The lanes that access the watched memory; a copy writes shared memory, too. */
static uint32_t accessing(const struct sl_ptx_watchpoint *w, const struct sl_probe *p, bool *writes)
{
  const struct sl_ptx_effect *e = p->ptx_effect;
  const bool copies = e->insn->kind == SL_PTX_K_ASYNC, shared = is_shared(w->address), local = is_local(w->address);
  const uint64_t first = shared || local ? w->address % SL_PTX_WINDOW_BYTES : w->address;
  const enum sl_ptx_space space = shared ? SL_PTX_SHARED : local ? SL_PTX_LOCAL : SL_PTX_GLOBAL;
  uint32_t lanes = 0, reads;
  *writes = copies ? shared : p->access != SL_PROBE_LOAD;
  if (p->wide_address == NULL || (e->space != space && !(copies && shared)))
    return 0;
  for (uint32_t rest = copies && !shared ? e->reads : e->active; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    const uint64_t at = copies && shared ? sl_ptx_copied_to(p->ptx_warp, e->insn, lane, &reads) : e->address[lane];
    if (at < first + w->size && first < at + e->bytes)
      lanes |= (uint32_t)sl_bit(lane);
  }
  return local ? lanes & (uint32_t)sl_bit(w->lane) : lanes;
}

/* The lane that is told. */
static unsigned acting(uint32_t lanes, const struct sl_ptx_effect *e)
{
  const uint32_t among = lanes != 0 ? lanes : e->active != 0 ? e->active : e->issued;
  return sl_lowest(among);
}

const struct sl_ptx_watchpoint *sl_ptx_watch_check(struct sl_ptx_watches *w, const struct sl_ptx_view *view,
                                                   const struct sl_probe *p, unsigned *lane)
{
  const struct sl_ptx_watchpoint *hit = NULL;
  for (unsigned i = 0; i < w->count; i++) {
    struct sl_ptx_watchpoint *item = &w->item[i];
    const uint8_t *now = item->set ? memory_of(item, view) : NULL;
    const bool local = is_local(item->address);
    if (now == NULL || (local && p->ptx_warp->index != item->warp))
      continue;
    bool writes;
    const uint32_t lanes = accessing(item, p, &writes);
    const bool known = item->known, changed = has_changed(item, now);
    const bool reads = lanes != 0 && (!writes || p->access == SL_PROBE_ATOMIC);
    const bool stops = item->type == SL_PTX_WATCH_READ     ? reads
                       : item->type == SL_PTX_WATCH_ACCESS ? changed || lanes != 0
                                                           : changed || (!known && writes && lanes != 0);
    if (stops && hit == NULL) {
      hit = item;
      *lane = local ? item->lane : acting(lanes, p->ptx_effect);
    }
  }
  return hit;
}
