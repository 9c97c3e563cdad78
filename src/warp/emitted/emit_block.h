/* One block of a warp's code, written as machine code: steps (warp/blocks/steps.h) that follow each other, and the
 * branch or jump behind them.
 *
 * Values and addresses of the usual shapes are computed here. Whatever a step does beside that it is called for, and
 * what it does not do either is left: the block returns the number of the first instruction it has not executed, and
 * everything is as if the instructions before had been executed one by one. */
#ifndef SL_WARP_EMITTED_EMIT_BLOCK_H
#define SL_WARP_EMITTED_EMIT_BLOCK_H

#include "warp/blocks/stretches.h"
#include "warp/emitted/emit_lanes.h"

enum { SL_EMIT_WIDTHS = 3 /* units of 1, 2 and 4 bytes */, SL_EMIT_LANES_MAX = 32, SL_EMIT_STEPS_MAX = 24 };

/* In what the code returns beside the number of the next instruction: the turn is over. */
#define SL_EMIT_OVER (UINT32_C(1) << 31)

enum { SL_EMIT_LANE_0 = SL_EMIT_LANES_MAX /* place in tables that begin with lanes below */ };

/* What emitted code finds at rbx: the warp, its memory, and what it may do. */
struct sl_emitted_frame {
  /* How far lane l's unit is from lane 0's when units follow each other, for l from 1 - lanes on; where lane 0's
   * distance from the lowest active lane's is. */
  uint32_t apart[SL_EMIT_WIDTHS][2 * SL_EMIT_LANES_MAX];
  const uint32_t *apart_active[SL_EMIT_WIDTHS];
  uint32_t *x;
  uint8_t *flat;
  uint8_t **pages;
  const struct sl_step_lanes *lanes;
  const uint8_t *waits; /* by number of instruction, not 0: a path waits there */
  int16_t *level;       /* of the path that runs */
  int64_t left;         /* instructions that may be executed */
  int64_t stop;         /* with so many or fewer left a jump backwards ends the warp's turn */
  uint64_t active;
  uint32_t lowest;                       /* active lane x 4: where it is in a register */
  uint32_t before[SL_EMIT_WIDTHS];       /* bytes from lane 0's unit to the lowest active lane's */
  uint32_t low;                          /* where data begins */
  uint32_t rows[SL_EMIT_WIDTHS];         /* greatest distance from there of lane 0's unit */
  uint32_t single;                       /* and of a word */
  uint32_t stacks, stack_words;          /* own stacks begin here; word 0 of lane 0 of the first slot in memory */
  uint32_t code_pages, code_pages_bytes; /* pages that begin there have code; 0: none has */
  uint32_t code, code_bytes;             /* lane 0's units there may be in code; 0: nothing is */
};

/* Where numbers of instructions have to become places in the code: a jump that is written, and where it goes. */
struct sl_emit_link {
  size_t jump;
  uint32_t index;
};

enum { SL_EMIT_LINKS = 1024 };

/* What blocks are made of and for. */
struct sl_emitter {
  struct sl_emit_lanes c;
  const struct sl_code *code;
  struct sl_stretches *steps;
  const uint8_t *leader; /* by number of instruction: jumped to, or behind a jump */
  unsigned slot_shift;   /* of interleaved stacks */
  int level_max;         /* marks of convergence change levels from 0 to this; 0: they do nothing; -1: not for here */
  bool calls;            /* jumps that write a link are like others */
  bool own_stacks;       /* interleaved: the same word of all lanes is a row */
  bool filled;           /* memory is not what it reads before it has been touched */
  size_t leave;          /* code that returns eax */
  unsigned links;
  struct sl_emit_link link[SL_EMIT_LINKS];
};

/* The code around: saves registers, sets those of emit_lanes.h from the frame in rdi and goes to rsi; and `leave`. */
void sl_emit_frame(struct sl_emitter *e);

/* Writes the block that begins there; `entry`: where it is in the code. Returns how many instructions it has; 0: none
 * can be executed here. Links to others are added. */
uint32_t sl_emit_block(struct sl_emitter *e, uint32_t index, size_t *entry);

/* Stands for a block that there is none of. */
void sl_emit_stop(struct sl_emitter *e, uint32_t index);

#endif
