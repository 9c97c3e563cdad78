#include "machine/sm7/riscv/sm7_rv_linear.h"

#include "machine/sm7/riscv/sm7_rv_shadow.h"

static struct sl_sm7_rv_warp *warp_of(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at)
{
  return &rv->warp[sl_sm7_rv_number(rv, at->sm, at->slot, at->warp)];
}

static struct sl_sm7_rv_block *block_of(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at)
{
  return &rv->block[at->sm * SL_SM7_MAX_BLOCKS + at->slot];
}

static uint32_t *row(const struct sl_sm7_rv_warp *w, unsigned number)
{
  return w->x + (size_t)number * SL_SM7_LANES;
}

/* ---- phases ------------------------------------------------------------------------------------------------------ */

uint32_t sl_sm7_rv_phase_lanes(const struct sl_sm7_rv *rv, unsigned warp, unsigned phase)
{
  const unsigned lrs = rv->linear.chosen->is.lrs;
  return phase == SL_SM7_PHASE_COEFFICIENTS ? 1
         : phase == SL_SM7_PHASE_BLOCK      ? (uint32_t)sl_low_bits(lrs > 0 ? lrs : 1)
                                            : sl_sm7_rv_lanes_of(rv, warp);
}

/* False: out of memory. */
static bool enter(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, unsigned phase)
{
  struct sl_sm7_rv_warp *w = warp_of(rv, at);
  w->phase = (uint8_t)phase;
  sl_sm7_rv_reset(rv, w, sl_sm7_rv_lanes_of(rv, at->warp));
  sl_simt_stack_init(&w->stack, rv->linear.chosen->start[phase], sl_sm7_rv_phase_lanes(rv, at->warp, phase));
  return phase != SL_SM7_PHASE_REST || rv->shadow == NULL || sl_sm7_rv_shadow_begin(rv, at);
}

bool sl_sm7_rv_linear_begin(void *context, unsigned sm, unsigned slot, uint64_t block)
{
  struct sl_sm7_rv *rv = context;
  struct sl_sm7_rv_linear_sm *own = &rv->linear.sm[sm];
  bool room = sl_sm7_rv_begin(rv, sm, slot, block);
  for (unsigned i = 0; i < rv->warps_per_block && room; i++)
    room = enter(rv, &(struct sl_sm7_rv_place){sm, slot, i},
                 own->begun ? (i == 0 ? SL_SM7_PHASE_BLOCK : SL_SM7_PHASE_REST)
                 : i == 0   ? SL_SM7_PHASE_COEFFICIENTS
                            : SL_SM7_PHASE_THREADS);
  own->begun = true;
  return room;
}

static bool end_phase(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at)
{
  const unsigned phase = warp_of(rv, at)->phase;
  return enter(rv, at, phase == SL_SM7_PHASE_THREADS && at->warp > 0 ? SL_SM7_PHASE_REST : phase + 1);
}

uint8_t sl_sm7_rv_phase(void *context, unsigned sm, unsigned slot, unsigned warp)
{
  return warp_of(context, &(struct sl_sm7_rv_place){sm, slot, warp})->phase;
}

uint64_t sl_sm7_rv_linear_ready(const struct sl_sm7_rv *rv, uint64_t live)
{
  uint64_t of[SL_LINEAR_FORM_PHASES] = {0};
  unsigned first = 0;
  for (uint64_t rest = live; rest; rest &= rest - 1)
    of[rv->warp[sl_lowest(rest)].phase] |= rest & -rest;
  while (first < SL_SM7_PHASE_REST && of[first] == 0)
    first++;
  return of[first];
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Writes its row of the warp's registers. */
static void read_sum(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t field)
{
  if (field == 0)
    return;
  static const uint32_t none[SL_SM7_LANES];
  const struct sl_linear_form_sum *s = &rv->linear.chosen->is.sum[field - 1];
  const struct sl_sm7_rv_linear_sm *own = &rv->linear.sm[at->sm];
  const struct sl_sm7_rv_warp *w = warp_of(rv, at);
  const size_t lanes = (size_t)rv->warps_per_block * SL_SM7_LANES;
  const uint32_t *tr = s->tr == SL_LINEAR_FORM_NONE ? none : &own->tr[s->tr * lanes + at->warp * SL_SM7_LANES];
  const uint32_t *ur = s->ur == SL_LINEAR_FORM_NONE ? none : row(w, SL_SM7_RV_UR + s->ur);
  const uint32_t same = s->number + (s->lr == SL_LINEAR_FORM_NONE ? 0 : block_of(rv, at)->br[s->lr]) +
                        (s->cr == SL_LINEAR_FORM_NONE ? 0 : own->cr[s->cr]);
  uint32_t *to = row(w, SL_SM7_RV_SUM + field - 1);
  for (unsigned i = 0; i < SL_SM7_LANES; i++)
    to[i] = same + tr[i] + ur[i];
}

static bool is_of(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index, unsigned phase)
{
  const struct sl_sm7_rv_form *form = rv->linear.chosen;
  return form != NULL && warp_of(rv, at)->phase == phase && index >= form->start[phase] &&
         index < (phase < SL_SM7_PHASE_REST ? form->start[phase + 1] : form->end);
}

const struct sl_insn *sl_sm7_rv_linear_read(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index)
{
  const struct sl_insn *prefix = &rv->code.insn[index];
  if (!is_of(rv, at, index, prefix->op == SL_OP_R2_CR ? SL_SM7_PHASE_COEFFICIENTS : SL_SM7_PHASE_REST))
    return NULL;
  if (prefix->op == SL_OP_R2_USE) {
    const struct sl_linear_fields f = sl_linear_fields_of((uint32_t)prefix->word);
    read_sum(rv, at, f.s1);
    read_sum(rv, at, f.s2);
  }
  return &rv->linear.fused[index];
}

void sl_sm7_rv_linear_written(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index)
{
  const struct sl_insn *prefix = &rv->code.insn[index];
  if (prefix->op == SL_OP_R2_CR)
    rv->linear.sm[at->sm].cr[sl_linear_fields_of((uint32_t)prefix->word).cr] = row(warp_of(rv, at), prefix[1].rd)[0];
}

static void add_thread_part(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *in,
                            uint32_t active)
{
  const struct sl_linear_fields f = sl_linear_fields_of((uint32_t)in->word);
  struct sl_sm7_rv_linear_sm *own = &rv->linear.sm[at->sm];
  const uint32_t factor = in->op == SL_OP_R2_MADI_TR ? (uint32_t)f.number : own->cr[f.cr];
  uint32_t *tr = &own->tr[((size_t)f.tr * rv->warps_per_block + at->warp) * SL_SM7_LANES];
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    uint32_t thread[3];
    sl_sm7_rv_thread(rv, at->warp, lane, thread);
    tr[lane] = (f.adds ? tr[lane] : 0) + thread[f.dimension] * factor;
  }
}

static void add_block_part(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *in)
{
  const struct sl_linear_fields f = sl_linear_fields_of((uint32_t)in->word);
  const uint32_t *cr = &rv->linear.sm[at->sm].cr[f.slice * SL_LINEAR_SLICE];
  struct sl_sm7_rv_block *block = block_of(rv, at);
  for (unsigned i = 0; i < rv->linear.chosen->is.lrs; i++)
    block->br[i] = in->op == SL_OP_R2_MOV_BR ? cr[i] : block->br[i] + block->index[f.dimension] * cr[i];
}

bool sl_sm7_rv_linear_execute(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index, uint32_t active)
{
  const struct sl_insn *in = &rv->code.insn[index];
  const unsigned phase = warp_of(rv, at)->phase;
  if (in->op == SL_OP_R2_FORM || phase >= SL_SM7_PHASE_REST || !is_of(rv, at, index, phase))
    return false;
  if (in->op == SL_OP_R2_END)
    return end_phase(rv, at);
  if (in->op == SL_OP_R2_MAD_TR || in->op == SL_OP_R2_MADI_TR)
    add_thread_part(rv, at, in, active);
  else
    add_block_part(rv, at, in);
  sl_simt_stack_advance(&warp_of(rv, at)->stack, index + 1);
  return true;
}
