/* A request on the memory path: a warp's vector of lane accesses. Answers are struct sl_response. */
#ifndef SL_MEM_REQUEST_H
#define SL_MEM_REQUEST_H

#include "base/types.h"

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

/* Words that the scratchpad's banks access for these lanes: one per lane, or one for a load of one address. */
static inline uint16_t sl_scratchpad_words(const struct sl_request *r, sl_lanes lanes)
{
  return r->access == SL_ACCESS_LOAD && r->pattern == SL_PATTERN_SAME ? 1 : (uint16_t)sl_count(lanes);
}

const struct sl_schema *sl_request_schema(void);

#endif
