/* Checkpoints of SIMT stacks. */
#ifndef SL_PTX_RUN_PTX_STACK_ARCHIVE_H
#define SL_PTX_RUN_PTX_STACK_ARCHIVE_H

#include "base/state_archive.h"
#include "ptx/run/ptx_stack.h"

void sl_ptx_stack_archive(struct sl_archive *archive, struct sl_ptx_stack *stack);

/* Validates a restored stack of a warp with these lanes; `can_be` checks each pc that they can reach. An entry may have
 * no pc if all its lanes must end or return before they reach it. */
bool sl_ptx_stack_valid(const struct sl_ptx_stack *stack, uint32_t lanes,
                        bool (*can_be)(const void *context, uint32_t pc), const void *context);

#endif
