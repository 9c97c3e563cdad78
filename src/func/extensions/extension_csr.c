#include "func/extensions/extension_csr.h"

void sl_extension_illegal(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc,
                          sl_lanes lanes, const char *what)
{
  w->fault = (struct sl_fault){.kind = SL_FAULT_EXTENSION,
                               .warp = (int)sl_ipdom_global(w, warp),
                               .lanes = lanes,
                               .pc = pc,
                               .insn = *insn,
                               .detail = what};
}

/* Index of the extension that has a CSR; the number of extensions if none has. */
static unsigned owner(const struct sl_ipdom_warps *w, unsigned csr)
{
  unsigned i = 0;
  while (i < w->extensions && !(w->extension[i].kind->owns != NULL && w->extension[i].kind->owns(csr)))
    i++;
  return i;
}

bool sl_extension_has_csr(const struct sl_ipdom_warps *w, unsigned csr)
{
  return w->extensions > 0 && owner(w, csr) < w->extensions;
}

/* The new value of a lane under csrrw, csrrs and csrrc. */
static uint32_t combine(const struct sl_insn *in, uint32_t old, uint32_t operand)
{
  switch (in->op) {
  case SL_OP_CSRRW:
  case SL_OP_CSRRWI: return operand;
  case SL_OP_CSRRS:
  case SL_OP_CSRRSI: return old | operand;
  default: return old & ~operand;
  }
}

bool sl_extension_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  const unsigned number = owner(w, in->csr);
  const struct sl_extension *e = &w->extension[number];
  const bool immediate = in->op == SL_OP_CSRRWI || in->op == SL_OP_CSRRSI || in->op == SL_OP_CSRRCI;
  const bool writes = in->op == SL_OP_CSRRW || in->op == SL_OP_CSRRWI || in->rs1 != 0;
  const uint32_t *operand = sl_ipdom_register(w, warp, in->rs1);
  uint32_t old[SL_MAX_LANES], values[SL_MAX_LANES];
  const char *wrong = e->kind->read(e->state, warp, in->csr, old);
  for (unsigned lane = 0; lane < w->spec.lanes; lane++)
    values[lane] = combine(in, old[lane], immediate ? in->imm : operand[lane]);
  uint32_t *d = sl_ipdom_register(w, warp, in->rd);
  for (sl_lanes rest = wrong == NULL && in->rd != 0 ? ex->active : 0; rest; rest &= rest - 1)
    d[sl_lowest(rest)] = old[sl_lowest(rest)];
  if (wrong == NULL && writes)
    wrong = e->kind->write(e->state, warp, in->csr, ex->active, values, &ex->extended->note[number]);
  if (wrong != NULL)
    sl_extension_illegal(w, warp, in, ex->pc, ex->active, wrong);
  return wrong == NULL;
}
