#include "warp/extensions.h"

static bool illegal(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc, sl_lanes lanes,
                    const char *what)
{
  w->fault = (struct sl_fault){.kind = SL_FAULT_EXTENSION,
                               .warp = (int)sl_ipdom_global(w, warp),
                               .lanes = lanes,
                               .pc = pc,
                               .insn = *insn,
                               .detail = what};
  return false;
}

static bool changes_mask(const struct sl_insn *in)
{
  return in->kind == SL_KIND_WARP && in->op != SL_OP_BAR && in->op != SL_OP_BAR_1 && in->op != SL_OP_CMOV_1 &&
         in->op != SL_OP_PREFETCH_1;
}

bool sl_ipdom_schedule_loops(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, sl_lanes *mask,
                             bool *ends)
{
  struct sl_ipdom_warp *p = &w->warp[warp];
  const uint32_t pc = p->pc;
  const char *wrong = sl_loops_enter(w->loops, warp, pc, p->depth, p->mask, mask);
  *ends = wrong == NULL && sl_loops_running(w->loops, warp) && sl_loops_ends_at(w->loops, warp, pc);
  if (wrong == NULL && *ends && changes_mask(insn))
    wrong = SL_LOOPS_TRANSFER_AT_END;
  if (wrong == NULL && (insn->op == SL_OP_WSPAWN || insn->op == SL_OP_WSPAWN_1) && sl_loops_running(w->loops, warp))
    wrong = SL_LOOPS_SPAWN_INSIDE;
  if (wrong == NULL)
    wrong = sl_loops_next(w->loops, warp, pc, p->depth, &p->mask, &p->pc);
  return wrong == NULL || illegal(w, warp, insn, pc, *mask, wrong);
}

bool sl_ipdom_rename_streams(struct sl_ipdom_warps *w, unsigned warp, uint32_t pc, sl_lanes active,
                             struct sl_insn *copy, struct sl_stream_use *use)
{
  const struct sl_insn original = *copy;
  const char *wrong = sl_streams_rename(w->streams, warp, pc, active, copy, use);
  /* decision: the result of an atomic may come later than its execution, too late for a stream. */
  if (wrong == NULL && use->write >= 0 && (copy->kind == SL_KIND_AMO || copy->kind == SL_KIND_LRSC))
    wrong = "has a write stream as destination, which an atomic cannot";
  if (wrong == NULL)
    return true;
  if (w->fault.kind == SL_FAULT_NONE)
    return illegal(w, warp, &original, pc, active, wrong);
  w->fault.detail = wrong;
  return false;
}

/* A JOIN that takes an entry pushed outside the loop. */
static bool leaves_loop(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *in, unsigned before)
{
  return (in->op == SL_OP_JOIN || in->op == SL_OP_JOIN_1) && before > 0 && sl_loops_join_leaves(w->loops, warp, before);
}

enum sl_ipdom_effect sl_ipdom_execute_extended(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                               const struct sl_insn *original, bool ends,
                                               const struct sl_stream_use *use)
{
  const unsigned before = w->warp[warp].depth;
  enum sl_ipdom_effect effect = SL_IPDOM_NOTHING;
  ex->jumped = false;
  ex->local = ex->io = 0;
  if (ex->active != 0)
    effect = sl_ipdom_execute(w, warp, ex);
  if (effect == SL_IPDOM_FAULTS)
    return effect;
  const char *wrong = NULL;
  if (ends && ex->jumped)
    wrong = SL_LOOPS_TRANSFER_AT_END;
  else if (w->loops != NULL && (ex->jumped || w->warp[warp].depth < before) && leaves_loop(w, warp, original, before))
    wrong = SL_LOOPS_JOIN_LEAVES;
  else if (use->write >= 0)
    wrong = sl_streams_finish(w->streams, warp, ex->pc, ex->active, original, use);
  if (wrong == NULL)
    return effect;
  if (w->fault.kind == SL_FAULT_NONE)
    illegal(w, warp, original, ex->pc, ex->active, wrong);
  return SL_IPDOM_FAULTS;
}

/* A warp is switched off, or begins. */
static void reset(struct sl_ipdom_warps *w, unsigned warp)
{
  if (w->loops != NULL)
    sl_loops_clear(w->loops, warp);
  if (w->streams != NULL)
    sl_streams_stop(w->streams, warp);
}

sl_warps sl_ipdom_begin_spawned(struct sl_ipdom_warps *w)
{
  const sl_warps free = sl_gang_spawn(&w->gang);
  for (sl_warps rest = free & ~sl_bit(w->gang.spawner); rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    sl_ipdom_spawn(w, warp, w->gang.spawn_pc);
    reset(w, warp);
  }
  return free;
}

void sl_ipdom_end(struct sl_ipdom_warps *w, unsigned warp)
{
  reset(w, warp);
  sl_gang_end(&w->gang, warp);
}

bool sl_ipdom_extension_csr(const struct sl_ipdom_warps *w, unsigned csr)
{
  return (w->loops != NULL && sl_is_extension_csr(csr, SL_UNIT_LOOP)) ||
         (w->streams != NULL && sl_is_extension_csr(csr, SL_UNIT_STREAM));
}

/* What csrrw, csrrs and csrrc make of a lane's old value. */
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

static const char *read_all(const struct sl_ipdom_warps *w, unsigned warp, unsigned csr, uint32_t *values)
{
  uint32_t value = 0;
  if (sl_is_extension_csr(csr, SL_UNIT_STREAM))
    return sl_streams_csr_read(w->streams, warp, csr, values);
  const char *wrong = sl_loops_csr_read(w->loops, warp, csr, &value);
  for (unsigned lane = 0; lane < w->spec.lanes; lane++)
    values[lane] = value;
  return wrong;
}

bool sl_ipdom_extension_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  const bool immediate = in->op == SL_OP_CSRRWI || in->op == SL_OP_CSRRSI || in->op == SL_OP_CSRRCI;
  const bool writes = in->op == SL_OP_CSRRW || in->op == SL_OP_CSRRWI || in->rs1 != 0;
  const uint32_t *operand = sl_ipdom_register(w, warp, in->rs1);
  uint32_t old[SL_MAX_LANES], values[SL_MAX_LANES];
  const char *wrong = read_all(w, warp, in->csr, old);
  for (unsigned lane = 0; lane < w->spec.lanes; lane++)
    values[lane] = combine(in, old[lane], immediate ? in->imm : operand[lane]);
  uint32_t *d = sl_ipdom_register(w, warp, in->rd);
  for (sl_lanes rest = wrong == NULL && in->rd != 0 ? ex->active : 0; rest; rest &= rest - 1)
    d[sl_lowest(rest)] = old[sl_lowest(rest)];
  if (wrong == NULL && writes && sl_is_extension_csr(in->csr, SL_UNIT_STREAM))
    wrong = sl_streams_csr_write(w->streams, warp, in->csr, ex->active, values,
                                 w->streams->spec.timed ? &w->stream_begun : NULL);
  else if (wrong == NULL && writes)
    wrong = sl_loops_csr_write(w->loops, warp, in->csr, values[sl_lowest(ex->active)]);
  return wrong == NULL || illegal(w, warp, in, ex->pc, ex->active, wrong);
}
