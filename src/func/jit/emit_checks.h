/* Address checks of loads and stores in JIT code. */
#ifndef SL_WARP_JIT_EMIT_CHECKS_H
#define SL_WARP_JIT_EMIT_CHECKS_H

#include "func/jit/emit_block.h"

enum { SL_EMIT_ACCESS_JUMPS = 16 };

/* A load or store that is being emitted; all but its call of the step is done. */
struct sl_emit_access {
  uint32_t index;
  bool some;       /* compiled for a subset of active lanes */
  unsigned slot;   /* slot of the address */
  unsigned other;  /* slot of the value */
  size_t apart[2]; /* jumps for units that are not consecutive, or a row that is not all in memory */
  size_t found;    /* code that expects the first byte's offset in memory in eax */
  size_t result;   /* loads: code that expects the value in `other` */
  size_t done;     /* end of the access */
  unsigned jumps;  /* number of jumps to the step's call */
  size_t jump[SL_EMIT_ACCESS_JUMPS];
  int16_t held[SL_EMIT_SLOTS];
  uint32_t unsaved, unsaved_done; /* unsaved slots before the call, and at the end */
};

/* Emits: call the step if the condition holds. */
void sl_emit_ask(struct sl_emitter *e, struct sl_emit_access *a, enum sl_x86_condition condition);

/* Emits: eax = rs1 of the lowest active lane. Returns the place of that value. */
struct sl_x86_place sl_emit_lowest(struct sl_emitter *e, const struct sl_insn *in);

/* Emits a check that eax is a multiple of the width. */
void sl_emit_aligned(struct sl_emitter *e, struct sl_emit_access *a, unsigned width);

/* Emits a check that the pages of the units from eax to eax + `bytes` have been touched. */
void sl_emit_touched(struct sl_emitter *e, struct sl_emit_access *a, uint32_t bytes);

/* Emits a check that no unit from eax on is code. */
void sl_emit_no_code(struct sl_emitter *e, struct sl_emit_access *a);

/* Vector words are signed. An address with its sign bit flipped is an offset from the middle of memory. */
#define SL_EMIT_SIGN (UINT32_C(1) << 31)

/* Emits: rdx = host address of the middle of memory. */
void sl_emit_base_of_signed(struct sl_x86 *x);

#endif
