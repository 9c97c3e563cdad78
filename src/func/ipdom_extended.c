#include "func/ipdom_extended.h"

#include "func/extensions/extension_csr.h"

bool sl_ipdom_schedule(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, sl_lanes *mask,
                       struct sl_extended *extended)
{
  const uint32_t pc = w->warp[warp].pc;
  w->warp[warp].pc = sl_next(insn, pc);
  for (unsigned rest = w->schedules; rest; rest &= rest - 1) {
    const unsigned i = sl_lowest(rest);
    const struct sl_extension *e = &w->extension[i];
    const char *wrong = e->kind->schedule(e->state, w, warp, pc, insn, mask, &extended->note[i]);
    if (wrong == NULL)
      continue;
    sl_extension_illegal(w, warp, insn, pc, *mask, wrong);
    return false;
  }
  return true;
}

bool sl_ipdom_rename(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc, sl_lanes active,
                     struct sl_extended *extended)
{
  extended->renamed = true;
  extended->copy = *insn;
  for (unsigned rest = w->renames; rest; rest &= rest - 1) {
    const unsigned i = sl_lowest(rest);
    const struct sl_extension *e = &w->extension[i];
    const char *wrong =
        e->kind->rename(e->state, warp, pc, active, &extended->copy, &extended->note[i], &extended->replaced);
    if (wrong == NULL)
      continue;
    if (w->fault.kind == SL_FAULT_NONE)
      sl_extension_illegal(w, warp, insn, pc, active, wrong);
    w->fault.detail = wrong;
    return false;
  }
  return true;
}

static const char *finish(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                          const struct sl_insn *original, unsigned splits)
{
  const char *wrong = NULL;
  for (unsigned i = 0; i < w->extensions && wrong == NULL; i++) {
    const struct sl_extension *e = &w->extension[i];
    if (e->kind->finish != NULL)
      wrong = e->kind->finish(e->state, w, warp, ex, original, splits, &ex->extended->note[i]);
  }
  return wrong;
}

enum sl_ipdom_effect sl_ipdom_execute_extended(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_insn *original = ex->insn;
  const unsigned splits = w->warp[warp].depth;
  enum sl_ipdom_effect effect = SL_IPDOM_NOTHING;
  ex->jumped = false;
  ex->local = ex->io = 0;
  if (ex->extended->renamed)
    ex->insn = &ex->extended->copy;
  if (ex->active != 0)
    effect = sl_ipdom_execute(w, warp, ex);
  ex->insn = original;
  if (effect == SL_IPDOM_FAULTS)
    return effect;
  if (!ex->extended->replaced && !ex->jumped && w->warp[warp].depth >= splits)
    return effect;
  const char *wrong = finish(w, warp, ex, original, splits);
  if (wrong == NULL)
    return effect;
  if (w->fault.kind == SL_FAULT_NONE)
    sl_extension_illegal(w, warp, original, ex->pc, ex->active, wrong);
  return SL_IPDOM_FAULTS;
}

bool sl_extensions_ready(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->ready != NULL &&
        !w->extension[i].kind->ready(w->extension[i].state, warp, &extended->note[i]))
      return false;
  return true;
}

void sl_extensions_issue(const struct sl_ipdom_warps *w, unsigned warp, struct sl_extended *extended)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->issue != NULL)
      w->extension[i].kind->issue(w->extension[i].state, warp, &extended->note[i]);
}

void sl_extensions_commit(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended,
                          sl_lanes active)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->commit != NULL)
      w->extension[i].kind->commit(w->extension[i].state, warp, &extended->note[i], active);
}

bool sl_extensions_open(const struct sl_ipdom_warps *w, unsigned warp, unsigned csr, bool alone,
                        const struct sl_extended *extended)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->open != NULL && w->extension[i].kind->owns(csr))
      return w->extension[i].kind->open(w->extension[i].state, warp, csr, alone, &extended->note[i]);
  return true;
}
