/* Parts of loads and stores in emitted code: what has to be known of places before they are read or written. */
#ifndef SL_WARP_EMITTED_EMIT_CHECKS_H
#define SL_WARP_EMITTED_EMIT_CHECKS_H

#include "warp/emitted/emit_block.h"

enum { SL_EMIT_ACCESS_JUMPS = 16 };

/* An access that has been written as far as it goes without a call. */
struct sl_emit_access {
  uint32_t index;
  bool some;       /* the form it is written in */
  unsigned slot;   /* of the address */
  unsigned other;  /* slot of the value */
  size_t apart[2]; /* jumps when units are no neighbours, or not all of the row is memory */
  size_t found;    /* where eax has the first byte's place in memory */
  size_t result;   /* loads: where the value is in `other` */
  size_t done;     /* behind all of it */
  unsigned jumps;  /* to the step's call */
  size_t jump[SL_EMIT_ACCESS_JUMPS];
  int16_t held[SL_EMIT_SLOTS];
  uint32_t unsaved, unsaved_done; /* slots that are to be saved before the call, and when all is done */
};

/* The step is called if the condition holds. */
void sl_emit_ask(struct sl_emitter *e, struct sl_emit_access *a, enum sl_x86_condition condition);

/* eax = rs1 of the lowest active lane, which is at the place returned. */
struct sl_x86_place sl_emit_lowest(struct sl_emitter *e, const struct sl_insn *in);

/* eax is a multiple of the width. */
void sl_emit_aligned(struct sl_emitter *e, struct sl_emit_access *a, unsigned width);

/* The pages of the units from eax on, up to `bytes` behind, have been touched. */
void sl_emit_touched(struct sl_emitter *e, struct sl_emit_access *a, uint32_t bytes);

/* None of the units from eax on is code. */
void sl_emit_no_code(struct sl_emitter *e, struct sl_emit_access *a);

/* Words of a vector are signed: addresses with the sign turned are offsets from the byte in the middle of memory. */
#define SL_EMIT_SIGN (UINT32_C(1) << 31)

/* rdx = that byte's place. */
void sl_emit_base_of_signed(struct sl_x86 *x);

#endif
