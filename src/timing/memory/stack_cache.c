#include "timing/memory/stack_cache.h"

#include <string.h>

#include "base/schema.h"

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
