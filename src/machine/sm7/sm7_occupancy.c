#include "machine/sm7/sm7_spec.h"

enum { REGISTERS_ROUNDED = 4 };

static uint32_t rounded(uint32_t value, uint32_t to)
{
  return (value + to - 1) / to * to;
}

/* L1 gets the storage that remains after the smallest sufficient share of shared memory. */
static uint32_t ways_of_l1(const struct sl_sm7_spec *s, uint64_t shared_bytes)
{
  static const uint32_t kilobytes[] = {0, 8, 16, 32, 64, 96};
  uint32_t share = kilobytes[sizeof kilobytes / sizeof kilobytes[0] - 1] * 1024;
  for (unsigned i = sizeof kilobytes / sizeof kilobytes[0]; i-- > 0;)
    if (kilobytes[i] * 1024 >= shared_bytes)
      share = kilobytes[i] * 1024;
  if (share >= s->storage_bytes)
    share = s->storage_bytes - SL_SM7_LINE * s->l1_sets;
  return (s->storage_bytes - share) / SL_SM7_LINE / s->l1_sets;
}

enum sl_status sl_sm7_occupancy(const struct sl_sm7_spec *s, const struct sl_sm7_demand *d, struct sl_sm7_occupancy *o,
                                struct sl_error *err)
{
  const uint32_t threads = rounded(d->threads, SL_SM7_LANES);
  const uint32_t registers = rounded(d->registers, REGISTERS_ROUNDED) * threads + d->block_registers;
  const uint32_t all = s->registers > d->sm_registers ? s->registers - d->sm_registers : 0;
  const uint32_t limit[] = {
      /* in the order of enum sl_occupancy_limit */
      threads ? s->warps * SL_SM7_LANES / threads : 0,
      d->shared_bytes ? s->shared_bytes / d->shared_bytes : UINT32_MAX,
      registers ? all / registers : UINT32_MAX,
      s->blocks,
  };
  *o = (struct sl_sm7_occupancy){.fits = UINT32_MAX};
  for (unsigned i = 0; i < sizeof limit / sizeof *limit; i++)
    if (limit[i] < o->fits)
      o->fits = limit[i];
  for (unsigned i = 0; i < sizeof limit / sizeof *limit; i++)
    o->limited |= (unsigned)(limit[i] == o->fits) << i;
  if (o->fits == 0)
    return sl_fail(err, SL_FAULT,
                   "a block of %u threads, %u bytes of shared memory and %u registers per thread does not fit on an SM "
                   "of %u threads, %u bytes and %u registers; launch smaller blocks",
                   d->threads, d->shared_bytes, d->registers, s->warps * SL_SM7_LANES, s->shared_bytes, s->registers);
  const uint64_t sms = (uint64_t)s->clusters * s->sms_per_cluster;
  o->resident = d->blocks < o->fits * sms ? (unsigned)((d->blocks + sms - 1) / sms) : o->fits;
  o->l1_ways = ways_of_l1(s, (uint64_t)d->shared_bytes * o->resident);
  return SL_OK;
}
