#include "isa/probe.h"

void sl_tell(struct sl_probes *probes, const struct sl_probe *probe)
{
  if (sl_probes_want(probes, probe->kind) && !probes->tell(probes->context, probe))
    probes->stopped = true;
}

/* Copies words of the active lanes to 64 bits. */
static const uint64_t *widen(const uint32_t *words, sl_lanes lanes, uint64_t wide[SL_MAX_LANES])
{
  if (words == NULL)
    return NULL;
  for (sl_lanes rest = lanes; rest; rest &= rest - 1)
    wide[sl_lowest(rest)] = words[sl_lowest(rest)];
  return wide;
}

static void tell_parts(struct sl_probes *probes, struct sl_probe *event)
{
  const bool fence = event->insn->kind == SL_KIND_FENCE;
  event->kind = SL_PROBE_EXECUTED;
  if (probes->only == 0 || (probes->only >> event->insn->kind & 1) != 0)
    sl_tell(probes, event);
  event->kind = SL_PROBE_ACCESSED;
  if (event->address != NULL)
    sl_tell(probes, event);
  event->kind = SL_PROBE_FENCED;
  if (fence)
    sl_tell(probes, event);
}

void sl_tell_execution(struct sl_probes *probes, const struct sl_probe *probe)
{
  uint64_t values[SL_MAX_LANES], address[SL_MAX_LANES];
  if (!sl_probes_want_execution(probes, probe->insn))
    return;
  struct sl_probe event = *probe;
  if (event.insn->rd == 0)
    event.values = NULL;
  if (event.insn->width == 0)
    event.address = NULL;
  if (event.insn->kind != SL_KIND_STORE)
    event.stored = NULL;
  event.access = event.insn->kind == SL_KIND_LOAD    ? SL_PROBE_LOAD
                 : event.insn->kind == SL_KIND_STORE ? SL_PROBE_STORE
                                                     : SL_PROBE_ATOMIC;
  event.width = event.insn->width;
  if (probes->payloads & SL_PAYLOAD_RESULTS)
    event.wide_values = widen(event.values, event.active, values);
  if (probes->payloads & SL_PAYLOAD_ADDRESSES)
    event.wide_address = widen(event.address, event.active, address);
  tell_parts(probes, &event);
}

uint64_t sl_probes_reporting(const struct sl_probes *probes)
{
  enum { ACCESSES = SL_PROBE_ACCESSED, FENCES = SL_PROBE_FENCED };
  uint64_t kinds = sl_probes_want(probes, SL_PROBE_EXECUTED) ? probes->only : 0;
  if (sl_probes_want(probes, ACCESSES))
    kinds |= UINT64_C(1) << SL_KIND_AMO | UINT64_C(1) << SL_KIND_LRSC;
  return kinds | (sl_probes_want(probes, FENCES) ? UINT64_C(1) << SL_KIND_FENCE : 0);
}
