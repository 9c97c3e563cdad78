#include "machine/vortex/vortex_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "func/ipdom_warps.h"
#include "isa/probe.h"
#include "machine/vortex/core/vortex_stages.h"

/* With one core, at once. */
static void changed(void *gpu)
{
  struct sl_vortex_gpu *sm = gpu;
  sm->s.cycle = 0;
  for (unsigned i = 0; i < SL_VORTEX_STALL_REASONS; i++)
    sm->s.cycle += sm->timed.pipeline->s.counts.cause[i];
  sl_vortex_kernels(sm);
}

static bool spawns(const struct sl_code *code)
{
  for (uint32_t i = 0; i < code->count; i++)
    if (code->insn[i].op == SL_OP_WSPAWN || code->insn[i].op == SL_OP_WSPAWN_1)
      return true;
  return false;
}

bool sl_vortex_watch(struct sl_sm *handle, const struct sl_kernel_tracker *watch)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  sm->watch = *watch;
  if (watch->rule == SL_KERNEL_SPAWNS && !spawns(&sm->code))
    sm->watch.rule = SL_KERNEL_UNWATCHED;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sl_ipdom_watch(&sm->core[c].warps, &sm->watch);
  sm->timed.pipeline->kernels_changed = sm->spec.cores == 1 ? changed : NULL;
  sm->timed.pipeline->gpu = sm;
  return sm->watch.rule != SL_KERNEL_UNWATCHED;
}

void sl_vortex_kernels(struct sl_vortex_gpu *sm)
{
  const struct sl_kernel_span *span[SL_VORTEX_CORES_MAX];
  uint32_t entry = 0;
  if (sm->watch.rule == SL_KERNEL_UNWATCHED)
    return;
  for (unsigned c = sm->spec.cores; c-- > 0;) {
    span[c] = &sm->core[c].warps.s.span;
    entry = span[c]->entry != 0 ? span[c]->entry : entry;
  }
  const bool under_way = sl_kernel_under_way(&sm->watch, span, sm->spec.cores);
  if (under_way == sm->s.in_kernel)
    return;
  sm->s.in_kernel = under_way;
  if (sm->environment.kernel != NULL && sm->environment.kernel(sm->environment.print_context, under_way, entry))
    sm->base.state = SL_SM_STOPPED;
}

void sl_vortex_events_free(struct sl_vortex_events *notes)
{
  free(notes->note);
  free(notes->words);
}

static void tell(const struct sl_vortex_gpu *sm, unsigned core, struct sl_probe probe)
{
  const struct sl_ipdom_warps *w = &sm->core[core].warps;
  probe.launch = sm->s.launches - 1;
  probe.warp = sl_ipdom_global(w, probe.warp);
  probe.lanes = w->spec.lanes;
  probe.core = core;
  probe.stage = sl_stage_of(&sl_vortex_stages, probe.kind);
  if (probe.kind == SL_PROBE_EXECUTED)
    sl_tell_execution(sm->environment.probes, &probe);
  else
    sl_tell(sm->environment.probes, &probe);
}

/* Writes the record of an event that needs no more. */
static bool record(const struct sl_vortex_gpu *sm, unsigned core, const struct sl_probe *probe)
{
  struct sl_probes *probes = sm->environment.probes;
  if (probes->records == NULL || (probe->kind & (SL_RECORDS_OF_LANES | SL_RECORDS_OF_COUNTS)) == 0)
    return false;
  struct sl_probe_record *r = sl_record_add(probes, sm->s.launches - 1);
  r->cycle = probe->cycle;
  r->id = probe->id;
  r->pc = probe->pc;
  r->more = (probe->kind & SL_RECORDS_OF_COUNTS) != 0 ? (uint64_t)probe->count : probe->active;
  r->warp = sl_ipdom_global(&sm->core[core].warps, probe->warp);
  r->core = (uint16_t)core;
  r->kind = (uint8_t)__builtin_ctz(probe->kind);
  r->stage = probe->kind == SL_PROBE_WAITED ? sl_record_wait(probe->cause, probe->idle, probe->any_warp)
                                            : (uint8_t)sl_stage_of(&sl_vortex_stages, probe->kind);
  return true;
}

static bool grow(struct sl_vortex_events *notes, unsigned lanes)
{
  enum { LEAST = 16 };
  const size_t capacity = notes->capacity ? 2 * notes->capacity : LEAST;
  struct sl_vortex_note *note = realloc(notes->note, capacity * sizeof *note);
  if (note != NULL)
    notes->note = note;
  uint32_t *words = note != NULL ? realloc(notes->words, capacity * 2 * lanes * sizeof *words) : NULL;
  if (words == NULL)
    return false;
  notes->words = words;
  notes->capacity = capacity;
  return true;
}

/* Only the core's own thread writes its buffer. */
static void take_note(struct sl_vortex_events *notes, const struct sl_probe *probe, unsigned lanes)
{
  if (notes->count == notes->capacity && !grow(notes, lanes)) {
    notes->lost = true;
    return;
  }
  uint32_t *words = notes->words + notes->count * 2 * lanes;
  struct sl_vortex_note *n = &notes->note[notes->count++];
  n->probe = *probe;
  if (probe->insn == NULL)
    return;
  n->insn = *probe->insn;
  memcpy(words, n->insn.kind == SL_KIND_STORE ? probe->stored : probe->values, lanes * sizeof *words);
  if (n->insn.width != 0)
    memcpy(words + lanes, probe->address, lanes * sizeof *words);
}

void sl_vortex_report(const void *gpu, unsigned core, const struct sl_probe *probe)
{
  const struct sl_vortex_gpu *sm = gpu;
  const struct sl_ipdom_warps *w = &sm->core[core].warps;
  const unsigned kinds = probe->kind == SL_PROBE_EXECUTED ? (unsigned)SL_PROBE_EXECUTION : (unsigned)probe->kind;
  if (!sl_probes_want(sm->environment.probes, kinds))
    return;
  if (w->log != NULL)
    take_note(&sm->timed.notes[core], probe, w->spec.lanes);
  else if (!record(sm, core, probe))
    tell(sm, core, *probe);
}

/* An atomic's result is available at the end of the quantum; no later instruction has overwritten it. */
static void tell_first(const struct sl_vortex_gpu *sm, unsigned core)
{
  const struct sl_ipdom_warps *w = &sm->core[core].warps;
  struct sl_vortex_events *notes = &sm->timed.notes[core];
  struct sl_vortex_note *n = &notes->note[notes->first];
  const uint32_t *words = notes->words + notes->first * 2 * w->spec.lanes;
  if (n->probe.insn != NULL) {
    const bool late = n->insn.kind == SL_KIND_AMO || n->insn.kind == SL_KIND_LRSC;
    n->probe.insn = &n->insn;
    n->probe.values = late ? sl_ipdom_register(w, n->probe.warp, n->insn.rd) : words;
    n->probe.stored = words; /* a store has no result */
    n->probe.address = words + w->spec.lanes;
  }
  if (!record(sm, core, &n->probe))
    tell(sm, core, n->probe);
  notes->first++;
}

/* The core with the oldest buffered event; the number of cores if there is none. */
static unsigned next_core(const struct sl_vortex_gpu *sm)
{
  unsigned next = sm->spec.cores;
  uint64_t cycle = UINT64_MAX;
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    const struct sl_vortex_events *n = &sm->timed.notes[c];
    if (n->first < n->count && n->note[n->first].probe.cycle < cycle) {
      cycle = n->note[n->first].probe.cycle;
      next = c;
    }
  }
  return next;
}

bool sl_vortex_tell(struct sl_vortex_gpu *sm)
{
  bool lost = false;
  for (unsigned core; (core = next_core(sm)) < sm->spec.cores;)
    tell_first(sm, core);
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    struct sl_vortex_events *n = &sm->timed.notes[c];
    lost |= n->lost;
    n->first = n->count = 0;
  }
  return !lost;
}
