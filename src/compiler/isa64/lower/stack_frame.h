/* Layout of a function's stack frame, from the top (the stack pointer at entry) downwards: register arguments of a
 * variadic function, saved registers (ra first), spilled registers, objects, outgoing arguments. (RISC-V ELF psABI,
 * ilp32: aligned to 16 bytes; a frame pointer holds the stack pointer at entry.) */
#ifndef SL_BACKEND_STACK_FRAME_H
#define SL_BACKEND_STACK_FRAME_H

#include "compiler/isa64/allocate/allocate.h"

struct sl_stack_frame {
  const struct sl_lir *lir;
  uint32_t size;      /* amount by which the stack pointer is lowered */
  uint32_t alignment; /* of the stack pointer if above 16, otherwise 0 */
  uint32_t variadic;  /* bytes at the top */
  uint32_t slots, saved;
  uint32_t *object; /* per object, relative to the stack pointer after the prologue */
};

/* Computes the frame of an allocated function. SL_USAGE: it is too large. */
enum sl_status sl_stack_frame_init(struct sl_stack_frame *frame, const struct sl_lir *lir,
                                   const struct sl_allocation_facts *facts, struct sl_error *err);
void sl_stack_frame_free(struct sl_stack_frame *frame);

/* Returns the offset of an object from its base register. */
int32_t sl_object_offset(const struct sl_stack_frame *frame, enum sl_lir_place place, uint32_t object);

/* Returns the offset of a slot, by its number in the function; framed: from the frame pointer, otherwise from the stack
 * pointer. */
int32_t sl_slot_offset(const struct sl_stack_frame *frame, uint32_t slot, bool framed);

#endif
