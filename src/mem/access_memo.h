/* Remembers how the addresses of an instruction's lanes lay to each other at its latest access: no state of the
 * hardware, but time saved. In a kernel warp after warp, and turn after turn of a loop, comes to an instruction with
 * the same lanes the same distances apart. What follows from distances alone is known then: the least and the greatest
 * address, whether they are consecutive, how the scratchpad's banks serve them, since a common addend exchanges banks
 * and brings none together, and where a lane's word lies among those of all. Source of the banks' order:
 * sl_scratchpad_schedule (mem/scratchpad.h). */
#ifndef SL_MEM_ACCESS_MEMO_H
#define SL_MEM_ACCESS_MEMO_H

#include "isa/lanes.h"

enum { SL_ACCESS_MEMO_ENTRIES = 64 }; /* a power of two */

struct sl_access_memo_entry {
  _Alignas(SL_CACHE_LINE) uint32_t offset[SL_MAX_LANES]; /* beyond the lowest active lane's address; of others 0 */
  uint32_t index[SL_MAX_LANES];                          /* words beyond the least address, if they are a window */
  sl_lanes lanes;                                        /* 0: nothing is remembered */
  sl_lanes seen;                                         /* at the latest access */
  uint32_t instruction;                                  /* whose number has the access width in it */
  uint32_t low, high; /* least and greatest, as distances from the lowest active lane's, modulo 2^32 */
  uint32_t bits;      /* of all offsets */
  bool consecutive;   /* units of the instruction's width, in order of lanes */
  bool window;        /* whole words, SL_LANES_WINDOW at most from the least to the greatest */
  bool served;        /* passes and order are known, */
  uint8_t residue;    /* for addresses with this remainder by 4 */
  uint8_t passes;
  uint8_t order[SL_MAX_LANES];
};

struct sl_access_memo {
  struct sl_access_memo_entry entry[SL_ACCESS_MEMO_ENTRIES];
};

/* The entry of an instruction, which may remember another one. */
static inline struct sl_access_memo_entry *sl_access_memo_entry(struct sl_access_memo *memo, uint32_t instruction)
{
  return &memo->entry[instruction % SL_ACCESS_MEMO_ENTRIES];
}

/* Remembers the addresses of these lanes. Lanes that are not all, and differ from those of the latest access, will
 * hardly come again: they are not. Returns whether they are remembered. */
bool sl_access_memo_learn(struct sl_access_memo_entry *entry, uint32_t instruction, const uint32_t *address,
                          sl_lanes active, const struct sl_addresses *summary, unsigned lanes);

#endif
