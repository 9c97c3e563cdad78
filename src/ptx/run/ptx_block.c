#include "ptx/run/ptx_block.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/schema.h"
#include "convergence/simt_stack.h"
#include "ptx/run/ptx_execute.h"
#include "ptx/run/ptx_linear.h"

enum { ALIGN = 64, SPECIAL_BYTES = SL_PTX_LANES * 4 };

static size_t aligned(size_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static unsigned threads_of(const struct sl_ptx_launch *l)
{
  return l->block[0] * l->block[1] * l->block[2];
}

static uint32_t *special(const struct sl_ptx_warp *w, enum sl_ptx_special which)
{
  return (uint32_t *)(void *)(w->area[SL_PTX_SPECIALS] + which * SPECIAL_BYTES);
}

static void same_in_all(const struct sl_ptx_warp *w, enum sl_ptx_special which, uint32_t value)
{
  uint32_t *lanes = special(w, which);
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    lanes[l] = value;
}

/* Special registers with the same value in all blocks of the launch. */
static void fix_specials(const struct sl_ptx_warp *w)
{
  const struct sl_ptx_launch *launch = w->block->launch;
  const uint32_t *size = launch->block;
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const unsigned thread = w->index * SL_PTX_LANES + l;
    const uint32_t self = (uint32_t)sl_bit(l), below = self - 1;
    special(w, SL_PTX_TID_X)[l] = thread % size[0];
    special(w, SL_PTX_TID_Y)[l] = thread / size[0] % size[1];
    special(w, SL_PTX_TID_Z)[l] = thread / size[0] / size[1];
    special(w, SL_PTX_LANEID)[l] = l;
    special(w, SL_PTX_LANEMASK_EQ)[l] = self;
    special(w, SL_PTX_LANEMASK_LE)[l] = self | below;
    special(w, SL_PTX_LANEMASK_LT)[l] = below;
    special(w, SL_PTX_LANEMASK_GE)[l] = ~below;
    special(w, SL_PTX_LANEMASK_GT)[l] = ~(self | below);
  }
  for (unsigned i = 0; i < 3; i++) {
    same_in_all(w, SL_PTX_NTID_X + i, size[i]);
    same_in_all(w, SL_PTX_NCTAID_X + i, launch->grid[i]);
  }
  same_in_all(w, SL_PTX_WARPID, w->index);
  same_in_all(w, SL_PTX_NWARPID, w->block->warp_count);
  same_in_all(w, SL_PTX_DYNAMIC_SMEM, launch->dynamic_shared);
  same_in_all(w, SL_PTX_TOTAL_SMEM, w->block->shared_bytes);
}

enum sl_status sl_ptx_block_create(struct sl_ptx_block *b, const struct sl_ptx_launch *launch, struct sl_error *err)
{
  const struct sl_ptx_function *k = launch->kernel;
  const unsigned threads = threads_of(launch), warps = (threads + SL_PTX_LANES - 1) / SL_PTX_LANES;
  const size_t registers = aligned(k->register_bytes), specials = aligned(SL_PTX_SPECIAL_COUNT * SPECIAL_BYTES);
  const size_t local = aligned((size_t)k->local_bytes * SL_PTX_LANES),
               windows = aligned((size_t)k->window_bytes * k->levels);
  const size_t per_warp = windows + registers + specials + local;
  const uint32_t shared = (k->shared_bytes + 15) / 16 * 16 + launch->dynamic_shared;
  const size_t used = aligned(shared) + aligned(sizeof *b->votes) + warps * per_warp, bytes = ALIGN + used;
  if (bytes > b->room || warps > b->warp_room) {
    sl_ptx_block_free(b);
    b->warps = sl_lines_of(warps, sizeof *b->warps);
    b->storage = sl_array_of(bytes, 1);
    if (b->warps == NULL || b->storage == NULL)
      return sl_no_memory(err, bytes);
    b->room = bytes;
    b->warp_room = warps;
  } else {
    memset(b->storage, 0, bytes);
  }
  *b = (struct sl_ptx_block){.launch = launch,
                             .warp_count = warps,
                             .warps = b->warps,
                             .warp_room = b->warp_room,
                             .shared_bytes = shared,
                             .bytes = used,
                             .storage = b->storage,
                             .room = b->room};
  uint8_t *at = b->storage + (ALIGN - (uintptr_t)b->storage % ALIGN) % ALIGN;
  b->shared = at;
  at += aligned(shared);
  b->votes = (struct sl_ptx_votes *)(void *)at;
  at += aligned(sizeof *b->votes);
  for (unsigned i = 0; i < warps; i++, at += per_warp) {
    const unsigned left = threads - i * SL_PTX_LANES;
    uint8_t *own = at + windows;
    b->warps[i] = (struct sl_ptx_warp){.code = launch->module->code,
                                       .special = launch->period != 0 || launch->linear != NULL,
                                       .block = b,
                                       .index = i,
                                       .threads = (uint32_t)sl_low_bits(left < SL_PTX_LANES ? left : SL_PTX_LANES),
                                       .area = {own, launch->module->constants, own + registers},
                                       .registers = own,
                                       .ops = sl_ptx_lane_ops(),
                                       .local = own + registers + specials};
    sl_simt_groups_use(&b->warps[i].stack, launch->scheme, launch->period);
    fix_specials(&b->warps[i]);
  }
  return SL_OK;
}

void sl_ptx_block_free(struct sl_ptx_block *b)
{
  free(b->warps);
  free(b->storage);
  *b = (struct sl_ptx_block){0};
}

void sl_ptx_block_start(struct sl_ptx_block *b, const uint32_t index[3], unsigned sm, unsigned sms)
{
  memcpy(b->index, index, sizeof b->index);
  memset(b->votes, 0, offsetof(struct sl_ptx_votes, from));
  for (unsigned i = 0; i < b->warp_count; i++) {
    struct sl_ptx_warp *w = &b->warps[i];
    for (unsigned k = 0; k < 3; k++)
      same_in_all(w, SL_PTX_CTAID_X + k, index[k]);
    same_in_all(w, SL_PTX_SMID, sm);
    same_in_all(w, SL_PTX_NSMID, sms);
    w->carry = 0;
    w->frame = 0;
    w->area[SL_PTX_REGISTERS] = w->registers;
    sl_simt_stack_init(&w->stack, b->launch->kernel->begin, w->threads);
    sl_simt_groups_use(&w->stack, b->launch->scheme, b->launch->period);
  }
}

/* ---- checkpoints: possible PCs of a kernel ----------------------------------------------------------------------- */

static unsigned function_at(const struct sl_ptx_module *m, uint32_t pc)
{
  unsigned i = 0;
  while (i < m->function_count && (pc < m->functions[i].begin || pc >= m->functions[i].end))
    i++;
  return i;
}

static bool follow_calls(struct sl_ptx_reach *r, unsigned function)
{
  const struct sl_ptx_module *m = r->launch->module;
  bool more = false;
  for (uint32_t pc = m->functions[function].begin; pc < m->functions[function].end; pc++) {
    for (unsigned i = 0;
         m->code[pc].kind == SL_PTX_K_CALL && m->code[pc].mode != SL_PTX_CALL_SHARED && i < m->function_count; i++)
      if (!r->function[i] && m->functions[i].defined && !m->functions[i].entry)
        more = r->function[i] = true;
    const unsigned called = m->code[pc].kind == SL_PTX_K_CALL ? function_at(m, m->code[pc].target) : m->function_count;
    if (called < m->function_count && !r->function[called])
      more = r->function[called] = true;
  }
  return more;
}

bool sl_ptx_reach_find(struct sl_ptx_reach *r, const struct sl_ptx_launch *launch)
{
  const struct sl_ptx_module *m = launch->module;
  *r = (struct sl_ptx_reach){.launch = launch, .function = calloc(m->function_count + (size_t)1, 1)};
  if (r->function == NULL)
    return false;
  r->function[function_at(m, launch->kernel->begin)] = true;
  bool more = true;
  while (more) {
    more = false;
    for (unsigned i = 0; i < m->function_count; i++)
      more |= r->function[i] && follow_calls(r, i);
  }
  return true;
}

void sl_ptx_reach_free(struct sl_ptx_reach *r)
{
  free(r->function);
  r->function = NULL;
}

/* A warp, and its phase if the kernel has linear registers. */
struct place {
  const struct sl_ptx_reach *reach;
  const struct sl_ptx_linear *linear;
  unsigned phase;
};

static bool can_be(const void *context, uint32_t pc)
{
  const struct place *p = context;
  const struct sl_ptx_launch *l = p->reach->launch;
  const unsigned function = function_at(l->module, pc);
  if (function == l->module->function_count || !p->reach->function[function])
    return false;
  if (p->linear == NULL || pc < l->kernel->begin || pc >= l->kernel->end)
    return true;
  return pc >= p->linear->start[p->phase] && (p->phase == SL_PTX_PHASE_REST || pc < p->linear->start[p->phase + 1]);
}

/* ---- checkpoints: blocks ----------------------------------------------------------------------------------------- */

/* Lanes of the block part are linear registers (ptx/run/ptx_linear.h). */
static uint32_t lanes_of(const struct sl_ptx_warp *w, const struct place *p)
{
  if (p->linear == NULL || p->phase == SL_PTX_PHASE_THREADS || p->phase == SL_PTX_PHASE_REST)
    return w->threads;
  return p->phase == SL_PTX_PHASE_COEFFICIENTS ? 1 : (uint32_t)sl_low_bits(p->linear->lrs > 0 ? p->linear->lrs : 1);
}

static SL_SCHEMA(warp_schema, struct sl_ptx_warp, NULL,
                 SL_DERIVED(code, special, block, index, threads, ops, registers, frame), SL_ANY(carry),
                 SL_WALKED(area, local), SL_MOST(SL_PTX_PHASE_REST, phase), SL_STRUCTS(sl_simt_stack_schema, stack));

void sl_ptx_block_archive(struct sl_archive *t, struct sl_ptx_block *b, const struct sl_ptx_reach *reach)
{
  struct place place = {.reach = reach, .linear = b->linear != NULL ? b->linear->linear : NULL};
  for (unsigned i = 0; i < 3; i++)
    b->index[i] = sl_archive_number(t, b->index[i], b->launch->grid[i] - 1);
  SL_ARCHIVE_ARRAY(t, b->br, SL_PTX_BLOCK_LINEAR);
  sl_archive_bytes(t, b->shared, b->bytes);
  sl_archive_structs(t, "warp", warp_schema, b->warps, b->warp_count);
  for (unsigned i = 0; i < b->warp_count && sl_archive_reads(t) && !t->bad; i++) {
    const struct sl_ptx_warp *w = &b->warps[i];
    place.phase = w->phase;
    sl_archive_expect(t, sl_simt_stack_valid(&w->stack, lanes_of(w, &place), can_be, &place) &&
                             sl_simt_groups_valid(&w->stack, w->threads));
    for (uint32_t k = 0; k < w->stack.depth; k++)
      sl_archive_expect(t, b->launch->kernel->levels == 0 || w->stack.entries[k].call <= b->launch->kernel->levels);
    if (!t->bad && b->launch->kernel->levels > 0)
      sl_ptx_level(&b->warps[i]);
  }
}

void sl_ptx_linear_archive(struct sl_archive *t, struct sl_ptx_linear_registers *r)
{
  SL_ARCHIVE_NUMBER(t, r->begun, 1);
  SL_ARCHIVE_ARRAY(t, r->cr, SL_PTX_LINEAR_CRS);
  SL_ARCHIVE_ARRAY(t, r->tr, (size_t)r->linear->tr_count * r->lanes);
}
