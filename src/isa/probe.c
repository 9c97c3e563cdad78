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

static void tell_parts(struct sl_probes *probes, struct sl_probe *told)
{
  const bool fence = told->insn->kind == SL_KIND_FENCE;
  told->kind = SL_PROBE_EXECUTED;
  sl_tell(probes, told);
  told->kind = SL_PROBE_ACCESSED;
  if (told->address != NULL)
    sl_tell(probes, told);
  told->kind = SL_PROBE_FENCED;
  if (fence)
    sl_tell(probes, told);
}

void sl_tell_execution(struct sl_probes *probes, const struct sl_probe *probe)
{
  uint64_t values[SL_MAX_LANES], address[SL_MAX_LANES];
  if (!sl_probes_want(probes, SL_PROBE_EXECUTION))
    return;
  struct sl_probe told = *probe;
  if (told.insn->rd == 0)
    told.values = NULL;
  if (told.insn->width == 0)
    told.address = NULL;
  told.access = told.insn->kind == SL_KIND_LOAD    ? SL_PROBE_LOAD
                : told.insn->kind == SL_KIND_STORE ? SL_PROBE_STORE
                                                   : SL_PROBE_ATOMIC;
  told.width = told.insn->width;
  if (probes->payloads & SL_PAYLOAD_RESULTS)
    told.wide_values = widen(told.values, told.active, values);
  if (probes->payloads & SL_PAYLOAD_ADDRESSES)
    told.wide_address = widen(told.address, told.active, address);
  tell_parts(probes, &told);
}

unsigned sl_stage_of(const struct sl_stages *stages, enum sl_probe_kind kind)
{
  for (unsigned i = 0; i < stages->count; i++)
    if (stages->stage[i].kinds & kind)
      return i;
  return 0;
}
