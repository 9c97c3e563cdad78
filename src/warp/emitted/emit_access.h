/* Loads and stores in emitted code: of neighbouring units, of one unit for all lanes, of the word of each lane's own
 * stack, and of words
 * anywhere. Addresses that are surely good are those a step knows (warp/blocks/step_lanes.c); all others are left to
 * it. */
#ifndef SL_WARP_EMITTED_EMIT_ACCESS_H
#define SL_WARP_EMITTED_EMIT_ACCESS_H

#include "warp/emitted/emit_block.h"

enum { SL_EMIT_ACCESS_JUMPS = 16 };

/* An access that has been written as far as it goes without a call. */
struct sl_emit_access {
  uint32_t index;
  unsigned slot;   /* of the address */
  unsigned other;  /* slot of the value */
  size_t apart[2]; /* jumps when units are no neighbours, or not all of the row is memory */
  size_t found;    /* where eax has the first byte's place in memory */
  size_t result;   /* loads: where the value is in `other` */
  size_t done;     /* behind all of it */
  unsigned jumps;  /* to the step's call */
  size_t jump[SL_EMIT_ACCESS_JUMPS];
  int16_t held[SL_EMIT_SLOTS];
};

/* Whether there is code for a load or store. */
bool sl_emit_accesses(const struct sl_emitter *e, const struct sl_insn *in);

void sl_emit_access(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

/* What is written behind the block: one unit for all, and own stacks. Those that remain jump to where the step is
 * called, which is told with sl_x86_land(). */
void sl_emit_access_others(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

#endif
