#include "ptx/run/ptx_block.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, SPECIAL_BYTES = SL_PTX_LANES * 4 };

static size_t aligned(size_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static unsigned threads_of(const struct sl_ptx_launch *l)
{
  return l->block[0] * l->block[1] * l->block[2];
}

enum sl_status sl_ptx_block_create(struct sl_ptx_block *b, const struct sl_ptx_launch *launch, struct sl_error *err)
{
  const struct sl_ptx_function *k = launch->kernel;
  const unsigned threads = threads_of(launch), warps = (threads + SL_PTX_LANES - 1) / SL_PTX_LANES;
  const size_t registers = aligned(k->register_bytes), specials = aligned(SL_PTX_SPECIAL_COUNT * SPECIAL_BYTES);
  const size_t local = aligned((size_t)k->local_bytes * SL_PTX_LANES), per_warp = registers + specials + local;
  const uint32_t shared = (k->shared_bytes + 15) / 16 * 16 + launch->dynamic_shared;
  const size_t bytes = ALIGN + aligned(shared) + warps * per_warp;
  *b = (struct sl_ptx_block){.launch = launch, .warp_count = warps, .shared_bytes = shared};
  b->warps = calloc(warps, sizeof *b->warps);
  b->storage = calloc(1, bytes);
  if (b->warps == NULL || b->storage == NULL)
    return sl_no_memory(err, bytes);
  uint8_t *at = b->storage + (ALIGN - (uintptr_t)b->storage % ALIGN) % ALIGN;
  b->shared = at;
  at += aligned(shared);
  for (unsigned i = 0; i < warps; i++, at += per_warp) {
    const unsigned left = threads - i * SL_PTX_LANES;
    b->warps[i] = (struct sl_ptx_warp){.block = b,
                                       .index = i,
                                       .threads = (uint32_t)sl_low_bits(left < SL_PTX_LANES ? left : SL_PTX_LANES),
                                       .area = {at, launch->module->constants, at + registers},
                                       .ops = sl_ptx_lane_ops(),
                                       .local = at + registers + specials};
  }
  return SL_OK;
}

void sl_ptx_block_free(struct sl_ptx_block *b)
{
  free(b->warps);
  free(b->storage);
  *b = (struct sl_ptx_block){0};
}

static void start_warp(struct sl_ptx_warp *w, unsigned sm, unsigned sms)
{
  const struct sl_ptx_block *b = w->block;
  const struct sl_ptx_launch *launch = b->launch;
  const uint32_t *size = launch->block;
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const unsigned thread = w->index * SL_PTX_LANES + l;
    const uint32_t self = (uint32_t)sl_bit(l), below = self - 1;
    const uint32_t values[SL_PTX_SPECIAL_COUNT] = {
        [SL_PTX_TID_X] = thread % size[0],
        [SL_PTX_TID_Y] = thread / size[0] % size[1],
        [SL_PTX_TID_Z] = thread / size[0] / size[1],
        [SL_PTX_NTID_X] = size[0],
        [SL_PTX_NTID_Y] = size[1],
        [SL_PTX_NTID_Z] = size[2],
        [SL_PTX_CTAID_X] = b->index[0],
        [SL_PTX_CTAID_Y] = b->index[1],
        [SL_PTX_CTAID_Z] = b->index[2],
        [SL_PTX_NCTAID_X] = launch->grid[0],
        [SL_PTX_NCTAID_Y] = launch->grid[1],
        [SL_PTX_NCTAID_Z] = launch->grid[2],
        [SL_PTX_LANEID] = l,
        [SL_PTX_WARPID] = w->index,
        [SL_PTX_NWARPID] = b->warp_count,
        [SL_PTX_SMID] = sm,
        [SL_PTX_NSMID] = sms,
        [SL_PTX_LANEMASK_EQ] = self,
        [SL_PTX_LANEMASK_LE] = self | below,
        [SL_PTX_LANEMASK_LT] = below,
        [SL_PTX_LANEMASK_GE] = ~below,
        [SL_PTX_LANEMASK_GT] = ~(self | below),
    };
    for (unsigned i = 0; i < SL_PTX_SPECIAL_COUNT; i++)
      memcpy(w->area[SL_PTX_SPECIALS] + (i * SL_PTX_LANES + l) * sizeof values[i], &values[i], sizeof values[i]);
  }
  w->carry = 0;
  sl_ptx_stack_init(&w->stack, launch->kernel->begin, w->threads);
}

void sl_ptx_block_start(struct sl_ptx_block *b, const uint32_t index[3], unsigned sm, unsigned sms)
{
  memcpy(b->index, index, sizeof b->index);
  for (unsigned i = 0; i < b->warp_count; i++)
    start_warp(&b->warps[i], sm, sms);
}
