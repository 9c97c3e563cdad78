/* A request on the memory path: a warp's vector of lane accesses. Answers are struct sl_response. */
#ifndef SL_MEM_REQUEST_H
#define SL_MEM_REQUEST_H

#include "base/types.h"
#include "isa/host_level.h"
#include "isa/lanes.h"

/* Caches the per-lane address pattern of each memory instruction. This is a host-side speed-up, not hardware state.
 *
 * In a kernel, consecutive warps and loop iterations often execute a memory instruction with the same active lanes and
 * the same distances between their addresses. The distances alone determine the least and the greatest address, whether
 * the addresses are consecutive, the order in which the scratchpad's banks serve them, and the position of each lane's
 * word in the accessed window. The bank order depends only on distances because a common addend permutes the banks.
 * Source of the bank order: sl_scratchpad_schedule (timing/memory/scratchpad.h). */

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

enum sl_access { SL_ACCESS_LOAD, SL_ACCESS_STORE, SL_ACCESS_ATOMIC, SL_ACCESS_FENCE };

#define SL_NO_INSTRUCTION UINT32_MAX

/* How the addresses of a request relate. It is computed once, when the request is made. */
enum sl_pattern {
  SL_PATTERN_ANY,
  SL_PATTERN_SAME, /* one address for all lanes */
  SL_PATTERN_BLOCK /* lane-aligned units of the access width, all in one block of that many lanes */
};

/* What one pass of the coalescing unit serves. */
struct sl_selection {
  sl_lanes lanes;
  unsigned beats;
  bool scratchpad;
  bool whole_block; /* one word for each lane of the warp: one block */
};

struct sl_request {
  _Alignas(SL_CACHE_LINE) uint32_t address[SL_MAX_LANES]; /* as in memory, after stack interleaving */
  sl_lanes pending;                                       /* lanes not yet served */
  sl_lanes scratchpad;                                    /* active lanes that address the scratchpad */
  uint8_t warp;
  uint8_t rd;
  uint8_t width;             /* bytes per lane */
  uint8_t scratchpad_passes; /* cycles the banks need for the scratchpad lanes */
  enum sl_access access;
  enum sl_pattern pattern;
  uint32_t instruction;     /* for profiles: index of the instruction, or SL_NO_INSTRUCTION */
  bool responds;            /* lanes wait for an answer */
  bool compressed;          /* a store of a vector that is compressed in the register file */
  struct sl_selection pass; /* the next pass, once it has been chosen */
};

/* Whether the scratchpad's banks access one word for all lanes of a request: a load of one address. */
static inline bool sl_scratchpad_one_word(const struct sl_request *r)
{
  return r->access == SL_ACCESS_LOAD && r->pattern == SL_PATTERN_SAME;
}

/* Words that they access for these lanes: that one, or one per lane. */
static inline uint16_t sl_scratchpad_words(const struct sl_request *r, sl_lanes lanes)
{
  return sl_scratchpad_one_word(r) ? 1 : (uint16_t)sl_count(lanes);
}

const struct sl_schema *sl_request_schema(void);

#endif
