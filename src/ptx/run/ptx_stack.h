/* The SIMT stack of a warp: which lanes run, and where lanes that went apart meet again.
 *
 * An entry is {pc, mask, reconvergence pc}. A branch whose lanes disagree turns the top into the entry for after the
 * reconvergence (unless it already reconverges there), and pushes the lanes that fall through, then those that take the
 * branch: the taken side runs first. A side that starts at the reconvergence pc is not pushed. An entry that arrives at
 * its reconvergence pc is popped. Lanes that exit leave all entries. A call pushes an entry that its return pops. (The
 * rules of GPGPU-Sim's post-dominator stack, read off its behaviour.) Functional and timed runs share it. */
#ifndef SL_PTX_RUN_PTX_STACK_H
#define SL_PTX_RUN_PTX_STACK_H

#include "base/types.h"

enum { SL_PTX_STACK_DEPTH = 128 };

struct sl_ptx_stack_entry {
  uint32_t pc, mask, reconvergence;
  uint32_t call; /* the entry is of a called function */
};

struct sl_ptx_stack {
  uint32_t depth; /* 0: all lanes have exited */
  struct sl_ptx_stack_entry entries[SL_PTX_STACK_DEPTH];
};

/* Starts with the lanes of `mask` at `pc`. */
void sl_ptx_stack_init(struct sl_ptx_stack *s, uint32_t pc, uint32_t mask);

/* The lanes that run next, 0 when all have exited, and where. */
static inline uint32_t sl_ptx_stack_mask(const struct sl_ptx_stack *s)
{
  return s->depth ? s->entries[s->depth - 1].mask : 0;
}
static inline uint32_t sl_ptx_stack_pc(const struct sl_ptx_stack *s)
{
  return s->entries[s->depth - 1].pc;
}

/* The top goes on at `pc`. */
void sl_ptx_stack_advance(struct sl_ptx_stack *s, uint32_t pc);

/* The lanes `taken` of the top go to `target`, the others to the next instruction. False if the stack is full. */
bool sl_ptx_stack_branch(struct sl_ptx_stack *s, uint32_t taken, uint32_t target, uint32_t reconvergence);

/* The lanes leave, the others of the top go on with the next instruction. */
void sl_ptx_stack_exit(struct sl_ptx_stack *s, uint32_t lanes);

/* All lanes of the top call the function at `target`, and return together. False if the stack is full. */
bool sl_ptx_stack_call(struct sl_ptx_stack *s, uint32_t target);

/* The lanes return; when the last of the called function has, the caller goes on. */
void sl_ptx_stack_return(struct sl_ptx_stack *s, uint32_t lanes);

#endif
