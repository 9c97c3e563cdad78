#include "compiler/linear/rv32/rv32_write.h"

#include <stdlib.h>

#include "compiler/linear/linear_form.h"

enum { REGISTERS = 32, RA = 1, RS1_SHIFT = 15, RS2_SHIFT = 20, FIELD = 31 };

/* Replacement of an operand, with the coefficient's content instead of its number in the plan. */
struct sum {
  uint16_t lr, ur; /* SL_LINEAR_NONE */
  sl_poly coefficient;
  uint32_t number;
};

struct writer {
  struct sl_linear_plan *plan;
  const struct sl_linear_analysis *a;
  const struct sl_linear_machine_code *machine;
  struct sl_rv32_items items;
  uint32_t *label; /* per instruction of the kernel: its item */
  struct sum sum[SL_LINEAR_MOST_SUMS];
  uint32_t sums;
  uint32_t used[2]; /* register sets: of the original kernel, of the remaining part */
  bool calls;
  const char *refusal;
};

static const struct sl_insn *insn_at(const struct writer *w, uint32_t insn)
{
  return &w->machine->code->insn[w->machine->first + insn];
}

static bool reached(const struct writer *w, uint32_t insn)
{
  return w->a->flow.dominators.place[w->a->flow.block_of[insn]] != SL_NO_NODE;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* Returns the field of r2.use for the sum: its number plus 1. */
static uint32_t sum_field(struct writer *w, struct sum s)
{
  uint32_t i = 0;
  while (i < w->sums && (w->sum[i].lr != s.lr || w->sum[i].ur != s.ur || w->sum[i].coefficient != s.coefficient ||
                         w->sum[i].number != s.number))
    i++;
  if (i == SL_LINEAR_MOST_SUMS) {
    w->refusal = "its instructions read more than 63 different combinations";
    return 0;
  }
  if (i == w->sums)
    w->sum[w->sums++] = s;
  return i + 1;
}

static struct sum sum_of(const struct writer *w, const struct sl_linear_source *s)
{
  return (struct sum){.lr = s->lr,
                      .ur = s->ur,
                      .coefficient = s->cr != SL_LINEAR_NONE ? w->plan->cr[s->cr] : SL_POLY_ZERO,
                      .number = (uint32_t)s->number};
}

/* Returns the sum of a uniform register and a further uniform combination. */
static struct sum uniform_sum(const struct writer *w, uint16_t ur, sl_poly more)
{
  int64_t number = 0;
  const bool is_number = sl_poly_is_number(w->a->polys, more, &number);
  return (struct sum){.lr = SL_LINEAR_NONE,
                      .ur = ur,
                      .coefficient = is_number ? SL_POLY_ZERO : more,
                      .number = is_number ? (uint32_t)number : 0};
}

static uint32_t use(uint32_t ur, uint32_t s1, uint32_t s2)
{
  return ur | s1 | s2 ? sl_linear_word(SL_OP_R2_USE, &(struct sl_linear_fields){.ur = ur, .s1 = s1, .s2 = s2}) : 0;
}

/* Sets rd, or a uniform register (number plus 1), to a sum. */
static void add_copy(struct writer *w, uint32_t rd, uint32_t ur, struct sum s)
{
  const bool number = s.lr == SL_LINEAR_NONE && s.ur == SL_LINEAR_NONE && s.coefficient == SL_POLY_ZERO;
  if (number && sl_rv32_is_short((int32_t)s.number)) {
    sl_rv32_add_word(&w->items, use(ur, 0, 0),
                     sl_rv32_word(SL_OP_ADDI, (struct sl_rv32_operands){.rd = rd, .imm = (int32_t)s.number}));
    return;
  }
  sl_rv32_add_word(&w->items, use(ur, sum_field(w, s), 0),
                   sl_rv32_word(SL_OP_ADDI, (struct sl_rv32_operands){.rd = rd}));
}

/* ---- inserted code
 * ------------------------------------------------------------------------------------------------ */

static void add_copies(struct writer *w, uint32_t block, bool at_header)
{
  for (uint32_t i = 0; i < w->plan->copies; i++) {
    const struct sl_linear_copy *c = &w->plan->copy[i];
    if (c->block != block || c->at_header != at_header)
      continue;
    const uint32_t reg = w->a->values.value[c->value].reg;
    if (reg >= REGISTERS)
      w->refusal = "a combination is copied to a stack slot";
    else if (reg != 0)
      add_copy(w, reg, 0, sum_of(w, &c->source));
  }
}

/* Returns the register that grows like the start of another one. */
static uint16_t ur_that_is(const struct writer *w, sl_poly value)
{
  struct sl_polys *polys = w->a->polys;
  for (uint32_t i = 0; i < w->plan->urs; i++) {
    const struct sl_linear_ur *u = &w->plan->ur[i];
    const sl_poly iteration = sl_poly_symbol(polys, sl_linear_iteration(w->a, u->loop));
    if (sl_poly_add(polys, u->start, sl_poly_multiply(polys, u->step, iteration)) == value)
      return (uint16_t)i;
  }
  return SL_LINEAR_NONE;
}

/* Initialises the registers of the loops that begin after an edge: their value one step before the start. */
static void add_starts(struct writer *w, uint32_t from, uint32_t to)
{
  const struct sl_linear_flow *f = &w->a->flow;
  for (uint32_t i = 0; i < w->plan->urs; i++) {
    const struct sl_linear_ur *u = &w->plan->ur[i];
    if (f->loop[u->loop].header != to || sl_linear_is_back(f, from, to))
      continue;
    const bool grows = sl_poly_below(w->a->polys, u->start, sl_linear_iteration(w->a, 0)) != u->start;
    const uint16_t outer = grows ? ur_that_is(w, u->start) : SL_LINEAR_NONE;
    if (grows && outer == SL_LINEAR_NONE) {
      w->refusal = "the initial value of a loop's register is not in a register";
      return;
    }
    const sl_poly before = sl_poly_subtract(w->a->polys, grows ? SL_POLY_ZERO : u->start, u->step);
    add_copy(w, 0, i + 1, uniform_sum(w, outer, before));
  }
}

static void add_updates(struct writer *w, uint32_t header)
{
  for (uint32_t i = 0; i < w->plan->urs; i++) {
    const struct sl_linear_ur *u = &w->plan->ur[i];
    if (w->a->flow.loop[u->loop].header != header)
      continue;
    const uint32_t itself = sum_field(w, uniform_sum(w, (uint16_t)i, SL_POLY_ZERO));
    int64_t step = 0;
    if (sl_poly_is_number(w->a->polys, u->step, &step) && sl_rv32_is_short((int32_t)step))
      sl_rv32_add_word(&w->items, use(i + 1, itself, 0),
                       sl_rv32_word(SL_OP_ADDI, (struct sl_rv32_operands){.imm = (int32_t)step}));
    else
      sl_rv32_add_word(&w->items, use(i + 1, itself, sum_field(w, uniform_sum(w, SL_LINEAR_NONE, u->step))),
                       sl_rv32_word(SL_OP_ADD, (struct sl_rv32_operands){0}));
  }
}

/* ---- remaining code ---------------------------------------------------------------------------------------------- */

/* Adds the word in its memory encoding. */
static void add_word(struct writer *w, uint32_t insn, uint32_t prefix, uint32_t word)
{
  const struct sl_insn *in = insn_at(w, insn);
  const uint32_t address = sl_code_address(w->machine->code, w->machine->first + insn) + in->imm;
  const uint32_t target = sl_code_index(w->machine->code, address) - w->machine->first;
  const bool within = target < w->a->code->count;
  struct sl_rv32_item item = {.prefix = prefix, .word = word, .target = within ? target : address};
  if (in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL) {
    enum { BRANCH_OPERANDS = 0x01fff07f, JUMP_OPERANDS = 0xfff };
    item.kind = in->kind == SL_KIND_BRANCH ? SL_RV32_BRANCH : within ? SL_RV32_JUMP : SL_RV32_CALL;
    item.word &= in->kind == SL_KIND_BRANCH ? BRANCH_OPERANDS : JUMP_OPERANDS;
    if (in->kind == SL_KIND_BRANCH && !within)
      w->refusal = "it branches to another function";
  } else if (in->op == SL_OP_AUIPC) {
    sl_rv32_add_number(&w->items, in->rd, address);
    return;
  }
  sl_rv32_add(&w->items, item);
}

static bool is_call(const struct sl_insn *in, const struct sl_linear_insn *linear)
{
  return sl_is_call(in) || (in->kind == SL_KIND_JAL && linear->next[0] == SL_LINEAR_NOWHERE);
}

/* Puts values that a called function may read into registers. */
static void add_arguments(struct writer *w, uint32_t insn)
{
  const struct sl_linear_insn *in = &w->a->code->insn[insn];
  w->calls = true;
  if (insn_at(w, insn)->kind == SL_KIND_JALR)
    w->refusal = "it has an indirect call";
  for (unsigned k = 0; k < in->srcs; k++) {
    const struct sl_linear_source *s = &w->plan->source[insn][k];
    if (s->kind != SL_LINEAR_ORDINARY && in->src[k].reg != SL_LINEAR_NO_REG)
      add_copy(w, in->src[k].reg, 0, sum_of(w, s));
  }
}

/* Returns the field of r2.use for a source; an access takes the number into its offset if it fits. */
static uint32_t source_field(struct writer *w, const struct sl_insn *in, const struct sl_linear_source *s, bool base,
                             uint32_t *word)
{
  struct sum sum = sum_of(w, s);
  const int64_t offset = (int32_t)(sum.number + in->imm);
  if (base && in->kind != SL_KIND_AMO && sl_rv32_is_short(offset)) {
    const struct sl_rv32_operands o = {.rd = in->rd, .rs2 = in->rs2, .imm = (int32_t)offset};
    *word = sl_rv32_word((enum sl_op)in->op, o);
    sum.number = 0;
  }
  return sum.number == 0 && s->kind == SL_LINEAR_IMMEDIATE ? 0 : sum_field(w, sum);
}

static void add_insn(struct writer *w, uint32_t insn)
{
  const struct sl_insn *in = insn_at(w, insn);
  const struct sl_linear_insn *linear = &w->a->code->insn[insn];
  const bool slot = linear->kind == SL_LINEAR_MOVE && in->kind == SL_KIND_STORE; /* its base is the stack pointer */
  uint32_t word = (uint32_t)in->word, field[2] = {0, 0};
  if (is_call(in, linear)) {
    add_arguments(w, insn);
    add_word(w, insn, 0, word);
    return;
  }
  for (unsigned k = 0; k < linear->srcs; k++) {
    const struct sl_linear_source *s = &w->plan->source[insn][k];
    const unsigned which = slot ? 1 : k;
    if (s->kind == SL_LINEAR_ORDINARY || linear->src[k].reg == SL_LINEAR_NO_REG)
      continue;
    if (which > 1) {
      w->refusal = "an instruction reads a combination as its third operand";
      return;
    }
    const uint32_t found = source_field(w, in, s, linear->base == (int)k, &word);
    word &= ~((uint32_t)FIELD << (which == 0 ? RS1_SHIFT : RS2_SHIFT));
    field[which] = found;
  }
  add_word(w, insn, use(0, field[0], field[1]), word);
}

static void add_copied(struct writer *w, uint32_t insn)
{
  const struct sl_insn *in = insn_at(w, insn);
  const struct sum s = sum_of(w, &w->plan->result[insn]);
  const uint32_t reg = w->a->code->insn[insn].dst[0];
  if (reg < REGISTERS)
    add_copy(w, reg, 0, s);
  else
    sl_rv32_add_word(&w->items, use(0, 0, sum_field(w, s)), (uint32_t)in->word & ~((uint32_t)FIELD << RS2_SHIFT));
}

/* After the last instruction of a block, or before it if it is a jump or branch. */
static void add_end_of_block(struct writer *w, uint32_t block)
{
  const struct sl_linear_flow *f = &w->a->flow;
  add_copies(w, block, false);
  for (uint32_t k = f->to_first[block]; k < f->to_first[block + 1]; k++)
    add_starts(w, block, f->to[k]);
}

static bool goes_elsewhere(const struct writer *w, uint32_t insn)
{
  const struct sl_insn *in = insn_at(w, insn);
  return (in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL || in->kind == SL_KIND_JALR) &&
         !is_call(in, &w->a->code->insn[insn]);
}

static void add_rest(struct writer *w)
{
  const struct sl_linear_flow *f = &w->a->flow;
  add_end_of_block(w, 0); /* which has no instructions */
  for (uint32_t i = 0; i < w->a->code->count && w->refusal == NULL; i++) {
    const uint32_t block = f->block_of[i];
    const bool lives = reached(w, i), last = lives && i + 1 == f->first[block + 1];
    w->label[i] = w->items.count;
    if (lives && i == f->first[block]) {
      add_updates(w, block);
      add_copies(w, block, true);
    }
    if (last && goes_elsewhere(w, i))
      add_end_of_block(w, block);
    if (!lives)
      add_word(w, i, 0, (uint32_t)insn_at(w, i)->word);
    else if (w->plan->fate[i] == SL_LINEAR_STAYS)
      add_insn(w, i);
    else if (w->plan->fate[i] == SL_LINEAR_COPIES)
      add_copied(w, i);
    if (last && !goes_elsewhere(w, i))
      add_end_of_block(w, block);
  }
}

/* ---- whole kernel ------------------------------------------------------------------------------------------------ */

static uint32_t registers_of(const struct sl_insn *in)
{
  const unsigned bits = (1u << (in->rd & FIELD)) | (sl_reads_rs1(in) ? 1u << (in->rs1 & FIELD) : 0) |
                        (sl_reads_rs2(in) ? 1u << (in->rs2 & FIELD) : 0) |
                        (sl_reads_rs3(in) ? 1u << (in->rs3 & FIELD) : 0);
  return bits & ~1u;
}

/* Counts the registers per thread before and after; called functions may use any register. */
static void count_registers(struct writer *w, uint32_t rest, struct sl_linear_form *form)
{
  uint32_t before = 0, after = 0;
  for (uint32_t i = 0; i < w->a->code->count; i++)
    before |= registers_of(insn_at(w, i));
  for (uint32_t i = rest; i < w->items.count; i++) {
    const struct sl_insn in = sl_decode(w->items.item[i].word, w->machine->code->sets);
    after |= registers_of(&in);
  }
  form->before = (uint8_t)(w->calls ? REGISTERS : sl_count(before));
  form->after = (uint8_t)((w->calls ? REGISTERS : sl_count(after)) + w->plan->urs);
}

static void describe_sums(const struct writer *w, const struct sl_linear_coefficients *c, struct sl_linear_form *form)
{
  form->sums = (uint8_t)w->sums;
  for (uint32_t i = 0; i < w->sums; i++) {
    const struct sum *s = &w->sum[i];
    const uint16_t tr = s->lr != SL_LINEAR_NONE ? w->plan->lr[s->lr].tr : SL_LINEAR_NONE;
    form->sum[i] = (struct sl_linear_form_sum){.lr = s->lr != SL_LINEAR_NONE ? (uint8_t)s->lr : SL_LINEAR_FORM_NONE,
                                               .tr = tr != SL_LINEAR_NONE ? (uint8_t)tr : SL_LINEAR_FORM_NONE,
                                               .cr = s->coefficient != SL_POLY_ZERO
                                                         ? (uint8_t)sl_linear_coefficient(c, s->coefficient, c->offsets)
                                                         : SL_LINEAR_FORM_NONE,
                                               .ur = s->ur != SL_LINEAR_NONE ? (uint8_t)s->ur : SL_LINEAR_FORM_NONE,
                                               .number = s->number};
  }
}

static enum sl_status number_coefficients(const struct writer *w, struct sl_linear_coefficients *c,
                                          struct sl_error *err)
{
  sl_poly added[SL_LINEAR_MOST_SUMS];
  for (uint32_t i = 0; i < w->sums; i++)
    added[i] = w->sum[i].coefficient;
  sl_linear_coefficients_number(c, w->plan, added, w->sums, SL_RV32_FACTOR_BITS);
  return c->full ? sl_fail(err, SL_USAGE, "it needs more than %d coefficients", SL_LINEAR_COEFFICIENTS) : SL_OK;
}

/* Puts the phases first, then the rest, whose labels are shifted. */
static enum sl_status put_together(struct writer *w, uint32_t address, struct sl_rv32_form *out, struct sl_error *err)
{
  struct sl_linear_coefficients c;
  struct sl_rv32_items all = {.count = 0};
  uint32_t begins[3];
  struct sl_linear_form form = {.entry = sl_code_address(w->machine->code, w->machine->first),
                                .lrs = (uint8_t)w->plan->lrs,
                                .trs = (uint8_t)w->plan->trs,
                                .urs = (uint8_t)w->plan->urs};
  enum sl_status status = number_coefficients(w, &c, err);
  if (status != SL_OK)
    return status;
  form.crs = (uint8_t)c.crs;
  describe_sums(w, &c, &form);
  count_registers(w, 0, &form);
  sl_rv32_phases_add(&all, w->plan, &c, w->machine->abi, begins);
  const uint32_t rest = all.count, head = SL_LINEAR_FORM_HEAD + 2u * form.sums;
  for (uint32_t i = 0; i < w->items.count; i++)
    sl_rv32_add(&all, w->items.item[i]);
  for (uint32_t i = 0; i < w->a->code->count; i++)
    w->label[i] += rest;
  uint32_t *place = malloc((all.count + (size_t)1) * sizeof *place);
  if (place != NULL && !all.failed) {
    sl_rv32_places(&all, w->label, place);
    out->count = head + place[all.count];
    out->word = malloc(out->count * sizeof *out->word);
  }
  if (out->word != NULL) {
    const uint32_t first = address + head * (uint32_t)sizeof *out->word;
    for (unsigned p = 0; p < SL_LINEAR_FORM_PHASES; p++)
      form.start[p] = first + place[p < 3 ? begins[p] : rest] * (uint32_t)sizeof *out->word;
    form.end = first + place[all.count] * (uint32_t)sizeof *out->word;
    sl_linear_form_write(&form, out->word);
    status = sl_rv32_items_write(&all, w->label, place, first, out->word + head, err);
  } else {
    status = sl_no_memory(err, all.count * sizeof *all.item);
  }
  free(place);
  sl_rv32_items_free(&all);
  return status;
}

enum sl_status sl_rv32_form_make(struct sl_rv32_form *form, struct sl_linear_plan *plan,
                                 const struct sl_linear_machine_code *machine, uint32_t address, struct sl_error *err)
{
  struct writer w = {.plan = plan, .a = plan->analysis, .machine = machine};
  *form = (struct sl_rv32_form){.count = 0};
  w.label = calloc(w.a->code->count + (size_t)1, sizeof *w.label);
  if (w.label == NULL)
    return sl_no_memory(err, w.a->code->count * sizeof *w.label);
  if (plan->urs > SL_LINEAR_MOST_URS)
    w.refusal = "it needs more than 31 uniform registers";
  else
    add_rest(&w);
  enum sl_status status = w.refusal != NULL ? sl_fail(err, SL_USAGE, "%s", w.refusal) : SL_OK;
  if (status == SL_OK && (w.items.failed || sl_polys_failed(w.a->polys)))
    status = sl_no_memory(err, w.items.count * sizeof *w.items.item);
  if (status == SL_OK)
    status = put_together(&w, address, form, err);
  sl_rv32_items_free(&w.items);
  free(w.label);
  if (status != SL_OK)
    sl_rv32_form_free(form);
  return status;
}

void sl_rv32_form_free(struct sl_rv32_form *form)
{
  free(form->word);
  *form = (struct sl_rv32_form){.count = 0};
}
