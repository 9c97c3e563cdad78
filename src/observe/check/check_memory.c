/* Buffers and faults. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "observe/check/check_feed.h"
#include "program/program.h"

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

void sl_check_allocated(struct sl_check *check, uint64_t first, uint64_t bytes)
{
  size_t kept = 0;
  sl_check_forget(check, first, bytes);
  for (size_t i = 0; i < check->buffers; i++) { /* freed ones whose place is taken again */
    const struct sl_check_buffer *b = &check->buffer[i];
    if (!b->freed || b->first >= first + bytes || first >= b->first + b->bytes)
      check->buffer[kept++] = *b;
  }
  check->buffers = kept;
  if (sl_check_grow(check, &check->buffer, check->buffers, &check->buffer_room, sizeof *check->buffer))
    check->buffer[check->buffers++] = (struct sl_check_buffer){first, bytes, false};
  kept = 0;
  for (size_t i = 0; i < check->writtens; i++)
    if (check->written[i].first >= first + bytes || check->written[i].end <= first)
      check->written[kept++] = check->written[i];
  check->writtens = kept;
}

const char *sl_check_stray(const struct sl_check *check, uint64_t address, unsigned bytes)
{
  const char *stray = NULL;
  for (size_t i = 0; i < check->buffers; i++) {
    const struct sl_check_buffer *b = &check->buffer[i];
    const uint64_t end = b->first + b->bytes;
    const uint64_t own = (end + SL_BUFFER_ALIGNMENT - 1) / SL_BUFFER_ALIGNMENT * SL_BUFFER_ALIGNMENT;
    const uint64_t room = end + check->options.gap > own ? end + check->options.gap : own;
    if (address >= b->first && address + bytes <= end && !b->freed)
      return NULL;
    if (address >= b->first && address < (b->freed ? end : room))
      stray = b->freed ? "use after free" : "out of bounds";
  }
  return stray;
}

void sl_check_freed(struct sl_check *check, uint64_t first, uint64_t bytes)
{
  (void)bytes;
  for (size_t i = 0; i < check->buffers; i++)
    if (check->buffer[i].first == first)
      check->buffer[i].freed = true;
}

void sl_check_written(struct sl_check *check, uint64_t address, uint64_t bytes)
{
  struct sl_check_written range = {address, address + bytes};
  size_t at = 0, end;
  if (bytes == 0)
    return;
  while (at < check->writtens && check->written[at].end < range.first)
    at++;
  for (end = at; end < check->writtens && check->written[end].first <= range.end; end++) {
    if (check->written[end].first < range.first)
      range.first = check->written[end].first;
    if (check->written[end].end > range.end)
      range.end = check->written[end].end;
  }
  if (end == at && !sl_check_grow(check, &check->written, check->writtens, &check->written_room, sizeof range))
    return;
  memmove(&check->written[at + 1], &check->written[end], (check->writtens - end) * sizeof range);
  check->writtens += at + 1 - end;
  check->written[at] = range;
}

bool sl_check_is_written(const struct sl_check *check, uint64_t first, uint64_t bytes)
{
  size_t low = 0, high = check->writtens;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (check->written[middle].end <= first)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < check->writtens && check->written[low].first <= first && check->written[low].end >= first + bytes)
    return true;
  for (size_t i = 0; i < check->buffers; i++) /* variables have initial values */
    if (first >= check->buffer[i].first && first - check->buffer[i].first < check->buffer[i].bytes)
      return false;
  return true;
}

/* ---- faults and the end ------------------------------------------------------------------------------------------ */

/* The warp command of a barrier: a write of 0 to CSR 0x830. Source: runtime/simt_marks.h. */
static bool is_barrier(const struct sl_check *check, uint64_t pc)
{
  enum { SYSTEM = 0x73, OPCODE = 0x7f, COMMAND = 0x830, VALUE = 0x1f };
  const uint32_t word = check->program != NULL ? sl_program_word(check->program, (uint32_t)pc) : 0;
  return (word & OPCODE) == SYSTEM && word >> 20 == COMMAND && (word >> 15 & VALUE) == 0;
}

static const char *kind_of(const struct sl_check *check, const struct sl_gpu_fault *f)
{
  enum { NULL_PAGE = 4096 };
  switch (f->kind) {
  case SL_GPU_FAULT_ADDRESS:
    if (f->address < NULL_PAGE && (f->global || check->program != NULL))
      return "null pointer";
    for (size_t i = 0; i < check->buffers && (f->global || check->program != NULL); i++)
      if (check->buffer[i].freed && f->address - check->buffer[i].first < check->buffer[i].bytes)
        return "use after free";
    return "out of bounds";
  case SL_GPU_FAULT_MISALIGNED: return "misaligned access";
  case SL_GPU_FAULT_DEADLOCK: return "barrier deadlock";
  case SL_GPU_FAULT_LIVELOCK: return "SIMT deadlock";
  case SL_GPU_FAULT_CONVERGENCE: return is_barrier(check, f->pc) ? "barrier divergence" : "fault";
  default: return "fault";
  }
}

void sl_check_fault(struct sl_check *check, const struct sl_gpu_fault *fault)
{
  if (fault->kind == SL_GPU_FAULT_NONE)
    return;
  check->faulted = true;
  if (fault->kind == SL_GPU_FAULT_LIVELOCK && check->independent)
    return; /* a limit of the machine: the lanes of a GPU of this target make progress independently */
  sl_check_note(check, kind_of(check, fault), fault->pc, fault->text);
}

void sl_check_error(struct sl_check *check, const struct sl_error *err)
{
  sl_check_note(check, "fault", 0, err->text);
}

void sl_check_refused(struct sl_check *check, const char *what)
{
  char kernel[sizeof check->kernel];
  memcpy(kernel, check->kernel, sizeof kernel);
  check->kernel[0] = '\0'; /* of an earlier launch */
  sl_check_note(check, "fault", 0, what);
  memcpy(check->kernel, kernel, sizeof kernel);
}

void sl_check_end(struct sl_check *check)
{
  char text[200];
  check->kernel[0] = '\0';
  for (size_t i = 0; check->options.leaks && !check->faulted && i < check->buffers; i++) {
    if (check->buffer[i].freed)
      continue;
    snprintf(text, sizeof text, "the buffer of %" PRIu64 " bytes at 0x%" PRIx64 " is not freed", check->buffer[i].bytes,
             check->buffer[i].first);
    sl_check_note(check, "leak", check->buffer[i].first, text);
  }
  if (check->out_of_memory)
    sl_check_note(check, "incomplete", 0, "the host's memory was not enough: further defects are possible");
}
