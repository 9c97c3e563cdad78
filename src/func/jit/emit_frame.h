/* The frame of JIT code, at rbx: the warp, its memory and its limits. */
#ifndef SL_WARP_JIT_EMIT_FRAME_H
#define SL_WARP_JIT_EMIT_FRAME_H

#include <stddef.h>

#include "func/blocks/hammock.h"

enum { SL_EMIT_WIDTHS = 3 /* units of 1, 2 and 4 bytes */, SL_EMIT_LANES_MAX = 32 };

enum { SL_EMIT_LANE_0 = SL_EMIT_LANES_MAX /* index of lane 0 in tables that begin with negative lanes */ };

struct sl_jit_frame {
  /* Distance of lane l's unit from lane 0's when units are consecutive, for l from 1 - lanes. apart_active points to
   * lane 0's distance from the lowest active lane. */
  uint32_t apart[SL_EMIT_WIDTHS][2 * SL_EMIT_LANES_MAX];
  const uint32_t *apart_active[SL_EMIT_WIDTHS];
  uint32_t mask[SL_EMIT_LANES_MAX]; /* all bits set in active lanes */
  uint32_t *x;
  uint8_t *flat;
  uint8_t **pages;
  struct sl_step_lanes *lanes;
  const uint8_t *waits; /* by instruction index, not 0: a path waits there */
  int16_t *level;       /* of the running path */
  int64_t left;         /* instructions that may still execute */
  int64_t stop;         /* a backward jump with this many or fewer left ends the time slice */
  uint64_t active;
  bool mask_rows;                  /* the code reads `mask` */
  uint64_t idle;                   /* inactive lanes in instructions after branches, summed */
  struct sl_hammock hammock;       /* steps that only some lanes are executing; 0 steps: none */
  sl_lanes taken;                  /* lanes that skip those steps */
  uint32_t lowest;                 /* lowest active lane x 4: its byte offset in a register */
  uint32_t before[SL_EMIT_WIDTHS]; /* bytes from lane 0's unit to the lowest active lane's */
  uint32_t low;                    /* lowest data address */
  uint32_t rows[SL_EMIT_WIDTHS];   /* greatest offset from it of lane 0's unit */
  uint32_t single;                 /* greatest offset of a word */
  uint32_t stacks, stack_words;    /* start of the interleaved stacks; memory offset of word 0 of lane 0's first slot */
  uint32_t code_pages, code_pages_bytes; /* range of page starts whose pages contain code; 0: none */
  uint32_t code, code_bytes;             /* range of lane 0's units that may overlap code; 0: none */
};

#endif
