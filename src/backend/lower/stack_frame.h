/* Where things are in the frame of a function, from the top, the stack pointer at entry, downwards: arguments of a
 * variadic function that came in registers, saved registers (ra first), spilled ones, objects, arguments of calls.
 * (RISC-V ELF psABI, ilp32: 16 bytes aligned; a frame pointer holds the stack pointer at entry.) */
#ifndef SL_BACKEND_STACK_FRAME_H
#define SL_BACKEND_STACK_FRAME_H

#include "backend/allocate/allocate.h"

struct sl_stack_frame {
  const struct sl_lir *lir;
  uint32_t size;      /* by which the stack pointer goes down */
  uint32_t alignment; /* of the stack pointer, if more than 16, otherwise 0 */
  uint32_t variadic;  /* bytes at the top */
  uint32_t slots, saved;
  uint32_t *object; /* of each, from the stack pointer that the function works with */
};

/* Of an allocated function. SL_USAGE: it is too large. */
enum sl_status sl_stack_frame_init(struct sl_stack_frame *frame, const struct sl_lir *lir,
                                   const struct sl_allocation_facts *facts, struct sl_error *err);
void sl_stack_frame_free(struct sl_stack_frame *frame);

/* What to add to the register by which an object is addressed. */
int32_t sl_object_offset(const struct sl_stack_frame *frame, enum sl_lir_place place, uint32_t object);

/* The same for a slot, by its number in the function; framed: by the frame pointer, otherwise by the stack pointer. */
int32_t sl_slot_offset(const struct sl_stack_frame *frame, uint32_t slot, bool framed);

#endif
