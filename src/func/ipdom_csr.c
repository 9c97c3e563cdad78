#include "func/ipdom_execute.h"

#include "func/rv_execute.h"

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

bool sl_extension_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  const unsigned number = owner(w, in->csr);
  const struct sl_extension *e = &w->extension[number];
  const uint32_t *operand = sl_ipdom_register(w, warp, in->rs1);
  uint32_t old[SL_MAX_LANES], values[SL_MAX_LANES];
  const char *wrong = e->kind->read(e->state, warp, in->csr, old);
  for (unsigned lane = 0; lane < w->spec.lanes; lane++)
    values[lane] = sl_csr_written(in, old[lane], sl_csr_operand(in, operand[lane]));
  uint32_t *d = sl_ipdom_register(w, warp, in->rd);
  for (sl_lanes rest = wrong == NULL && in->rd != 0 ? ex->active : 0; rest; rest &= rest - 1)
    d[sl_lowest(rest)] = old[sl_lowest(rest)];
  if (wrong == NULL && sl_csr_writes(in))
    wrong = e->kind->write(e->state, warp, in->csr, ex->active, values, &ex->extended->note[number]);
  if (wrong != NULL)
    sl_extension_illegal(w, warp, in, ex->pc, ex->active, wrong);
  return wrong == NULL;
}

enum {
  /* Standard CSRs: section 11.2 of volume I and chapter 2 of volume II of the manual. */
  MSCRATCH = 0x340,
  COUNTERS = 0xb00,
  COUNTERS_HIGH = 0xb80,
  MOST_COUNTERS = 32,
  MCYCLE = 0,
  MINSTRET = 2,
  FIRST_PERFORMANCE = 3,
  MHARTID = 0xf14,
  /* Vortex CSRs. */
  ID_0 = 0xcc0,
  ID_1 = 0xcc1,
  ID_2 = 0xcc2,
  ID_3 = 0xcc3,
  THREAD_MASK = 0xcc4,
  CORE_ID_1 = 0xcc5,
  LANES = 0xfc0,
  WARPS = 0xfc1,
  CORES = 0xfc2,
  LOCAL_BASE = 0xfc3
};

/* The value of a CSR in lane 0, and its increment per lane. */
struct reading {
  uint32_t value, step;
};

/* Standard CSRs that read 0 and ignore writes: satp, mstatus to mtvec, mepc, mcause, pmpcfg0, pmpaddr0, mnstatus. */
static bool reads_zero(unsigned csr)
{
  switch (csr) {
  case 0x180:
  case 0x300:
  case 0x301:
  case 0x302:
  case 0x303:
  case 0x304:
  case 0x305:
  case 0x341:
  case 0x342:
  case 0x3a0:
  case 0x3b0:
  case 0x744: return true;
  default: return false;
  }
}

static bool read_counter(const struct sl_ipdom_warps *w, unsigned csr, uint32_t *value)
{
  const struct sl_ipdom_clock *clock = &w->s.clock;
  const bool high = csr >= COUNTERS_HIGH;
  const unsigned index = csr - (high ? COUNTERS_HIGH : COUNTERS);
  uint64_t count = 0;
  if (index >= MOST_COUNTERS || index == 1)
    return false;
  if (index == MCYCLE)
    count = clock->cycle;
  else if (index == MINSTRET)
    count = clock->thread_instructions;
  else if (w->performance != NULL)
    count = w->performance(w->performance_context, w->s.performance_class, index - FIRST_PERFORMANCE);
  *value = (uint32_t)(high ? count >> 32 : count);
  return true;
}

bool sl_ipdom_csr_is_counter(unsigned csr)
{
  return csr >= COUNTERS && csr < COUNTERS_HIGH + MOST_COUNTERS;
}

bool sl_ipdom_csr_holds(const struct sl_ipdom_warps *w, const struct sl_ipdom_execution *ex)
{
  const sl_lanes given = (sl_lanes)(int64_t)(int32_t)ex->active & w->all;
  return ex->insn->csr != THREAD_MASK || ex->insn->rd == 0 || given == ex->active;
}

/* CSRs that both maps have. */
static bool read_common(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                        struct reading *r)
{
  const unsigned csr = ex->insn->csr;
  if (sl_csr_read_float(csr, w->warp[warp].fcsr, &r->value))
    return true;
  switch (csr) {
  case MSCRATCH: r->value = w->s.mscratch; return true;
  case THREAD_MASK: r->value = (uint32_t)ex->active; return true;
  case LANES: r->value = w->spec.lanes; return true;
  case WARPS: r->value = w->spec.warps; return true;
  case CORES: r->value = w->spec.cores; return true;
  case LOCAL_BASE: r->value = w->spec.local_base; return true;
  default: break;
  }
  if (sl_ipdom_csr_is_counter(csr))
    return read_counter(w, csr, &r->value);
  return reads_zero(csr);
}

static bool read_2(const struct sl_ipdom_warps *w, unsigned warp, unsigned csr, struct reading *r)
{
  switch (csr) {
  case ID_0: *r = (struct reading){0, 1}; return true;
  case ID_1: r->value = warp; return true;
  case ID_2: r->value = w->spec.core; return true;
  case ID_3: r->value = (uint32_t)w->s.sync.active; return true;
  case MHARTID: *r = (struct reading){sl_ipdom_hart(w, warp, 0), 1}; return true;
  default: return false;
  }
}

static bool read_1(const struct sl_ipdom_warps *w, unsigned warp, unsigned csr, struct reading *r)
{
  switch (csr) {
  case ID_0: *r = (struct reading){0, 1}; return true;
  case ID_1: *r = (struct reading){warp << w->lane_bits, 1}; return true;
  case ID_2: *r = (struct reading){sl_ipdom_hart(w, warp, 0), 1}; return true;
  case ID_3: r->value = warp; return true;
  case CORE_ID_1: r->value = w->spec.core; return true;
  case MHARTID: r->value = sl_ipdom_global(w, warp); return true;
  default: return false;
  }
}

static void write(struct sl_ipdom_warps *w, unsigned warp, unsigned csr, uint32_t value)
{
  sl_csr_write_float(csr, &w->warp[warp].fcsr, value);
  if (csr == MSCRATCH)
    w->s.mscratch = value; /* all others are read-only; hardware ignores the write */
}

bool sl_ipdom_csr_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  struct reading r = {0, 0};
  const bool known = read_common(w, warp, ex, &r) ||
                     (w->spec.encoding == SL_ENCODING_2 ? read_2(w, warp, in->csr, &r) : read_1(w, warp, in->csr, &r));
  if (!known)
    return false;
  const struct sl_rv_lanes l = sl_ipdom_lanes(w, warp, ex);
  const uint32_t written = sl_rv_csr_written(&l, r.value, sl_highest(ex->active)); /* rd may be rs1 */
  (void)sl_rv_csr_read(&l, r.value, r.step);
  if (sl_csr_writes(in))
    write(w, warp, in->csr, written);
  return true;
}
