/* JIT compilation of one block: consecutive steps (func/blocks/steps.h) and the branch or jump after them.
 *
 * The code computes common values and addresses inline. It calls the step for everything else that a step can do. If
 * the step cannot execute an instruction, the block returns that instruction's index; all earlier instructions have
 * then executed exactly as one by one. */
#ifndef SL_WARP_JIT_EMIT_BLOCK_H
#define SL_WARP_JIT_EMIT_BLOCK_H

#include "func/blocks/basic_blocks.h"
#include "func/jit/emit_rows.h"

enum { SL_EMIT_STEPS_MAX = 24 };

/* Flag in the returned index of the next instruction: the time slice is over. */
#define SL_EMIT_OVER (UINT32_C(1) << 31)

/* A jump in the code whose target instruction has no code address yet. */
struct sl_emit_link {
  size_t jump;
  uint32_t index;
};

enum { SL_EMIT_LINKS = 1024 };

/* The state of the JIT compiler. */
struct sl_emitter {
  struct sl_emit_rows c;
  const struct sl_code *code;
  struct sl_basic_blocks *steps;
  const uint8_t *leader; /* by instruction index: it is a jump target or follows a jump */
  unsigned slot_shift;   /* interleaved stacks: log2 of a slot's bytes */
  int level_max;         /* annotations change levels from 0 to this; 0: no effect; -1: unsupported */
  bool calls;            /* jumps that write a link are ordinary jumps */
  bool hammocks;         /* the code may if-convert hammocks */
  bool own_stacks;       /* interleaved stacks: the same word of all lanes is a row */
  bool filled;           /* untouched memory differs from what it reads as */
  size_t leave;          /* offset of the code that returns eax */
  unsigned links;
  struct sl_emit_link link[SL_EMIT_LINKS];
};

/* Emits the prologue and `leave`. The prologue saves registers, loads those of emit_rows.h from the frame in rdi, and
 * jumps to rsi. */
void sl_emit_frame(struct sl_emitter *e);

/* Emits the block at `index` and sets *entry to its offset. Returns its number of instructions, 0 if the JIT cannot
 * execute the first one. Adds links to other blocks. */
uint32_t sl_emit_block(struct sl_emitter *e, uint32_t index, size_t *entry);

/* Emits a stub for a target that has no block. */
void sl_emit_stop(struct sl_emitter *e, uint32_t index);

#endif
