/* The compressed stack cache of SIMTight: a direct-mapped table of compressed vectors in the coalescing unit.
 *
 * It holds stores of compressed (uniform or affine) whole-word vectors to the stacks, where compilers spill registers.
 * Each entry covers a block of lanes x 4 bytes. Stage 3 of the coalescing unit looks it up; stage 4 acts. A compressed
 * store enters without DRAM traffic, unless it replaces another block's vector. The same pass writes the replaced
 * vector out. An uncompressed store that hits takes an extra pass, which writes the vector out and invalidates the
 * entry; the pipeline stalls. A load that hits is answered in order, without traffic. A load that misses is not cached.
 * Fences and kernel ends flush nothing.
 *
 * The memory image always holds the values; this models the timing only. Source: SIMTight paper, section III-B,
 * compressed stack cache; "SV store buffer" in the published RTL. */
#ifndef SL_MEM_STACK_CACHE_H
#define SL_MEM_STACK_CACHE_H

#include "base/types.h"

enum { SL_STACK_CACHE_MAX = 8192 };

struct sl_stack_cache {
  unsigned entries;                   /* power of two; 0: no stack cache */
  unsigned block_bits;                /* log2 of the bytes of a block */
  uint32_t stack_base;                /* first address of the stacks, which extend to the end of the address space */
  uint64_t hits, misses;              /* of stack loads, per pass */
  uint32_t block[SL_STACK_CACHE_MAX]; /* number of the held block; 0: none (block 0 is not in a stack) */
};

/* The effect of a pass on DRAM. */
enum sl_stack_cache_action {
  SL_STACK_CACHE_PASS,       /* goes to DRAM as without a cache */
  SL_STACK_CACHE_HELD,       /* a store: held, no DRAM traffic */
  SL_STACK_CACHE_REPLACED,   /* a store: held; the replaced vector is written out */
  SL_STACK_CACHE_WRITE_BACK, /* a store that is not held: an extra pass writes the block out first */
  SL_STACK_CACHE_ANSWERED    /* a load: answered by the cache */
};

void sl_stack_cache_init(struct sl_stack_cache *c, unsigned entries, unsigned block_bits, uint32_t stack_base);

/* Looks up a load's pass. `address` is the leader's. */
enum sl_stack_cache_action sl_stack_cache_load(struct sl_stack_cache *c, uint32_t address);

/* Looks up a store's pass. compressed: the pass writes a compressed vector of all lanes, whole words, one block. */
enum sl_stack_cache_action sl_stack_cache_store(struct sl_stack_cache *c, uint32_t address, bool compressed);

const struct sl_schema *sl_stack_cache_schema(void);

#endif
