#include "machine/sm7/riscv/sm7_rv_warps.h"

#include <stdlib.h>

#include "base/grow.h"
#include "machine/sm7/sm7_lower.h"

/* The scoreboard's numbers of registers that do not belong to a thread. */
enum { COEFFICIENT = 128, THREAD_PART = COEFFICIENT + SL_LINEAR_MOST_CRS + 1, BLOCK_PART = THREAD_PART + 16 };
enum { DIMENSIONS = 3 };

/* ---- finding ----------------------------------------------------------------------------------------------------- */

/* A prefix and the word after it. */
static bool pair_valid(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_form *form, uint32_t index)
{
  const struct sl_insn *prefix = &rv->code.insn[index], *in = prefix + 1;
  const struct sl_linear_fields f = sl_linear_fields_of((uint32_t)prefix->word);
  if (index + 1 >= form->end || in->kind == SL_KIND_LINEAR || in->kind == SL_KIND_UNKNOWN || in->kind == SL_KIND_JALR)
    return false;
  return prefix->op == SL_OP_R2_CR ? f.cr < form->is.crs
                                   : f.s1 <= form->is.sums && f.s2 <= form->is.sums && f.ur <= form->is.urs;
}

/* Whether an instruction names existing registers, in its phase. */
static bool insn_valid(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_form *form, uint32_t index, unsigned phase)
{
  const struct sl_insn *in = &rv->code.insn[index];
  const struct sl_linear_fields f = sl_linear_fields_of((uint32_t)in->word);
  const bool last = phase < SL_SM7_PHASE_REST && index + 1 == form->start[phase + 1];
  if (last || in->op == SL_OP_R2_END)
    return last && in->op == SL_OP_R2_END;
  switch (in->op) {
  case SL_OP_R2_USE: return phase == SL_SM7_PHASE_REST && pair_valid(rv, form, index);
  case SL_OP_R2_CR: return phase == SL_SM7_PHASE_COEFFICIENTS && pair_valid(rv, form, index);
  case SL_OP_R2_MAD_TR:
  case SL_OP_R2_MADI_TR:
    return phase == SL_SM7_PHASE_THREADS && f.tr < form->is.trs && f.dimension < DIMENSIONS &&
           (in->op == SL_OP_R2_MADI_TR || f.cr < form->is.crs);
  case SL_OP_R2_MOV_BR: return phase == SL_SM7_PHASE_BLOCK;
  case SL_OP_R2_MAD_BR:
    return phase == SL_SM7_PHASE_BLOCK && f.dimension < DIMENSIONS && f.slice * SL_LINEAR_SLICE < form->is.crs;
  default: return in->kind != SL_KIND_LINEAR;
  }
}

static const char *damage_of(const struct sl_sm7_rv *rv, struct sl_sm7_rv_form *form)
{
  form->entry = sl_code_index(&rv->code, form->is.entry);
  form->end = sl_code_index(&rv->code, form->is.end);
  for (unsigned p = 0; p < SL_LINEAR_FORM_PHASES; p++)
    form->start[p] = sl_code_index(&rv->code, form->is.start[p]);
  if (form->end > rv->code.count || form->start[0] >= form->end || form->entry >= rv->code.count)
    return "the kernel's variant with linear registers is incomplete; create it again with simtlab linear -o, or set "
           "r2d2=off";
  for (unsigned p = 0; p < SL_LINEAR_FORM_PHASES; p++)
    for (uint32_t i = form->start[p]; i < (p < SL_SM7_PHASE_REST ? form->start[p + 1] : form->end); i++)
      if (!insn_valid(rv, form, i, p))
        return "the kernel's variant with linear registers has an invalid instruction; create it again with "
               "simtlab linear -o, or set r2d2=off";
  return NULL;
}

/* Fuses a prefix with the word after it: sums and uniform registers are rows of the warp's registers. */
static struct sl_insn fuse(const struct sl_insn *prefix)
{
  const struct sl_linear_fields f = sl_linear_fields_of((uint32_t)prefix->word);
  struct sl_insn in = prefix[1];
  if (prefix->op == SL_OP_R2_CR)
    return in;
  in.rs1 = f.s1 != 0 ? (uint8_t)(SL_SM7_RV_SUM + f.s1 - 1) : in.rs1;
  in.rs2 = f.s2 != 0 ? (uint8_t)(SL_SM7_RV_SUM + f.s2 - 1) : in.rs2;
  in.rd = f.ur != 0 ? (uint8_t)(SL_SM7_RV_UR + f.ur - 1) : in.rd;
  return in;
}

static bool read_form(struct sl_sm7_rv *rv, uint32_t index)
{
  struct sl_sm7_rv_linear *l = &rv->linear;
  uint32_t word[SL_LINEAR_FORM_WORDS], count = 0;
  if (!SL_GROW(l->form, l->forms))
    return false;
  struct sl_sm7_rv_form *form = &l->form[l->forms++];
  const char *why;
  for (; count < SL_LINEAR_FORM_WORDS && index + count < rv->code.count; count++)
    word[count] = (uint32_t)rv->code.insn[index + count].word;
  *form = (struct sl_sm7_rv_form){.damage = NULL};
  form->damage =
      sl_linear_form_read(&form->is, word, count, &why)
          ? damage_of(rv, form)
          : "the kernel's variant with linear registers does not declare its registers; create it again with simtlab "
            "linear -o, or set r2d2=off";
  for (uint32_t i = form->start[0]; form->damage == NULL && i < form->end; i++)
    if (sl_linear_is_prefix(&rv->code.insn[i]))
      l->fused[i] = fuse(&rv->code.insn[i]);
  return true;
}

/* In the current code. False: out of memory. */
static bool find_forms(struct sl_sm7_rv *rv)
{
  struct sl_sm7_rv_linear *l = &rv->linear;
  if (l->edition == rv->edition)
    return true;
  sl_sm7_rv_forget_forms(rv);
  for (uint32_t i = 0; i < rv->code.count; i++) {
    if (rv->code.insn[i].op != SL_OP_R2_FORM)
      continue;
    if (l->fused == NULL)
      l->fused = calloc(rv->code.count, sizeof *l->fused);
    if (l->fused == NULL || !read_form(rv, i))
      return false;
  }
  l->edition = rv->edition;
  return true;
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */

struct facts {
  struct sl_sm7_rv *rv;
  const struct sl_sm7_rv_form *form;
  struct sl_sm7_linear file;
  uint8_t adds;
};

static void watch(struct sl_sm7_instruction *code, unsigned number)
{
  if (code->watched < SL_SM7_WATCHED)
    code->watch[code->watched++] = (uint16_t)number;
}

static void write(struct sl_sm7_instruction *code, unsigned number, unsigned bank)
{
  watch(code, number);
  code->write[code->writes] = (uint16_t)number;
  code->write_bank[code->writes++] = (uint16_t)bank;
  code->words_written++;
}

/* Reads the parts of a sum; waits for a part that grows in a loop. */
static void note_sum(const struct facts *f, struct sl_sm7_instruction *code, uint32_t field)
{
  if (field == 0)
    return;
  const struct sl_linear_form_sum *s = &f->form->is.sum[field - 1];
  sl_sm7_linear_read(code, &f->file, &(struct sl_sm7_linear_parts){.lr = s->lr, .tr = s->tr, .cr = s->cr});
  if (s->lr != SL_LINEAR_FORM_NONE)
    code->adds = f->adds;
  if (s->ur == SL_LINEAR_FORM_NONE)
    return;
  watch(code, SL_SM7_RV_UR + s->ur);
  sl_sm7_linear_read_own(code, SL_SM7_RV_UR + s->ur, 1);
}

static struct sl_sm7_instruction facts_of_use(const struct facts *f, uint32_t index)
{
  const struct sl_linear_fields fields = sl_linear_fields_of((uint32_t)f->rv->code.insn[index].word);
  struct sl_insn in = f->rv->linear.fused[index];
  in.rs1 = fields.s1 != 0 ? 0 : in.rs1;
  in.rs2 = fields.s2 != 0 ? 0 : in.rs2;
  struct sl_sm7_instruction code = sl_sm7_rv_facts(&in);
  code.more = 1;
  note_sum(f, &code, fields.s1);
  if (fields.s2 != fields.s1)
    note_sum(f, &code, fields.s2);
  code.update = fields.ur != 0 && fields.s1 != 0 && f->form->is.sum[fields.s1 - 1].ur == fields.ur - 1;
  return code;
}

static struct sl_sm7_instruction facts_of_phase(const struct facts *f, uint32_t index)
{
  const struct sl_insn *in = &f->rv->code.insn[index];
  const struct sl_linear_fields fields = sl_linear_fields_of((uint32_t)in->word);
  struct sl_sm7_instruction code = {.unit = SL_SM7_INT, .class = SL_SM7_C_INT_MAD, .kind = SL_SM7_ALU};
  const unsigned none = SL_PTX_LINEAR_NONE;
  switch (in->op) {
  case SL_OP_R2_CR:
    code = sl_sm7_rv_facts(&in[1]);
    code.more = 1;
    write(&code, COEFFICIENT + fields.cr, sl_sm7_linear_cr(&f->file, fields.cr, 1));
    break;
  case SL_OP_R2_MAD_TR:
    sl_sm7_linear_read(&code, &f->file, &(struct sl_sm7_linear_parts){.lr = none, .tr = none, .cr = fields.cr});
    /* fall through */
  case SL_OP_R2_MADI_TR:
    if (fields.adds)
      sl_sm7_linear_read(&code, &f->file, &(struct sl_sm7_linear_parts){.lr = none, .tr = fields.tr, .cr = none});
    write(&code, THREAD_PART + fields.tr, sl_sm7_linear_tr(&f->file, fields.tr, 0, 0));
    break;
  case SL_OP_R2_MOV_BR:
  case SL_OP_R2_MAD_BR:
    code.class = in->op == SL_OP_R2_MOV_BR ? SL_SM7_C_OTHER : SL_SM7_C_INT_MAD;
    sl_sm7_linear_read(&code, &f->file,
                       &(struct sl_sm7_linear_parts){.lr = in->op == SL_OP_R2_MOV_BR ? none : 0,
                                                     .tr = none,
                                                     .cr = fields.slice * SL_LINEAR_SLICE});
    write(&code, BLOCK_PART, sl_sm7_linear_br(&f->file, 0, 0));
    break;
  default: code.class = SL_SM7_C_OTHER; break;
  }
  return code;
}

/* The end of a phase waits for the last results. */
static void wait_for_results(const struct facts *f, uint32_t first, uint32_t end)
{
  struct sl_sm7_instruction *code = &f->rv->fact[end];
  for (uint32_t i = end; i-- > first;)
    for (unsigned n = 0; n < f->rv->fact[i].writes; n++)
      watch(code, f->rv->fact[i].write[n]);
}

static void find_facts(const struct facts *f)
{
  const struct sl_sm7_rv_form *form = f->form;
  for (uint32_t i = form->start[0]; i < form->end; i++) {
    const struct sl_insn *in = &f->rv->code.insn[i];
    if (in->op == SL_OP_R2_USE)
      f->rv->fact[i] = facts_of_use(f, i);
    else if (in->kind == SL_KIND_LINEAR)
      f->rv->fact[i] = facts_of_phase(f, i);
  }
  for (unsigned p = 0; p < SL_SM7_PHASE_REST; p++)
    wait_for_results(f, form->start[p], form->start[p + 1] - 1);
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

static const struct sl_sm7_rv_form *form_of(const struct sl_sm7_rv *rv)
{
  for (uint32_t i = 0; i < rv->linear.forms; i++)
    if (rv->linear.form[i].is.entry == rv->entry)
      return &rv->linear.form[i];
  return NULL;
}

static bool refuse(struct sl_sm7_rv *rv, const struct sl_sm7_rv_form *form, const char *why)
{
  rv->fault =
      (struct sl_fault){.kind = form != NULL ? SL_FAULT_EXTENSION : SL_FAULT_INTERNAL, .pc = rv->entry, .detail = why};
  return false;
}

/* Allocates the registers that an SM holds once. */
static bool make_registers(struct sl_sm7_rv *rv, const struct sl_sm7_linear *file)
{
  struct sl_sm7_rv_linear *l = &rv->linear;
  const size_t lanes = (size_t)rv->warps_per_block * SL_SM7_LANES;
  if (l->sm == NULL)
    l->sm = calloc(rv->sms, sizeof *l->sm);
  for (unsigned i = 0; l->sm != NULL && i < rv->sms; i++) {
    free(l->sm[i].tr);
    l->sm[i] = (struct sl_sm7_rv_linear_sm){.tr = calloc((file->trs + (size_t)1) * lanes, sizeof *l->sm[i].tr)};
    if (l->sm[i].tr == NULL)
      return false;
  }
  return l->sm != NULL;
}

bool sl_sm7_rv_forms_choose(struct sl_sm7_rv *rv)
{
  const struct sl_sm7_spec *spec = &rv->spec;
  if (spec->r2d2 && !find_forms(rv))
    return refuse(rv, NULL, "out of memory for variants with linear registers");
  const struct sl_sm7_rv_form *form = spec->r2d2 ? form_of(rv) : NULL;
  if (form == NULL)
    return true;
  if (form->damage != NULL)
    return refuse(rv, form, form->damage);
  const struct sl_sm7_linear file = {
      .trs = form->is.trs, .crs = form->is.crs, .warps = rv->warps_per_block, .words = 1};
  struct sl_sm7_demand demand = sl_sm7_rv_demand(rv);
  demand.registers = form->is.before; /* the variant has data that the code does not contain */
  if (!sl_sm7_linear_fits(spec, &demand, &file, form->is.before, form->is.after, &rv->linear.demand))
    return true;
  const struct facts f = {.rv = rv, .form = form, .file = file, .adds = (uint8_t)(spec->linear_add + spec->linear_id)};
  find_facts(&f);
  rv->linear.chosen = form;
  rv->linear.updates = spec->linear_ur;
  return make_registers(rv, &file) || refuse(rv, NULL, "out of memory for linear registers");
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
  struct sl_sm7_rv_warp *w = sl_sm7_rv_warp_at(rv, at);
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
  const unsigned phase = sl_sm7_rv_warp_at(rv, at)->phase;
  return enter(rv, at, phase == SL_SM7_PHASE_THREADS && at->warp > 0 ? SL_SM7_PHASE_REST : phase + 1);
}

uint8_t sl_sm7_rv_phase(void *context, unsigned sm, unsigned slot, unsigned warp)
{
  return sl_sm7_rv_warp_at(context, &(struct sl_sm7_rv_place){sm, slot, warp})->phase;
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
  const struct sl_sm7_rv_warp *w = sl_sm7_rv_warp_at(rv, at);
  const size_t lanes = (size_t)rv->warps_per_block * SL_SM7_LANES;
  const uint32_t *tr = s->tr == SL_LINEAR_FORM_NONE ? none : &own->tr[s->tr * lanes + at->warp * SL_SM7_LANES];
  const uint32_t *ur = s->ur == SL_LINEAR_FORM_NONE ? none : row(w, SL_SM7_RV_UR + s->ur);
  const uint32_t same = s->number + (s->lr == SL_LINEAR_FORM_NONE ? 0 : sl_sm7_rv_block_at(rv, at)->br[s->lr]) +
                        (s->cr == SL_LINEAR_FORM_NONE ? 0 : own->cr[s->cr]);
  uint32_t *to = row(w, SL_SM7_RV_SUM + field - 1);
  for (unsigned i = 0; i < SL_SM7_LANES; i++)
    to[i] = same + tr[i] + ur[i];
}

static bool is_of(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index, unsigned phase)
{
  const struct sl_sm7_rv_form *form = rv->linear.chosen;
  return form != NULL && sl_sm7_rv_warp_at(rv, at)->phase == phase && index >= form->start[phase] &&
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
    rv->linear.sm[at->sm].cr[sl_linear_fields_of((uint32_t)prefix->word).cr] =
        row(sl_sm7_rv_warp_at(rv, at), prefix[1].rd)[0];
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
  struct sl_sm7_rv_block *block = sl_sm7_rv_block_at(rv, at);
  for (unsigned i = 0; i < rv->linear.chosen->is.lrs; i++)
    block->br[i] = in->op == SL_OP_R2_MOV_BR ? cr[i] : block->br[i] + block->index[f.dimension] * cr[i];
}

bool sl_sm7_rv_linear_execute(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index, uint32_t active)
{
  const struct sl_insn *in = &rv->code.insn[index];
  const unsigned phase = sl_sm7_rv_warp_at(rv, at)->phase;
  if (in->op == SL_OP_R2_FORM || phase >= SL_SM7_PHASE_REST || !is_of(rv, at, index, phase))
    return false;
  if (in->op == SL_OP_R2_END)
    return end_phase(rv, at);
  if (in->op == SL_OP_R2_MAD_TR || in->op == SL_OP_R2_MADI_TR)
    add_thread_part(rv, at, in, active);
  else
    add_block_part(rv, at, in);
  sl_simt_stack_advance(&sl_sm7_rv_warp_at(rv, at)->stack, index + 1);
  return true;
}
