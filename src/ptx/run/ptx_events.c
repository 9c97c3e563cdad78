#include "ptx/run/ptx_execute.h"

#include <string.h>

static struct sl_probe probe_of(const struct sl_ptx_event *event, enum sl_probe_kind kind, uint64_t pc)
{
  return (struct sl_probe){.kind = kind,
                           .stage = event->stage,
                           .id = event->id,
                           .cycle = event->cycle,
                           .launch = event->launch,
                           .core = event->core,
                           .warp = event->warp,
                           .pc = pc,
                           .lanes = SL_PTX_LANES};
}

static struct sl_probe_block block_of(const struct sl_ptx_block *block, unsigned warp)
{
  return (struct sl_probe_block){
      .index = block->index, .size = block->launch->block, .grid = block->launch->grid, .warp = warp};
}

static bool accesses(const struct sl_ptx_effect *e)
{
  return e->insn->unit == SL_PTX_MEM && e->insn->kind != SL_PTX_K_MEMBAR && e->active != 0;
}

static enum sl_probe_access access_of(const struct sl_ptx_insn *in)
{
  const bool stores = in->kind == SL_PTX_K_STORE || (in->more != NULL && in->more->store);
  return stores ? SL_PROBE_STORE : in->kind == SL_PTX_K_ATOMIC ? SL_PROBE_ATOMIC : SL_PROBE_LOAD;
}

/* The first destination in its register. Returns false if the instruction has none there. */
static bool result_of(const struct sl_ptx_warp *w, const struct sl_ptx_effect *e, uint64_t values[SL_PTX_LANES])
{
  const struct sl_ptx_insn *in = e->insn;
  if (in->dsts == 0 || in->dst[0].words == 0)
    return false;
  const bool moves = in->kind == SL_PTX_K_LOAD || in->kind == SL_PTX_K_TEX || in->kind == SL_PTX_K_UNPACK;
  const struct sl_ptx_place place = moves ? in->element[0] : in->d;
  const bool wide = in->dst[0].words > 1;
  const uint8_t *lanes = w->area[place.area] + place.offset;
  if (place.area != SL_PTX_REGISTERS)
    return false;
  for (uint32_t rest = e->active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    uint32_t narrow;
    if (wide) {
      memcpy(&values[lane], lanes + lane * sizeof values[lane], sizeof values[lane]);
      continue;
    }
    memcpy(&narrow, lanes + lane * sizeof narrow, sizeof narrow);
    values[lane] = narrow;
  }
  return true;
}

/* Where groups take turns: other lanes than those of the instruction are next. */
static void report_switch(const struct sl_ptx_event *event, const struct sl_ptx_warp *w, const struct sl_ptx_effect *e)
{
  const uint32_t lanes = sl_simt_stack_mask(&w->stack);
  if (w->stack.turn.period == 0 || lanes == 0 || (lanes & e->issued) != 0)
    return;
  struct sl_probe p = probe_of(event, SL_PROBE_SWITCHED, sl_simt_stack_pc(&w->stack));
  p.active = lanes;
  p.holder = p.pc;
  sl_tell(event->probes, &p);
}

void sl_ptx_report_execution(const struct sl_ptx_event *event, bool issued, const struct sl_ptx_warp *w,
                             const struct sl_ptx_effect *e)
{
  uint64_t values[SL_PTX_LANES];
  const struct sl_probe_block block = block_of(w->block, w->index);
  struct sl_probe p = probe_of(event, SL_PROBE_ISSUED, e->pc);
  p.active = e->active;
  p.block = &block;
  p.line = e->insn->line;
  if (issued)
    sl_tell(event->probes, &p);
  if (!sl_probes_want(event->probes, SL_PROBE_EXECUTION)) {
    report_switch(event, w, e);
    return;
  }
  p.kind = SL_PROBE_EXECUTED;
  p.ptx_warp = w;
  p.ptx_effect = e;
  p.access = access_of(e->insn);
  p.width = accesses(e) ? e->bytes : 0;
  p.wide_address = accesses(e) ? e->address : NULL;
  if ((event->probes->payloads & SL_PAYLOAD_RESULTS) && result_of(w, e, values))
    p.wide_values = values;
  sl_tell(event->probes, &p);
  p.kind = SL_PROBE_ACCESSED;
  if (p.wide_address != NULL)
    sl_tell(event->probes, &p);
  p.kind = SL_PROBE_FENCED;
  if (e->insn->kind == SL_PTX_K_MEMBAR)
    sl_tell(event->probes, &p);
  report_switch(event, w, e);
}

void sl_ptx_report_begin(struct sl_ptx_report *r, const struct sl_ptx_event *event, const struct sl_ptx_warp *w,
                         const struct sl_ptx_effect *e)
{
  r->probes = event->probes;
  r->block = block_of(w->block, w->index);
  r->probe = probe_of(event, SL_PROBE_EXECUTED, 0);
  r->probe.block = &r->block;
  r->probe.ptx_warp = w;
  r->probe.ptx_effect = e;
}

void sl_ptx_report_access(struct sl_ptx_report *r)
{
  const struct sl_ptx_effect *e = r->probe.ptx_effect;
  r->probe.pc = e->pc;
  r->probe.active = e->active;
  r->probe.line = e->insn->line;
  r->probe.access = access_of(e->insn);
  r->probe.width = e->active != 0 ? e->bytes : 0;
  r->probe.wide_address = e->active != 0 ? e->address : NULL;
  sl_tell(r->probes, &r->probe);
}

void sl_ptx_report_retired(const struct sl_ptx_event *event, const struct sl_ptx_effect *e)
{
  struct sl_probe p = probe_of(event, SL_PROBE_RETIRED, e->pc);
  p.active = e->active;
  sl_tell(event->probes, &p);
}

void sl_ptx_report_warp(const struct sl_ptx_event *event, enum sl_probe_kind kind, uint32_t pc)
{
  const struct sl_probe p = probe_of(event, kind, pc);
  sl_tell(event->probes, &p);
}

void sl_ptx_report_begun(const struct sl_ptx_event *event, const struct sl_ptx_block *b)
{
  const struct sl_probe_block block = block_of(b, 0);
  struct sl_probe p = probe_of(event, SL_PROBE_BEGUN, b->launch->kernel->begin);
  p.block = &block;
  p.ptx_block = b;
  sl_tell(event->probes, &p);
}

void sl_ptx_report_launch(const struct sl_ptx_event *event, enum sl_probe_kind kind, const struct sl_ptx_launch *launch)
{
  struct sl_probe p = probe_of(event, kind, launch->kernel->begin);
  p.kernel = launch->kernel->name;
  sl_tell(event->probes, &p);
}
