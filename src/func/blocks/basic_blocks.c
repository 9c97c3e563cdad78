#include "func/blocks/basic_blocks.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = UINT16_MAX - 1 };

void sl_basic_blocks_init(struct sl_basic_blocks *s, unsigned lanes, unsigned lane_bits, bool floats, uint64_t others,
                          bool portable)
{
  *s = (struct sl_basic_blocks){.ops = sl_step_ops(lanes, portable),
                                .lane_bits = lane_bits,
                                .floats = floats,
                                .others = others,
                                .edition = UINT64_MAX};
}

void sl_basic_blocks_free(struct sl_basic_blocks *s)
{
  free(s->step);
  free(s->straight);
  *s = (struct sl_basic_blocks){0};
}

/* Allocates tables for all instructions of the code; none is decoded. Without host memory there are no blocks, and
 * instructions execute one by one. */
bool sl_basic_blocks_renew(struct sl_basic_blocks *s, const struct sl_code *code, uint64_t edition)
{
  if (s->count != code->count) {
    free(s->step);
    free(s->straight);
    s->count = code->count;
    s->first = s->last = 0;
    s->step = calloc(code->count, sizeof *s->step);
    s->straight = calloc(code->count, sizeof *s->straight);
    if (s->step == NULL || s->straight == NULL) {
      sl_basic_blocks_free(s);
      return false;
    }
  }
  if (s->first < s->last)
    memset(s->straight + s->first, 0, (s->last - s->first) * sizeof *s->straight);
  s->first = s->last = 0;
  s->edition = edition;
  return true;
}

static bool is_step(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t index)
{
  const struct sl_insn *in = &code->insn[index];
  if (s->floats && (in->kind == SL_KIND_FPU || in->kind == SL_KIND_FPX)) {
    s->step[index] = sl_step_float(index);
    return true;
  }
  return !(s->others >> in->kind & 1) &&
         sl_step_make(s->ops, in, sl_code_address(code, index), s->lane_bits, &s->step[index]);
}

/* Decodes from an instruction to the end of its block, or to a decoded one. The last instruction of the code is never a
 * step, so an instruction follows every block. */
uint32_t sl_basic_blocks_decode(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t index)
{
  uint32_t end = index;
  while (end + 1 < code->count && end - index < LONGEST && s->straight[end] == 0 && is_step(s, code, end))
    end++;
  uint32_t steps = end < code->count && s->straight[end] != 0 ? s->straight[end] - 1u : 0;
  s->first = s->first == s->last || index < s->first ? index : s->first;
  const uint32_t behind = end > index ? end : index + 1;
  s->last = behind > s->last ? behind : s->last;
  if (end == index)
    s->straight[index] = 1;
  for (uint32_t i = end; i > index; i--) {
    steps += steps < LONGEST;
    s->straight[i - 1] = (uint16_t)(steps + 1);
  }
  return s->straight[index] - 1u;
}
