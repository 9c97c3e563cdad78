#include "func/core_sync.h"

void sl_core_sync_start(struct sl_core_sync *sync, unsigned barriers)
{
  *sync = (struct sl_core_sync){.barriers = barriers, .active = sl_bit(0), .started = sl_bit(0)};
}

sl_warps sl_core_sync_arrive(struct sl_core_sync *sync, unsigned warp, uint32_t id, uint32_t count)
{
  const unsigned index = id & (sync->barriers - 1);
  if (count < 2)
    return sl_bit(warp);
  sync->at_barrier |= sl_bit(warp);
  if (id & SL_CORE_SYNC_GLOBAL) {
    sync->at_global |= sl_bit(warp);
    sync->global[index] |= sl_bit(warp);
    sync->cores[index] = count;
    return 0;
  }
  sync->local[index] |= sl_bit(warp);
  const sl_warps there = sync->local[index];
  if (sl_count(there) < count)
    return 0;
  sync->local[index] = 0;
  sync->at_barrier &= ~there;
  return there;
}

void sl_core_sync_ask(struct sl_core_sync *sync, unsigned warp, uint32_t count, uint32_t pc)
{
  sync->asking |= sl_bit(warp);
  sync->spawning = true;
  sync->spawner = warp;
  sync->spawn_count = count;
  sync->spawn_pc = pc;
}

sl_warps sl_core_sync_spawn(struct sl_core_sync *sync)
{
  const sl_warps self = sl_bit(sync->spawner);
  if (!sync->spawning || sync->active != self)
    return 0;
  const sl_warps begin = sl_low_bits(sync->spawn_count) & ~sl_bit(0) & ~self;
  sync->active |= begin;
  sync->started |= begin;
  sync->asking &= ~self;
  sync->spawning = false;
  return begin | self;
}

void sl_core_sync_end(struct sl_core_sync *sync, unsigned warp)
{
  sync->active &= ~sl_bit(warp);
}

/* A core has arrived at a global barrier when all of its running warps have. */
static bool is_at(const struct sl_core_sync *sync, unsigned index)
{
  return sync->global[index] != 0 && sync->global[index] == sync->active;
}

/* Returns true if as many cores have arrived as some core's count requires. */
static bool is_full(struct sl_core_sync *const sync[], unsigned cores, unsigned index)
{
  unsigned there = 0;
  uint32_t least = UINT32_MAX;
  for (unsigned c = 0; c < cores; c++) {
    if (!is_at(sync[c], index))
      continue;
    there++;
    least = sync[c]->cores[index] < least ? sync[c]->cores[index] : least;
  }
  return there >= least;
}

static sl_warps leave(struct sl_core_sync *sync, unsigned index)
{
  const sl_warps there = is_at(sync, index) ? sync->global[index] : 0;
  sync->global[index] &= ~there;
  sync->at_global &= ~there;
  sync->at_barrier &= ~there;
  return there;
}

bool sl_core_syncs_open(struct sl_core_sync *const sync[], unsigned cores, sl_warps released[])
{
  sl_warps any = 0;
  for (unsigned c = 0; c < cores; c++) {
    released[c] = 0;
    any |= sync[c]->at_global;
  }
  if (any == 0)
    return false;
  bool opened = false;
  for (unsigned index = 0; index < sync[0]->barriers; index++) {
    if (!is_full(sync, cores, index))
      continue;
    opened = true;
    for (unsigned c = 0; c < cores; c++)
      released[c] |= leave(sync[c], index);
  }
  return opened;
}
