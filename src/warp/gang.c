#include "warp/gang.h"

void sl_gang_start(struct sl_gang *gang, unsigned barriers)
{
  *gang = (struct sl_gang){.barriers = barriers, .active = sl_bit(0), .started = sl_bit(0)};
}

sl_warps sl_gang_arrive(struct sl_gang *gang, unsigned warp, uint32_t id, uint32_t count)
{
  const unsigned index = id & (gang->barriers - 1);
  if (count < 2)
    return sl_bit(warp);
  gang->at_barrier |= sl_bit(warp);
  if (id & SL_GANG_GLOBAL) {
    gang->at_global |= sl_bit(warp);
    gang->global[index] |= sl_bit(warp);
    gang->cores[index] = count;
    return 0;
  }
  gang->local[index] |= sl_bit(warp);
  const sl_warps there = gang->local[index];
  if (sl_count(there) < count)
    return 0;
  gang->local[index] = 0;
  gang->at_barrier &= ~there;
  return there;
}

void sl_gang_ask(struct sl_gang *gang, unsigned warp, uint32_t count, uint32_t pc)
{
  gang->asking |= sl_bit(warp);
  gang->spawning = true;
  gang->spawner = warp;
  gang->spawn_count = count;
  gang->spawn_pc = pc;
}

sl_warps sl_gang_spawn(struct sl_gang *gang)
{
  const sl_warps self = sl_bit(gang->spawner);
  if (!gang->spawning || gang->active != self)
    return 0;
  const sl_warps begin = sl_low_bits(gang->spawn_count) & ~sl_bit(0) & ~self;
  gang->active |= begin;
  gang->started |= begin;
  gang->asking &= ~self;
  gang->spawning = false;
  return begin | self;
}

void sl_gang_end(struct sl_gang *gang, unsigned warp)
{
  gang->active &= ~sl_bit(warp);
}

/* A core has arrived at a global barrier when all of its running warps have. */
static bool is_at(const struct sl_gang *gang, unsigned index)
{
  return gang->global[index] != 0 && gang->global[index] == gang->active;
}

/* Returns true if as many cores have arrived as some core's count requires. */
static bool is_full(struct sl_gang *const gang[], unsigned cores, unsigned index)
{
  unsigned there = 0;
  uint32_t least = UINT32_MAX;
  for (unsigned c = 0; c < cores; c++) {
    if (!is_at(gang[c], index))
      continue;
    there++;
    least = gang[c]->cores[index] < least ? gang[c]->cores[index] : least;
  }
  return there >= least;
}

static sl_warps leave(struct sl_gang *gang, unsigned index)
{
  const sl_warps there = is_at(gang, index) ? gang->global[index] : 0;
  gang->global[index] &= ~there;
  gang->at_global &= ~there;
  gang->at_barrier &= ~there;
  return there;
}

bool sl_gangs_open(struct sl_gang *const gang[], unsigned cores, sl_warps released[])
{
  sl_warps any = 0;
  for (unsigned c = 0; c < cores; c++) {
    released[c] = 0;
    any |= gang[c]->at_global;
  }
  if (any == 0)
    return false;
  bool opened = false;
  for (unsigned index = 0; index < gang[0]->barriers; index++) {
    if (!is_full(gang, cores, index))
      continue;
    opened = true;
    for (unsigned c = 0; c < cores; c++)
      released[c] |= leave(gang[c], index);
  }
  return opened;
}
