/* SIMT stacks in checkpoints. */
#ifndef SL_PTX_RUN_PTX_STACK_TAPE_H
#define SL_PTX_RUN_PTX_STACK_TAPE_H

#include "base/state_tape.h"
#include "ptx/run/ptx_stack.h"

void sl_ptx_stack_tape(struct sl_tape *tape, struct sl_ptx_stack *stack);

/* Whether a stack that has been read can be that of a warp of these lanes: `can_be` says so of the places that they may
 * come to. An entry may be nowhere as long as all its lanes have to end or to return before. */
bool sl_ptx_stack_sound(const struct sl_ptx_stack *stack, uint32_t lanes,
                        bool (*can_be)(const void *context, uint32_t pc), const void *context);

#endif
