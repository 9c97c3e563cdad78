/* Which warps of a Vortex core run: barriers, spawning and ends, without their timing. */
#include "machine/vortex/vortex_sm.h"

bool sl_vortex_active(const struct sl_vortex_gpu *sm)
{
  for (unsigned c = 0; c < sm->spec.cores; c++)
    if (sm->core[c].warps.active != 0)
      return true;
  return false;
}

/* Warps 1 to count - 1 begin with lane 0, as soon as no other than the spawning warp is active; it goes on. */
static void spawn_if_alone(struct sl_vortex_core *core)
{
  if (!core->spawning || core->warps.active != sl_bit(core->spawner))
    return;
  for (unsigned warp = 1; warp < core->spawn_count; warp++) {
    if (warp == core->spawner)
      continue;
    sl_ipdom_spawn(&core->warps, warp, core->spawn_target);
    sl_ipdom_reset_extensions(&core->warps, warp);
    core->warps.active |= sl_bit(warp);
    core->started |= sl_bit(warp);
  }
  core->stopped &= ~sl_bit(core->spawner);
  core->spawning = false;
}

/* A core is at a global barrier when all its active warps are. */
static bool arrived(const struct sl_vortex_core *core, unsigned id)
{
  return core->global[id] != 0 && core->global[id] == core->warps.active;
}

static void open_global(struct sl_vortex_gpu *sm, unsigned first, unsigned cores, unsigned id)
{
  unsigned at = 0;
  uint32_t count = 0;
  for (unsigned c = first; c < first + cores; c++) {
    at += arrived(&sm->core[c], id);
    count = arrived(&sm->core[c], id) ? sm->core[c].global_count[id] : count;
  }
  for (unsigned c = first; c < first + cores && at > 0 && at >= count; c++) {
    if (!arrived(&sm->core[c], id))
      continue;
    sm->core[c].stopped &= ~sm->core[c].global[id];
    sm->core[c].global[id] = 0;
  }
}

static void open_all_global(struct sl_vortex_gpu *sm, unsigned core)
{
  const unsigned cores = sm->spec.cores / sm->spec.clusters, first = core / cores * cores;
  for (unsigned id = 0; id < SL_VORTEX_BARRIERS; id++)
    if (sm->core[core].global[id] != 0)
      open_global(sm, first, cores, id);
}

void sl_vortex_barrier(struct sl_vortex_gpu *sm, unsigned core, unsigned warp, uint32_t id, uint32_t count)
{
  struct sl_vortex_core *c = &sm->core[core];
  const unsigned index = id & (sl_vortex_barriers(&sm->spec) - 1);
  if (count < 2)
    return;
  c->stopped |= sl_bit(warp);
  if (id & SL_VORTEX_GLOBAL) {
    c->global[index] |= sl_bit(warp);
    c->global_count[index] = count;
    open_all_global(sm, core);
    return;
  }
  c->at[index] |= sl_bit(warp);
  if (sl_count(c->at[index]) < count)
    return;
  c->stopped &= ~c->at[index];
  c->at[index] = 0;
}

void sl_vortex_spawn(struct sl_vortex_gpu *sm, unsigned core, unsigned warp, uint32_t count, uint32_t target)
{
  struct sl_vortex_core *c = &sm->core[core];
  c->spawning = true;
  c->spawner = warp;
  c->spawn_count = count;
  c->spawn_target = target;
  c->stopped |= sl_bit(warp);
  spawn_if_alone(c);
}

void sl_vortex_end(struct sl_vortex_gpu *sm, unsigned core, unsigned warp)
{
  sl_ipdom_reset_extensions(&sm->core[core].warps, warp);
  sm->core[core].warps.active &= ~sl_bit(warp);
  spawn_if_alone(&sm->core[core]);
  open_all_global(sm, core);
}
