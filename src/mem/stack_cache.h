/* The compressed stack cache: a direct-mapped table of compressed vectors in the coalescing unit.
 *
 * It holds stores of compressed (uniform or affine) vectors of whole words to the stacks, a block of lanes x 4 bytes
 * each: compilers spill registers there. Looked up in stage 3 of the coalescing unit, acted on in stage 4. A store that
 * can be held goes in without traffic, unless it replaces another block's vector, which is then written out in the same
 * pass. A store that cannot be held and finds its block here takes an extra pass, in which the vector is written out
 * and forgotten, and the pipeline stalls. A load that finds its block is answered in order, without traffic; one that
 * does not is not cached. Nothing is flushed by a fence or a kernel's end. (Paper, section III-B, compressed stack
 * cache; "SV store buffer" in the published RTL.) Values are in the memory image at all times: this is its timing. */
#ifndef SL_MEM_STACK_CACHE_H
#define SL_MEM_STACK_CACHE_H

#include "base/types.h"

enum { SL_STACK_CACHE_MAX = 8192 };

struct sl_stack_cache {
  unsigned entries;                   /* power of two, 0 = there is none */
  unsigned block_bits;                /* log2 of the bytes of a block */
  uint32_t stack_base;                /* stacks reach from here to the end of the address space */
  uint64_t hits, misses;              /* of loads from the stacks, per pass */
  uint32_t block[SL_STACK_CACHE_MAX]; /* number of the block held, 0 for none: block 0 is no stack */
};

/* What a pass of the coalescing unit does to DRAM. */
enum sl_stack_cache_action {
  SL_STACK_CACHE_PASS,       /* goes to DRAM as if there were no cache */
  SL_STACK_CACHE_HELD,       /* a store: held, nothing goes to DRAM */
  SL_STACK_CACHE_REPLACED,   /* a store: held; the vector it replaces is written out */
  SL_STACK_CACHE_WRITE_BACK, /* a store that is not held: first, in a pass of its own, the block is written out */
  SL_STACK_CACHE_ANSWERED    /* a load: answered from here */
};

void sl_stack_cache_init(struct sl_stack_cache *c, unsigned entries, unsigned block_bits, uint32_t stack_base);

/* A load's pass whose leader is at `address`. */
enum sl_stack_cache_action sl_stack_cache_load(struct sl_stack_cache *c, uint32_t address);

/* A store's pass; `compressed`: it writes a compressed vector, all lanes, whole words, one block. */
enum sl_stack_cache_action sl_stack_cache_store(struct sl_stack_cache *c, uint32_t address, bool compressed);

#endif
