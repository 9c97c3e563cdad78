/* Caches the per-lane address pattern of each memory instruction. This is a host-side speed-up, not hardware state.
 *
 * In a kernel, consecutive warps and loop iterations often execute a memory instruction with the same active lanes and
 * the same distances between their addresses. The distances alone determine the least and the greatest address, whether
 * the addresses are consecutive, the order in which the scratchpad's banks serve them, and the position of each lane's
 * word in the accessed window. The bank order depends only on distances because a common addend permutes the banks.
 * Source of the bank order: sl_scratchpad_schedule (timing/memory/scratchpad.h). */
#ifndef SL_MEM_ACCESS_MEMO_H
#define SL_MEM_ACCESS_MEMO_H

#include "isa/lanes.h"

enum { SL_ACCESS_MEMO_ENTRIES = 64 }; /* a power of two */

struct sl_access_memo_entry {
  _Alignas(SL_CACHE_LINE)
      uint32_t offset[SL_MAX_LANES]; /* distance from the lowest active lane's address; 0 for inactive lanes */
  uint32_t index[SL_MAX_LANES];      /* distance in words from the least address, if the addresses form a window */
  sl_lanes lanes;                    /* 0: the entry is empty */
  sl_lanes seen;                     /* active lanes of the latest access */
  uint32_t instruction;              /* instruction number; it includes the access width */
  uint32_t low, high; /* least and greatest distance from the lowest active lane's address, modulo 2^32 */
  uint32_t bits;      /* bitwise OR of all offsets */
  bool consecutive;   /* units of the instruction's width, in lane order */
  bool window;        /* whole words that span at most SL_LANES_WINDOW */
  bool served;        /* passes and order are known */
  uint8_t residue;    /* address modulo 4 to which they apply */
  uint8_t passes;
  uint8_t order[SL_MAX_LANES];
};

struct sl_access_memo {
  struct sl_access_memo_entry entry[SL_ACCESS_MEMO_ENTRIES];
};

/* Returns the entry for an instruction. The entry may hold another instruction's pattern. */
static inline struct sl_access_memo_entry *sl_access_memo_entry(struct sl_access_memo *memo, uint32_t instruction)
{
  return &memo->entry[instruction % SL_ACCESS_MEMO_ENTRIES];
}

/* Stores the pattern of these addresses and returns true. A partial set of lanes that differs from that of the latest
 * access is unlikely to recur; it is not stored. */
bool sl_access_memo_learn(struct sl_access_memo_entry *entry, uint32_t instruction, const uint32_t *address,
                          sl_lanes active, const struct sl_addresses *summary, unsigned lanes);

#endif
