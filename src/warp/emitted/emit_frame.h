/* What emitted code finds at rbx: the warp, its memory, and what it may do. */
#ifndef SL_WARP_EMITTED_EMIT_FRAME_H
#define SL_WARP_EMITTED_EMIT_FRAME_H

#include <stddef.h>

#include "warp/blocks/hammock.h"

enum { SL_EMIT_WIDTHS = 3 /* units of 1, 2 and 4 bytes */, SL_EMIT_LANES_MAX = 32 };

enum { SL_EMIT_LANE_0 = SL_EMIT_LANES_MAX /* place in tables that begin with lanes below */ };

struct sl_emitted_frame {
  /* How far lane l's unit is from lane 0's when units follow each other, for l from 1 - lanes on; where lane 0's
   * distance from the lowest active lane's is. */
  uint32_t apart[SL_EMIT_WIDTHS][2 * SL_EMIT_LANES_MAX];
  const uint32_t *apart_active[SL_EMIT_WIDTHS];
  uint32_t mask[SL_EMIT_LANES_MAX]; /* all bits of active lanes */
  uint32_t *x;
  uint8_t *flat;
  uint8_t **pages;
  struct sl_step_lanes *lanes;
  const uint8_t *waits; /* by number of instruction, not 0: a path waits there */
  int16_t *level;       /* of the path that runs */
  int64_t left;         /* instructions that may be executed */
  int64_t stop;         /* with so many or fewer left a jump backwards ends the warp's turn */
  uint64_t active;
  bool mask_rows;                        /* code reads `mask` */
  uint64_t idle;                         /* lanes that were not active in instructions behind branches */
  struct sl_hammock hammock;             /* steps that only some lanes are executing; 0: they are not */
  sl_lanes taken;                        /* those that are not */
  uint32_t lowest;                       /* active lane x 4: where it is in a register */
  uint32_t before[SL_EMIT_WIDTHS];       /* bytes from lane 0's unit to the lowest active lane's */
  uint32_t low;                          /* where data begins */
  uint32_t rows[SL_EMIT_WIDTHS];         /* greatest distance from there of lane 0's unit */
  uint32_t single;                       /* and of a word */
  uint32_t stacks, stack_words;          /* own stacks begin here; word 0 of lane 0 of the first slot in memory */
  uint32_t code_pages, code_pages_bytes; /* pages that begin there have code; 0: none has */
  uint32_t code, code_bytes;             /* lane 0's units there may be in code; 0: nothing is */
};

#endif
