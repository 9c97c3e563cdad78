/* Buffers and faults. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/host_level.h"
#include "observe/check/check_feed.h"
#include "program/program.h"

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

void sl_check_allocated(struct sl_check *check, uint64_t first, uint64_t bytes)
{
  size_t kept = 0;
  sl_check_forget(check, first, bytes);
  sl_check_past_forget(check, first, bytes);
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

static bool is_byte_written(struct sl_check *check, const struct sl_check_access *a, uint64_t address)
{
  const uint32_t first = a->shared ? a->block->begin : 1;
  const struct sl_check_cell *c = sl_check_cell_at(check, a, address);
  if (c != NULL && (c->write.site & SL_CHECK_SPLIT) != 0)
    c = &check->shadow.split[c->value][address % 4];
  return (c != NULL && (c->write.time >= first + !a->shared || c->strong.time >= first)) ||
         (!a->shared && sl_check_is_written(check, address, 1));
}

bool sl_check_is_padding(struct sl_check *check, const struct sl_check_access *a, unsigned lane, uint64_t address,
                         unsigned bytes)
{
  enum { GRANULE = 8 /* the largest alignment of scalars */ };
  uint64_t begin = a->address[lane], end = begin + a->width;
  if (a->width < 4) {
    begin = begin / GRANULE * GRANULE;
    end = begin + GRANULE;
  }
  for (uint64_t at = begin; at < end; at++)
    if ((at < address || at >= address + bytes) && is_byte_written(check, a, at))
      return true;
  return false;
}

/* ---- shared variables -------------------------------------------------------------------------------------------- */

/* The least and the greatest of 32 addresses in shared memory. */
static inline __attribute__((always_inline)) void ends_of(const uint64_t *address, uint32_t ends[2])
{
  uint32_t low = UINT32_MAX, high = 0;
  for (unsigned i = 0; i < SL_CHECK_LINE; i++) {
    const uint32_t at = (uint32_t)address[i];
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  ends[0] = low;
  ends[1] = high;
}

SL_HOST_VECTORS static void ends_by_vectors(const uint64_t *address, uint32_t ends[2])
{
  ends_of(address, ends);
}

static void ends_of_lanes(const struct sl_check_access *a, uint32_t ends[2])
{
  ends[0] = ends[1] = (uint32_t)a->address[sl_lowest(a->active)];
  if (a->shape == SL_SHAPE_ROW)
    ends[1] += (SL_CHECK_LINE - 1) * a->width;
  else if (a->active == sl_low_bits(SL_CHECK_LINE) && a->shape == SL_SHAPE_OTHER)
    (sl_host_has_vectors() ? ends_by_vectors : ends_of)(a->address, ends);
  else
    for (sl_lanes rest = a->shape == SL_SHAPE_SAME ? 0 : a->active; rest != 0; rest &= rest - 1) {
      const uint32_t at = (uint32_t)a->address[sl_lowest(rest)];
      ends[0] = at < ends[0] ? at : ends[0];
      ends[1] = at > ends[1] ? at : ends[1];
    }
}

/* Whether an access is below the next gap between shared variables. */
static bool is_below_gap(const struct sl_check *check, const struct sl_check_access *a)
{
  uint32_t ends[2];
  ends_of_lanes(a, ends);
  return ends[0] < check->gaps && ends[1] + a->width - 1 < check->next_gap[ends[0] / 4];
}

void sl_check_gaps(struct sl_check *check, const struct sl_check_access *a)
{
  if (is_below_gap(check, a))
    return;
  for (sl_lanes rest = a->active; rest != 0; rest &= rest - 1) {
    const uint64_t first = a->address[sl_lowest(rest)], last = first + a->width - 1;
    if ((first < check->gaps && check->gap[first] != 0) || (last < check->gaps && check->gap[last] != 0))
      sl_check_defect(check, "out of bounds", a, sl_lowest(rest), first, a->width, "which is behind a variable");
  }
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
