/* Barriers, buffers and faults. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "observe/check/check_feed.h"

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

/* Live lanes of the warp are elsewhere. */
static void check_divergence(struct sl_check *check, const struct sl_check_block *b, unsigned warp, sl_lanes active,
                             uint32_t site)
{
  char place[300], text[600];
  const sl_lanes away = b->warp[warp].live & ~active;
  if (away == 0)
    return;
  sl_check_name_place(check, site, place, sizeof place);
  snprintf(text, sizeof text,
           "%s: lane %u of warp %u of block %u arrives at the barrier, but lane %u is in another branch: all threads "
           "of a block must reach a barrier together",
           place, sl_lowest(active), warp, b->number, sl_lowest(away));
  sl_check_note(check, "barrier divergence", sl_check_place(check, site), text);
}

void sl_check_arrive(struct sl_check *check, struct sl_check_block *b, unsigned warp, int barrier, bool passes,
                     sl_lanes active, uint32_t site, unsigned number)
{
  struct sl_check_warp *w = &b->warp[warp];
  check_divergence(check, b, warp, active, site);
  if (passes) { /* it arrives for others, and may wait at another barrier before this one opens */
    w->lane_floor = w->passed[barrier % SL_CHECK_BARRIERS] = sl_check_tick(check);
    return;
  }
  w->barrier = barrier;
  w->barrier_site = site;
  w->number = number;
}

static struct sl_check_block *block_with(struct sl_check *check, unsigned number, unsigned *warp)
{
  for (size_t i = 0; i <= check->blocks; i++) {
    struct sl_check_block *b = i == 0 ? check->last : check->block[i - 1];
    for (unsigned w = 0; b != NULL && w < b->warps; w++)
      if (b->warp[w].barrier >= 0 && b->warp[w].number == number) {
        *warp = w;
        return b;
      }
  }
  return NULL;
}

/* The warps of one barrier came to it at different places. */
static void check_places(struct sl_check *check, const struct sl_check_block *b, sl_warps warps)
{
  char one[300], two[300], text[800];
  const unsigned first = sl_lowest(warps);
  for (sl_warps rest = warps & (warps - 1); rest != 0; rest &= rest - 1) {
    const unsigned i = sl_lowest(rest);
    const uint32_t a = b->warp[first].barrier_site, c = b->warp[i].barrier_site;
    if (a == c || b->warp[first].arrived != 0 || b->warp[i].arrived != 0 || b->warp[first].barrier != 0)
      continue;
    sl_check_name_place(check, a, one, sizeof one);
    sl_check_name_place(check, c, two, sizeof two);
    if (strcmp(one, two) == 0) /* copies that the compiler has made */
      continue;
    snprintf(text, sizeof text,
             "%s: warp %u of block %u passes this barrier together with warp %u, which waits at %s: all threads of a "
             "block must reach the same barrier",
             one, first, b->number, i, two);
    sl_check_note(check, "barrier mismatch", sl_check_place(check, a) ^ sl_check_place(check, c), text);
    return;
  }
}

void sl_check_released(struct sl_check *check, unsigned number)
{
  unsigned warp;
  struct sl_check_block *b = block_with(check, number, &warp);
  if (b == NULL)
    return;
  const int barrier = b->warp[warp].barrier;
  sl_warps warps = 0;
  for (unsigned i = 0; i < b->warps; i++) {
    struct sl_check_warp *w = &b->warp[i];
    uint32_t *passed = &w->passed[barrier % SL_CHECK_BARRIERS];
    w->arrived = w->barrier == barrier ? 0 : *passed;
    if (w->barrier == barrier || *passed != 0)
      warps |= sl_bit(i);
    *passed = 0;
  }
  check_places(check, b, warps);
  sl_check_join(check, b, warps);
  for (sl_warps rest = warps; rest != 0; rest &= rest - 1) {
    struct sl_check_warp *w = &b->warp[sl_lowest(rest)];
    w->barrier = w->arrived != 0 ? w->barrier : -1;
    w->arrived = 0;
  }
}

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
