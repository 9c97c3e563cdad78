#include "timing/memory/coalescer.h"

#include <string.h>

#include "base/schema.h"
#include "timing/memory/events/request_path.h"

/* Number of beats for `bytes`. */
static unsigned beats_of(const struct sl_coalescer_spec *spec, unsigned bytes)
{
  return bytes > spec->beat_bytes ? bytes / spec->beat_bytes : 1;
}

unsigned sl_coalescer_block_beats(const struct sl_coalescer_spec *spec)
{
  return beats_of(spec, spec->lanes * 4);
}

/* The same-block strategy in the mode of `unit` bytes per lane: lanes l at block + l * unit, with the leader's offset
 * in the unit. */
static sl_lanes same_block(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                           const struct sl_request *r, uint32_t leader, unsigned unit)
{
  uint32_t block = leader & ~(spec->lanes * unit - 1);
  return r->pending & ops->strided(r->address, block + (leader & (unit - 1)), unit, spec->lanes);
}

void sl_coalescer_choose_any(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                             const struct sl_request *r, struct sl_selection *pass)
{
  const unsigned lanes = spec->lanes, lead = sl_lowest(r->pending);
  const sl_lanes leader = sl_bit(lead);
  const uint32_t address = r->address[lead];
  if (r->scratchpad & leader) {
    sl_coalescer_set(pass, r->pending & r->scratchpad, 0, true, false);
    return;
  }
  const bool one_by_one = r->access == SL_ACCESS_ATOMIC;
  if (r->pattern == SL_PATTERN_SAME) {
    sl_coalescer_set(pass, one_by_one ? leader : r->pending, 1, false, false);
    return;
  }
  if (r->pattern == SL_PATTERN_BLOCK && r->pending != leader) {
    sl_coalescer_set(pass, r->pending, beats_of(spec, lanes * r->width), false,
                     r->width == 4 && r->pending == sl_low_bits(lanes));
    return;
  }

  /* In a word access, the leader always matches itself in word mode. Other accesses use that mode if it serves the
   * leader and another lane. */
  unsigned unit = 4;
  sl_lanes block = same_block(spec, ops, r, address, unit);
  if (r->width != 4 && !((block & leader) && (block & ~leader))) {
    unit = r->width;
    block = same_block(spec, ops, r, address, unit);
  }
  if ((block & leader) && (block & ~leader))
    sl_coalescer_set(pass, block, beats_of(spec, lanes * unit), false, r->width == 4 && block == sl_low_bits(lanes));
  else
    sl_coalescer_set(pass, one_by_one ? leader : r->pending & ops->equal(r->address, address, lanes), 1, false, false);
}

struct sl_selection sl_coalescer_select(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                                        const struct sl_request *r)
{
  struct sl_selection pass;
  sl_coalescer_choose_any(spec, ops, r, &pass);
  return pass;
}

static SL_SCHEMA(selection_schema, struct sl_selection, NULL, SL_ANY(lanes, scratchpad, whole_block),
                 SL_MOST(SL_DRAM_MOST_BEATS, beats));

SL_SCHEMA(sl_request_schema, struct sl_request, NULL,
          SL_ANY(address, scratchpad_passes, instruction, responds, compressed), SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp),
          SL_BELOW(32, rd), SL_MOST(4, width), SL_SET_OF(SL_LIMIT_ALL_LANES, pending, scratchpad),
          SL_MOST(SL_ACCESS_FENCE, access), SL_MOST(SL_PATTERN_BLOCK, pattern), SL_STRUCTS(selection_schema, pass));

SL_SCHEMA(sl_coalescer_spec_schema, struct sl_coalescer_spec, NULL,
          SL_KEYS(lanes, beat_bytes, fifo_depth, in_flight_depth, stack_base));

/* ---- compressed stack cache ------------------------------------------------------------------------------------ */

void sl_stack_cache_init(struct sl_stack_cache *c, unsigned entries, unsigned block_bits, uint32_t stack_base)
{
  memset(c, 0, sizeof *c);
  c->entries = entries;
  c->block_bits = block_bits;
  c->stack_base = stack_base;
}

static uint32_t *entry(struct sl_stack_cache *c, uint32_t block)
{
  return &c->block[block & (c->entries - 1)];
}

enum sl_stack_cache_action sl_stack_cache_load(struct sl_stack_cache *c, uint32_t address)
{
  const uint32_t block = address >> c->block_bits;
  if (address < c->stack_base)
    return SL_STACK_CACHE_PASS;
  if (*entry(c, block) != block) {
    c->misses++;
    return SL_STACK_CACHE_PASS;
  }
  c->hits++;
  return SL_STACK_CACHE_ANSWERED;
}

enum sl_stack_cache_action sl_stack_cache_store(struct sl_stack_cache *c, uint32_t address, bool compressed)
{
  const uint32_t block = address >> c->block_bits;
  if (address < c->stack_base)
    return SL_STACK_CACHE_PASS;
  uint32_t *held = entry(c, block);
  const uint32_t before = *held;
  if (compressed) {
    *held = block;
    return before == 0 || before == block ? SL_STACK_CACHE_HELD : SL_STACK_CACHE_REPLACED;
  }
  if (before != block)
    return SL_STACK_CACHE_PASS;
  *held = 0;
  return SL_STACK_CACHE_WRITE_BACK;
}

SL_SCHEMA(sl_stack_cache_schema, struct sl_stack_cache, NULL, SL_KEYS(entries, block_bits, stack_base),
          SL_ANY(hits, misses, block));
