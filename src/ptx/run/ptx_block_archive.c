#include "ptx/run/ptx_block_archive.h"

#include <stdlib.h>

#include "convergence/simt_groups.h"
#include "ptx/run/ptx_call.h"

/* ---- possible PCs of a kernel ------------------------------------------------------------------------------------ */

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

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Lanes of the block part are linear registers (ptx/run/ptx_linear.h). */
static uint32_t lanes_of(const struct sl_ptx_warp *w, const struct place *p)
{
  if (p->linear == NULL || p->phase == SL_PTX_PHASE_THREADS || p->phase == SL_PTX_PHASE_REST)
    return w->threads;
  return p->phase == SL_PTX_PHASE_COEFFICIENTS ? 1 : (uint32_t)sl_low_bits(p->linear->lrs > 0 ? p->linear->lrs : 1);
}

static SL_SCHEMA(warp_schema, struct sl_ptx_warp, NULL, SL_DERIVED(block, index, threads, ops, registers, frame),
                 SL_ANY(carry), SL_WALKED(area, local), SL_MOST(SL_PTX_PHASE_REST, phase),
                 SL_STRUCTS(sl_simt_stack_schema, stack));

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
  sl_archive_bool(t, &r->begun);
  SL_ARCHIVE_ARRAY(t, r->cr, SL_PTX_LINEAR_CRS);
  SL_ARCHIVE_ARRAY(t, r->tr, (size_t)r->linear->tr_count * r->lanes);
}
