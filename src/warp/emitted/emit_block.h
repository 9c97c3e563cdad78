/* One block of a warp's code, written as machine code: steps (warp/blocks/steps.h) that follow each other, and the
 * branch or jump behind them.
 *
 * Values and addresses of the usual shapes are computed here. Whatever a step does beside that it is called for, and
 * what it does not do either is left: the block returns the number of the first instruction it has not executed, and
 * everything is as if the instructions before had been executed one by one. */
#ifndef SL_WARP_EMITTED_EMIT_BLOCK_H
#define SL_WARP_EMITTED_EMIT_BLOCK_H

#include "warp/blocks/stretches.h"
#include "warp/emitted/emit_rows.h"

enum { SL_EMIT_STEPS_MAX = 24 };

/* In what the code returns beside the number of the next instruction: the turn is over. */
#define SL_EMIT_OVER (UINT32_C(1) << 31)

/* Where numbers of instructions have to become places in the code: a jump that is written, and where it goes. */
struct sl_emit_link {
  size_t jump;
  uint32_t index;
};

enum { SL_EMIT_LINKS = 1024 };

/* What blocks are made of and for. */
struct sl_emitter {
  struct sl_emit_rows c;
  const struct sl_code *code;
  struct sl_stretches *steps;
  const uint8_t *leader; /* by number of instruction: jumped to, or behind a jump */
  unsigned slot_shift;   /* of interleaved stacks */
  int level_max;         /* marks of convergence change levels from 0 to this; 0: they do nothing; -1: not for here */
  bool calls;            /* jumps that write a link are like others */
  bool hammocks;         /* lanes that part for a few steps are for here */
  bool own_stacks;       /* interleaved: the same word of all lanes is a row */
  bool filled;           /* memory is not what it reads before it has been touched */
  size_t leave;          /* code that returns eax */
  unsigned links;
  struct sl_emit_link link[SL_EMIT_LINKS];
};

/* The code around: saves registers, sets those of emit_rows.h from the frame in rdi and goes to rsi; and `leave`. */
void sl_emit_frame(struct sl_emitter *e);

/* Writes the block that begins there; `entry`: where it is in the code. Returns how many instructions it has; 0: none
 * can be executed here. Links to others are added. */
uint32_t sl_emit_block(struct sl_emitter *e, uint32_t index, size_t *entry);

/* Stands for a block that there is none of. */
void sl_emit_stop(struct sl_emitter *e, uint32_t index);

#endif
