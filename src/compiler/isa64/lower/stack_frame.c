#include "compiler/isa64/lower/stack_frame.h"

#include "compiler/isa64/grow.h"

enum { ALIGNMENT = 16, WORD = 4, MOST = 1 << 30 };

/* LLVM reaches objects from registers that hold the address of another one when the offset from the stack pointer may
 * not fit 12 bits. It does so in no local frame as small as this one. */
enum { REACHED_DIRECTLY = 1024 };

static uint64_t aligned(uint64_t value, uint64_t alignment)
{
  return (value + alignment - 1) / alignment * alignment;
}

/* Gives each object its place above `bottom`; the place behind them. Distances between the objects of a local frame are
 * those that instructions know. */
static uint64_t place_objects(struct sl_stack_frame *frame, uint64_t bottom, uint32_t alignment)
{
  const struct sl_mir_function *f = frame->lir->source;
  const bool local = f->local_size > REACHED_DIRECTLY;
  if (local)
    bottom = aligned(bottom + f->local_size, alignment);
  const uint64_t top = bottom;
  for (size_t i = 0; i < f->stack_count; i++) {
    const struct sl_mir_object *object = &f->stack[i];
    if (object->kind == SL_MIR_DYNAMIC_OBJECT)
      continue;
    if (local && object->local < 0) {
      frame->object[i] = (uint32_t)(top - (uint32_t)-object->local);
      continue;
    }
    bottom = aligned(bottom, object->alignment);
    frame->object[i] = (uint32_t)bottom;
    bottom += object->size;
  }
  return bottom;
}

enum sl_status sl_stack_frame_init(struct sl_stack_frame *frame, const struct sl_lir *lir,
                                   const struct sl_allocation_facts *facts, struct sl_error *err)
{
  const struct sl_mir_function *f = lir->source;
  *frame = (struct sl_stack_frame){.lir = lir, .slots = facts->slots, .saved = facts->saved};
  frame->object = sl_zeroed(f->stack_count, sizeof *frame->object);
  if (frame->object == NULL)
    return sl_no_memory(err, f->stack_count * sizeof *frame->object);
  uint32_t alignment = ALIGNMENT;
  uint64_t bottom = lir->dynamic ? 0 : aligned(lir->outgoing, ALIGNMENT);
  for (size_t i = 0; i < f->stack_count; i++)
    alignment = f->stack[i].alignment > alignment ? f->stack[i].alignment : alignment;
  bottom = place_objects(frame, bottom, alignment);
  int32_t lowest = 0;
  for (size_t i = 0; i < f->fixed_count; i++)
    lowest = f->fixed[i].offset < lowest ? f->fixed[i].offset : lowest;
  const uint64_t variadic = f->save_size > (uint32_t)-lowest ? f->save_size : (uint32_t)-lowest;
  frame->variadic = (uint32_t)aligned(variadic, ALIGNMENT);
  const uint64_t top = frame->variadic + (uint64_t)WORD * (frame->slots + frame->saved);
  const uint64_t size = aligned(aligned(bottom, WORD) + top, ALIGNMENT);
  frame->alignment = alignment > ALIGNMENT ? alignment : 0;
  frame->size = (uint32_t)size;
  return size < MOST ? SL_OK : sl_fail(err, SL_USAGE, "its frame exceeds one gigabyte");
}

void sl_stack_frame_free(struct sl_stack_frame *frame)
{
  free(frame->object);
  *frame = (struct sl_stack_frame){0};
}

int32_t sl_object_offset(const struct sl_stack_frame *frame, enum sl_lir_place place, uint32_t object)
{
  const struct sl_lir *lir = frame->lir;
  if (place == SL_LIR_FIXED)
    return lir->source->fixed[object].offset + (lir->frame_pointer ? 0 : (int32_t)frame->size);
  return (int32_t)frame->object[object] - (lir->dynamic ? (int32_t)frame->size : 0);
}

int32_t sl_slot_offset(const struct sl_stack_frame *frame, uint32_t slot, bool framed)
{
  const uint32_t place = slot >= frame->slots ? slot - frame->slots : frame->saved + slot;
  return (framed ? 0 : (int32_t)frame->size) - (int32_t)(frame->variadic + WORD * (place + 1));
}
