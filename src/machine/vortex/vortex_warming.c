#include "machine/vortex/vortex_warming.h"

static bool touch_level(struct sl_vortex_level *level, uint32_t line, bool write)
{
  return !level->enabled || sl_cache_touch(&level->cache, line, write);
}

static void touch(struct sl_vortex_gpu *sm, unsigned core, struct sl_cache *first, uint32_t line, bool write)
{
  struct sl_vortex_memory *m = &sm->timed.memory;
  const unsigned cluster = core / (sm->spec.cores / sm->spec.clusters);
  if (sl_cache_touch(first, line, write) && touch_level(&m->l2[cluster], line, write))
    touch_level(&m->l3, line, write);
}

/* Consecutive lanes in the same line request it once. */
static void touch_lanes(struct sl_vortex_gpu *sm, unsigned core, struct sl_cache *dcache,
                        const struct sl_ipdom_execution *ex, bool write)
{
  uint32_t last = SL_NO_LINE;
  for (sl_lanes rest = ex->active & ~ex->local & ~ex->io; rest; rest &= rest - 1) {
    const uint32_t line = ex->address[sl_lowest(rest)] >> SL_LINE_BITS;
    if (line != last)
      touch(sm, core, dcache, line, write);
    last = line;
  }
}

void sl_vortex_warm(struct sl_vortex_gpu *sm, unsigned core, const struct sl_ipdom_execution *ex)
{
  struct sl_vortex_socket *socket = &sm->timed.socket[core / sl_vortex_socket_cores(&sm->spec)];
  touch(sm, core, &socket->icache, ex->pc >> SL_LINE_BITS, false);
  switch (ex->insn->kind) {
  case SL_KIND_LOAD:
  case SL_KIND_AMO: touch_lanes(sm, core, &socket->dcache, ex, false); break;
  case SL_KIND_STORE: touch_lanes(sm, core, &socket->dcache, ex, true); break;
  case SL_KIND_FENCE:
    if (sm->spec.fence_flushes)
      sl_cache_forget(&socket->dcache);
    break;
  default: break;
  }
}
