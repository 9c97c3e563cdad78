#include "warp/probe.h"

void sl_tell(struct sl_probes *probes, const struct sl_probe *probe)
{
  if (sl_probes_want(probes, probe->kind) && !probes->tell(probes->context, probe))
    probes->stopped = true;
}

void sl_tell_execution(struct sl_probes *probes, const struct sl_probe *probe)
{
  struct sl_probe told = *probe;
  told.kind = SL_PROBE_EXECUTED;
  if (told.insn->rd == 0)
    told.values = NULL;
  if (told.insn->width == 0)
    told.address = NULL;
  sl_tell(probes, &told);
  told.kind = SL_PROBE_ACCESSED;
  if (told.address != NULL)
    sl_tell(probes, &told);
}

enum sl_kind sl_probe_access(const struct sl_probe *probe)
{
  return probe->insn->kind == SL_KIND_LRSC ? SL_KIND_AMO : (enum sl_kind)probe->insn->kind;
}
