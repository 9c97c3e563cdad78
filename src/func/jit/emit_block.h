/* JIT compilation of one block: consecutive steps (func/blocks/basic_blocks.h) and the branch or jump after them.
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

/* Address checks of loads and stores in JIT code. */

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

/* Loads and stores in JIT code. The code handles consecutive units, one unit for all lanes, each lane's word on its own
 * interleaved stack, and arbitrary words. It accepts the addresses that a step accepts (func/blocks/step_lanes.c) and
 * calls the step for all others. */

/* Returns true if the JIT has code for this load or store. */
bool sl_emit_accesses(const struct sl_emitter *e, const struct sl_insn *in);

void sl_emit_access(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

/* Emits the out-of-line code: one unit for all lanes, own stacks, and arbitrary words. All other accesses jump to the
 * call of the step; the caller sets these jumps with sl_x86_land(). */
void sl_emit_access_others(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

/* Run-time calls of JIT code at hammocks (hammock.h), when the lanes disagree on the branch. The code of the steps
 * follows there, compiled for a subset of lanes. */

/* Set the active lanes of the code and the values derived from them; sl_jit_activate_others is the general case. */
void sl_jit_activate_others(struct sl_jit_frame *f, sl_lanes active);

static inline void sl_jit_activate(struct sl_jit_frame *f, sl_lanes active)
{
  if (f->active != active)
    sl_jit_activate_others(f, active);
}

/* Encodes a hammock without its branch as an integer. */
uint32_t sl_jit_shape(const struct sl_hammock *h);

/* Activates the lanes that do not take the branch. Returns false if they cannot execute the steps alone. */
bool sl_jit_part(struct sl_jit_frame *f, uint32_t taken, uint32_t branch, uint32_t shape);

/* Activates all lanes again: after all steps, or outside the code after `done` steps. */
void sl_jit_join(struct sl_jit_frame *f);
void sl_jit_join_after(struct sl_jit_frame *f, uint32_t done);

/* JIT code for computations and branch conditions, as row operations (emit_rows.h). The semantics column of
 * isa/rv32.def defines them; floating point has no flags (isa/semantics.h). */

/* Emits: rd = value, on the active lanes. */
void sl_emit_number(struct sl_emit_rows *c, unsigned rd, uint32_t value);

/* Emits an instruction that computes a value; rd is not x0. Returns false if the JIT has no code for it; then it has
 * emitted nothing. */
bool sl_emit_value(struct sl_emit_rows *c, const struct sl_insn *in, uint32_t pc);

/* Emits: eax = the active lanes that take the branch. Returns false as above. */
bool sl_emit_condition(struct sl_emit_rows *c, const struct sl_insn *in);

#endif
