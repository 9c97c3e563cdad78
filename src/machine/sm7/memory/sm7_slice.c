#include "machine/sm7/memory/sm7_slice.h"

#include "machine/sm7/sm7_code.h"

/* `value` modulo the polynomial x^degree + x^middle + 1 over GF(2): x^degree equals x^middle + 1. */
static inline uint32_t remainder_of(uint64_t value, unsigned middle, unsigned degree)
{
  for (uint64_t high; (high = value >> degree) != 0;)
    value = (value & ((UINT64_C(1) << degree) - 1)) ^ high ^ high << middle;
  return (uint32_t)value;
}

enum { UNIT_BITS = 8 }; /* 256 bytes stay together */

static uint64_t without_channel(const struct sl_sm7_spec *spec, uint64_t address)
{
  return (address >> UNIT_BITS) / spec->channels << UNIT_BITS | (address & 0xff);
}

struct sl_sm7_place sl_sm7_place(const struct sl_sm7_spec *spec, uint64_t address)
{
  const uint64_t unit = address >> UNIT_BITS, quotient = unit / spec->channels;
  const uint64_t local = without_channel(spec, address);
  const unsigned bank = (unsigned)((local >> 12 & 7) << 1 | (local >> 8 & 1));
  const unsigned row = (unsigned)(local >> 15 & 0x1fff);
  unsigned slice = (unsigned)(unit % spec->channels) * SL_SM7_CHANNEL_SLICES + (bank & 1);
  if (spec->l2_hash)
    slice = remainder_of((quotient & 0x7ffff) << 6 | slice, 1, 6) % (spec->channels * SL_SM7_CHANNEL_SLICES);
  return (struct sl_sm7_place){.slice = (uint8_t)slice,
                               .bank = (uint8_t)(spec->dram_hash ? bank ^ (row % SL_SM7_DRAM_BANKS) : bank),
                               .row = (uint16_t)row};
}

uint32_t sl_sm7_l2_set(const struct sl_sm7_spec *spec, uint64_t address)
{
  const uint64_t local = without_channel(spec, address);
  const uint64_t p = (local >> 9) << 8 | (local & 0xff); /* bit 8 has selected the slice */
  if (spec->l2_sets != 32)
    return (uint32_t)(p / SL_SM7_LINE % spec->l2_sets);
  return remainder_of((p >> 12 & 0x7fff) << 5 ^ (p >> 7 & 31), 2, 5);
}

enum { INPUT_MARGIN = 4 }; /* a packet could be four sectors */

/* Maximum number of sectors of a packet of the crossbar. */
static unsigned most_sectors(const struct sl_sm7_spec *spec)
{
  return spec->icache || spec->ccache ? SL_SM7_LINE_SECTORS : 1;
}

enum sl_status sl_sm7_slice_init(struct sl_sm7_slice *s, const struct sl_sm7_spec *spec, struct sl_error *err)
{
  *s = (struct sl_sm7_slice){.spec = spec};
  const struct sl_sm7_cache_spec cache = {.sets = spec->l2_sets,
                                          .ways = spec->l2_ways,
                                          .mshrs = spec->l2_mshrs,
                                          .merges = spec->l2_merges,
                                          .queue = spec->l2_queue,
                                          .write_back = true,
                                          .replacement = spec->l2_replacement};
  const struct {
    struct sl_sm7_ring *ring;
    uint32_t size;
  } rings[] = {{&s->delay, most_sectors(spec) * (spec->l2_delay + 2)},
               {&s->input, spec->l2_input},
               {&s->output, spec->l2_output},
               {&s->to_dram, spec->l2_to_dram},
               {&s->from_dram, spec->l2_fill}};
  enum sl_status status = sl_sm7_cache_init(&s->cache, &cache, err);
  for (size_t i = 0; i < sizeof rings / sizeof rings[0] && status == SL_OK; i++)
    status = sl_sm7_ring_init(rings[i].ring, rings[i].size, err);
  return status;
}

void sl_sm7_slice_free(struct sl_sm7_slice *s)
{
  sl_sm7_cache_free(&s->cache);
  sl_sm7_ring_free(&s->delay);
  sl_sm7_ring_free(&s->input);
  sl_sm7_ring_free(&s->output);
  sl_sm7_ring_free(&s->to_dram);
  sl_sm7_ring_free(&s->from_dram);
}

bool sl_sm7_slice_has_room(const struct sl_sm7_slice *s)
{
  return s->input.count + INPUT_MARGIN <= s->spec->l2_input && s->delay.count + most_sectors(s->spec) <= s->delay.size;
}

void sl_sm7_slice_take(struct sl_sm7_slice *s, const struct sl_sm7_packet *p, uint64_t cycle)
{
  struct sl_sm7_packet delayed = *p;
  const unsigned sectors = p->sectors ? p->sectors : 1;
  delayed.ready = cycle + s->spec->l2_delay;
  delayed.trip.taken = (uint16_t)cycle;
  delayed.sectors = p->sectors != 0;
  for (unsigned i = 0; i < sectors; i++) {
    sl_sm7_ring_push(p->client == SL_SM7_TO_TEXTURES ? &s->input : &s->delay, &delayed);
    if (sectors == 2)
      delayed.beside++;
    else
      delayed.address += SL_SM7_SECTOR;
  }
}

static void look_up(struct sl_sm7_slice *s, uint64_t cycle, uint64_t now)
{
  if (s->input.count == 0 || sl_sm7_ring_full(&s->to_dram) || sl_sm7_ring_full(&s->output) || s->cache.port_busy)
    return;
  struct sl_sm7_packet *p = sl_sm7_ring_front(&s->input);
  p->trip.missed = p->trip.answered = (uint16_t)cycle;
  if (sl_sm7_cache_blocks_again(&s->cache, s->blocked))
    return;
  const enum sl_sm7_outcome outcome =
      sl_sm7_cache_access(&s->cache, sl_sm7_l2_set(s->spec, p->address), p, now + s->copied);
  s->blocked = outcome == SL_SM7_BLOCKED ? sl_sm7_cache_blocked(&s->cache, p) : 0;
  if (outcome == SL_SM7_BLOCKED)
    return;
  if (outcome == SL_SM7_HIT || p->kind == SL_SM7_WRITE_SECTOR)
    sl_sm7_ring_push(&s->output, p);
  sl_sm7_ring_pop(&s->input);
}

/* Lines beyond the share of dirty lines are written back before their place is needed. */
static void write_back_early(struct sl_sm7_slice *s)
{
  enum { NEVER = 100 };
  if (s->spec->l2_dirty == NEVER ||
      (uint64_t)s->cache.dirty_lines * 100 <= (uint64_t)s->spec->l2_dirty * s->spec->l2_sets * s->spec->l2_ways ||
      s->cache.misses.count + 1 >= s->spec->l2_queue || s->cache.port_busy)
    return;
  struct sl_sm7_packet p = {.kind = SL_SM7_WRITE_BACK, .load = SL_SM7_NO_LOAD};
  if (!sl_sm7_cache_clean(&s->cache, &p))
    return;
  p.slice = sl_sm7_place(s->spec, p.address).slice;
  sl_sm7_ring_push(&s->cache.misses, &p);
}

bool sl_sm7_slice_cycle(struct sl_sm7_slice *s, uint64_t cycle, uint64_t now)
{
  if (sl_sm7_cache_has_answer(&s->cache) && !sl_sm7_ring_full(&s->output)) {
    struct sl_sm7_packet p = sl_sm7_cache_answer(&s->cache);
    p.trip.answered = (uint16_t)cycle;
    sl_sm7_ring_push(&s->output, &p);
  }
  if (s->from_dram.count) {
    sl_sm7_cache_fill(&s->cache, sl_sm7_ring_front(&s->from_dram));
    sl_sm7_ring_pop(&s->from_dram);
  }
  if (s->cache.misses.count && !sl_sm7_ring_full(&s->to_dram))
    sl_sm7_ring_move(&s->cache.misses, &s->to_dram);
  if (s->cache.port_busy)
    s->cache.port_busy--;
  look_up(s, cycle, now);
  write_back_early(s);
  if (s->delay.count && cycle >= sl_sm7_ring_front(&s->delay)->ready && !sl_sm7_ring_full(&s->input))
    sl_sm7_ring_move(&s->delay, &s->input);
  return s->input.count || s->output.count || s->from_dram.count || s->cache.misses.count || s->cache.port_busy ||
         sl_sm7_cache_has_answer(&s->cache) || (s->delay.count && cycle + 1 >= sl_sm7_ring_front(&s->delay)->ready);
}

void sl_sm7_slice_warm(struct sl_sm7_slice *s, uint64_t address, unsigned sectors, uint64_t now)
{
  const uint32_t set = sl_sm7_l2_set(s->spec, address);
  sl_sm7_cache_warm(&s->cache, set, address, sectors, now + s->copied);
  s->copied += sectors;
}

bool sl_sm7_slice_visit(struct sl_sm7_slice *s, uint64_t address, bool write, uint64_t now)
{
  return sl_sm7_cache_visit(&s->cache, sl_sm7_l2_set(s->spec, address), address, write, now + s->copied);
}
