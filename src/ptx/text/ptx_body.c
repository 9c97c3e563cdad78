#include "ptx/text/ptx_parser.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_passes.h"
#include "ptx/text/ptx_forms.h"
#include "ptx/text/ptx_transform.h"

static bool small_number(struct sl_ptx_parser *p, uint32_t most, uint32_t *value)
{
  const struct sl_ptx_number n = sl_ptx_token_number(&p->token);
  if (!n.ok || n.real || n.bits > most)
    return sl_ptx_error(p, &p->token, "a number up to %u is expected here, not '%.*s'", most, SL_PTX_SHOWN(&p->token));
  *value = (uint32_t)n.bits;
  sl_ptx_advance(p);
  return true;
}

/* .loc FILE LINE COLUMN and the rest of the line. */
static bool loc(struct sl_ptx_parser *p)
{
  struct sl_ptx_source s = {0};
  const uint32_t line = p->token.line;
  if (!small_number(p, UINT16_MAX, &s.file) || !small_number(p, INT32_MAX, &s.line) || !SL_PTX_MORE(p, p->sources, 1))
    return false;
  if (p->token.kind == SL_PTX_T_NUMBER && p->token.line == line && !small_number(p, INT32_MAX, &s.column))
    return false;
  p->sources.items[p->sources.count++] = s;
  p->source = p->sources.count;
  while (p->token.kind != SL_PTX_T_END && p->token.line == line)
    sl_ptx_advance(p);
  return true;
}

/* .file NUMBER "NAME" */
static bool file(struct sl_ptx_parser *p)
{
  enum { MOST = 4096 };
  uint32_t number = 0;
  struct sl_ptx_module *m = p->module;
  const uint32_t line = p->token.line;
  if (!small_number(p, MOST, &number))
    return false;
  if (number >= m->file_count) {
    char(*files)[SL_PTX_NAME] = realloc(m->files, (number + 1) * sizeof *files);
    if (files == NULL)
      return (p->status = sl_no_memory(p->err, (number + 1) * sizeof *files)) == SL_OK;
    m->files = files;
    memset(files[m->file_count], 0, (number + 1 - m->file_count) * sizeof *files);
    m->file_count = number + 1;
  }
  if (p->token.kind == SL_PTX_T_STRING)
    snprintf(m->files[number], SL_PTX_NAME, "%.*s", (int)(p->token.length < 250 ? p->token.length : 250),
             p->token.text);
  while (p->token.kind != SL_PTX_T_END && p->token.line == line)
    sl_ptx_advance(p);
  return true;
}

static bool skip_section(struct sl_ptx_parser *p)
{
  while (p->token.kind != SL_PTX_T_END && !sl_ptx_take(p, SL_PTX_T_SIGN, "}"))
    sl_ptx_advance(p);
  return true;
}

/* .pragma "nounroll"; at the head of a loop, or of all loops of a function or of the functions that follow. */
static bool pragma(struct sl_ptx_parser *p)
{
  const bool rolls = p->token.kind == SL_PTX_T_STRING && sl_ptx_token_is(&p->token, "nounroll");
  p->rolled_all |= rolls && p->at == SL_PTX_IN_MODULE;
  p->rolled_function |= rolls && p->at == SL_PTX_IN_HEADER;
  if (rolls && p->at == SL_PTX_IN_BODY) {
    if (!SL_PTX_MORE(p, p->rolled, 1))
      return false;
    p->rolled.items[p->rolled.count++] = p->code.count;
  }
  sl_ptx_advance(p);
  return sl_ptx_expect(p, ";");
}

enum { INDEPENDENT_TARGET = 70 /* sm_70. Source: CUDA C Programming Guide, "Independent Thread Scheduling" */ };

/* "sm_70" */
static unsigned target_of(const struct sl_ptx_token *t)
{
  unsigned number = 0;
  for (size_t i = 3; i < t->length && t->text[i] >= '0' && t->text[i] <= '9' && number < 1000; i++)
    number = 10 * number + (unsigned)(t->text[i] - '0');
  return number;
}

bool sl_ptx_directive_skip(struct sl_ptx_parser *p)
{
  static const char *const lines[] = {"version",      "target",  "address_size", "minnctapersm",
                                      "maxnctapersm", "maxnreg", "noreturn",     NULL};
  if (sl_ptx_take(p, SL_PTX_T_DOT, "loc"))
    return loc(p);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "file"))
    return file(p);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "section"))
    return skip_section(p);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "pragma"))
    return pragma(p);
  for (unsigned i = 0; lines[i] != NULL; i++) {
    const uint32_t line = p->token.line;
    if (sl_ptx_take(p, SL_PTX_T_DOT, lines[i])) {
      if (i == 1)
        p->module->target = target_of(&p->token);
      while (p->token.kind != SL_PTX_T_END && p->token.line == line && !sl_ptx_at(p, SL_PTX_T_SIGN, "{") &&
             !sl_ptx_at(p, SL_PTX_T_SIGN, ";"))
        sl_ptx_advance(p);
      return true;
    }
  }
  return false;
}

static bool guard(struct sl_ptx_parser *p, struct sl_ptx_insn *in)
{
  struct sl_ptx_item item;
  in->guard.id = in->address.id = SL_PTX_NO_REG;
  in->line = p->token.line;
  in->column = p->token.column;
  if (!sl_ptx_take(p, SL_PTX_T_SIGN, "@"))
    return true;
  if (!sl_ptx_register_read(p, &item))
    return false;
  const struct sl_ptx_register *r = sl_ptx_register_use(p, &item);
  if (r->type != SL_PTX_PRED)
    return sl_ptx_error(p, &item.at, "a guard must be a predicate, but %.*s is .%s", SL_PTX_SHOWN(&item.at),
                        sl_ptx_type_name(r->type));
  in->guard = sl_ptx_reg_of(r);
  in->guard_offset = r->offset;
  in->negated = item.negated;
  return true;
}

/* Calls have no guard: a guarded call becomes a branch around it. The label's name cannot be written in PTX. */
static bool branch_around(struct sl_ptx_parser *p, struct sl_ptx_insn *call)
{
  if (!SL_PTX_MORE(p, p->labels, 1) || !SL_PTX_MORE(p, p->code, 2))
    return false;
  struct sl_ptx_insn branch = *call;
  branch.kind = SL_PTX_K_BRANCH;
  branch.negated = !call->negated;
  branch.target = p->labels.count;
  p->code.items[p->code.count++] = branch;
  p->labels.items[p->labels.count++] = (struct sl_ptx_label){.defined = true, .pc = p->code.count + 1};
  call->guard.id = SL_PTX_NO_REG;
  return true;
}

static bool instruction(struct sl_ptx_parser *p)
{
  struct sl_ptx_statement st = {.in.elements = 1};
  if (!guard(p, &st.in) || !sl_ptx_instruction_read(p, &st) || !SL_PTX_MORE(p, p->code, 1))
    return false;
  st.in.unit = (uint8_t)sl_ptx_class_unit(st.in.class);
  st.in.source = p->source;
  if (st.in.kind == SL_PTX_K_CALL && st.in.guard.id != SL_PTX_NO_REG && !branch_around(p, &st.in))
    return false;
  p->code.items[p->code.count++] = st.in;
  return !sl_ptx_failed(p);
}

static bool label_or_instruction(struct sl_ptx_parser *p)
{
  const struct sl_ptx_lexer after = p->lexer;
  const struct sl_ptx_token name = p->token;
  sl_ptx_advance(p);
  if (!sl_ptx_take(p, SL_PTX_T_SIGN, ":")) {
    p->lexer = after;
    p->token = name;
    return instruction(p);
  }
  const uint32_t index = sl_ptx_label_of(p, &name);
  if (index == UINT32_MAX)
    return false;
  struct sl_ptx_label *l = &p->labels.items[index];
  if (l->defined)
    return sl_ptx_error(p, &name, "label '%.*s' is defined twice", SL_PTX_SHOWN(&name));
  l->defined = true;
  l->pc = p->code.count;
  return true;
}

static bool declaration(struct sl_ptx_parser *p, bool *is_one)
{
  *is_one = true;
  const bool is_extern = sl_ptx_take(p, SL_PTX_T_DOT, "extern");
  if (sl_ptx_take(p, SL_PTX_T_DOT, "reg"))
    return sl_ptx_declare_registers(p);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "local"))
    return sl_ptx_declare_variable(p, SL_PTX_LOCAL, is_extern);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "shared"))
    return sl_ptx_declare_variable(p, SL_PTX_SHARED, is_extern);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "param"))
    return sl_ptx_declare_variable(p, SL_PTX_PARAM, is_extern);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "global"))
    return sl_ptx_declare_variable(p, SL_PTX_GLOBAL, is_extern);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "const"))
    return sl_ptx_declare_variable(p, SL_PTX_CONST, is_extern);
  *is_one = false;
  if (sl_ptx_take(p, SL_PTX_T_DOT, "callprototype") || sl_ptx_take(p, SL_PTX_T_DOT, "calltargets")) {
    while (p->token.kind != SL_PTX_T_END && !sl_ptx_at(p, SL_PTX_T_SIGN, ";"))
      sl_ptx_advance(p);
    return sl_ptx_expect(p, ";");
  }
  return sl_ptx_directive_skip(p) ||
         sl_ptx_error(p, &p->token, "simtlab does not support the directive .%.*s here", SL_PTX_SHOWN(&p->token));
}

/* A pair of braces in a function is a separate scope for declarations. */
static bool scope(struct sl_ptx_parser *p, unsigned depth)
{
  enum { DEEPEST = 64 };
  const uint32_t banks = p->banks.count, symbols = p->symbols.count;
  bool going = depth < DEEPEST || sl_ptx_error(p, &p->token, "braces are nested deeper than %d", DEEPEST);
  while (going && !sl_ptx_take(p, SL_PTX_T_SIGN, "}")) {
    bool ignored;
    if (p->token.kind == SL_PTX_T_END)
      going = sl_ptx_error(p, &p->token, "the text ends in a function: the file may be incomplete");
    else if (p->token.kind == SL_PTX_T_DOT)
      going = declaration(p, &ignored);
    else if (sl_ptx_take(p, SL_PTX_T_SIGN, "{"))
      going = scope(p, depth + 1);
    else if (sl_ptx_at(p, SL_PTX_T_SIGN, "@"))
      going = instruction(p);
    else
      going = sl_ptx_take(p, SL_PTX_T_SIGN, ";") || label_or_instruction(p);
  }
  /* Arguments stay, under names that cannot be written in PTX: their addresses are filled in at the end of the
   * function. */
  for (uint32_t i = symbols; depth > 0 && i < p->symbols.count; i++)
    p->symbols.items[i].name.length = 0;
  if (depth > 0)
    p->banks.count = banks;
  return going && !sl_ptx_failed(p);
}

/* A function that does not end in a jump returns there. */
static bool ending(struct sl_ptx_parser *p, uint32_t begin)
{
  const struct sl_ptx_insn *last = p->code.count > begin ? &p->code.items[p->code.count - 1] : NULL;
  bool labelled = false;
  for (uint32_t i = 0; i < p->labels.count; i++)
    labelled |= p->labels.items[i].defined && p->labels.items[i].pc == p->code.count;
  if (last != NULL && !labelled && last->guard.id == SL_PTX_NO_REG &&
      (last->kind == SL_PTX_K_RETURN || last->kind == SL_PTX_K_EXIT || last->kind == SL_PTX_K_BRANCH))
    return true;
  if (!SL_PTX_MORE(p, p->code, 1))
    return false;
  p->code.items[p->code.count++] = (struct sl_ptx_insn){.kind = SL_PTX_K_RETURN,
                                                        .elements = 1,
                                                        .guard.id = SL_PTX_NO_REG,
                                                        .address.id = SL_PTX_NO_REG,
                                                        .line = p->token.line,
                                                        .column = p->token.column};
  return true;
}

/* The size of each register number in words; predicates have separate registers. NULL: out of memory. */
static uint8_t *weights(struct sl_ptx_parser *p, uint32_t begin)
{
  uint8_t *weight = calloc(p->used + 64, 1);
  if (weight == NULL) {
    p->status = sl_no_memory(p->err, p->used);
    return NULL;
  }
  for (uint32_t i = 0; i < p->registers.count; i++)
    if (p->registers.items[i].id != SL_PTX_NO_REG)
      weight[p->registers.items[i].id] = (uint8_t)((sl_ptx_type_bytes(p->registers.items[i].type) + 3) / 4);
  for (uint32_t pc = begin; pc < p->code.count; pc++) /* linear registers do not belong to the thread */
    if (p->code.items[pc].kind == SL_PTX_K_LINEAR && p->code.items[pc].dsts > 0)
      weight[p->code.items[pc].dst[0].id] = 0;
  return weight;
}

/* Loads move up as far as the registers allow. The scheduler counts registers per piece of code, so the function is
 * scheduled again with less room if it needs too many. In a function that needs more than the limit, pieces that need
 * few may use those that others need. False: it needs too many in any case. */
static bool schedule_within(struct sl_ptx_parser *p, uint32_t begin, uint8_t *weight, const struct sl_ptx_insn *before,
                            bool matrices)
{
  struct sl_ptx_insn *code = p->code.items;
  const unsigned limit = p->module->options.schedule;
  const unsigned least = sl_ptx_pressure(code, begin, p->code.count, weight, p->used).least;
  const unsigned budget = least > limit ? least : limit;
  for (unsigned slack = least > limit ? budget : budget - least;; slack /= 2) {
    p->status = sl_ptx_schedule(code, begin, p->code.count, weight, p->used, slack, matrices, p->err);
    if (p->status != SL_OK || sl_ptx_pressure(code, begin, p->code.count, weight, p->used).least <= budget)
      return true;
    memcpy(code + begin, before, (p->code.count - begin) * sizeof *code);
    if (slack == 0)
      return false;
  }
}

static bool schedule(struct sl_ptx_parser *p, uint32_t begin)
{
  const size_t bytes = (p->code.count - begin) * sizeof *p->code.items;
  uint8_t *weight = weights(p, begin);
  struct sl_ptx_insn *before = malloc(bytes);
  if (before == NULL && weight != NULL)
    p->status = sl_no_memory(p->err, bytes);
  if (before != NULL && weight != NULL) {
    memcpy(before, p->code.items + begin, bytes);
    if (!schedule_within(p, begin, weight, before, true))
      schedule_within(p, begin, weight, before, false);
  }
  free(before);
  free(weight);
  return p->status == SL_OK;
}

static bool estimate(struct sl_ptx_parser *p, struct sl_ptx_function *f)
{
  uint8_t *weight = weights(p, f->begin);
  if (weight == NULL)
    return false;
  f->regs_per_thread = sl_ptx_registers_estimated(sl_ptx_pressure(p->code.items, f->begin, f->end, weight, p->used));
  free(weight);
  return true;
}

/* Short branches first, since a loop around them may then be one basic block. */
static void change_loops(struct sl_ptx_parser *p, uint32_t begin)
{
  struct sl_ptx_function *f = &p->functions.items[p->function];
  if (p->module->options.predicate)
    f->predicated = sl_ptx_predicate(p, begin);
  const uint32_t before = p->code.count;
  if (p->module->options.unroll && !sl_ptx_failed(p) && sl_ptx_unroll(p, begin))
    f->unrolled = (int32_t)(p->code.count - before);
}

static bool resolve(struct sl_ptx_parser *p, uint32_t begin)
{
  for (uint32_t i = 0; i < p->labels.count; i++)
    if (!p->labels.items[i].defined)
      return sl_ptx_error(p, &p->labels.items[i].name, "label '%.*s' is not defined in this function",
                          SL_PTX_SHOWN(&p->labels.items[i].name));
  for (uint32_t pc = begin; pc < p->code.count; pc++)
    if (p->code.items[pc].kind == SL_PTX_K_BRANCH)
      p->code.items[pc].target = p->labels.items[p->code.items[pc].target].pc;
  for (uint32_t i = 0; i < p->uses.count; i++) {
    struct sl_ptx_insn *in = &p->code.items[p->uses.items[i].pc];
    in->a = sl_ptx_symbol_place(p, p->uses.items[i].symbol, 0, true, false);
    if (p->symbols.items[p->uses.items[i].symbol].passed) /* its place is the callee's, which is not deep */
      in->framed = SL_PTX_NOT_FRAMED;
  }
  if (!sl_ptx_failed(p) && p->functions.items[p->function].entry)
    change_loops(p, begin);
  if (!sl_ptx_failed(p) && p->module->options.schedule > 0 && p->functions.items[p->function].entry &&
      !schedule(p, begin))
    return false;
  if (!sl_ptx_failed(p))
    p->status = sl_ptx_flow(p->code.items, begin, p->code.count, p->err);
  if (!sl_ptx_failed(p) && p->module->target >= INDEPENDENT_TARGET)
    sl_ptx_locks(p->code.items, begin, p->code.count);
  return !sl_ptx_failed(p);
}

/* Keeps the places of the registers until the end of the module, where they may move. */
static bool keep_homes(struct sl_ptx_parser *p)
{
  enum { SINK = 8 * SL_PTX_LANES };
  struct sl_ptx_home *home = malloc((p->used + (size_t)1) * sizeof *home);
  if (home == NULL || !SL_PTX_MORE(p, p->homes, 1)) {
    free(home);
    return (p->status = sl_no_memory(p->err, p->used * sizeof *home)) == SL_OK;
  }
  for (uint32_t i = 0; i < p->registers.count; i++) {
    const struct sl_ptx_register *r = &p->registers.items[i];
    if (r->id != SL_PTX_NO_REG)
      home[r->id] = (struct sl_ptx_home){r->offset, sl_ptx_register_bytes(r->type)};
  }
  home[p->used] = (struct sl_ptx_home){p->sink - 1, SINK};
  p->homes.items[p->homes.count++] =
      (struct sl_ptx_homes){.function = p->function, .count = p->used + (p->sink > 0), .home = home};
  return true;
}

bool sl_ptx_body_read(struct sl_ptx_parser *p)
{
  const uint32_t begin = p->code.count, symbols = p->symbols.count;
  p->banks.count = p->registers.count = p->labels.count = p->uses.count = p->rolled.count = 0;
  p->at = SL_PTX_IN_BODY;
  p->used = p->register_bytes = p->sink = 0;
  p->source = 0;
  struct sl_ptx_function *f = &p->functions.items[p->function];
  if (!sl_ptx_stack_begin(p) || !scope(p, 0) || !ending(p, begin) || !resolve(p, begin))
    return false;
  p->symbols.count = symbols;
  f->begin = begin;
  f->end = p->code.count;
  f->registers = p->used;
  f->register_bytes = p->register_bytes;
  f->defined = true;
  return estimate(p, f) && keep_homes(p);
}
