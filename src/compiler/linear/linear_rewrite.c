#include "compiler/linear/linear_rewrite.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "compiler/linear/linear_code.h"
#include "ptx/ptx.h"
#include "ptx/run/ptx_lanes.h"

enum { NAME = 64, INSERT = 2 * NAME };

/* Text inserted before or after an instruction. */
struct insert {
  uint32_t insn;
  bool after;
  char text[INSERT];
};

/* A register as named in the text. */
struct reg {
  char name[NAME]; /* "": no instruction with a single result computes it */
  bool wide;
};

struct rewriter {
  struct sl_linear_plan *plan;
  const struct sl_linear_analysis *a;
  const struct sl_linear_original *o;
  size_t *at;      /* start of each instruction's text */
  struct reg *reg; /* by register number */
  struct sl_linear_sum *sum;
  uint32_t sums;
  struct insert *insert;
  uint32_t inserts;
  FILE *stream; /* output: the remaining part of the kernel */
  bool failed;  /* out of memory */
  const char *refusal;
};

/* A register name in an instruction's text. */
struct token {
  const char *text;
  size_t length;
  bool guard;
};

static bool in_name(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}

/* Special registers that may be sources; names of ordinary registers have no dots and differ from these. */
static bool is_special(const char *text, size_t length)
{
  static const char *const names[] = {"%laneid",      "%warpid",      "%nwarpid",     "%smid",        "%nsmid",
                                      "%gridid",      "%clock",       "%clock64",     "%lanemask_eq", "%lanemask_le",
                                      "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%clock_hi"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
      return true;
  return memchr(text, '.', length) != NULL;
}

/* Finds the next register from *at on, before the semicolon. Braces of vectors are part of the instruction. */
static bool next_token(const char **at, struct token *t)
{
  const char *c = *at;
  bool guard = false;
  for (; *c != ';' && *c != '\0'; c++) {
    guard = *c == '@' || (guard && *c == '!');
    if (*c != '%')
      continue;
    size_t length = 1;
    while (in_name(c[length]))
      length++;
    *t = (struct token){.text = c, .length = length, .guard = c > *at && (c[-1] == '@' || c[-1] == '!') && guard};
    *at = c + length;
    if (!is_special(c, length))
      return true;
    c += length - 1;
  }
  return false;
}

static const struct sl_ptx_insn *ptx_of(const struct rewriter *r, uint32_t insn)
{
  return &r->o->module->code[r->o->kernel->begin + insn];
}

static bool reached(const struct rewriter *r, uint32_t insn)
{
  return r->a->flow.dominators.place[r->a->flow.block_of[insn]] != SL_NO_NODE;
}

static bool find_places(struct rewriter *r)
{
  const char *text = r->o->text, *end = text + r->o->length;
  uint32_t line = 1;
  size_t last = 0;
  for (uint32_t i = 0; i < r->a->code->count; i++) {
    const struct sl_ptx_insn *in = ptx_of(r, i);
    for (; line < in->line && text < end; text++)
      line += *text == '\n';
    r->at[i] = (size_t)(text - r->o->text) + in->column - 1;
    if (in->line < line || r->at[i] >= r->o->length || (i > 0 && r->at[i] <= last)) {
      r->refusal = "its text is not a plain sequence of instructions";
      return false;
    }
    last = r->at[i];
  }
  return true;
}

/* Finds names and sizes of registers from the instructions that write them. */
static void find_registers(struct rewriter *r)
{
  for (uint32_t i = 0; i < r->a->code->count; i++) {
    const struct sl_ptx_insn *in = ptx_of(r, i);
    const char *at = r->o->text + r->at[i];
    struct token t = {.guard = true};
    if (r->a->code->insn[i].dsts != 1 || (in->kind != SL_PTX_K_LANES && in->kind != SL_PTX_K_LOAD))
      continue;
    struct reg *reg = &r->reg[r->a->code->insn[i].dst[0]];
    while (t.guard && next_token(&at, &t))
      ;
    if (t.guard || t.length >= NAME)
      continue;
    snprintf(reg->name, NAME, "%.*s", (int)t.length, t.text);
    reg->wide =
        in->kind == SL_PTX_K_LOAD ? in->wide & 1 : sl_ptx_type_bytes(sl_ptx_row(in->row)->d) == sizeof(uint64_t);
  }
}

static void insert_text(struct rewriter *r, uint32_t insn, bool after, const char *text)
{
  if (!SL_GROW(r->insert, r->inserts)) {
    r->failed = true;
    return;
  }
  struct insert *i = &r->insert[r->inserts++];
  *i = (struct insert){.insn = insn, .after = after};
  snprintf(i->text, INSERT, "%s", text);
}

/* Declares a register for this combination, with a coefficient register of this content; returns its name. */
static const char *declared(struct rewriter *r, struct sl_linear_source s, sl_poly coefficient, bool wide,
                            char name[SL_LINEAR_SUM_NAME])
{
  uint32_t i = 0;
  while (i < r->sums &&
         (r->sum[i].wide != wide || r->sum[i].coefficient != coefficient || r->sum[i].source.lr != s.lr ||
          r->sum[i].source.ur != s.ur || r->sum[i].source.number != s.number))
    i++;
  if (i == r->sums) {
    if (!SL_GROW(r->sum, r->sums)) {
      r->failed = true;
      return "";
    }
    r->sum[r->sums++] = (struct sl_linear_sum){.source = s, .coefficient = coefficient, .wide = wide};
  }
  return sl_linear_sum_name(&r->sum[i], i, name);
}

static const char *sum_of(struct rewriter *r, struct sl_linear_source s, bool wide, char name[SL_LINEAR_SUM_NAME])
{
  return declared(r, s, s.cr != SL_LINEAR_NONE ? r->plan->cr[s.cr] : SL_POLY_ZERO, wide, name);
}

/* Declares a 64-bit register that is uniform over all threads. */
static const char *coefficient_of(struct rewriter *r, sl_poly poly, char name[SL_LINEAR_SUM_NAME])
{
  struct sl_linear_source s = {.lr = SL_LINEAR_NONE, .cr = SL_LINEAR_NONE, .ur = SL_LINEAR_NONE};
  const bool number = sl_poly_is_number(r->a->polys, poly, &s.number);
  s.number = number ? s.number : 0;
  return declared(r, s, number ? SL_POLY_ZERO : poly, true, name);
}

/* Formats "mov.b32 %r1, %lw0;" */
static bool copy_text(struct rewriter *r, uint32_t reg, struct sl_linear_source s, char text[INSERT])
{
  char name[SL_LINEAR_SUM_NAME];
  if (r->reg[reg].name[0] == '\0') {
    r->refusal = "a copied register has no name in its text";
    return false;
  }
  const bool wide = r->reg[reg].wide;
  snprintf(text, INSERT, "mov.b%d %s, %s;", wide ? 64 : 32, r->reg[reg].name, sum_of(r, s, wide, name));
  return true;
}

static bool ends_block(const struct rewriter *r, uint32_t insn)
{
  const enum sl_ptx_kind kind = ptx_of(r, insn)->kind;
  return kind == SL_PTX_K_BRANCH || kind == SL_PTX_K_RETURN || kind == SL_PTX_K_EXIT || kind == SL_PTX_K_TRAP;
}

/* Inserts text on the edge between two blocks of the kernel, if it is an edge. */
static void insert_on_edge(struct rewriter *r, uint32_t from, uint32_t to, const char *text)
{
  const struct sl_linear_flow *f = &r->a->flow;
  char guarded[INSERT];
  if (f->first[from] == f->first[from + 1]) { /* the entry */
    insert_text(r, f->first[to], false, text);
    return;
  }
  const uint32_t last = f->first[from + 1] - 1;
  const struct sl_ptx_insn *in = ptx_of(r, last);
  const bool taken = in->kind == SL_PTX_K_BRANCH && in->target - r->o->kernel->begin == f->first[to];
  if (!ends_block(r, last) || (in->guard.id != SL_PTX_NO_REG && !taken)) {
    insert_text(r, last, true, text);
    return;
  }
  const char *at = r->o->text + r->at[last];
  if (in->guard.id == SL_PTX_NO_REG || (taken && f->first[from + 1] == f->first[to])) {
    insert_text(r, last, false, text);
    return;
  }
  int length = 0;
  while (at[length] != '\0' && (strchr("@! \t", at[length]) != NULL || at[length] == '%'))
    length++;
  while (in_name(at[length]))
    length++;
  snprintf(guarded, sizeof guarded, "%.*s %.*s", length < NAME ? length : NAME, at, NAME, text);
  insert_text(r, last, false, guarded);
}

static void insert_copies(struct rewriter *r, bool at_header)
{
  const struct sl_linear_flow *f = &r->a->flow;
  char text[INSERT];
  for (uint32_t i = 0; i < r->plan->copies && !r->failed; i++) {
    const struct sl_linear_copy *c = &r->plan->copy[i];
    if (c->at_header != at_header || !copy_text(r, r->a->values.value[c->value].reg, c->source, text))
      continue;
    if (f->first[c->block] == f->first[c->block + 1])
      insert_text(r, 0, false, text);
    else if (at_header)
      insert_text(r, f->first[c->block], false, text);
    else
      insert_text(r, f->first[c->block + 1] - 1, !ends_block(r, f->first[c->block + 1] - 1), text);
  }
}

/* A guarded instruction may keep a register's old value, so the old value is copied first. */
static void insert_kept(struct rewriter *r)
{
  char text[INSERT];
  for (uint32_t i = 0; i < r->a->code->count; i++) {
    const struct sl_linear_insn *in = &r->a->code->insn[i];
    for (unsigned k = in->srcs - in->kept; reached(r, i) && k < in->srcs; k++)
      if (r->plan->fate[i] == SL_LINEAR_STAYS && r->plan->source[i][k].kind != SL_LINEAR_ORDINARY &&
          copy_text(r, in->src[k].reg, r->plan->source[i][k], text))
        insert_text(r, i, false, text);
  }
}

/* Returns the register that grows like the start of another one. */
static uint32_t ur_that_is(const struct rewriter *r, sl_poly value)
{
  struct sl_polys *polys = r->a->polys;
  for (uint32_t i = 0; i < r->plan->urs; i++) {
    const struct sl_linear_ur *u = &r->plan->ur[i];
    const sl_poly iteration = sl_poly_symbol(polys, sl_linear_iteration(r->a, u->loop));
    if (sl_poly_add(polys, u->start, sl_poly_multiply(polys, u->step, iteration)) == value)
      return i;
  }
  return UINT32_MAX;
}

static void insert_uniform(struct rewriter *r, uint32_t number)
{
  const struct sl_linear_ur *u = &r->plan->ur[number];
  const struct sl_linear_flow *f = &r->a->flow;
  const uint32_t header = f->loop[u->loop].header;
  const bool grows = sl_poly_below(r->a->polys, u->start, sl_linear_iteration(r->a, 0)) != u->start;
  const uint32_t outer = grows ? ur_that_is(r, u->start) : UINT32_MAX;
  char begin[INSERT], update[INSERT], name[SL_LINEAR_SUM_NAME];
  if (grows && outer == UINT32_MAX) {
    r->refusal = "the initial value of a loop's register is not in a register";
    return;
  }
  if (grows)
    snprintf(begin, sizeof begin, "mov.b64 %%ur%" PRIu32 ", %%ur%" PRIu32 ";", number, outer);
  else
    snprintf(begin, sizeof begin, "mov.b64 %%ur%" PRIu32 ", %s;", number, coefficient_of(r, u->start, name));
  snprintf(update, sizeof update, "add.s64 %%ur%" PRIu32 ", %%ur%" PRIu32 ", %s;", number, number,
           coefficient_of(r, u->step, name));
  for (uint32_t k = f->from_first[header]; k < f->from_first[header + 1]; k++)
    insert_on_edge(r, f->from[k], header, sl_linear_is_back(f, f->from[k], header) ? update : begin);
}

static bool is_named(const struct rewriter *r, uint32_t reg, const struct token *t)
{
  const char *name = r->reg[reg].name;
  return strlen(name) == t->length && memcmp(name, t->text, t->length) == 0;
}

/* Returns the set of sources that the plan replaces and that the text calls by this name. They have one value and
 * become one register. */
static uint32_t changed_sources(const struct rewriter *r, uint32_t insn, const struct token *t)
{
  const struct sl_linear_insn *in = &r->a->code->insn[insn];
  uint32_t set = 0;
  for (unsigned k = 0; k + in->kept < in->srcs; k++)
    if (r->plan->source[insn][k].kind != SL_LINEAR_ORDINARY && (t == NULL || is_named(r, in->src[k].reg, t)))
      set |= UINT32_C(1) << k;
  return set;
}

/* Writes an instruction with new operands. The text must contain each replaced source. */
static void write_changed(struct rewriter *r, uint32_t insn, size_t length)
{
  const char *text = r->o->text + r->at[insn], *at = text, *written = text;
  const struct sl_linear_insn *in = &r->a->code->insn[insn];
  uint32_t missing = changed_sources(r, insn, NULL);
  unsigned results = in->dsts;
  struct token t;
  while (next_token(&at, &t)) {
    char name[SL_LINEAR_SUM_NAME];
    if (t.guard)
      continue;
    if (results > 0) {
      results--;
      continue;
    }
    const uint32_t found = changed_sources(r, insn, &t);
    if (found == 0)
      continue;
    const unsigned k = (unsigned)__builtin_ctz(found);
    missing &= ~found;
    fprintf(r->stream, "%.*s%s", (int)(t.text - written), written,
            sum_of(r, r->plan->source[insn][k], r->reg[in->src[k].reg].wide, name));
    written = t.text + t.length;
  }
  if (missing != 0)
    r->refusal = "the operands of an instruction cannot be found in its text";
  fprintf(r->stream, "%.*s", (int)(text + length - written), written);
}

static void write_insn(struct rewriter *r, uint32_t insn, size_t length)
{
  char copy[INSERT];
  bool changed = false;
  const struct sl_linear_insn *in = &r->a->code->insn[insn];
  for (unsigned k = 0; k < in->srcs; k++)
    changed |= r->plan->source[insn][k].kind != SL_LINEAR_ORDINARY;
  const uint8_t fate = reached(r, insn) ? r->plan->fate[insn] : SL_LINEAR_STAYS;
  if (fate == SL_LINEAR_GOES)
    return;
  if (fate == SL_LINEAR_COPIES && copy_text(r, in->dst[0], r->plan->result[insn], copy))
    fprintf(r->stream, "%s", copy);
  else if (changed && reached(r, insn))
    write_changed(r, insn, length);
  else
    fprintf(r->stream, "%.*s", (int)length, r->o->text + r->at[insn]);
}

static void write_inserts(const struct rewriter *r, uint32_t insn, bool after)
{
  for (uint32_t i = 0; i < r->inserts; i++)
    if (r->insert[i].insn == insn && r->insert[i].after == after)
      fprintf(r->stream, after ? "\n\t%s" : "%s\n\t", r->insert[i].text);
}

/* Writes the text from `begin`, after the kernel's opening brace, to `end`, its closing brace. */
static void write_stream(struct rewriter *r, size_t begin, size_t end)
{
  const char *text = r->o->text;
  size_t at = begin;
  for (uint32_t i = 0; i < r->a->code->count && r->refusal == NULL; i++) {
    const char *semicolon = memchr(text + r->at[i], ';', end - r->at[i]);
    const bool written = text[r->at[i]] != '}' && text[r->at[i]] != ';' && semicolon != NULL; /* not implicit */
    const size_t length = written ? (size_t)(semicolon + 1 - (text + r->at[i])) : 0;
    fprintf(r->stream, "%.*s", (int)(r->at[i] - at), text + at);
    write_inserts(r, i, false);
    if (written)
      write_insn(r, i, length);
    write_inserts(r, i, true);
    at = r->at[i] + length;
  }
  fprintf(r->stream, "%.*s", (int)(end - at), text + at);
}

/* Finds the kernel's parts: the place after its name, after its opening brace, and at its closing brace. */
static bool find_kernel(const struct rewriter *r, size_t *name, size_t *begin, size_t *end)
{
  const char *text = r->o->text, *first = text + r->at[0], *at = text, *entry = NULL;
  const size_t length = strlen(r->o->kernel->name);
  for (; at < first; at++)
    if (strncmp(at, ".entry", 6) == 0)
      entry = at + 6;
  while (entry != NULL && entry < first && isspace((unsigned char)*entry))
    entry++;
  if (entry == NULL || strncmp(entry, r->o->kernel->name, length) != 0 || in_name(entry[length]))
    return false;
  const char *brace = memchr(entry, '{', (size_t)(first - entry));
  if (brace == NULL)
    return false;
  *name = (size_t)(entry + length - text);
  *begin = (size_t)(brace + 1 - text);
  unsigned depth = 1;
  for (at = brace + 1; *at != '\0' && depth > 0; at++) {
    if (strncmp(at, "//", 2) == 0)
      at += strcspn(at, "\n") - 1;
    else
      depth = *at == '{' ? depth + 1 : *at == '}' ? depth - 1 : depth;
  }
  *end = (size_t)(at - 1 - text);
  return depth == 0;
}

/* Whether the kernel has a register with a name that the phases need. */
static bool takes_name(const char *text, const char *end)
{
  static const char *const names[] = {"%cr", "%sy", "%cm", "%tr", "%br", "%cs", "%ur", "%ld", "%lw"};
  for (; text < end; text++)
    for (size_t i = 0; *text == '%' && i < sizeof names / sizeof *names; i++)
      if (strncmp(text, names[i], 3) == 0 && (isdigit((unsigned char)text[3]) || text[3] == '<' || !in_name(text[3])))
        return true;
  return false;
}

static enum sl_status write_kernel(struct rewriter *r, FILE *out, struct sl_error *err)
{
  size_t name = 0, begin = 0, end = 0, size = 0;
  char *stream = NULL;
  const struct sl_ptx_function *kernel = r->o->kernel;
  if (!find_places(r))
    return SL_USAGE;
  find_registers(r);
  if (!find_kernel(r, &name, &begin, &end))
    r->refusal = "its beginning or end cannot be found in the text";
  else if (kernel->shares)
    r->refusal = "it has more registers than the machine can tell apart";
  else if (takes_name(r->o->text + begin, r->o->text + end))
    r->refusal = "it has registers %cr, %sy, %cm, %tr, %br, %cs, %ur, %ld or %lw, which are reserved; rename them";
  insert_copies(r, true);
  insert_kept(r);
  insert_copies(r, false);
  for (uint32_t i = 0; i < r->plan->urs; i++)
    insert_uniform(r, i);
  r->stream = r->refusal == NULL ? open_memstream(&stream, &size) : NULL;
  if (r->stream == NULL)
    return r->refusal != NULL ? SL_USAGE : sl_no_memory(err, size);
  write_stream(r, begin, end);
  r->failed |= fclose(r->stream) != 0;
  enum sl_status status = r->refusal != NULL ? SL_USAGE : SL_OK;
  if (r->failed)
    status = sl_no_memory(err, size);
  if (status == SL_OK) {
    const struct sl_linear_phases phases = {.plan = r->plan, .kernel = kernel, .sum = r->sum, .sums = r->sums};
    fprintf(out, "\n.visible .entry %s$r2d2%.*s\n", kernel->name, (int)(begin - name), r->o->text + name);
    status = sl_linear_phases_write(out, &phases, err);
    fprintf(out, "%s}\n", stream);
  }
  free(stream);
  return status;
}

enum sl_status sl_linear_rewrite(FILE *out, struct sl_linear_plan *plan, const struct sl_linear_original *original,
                                 struct sl_error *err)
{
  struct rewriter r = {.plan = plan, .a = plan->analysis, .o = original};
  const size_t insns = r.a->code->count + (size_t)1, registers = r.a->code->registers + (size_t)1;
  r.at = malloc(insns * sizeof *r.at);
  r.reg = calloc(registers, sizeof *r.reg);
  enum sl_status status = r.at && r.reg ? write_kernel(&r, out, err) : sl_no_memory(err, registers * sizeof *r.reg);
  if (status == SL_USAGE && r.refusal != NULL)
    sl_fail(err, SL_USAGE, "%s", r.refusal);
  free(r.at);
  free(r.reg);
  free(r.sum);
  free(r.insert);
  return status;
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static enum sl_status read_again(const char *path, const char *text, size_t length, struct sl_error *err)
{
  struct sl_ptx_module *module = NULL;
  const enum sl_status status = sl_ptx_parse(&module, text, length, path, NULL, err);
  if (status == SL_OK)
    sl_ptx_free(module);
  return status == SL_OK || status == SL_INTERNAL ? status : SL_USAGE;
}

enum sl_status sl_linear_module_add(struct sl_linear_module *module, const char *path,
                                    const struct sl_ptx_module *original, const struct sl_ptx_function *kernel,
                                    struct sl_linear_plan *plan, struct sl_error *err)
{
  const struct sl_linear_original from = {
      .module = original, .kernel = kernel, .text = module->text, .length = module->length};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL)
    return sl_no_memory(err, module->length);
  fwrite(module->text, 1, module->length, out);
  enum sl_status status = sl_linear_rewrite(out, plan, &from, err);
  if (fclose(out) != 0 && status == SL_OK)
    status = sl_no_memory(err, length);
  if (status == SL_OK)
    status = read_again(path, text, length, err);
  if (status != SL_OK) {
    free(text);
    return status;
  }
  free(module->text);
  module->text = text;
  module->length = length;
  return SL_OK;
}

static enum sl_status add(struct sl_linear_module *module, const char *path, const struct sl_ptx_module *original,
                          const struct sl_ptx_function *kernel, struct sl_error *err)
{
  const struct sl_linear_options options = {.strict = false};
  struct sl_linear_code code;
  struct sl_linear_analysis analysis = {.code = NULL};
  struct sl_linear_plan plan = {.analysis = NULL};
  enum sl_status status = sl_linear_from_ptx(&code, original, kernel, err);
  if (status != SL_OK)
    return status == SL_USAGE ? SL_OK : status;
  status = sl_linear_analyse(&analysis, &code, &options, err);
  if (status == SL_OK)
    status = sl_linear_plan_make(&plan, &analysis, err);
  if (status == SL_OK)
    status = sl_linear_module_add(module, path, original, kernel, &plan, err);
  sl_linear_plan_free(&plan);
  sl_linear_analysis_free(&analysis);
  sl_linear_code_free(&code);
  return status == SL_USAGE ? SL_OK : status; /* the kernel stays as it is */
}

enum sl_status sl_linear_module_rewrite(struct sl_linear_module *module, const char *path, const char *text,
                                        size_t length, struct sl_error *err)
{
  struct sl_ptx_module *original = NULL;
  *module = (struct sl_linear_module){.text = malloc(length + 2), .length = length + 1};
  if (module->text == NULL)
    return sl_no_memory(err, length);
  memcpy(module->text, text, length);
  memcpy(module->text + length, "\n", 2);
  enum sl_status status = sl_ptx_parse(&original, text, length, path, NULL, err);
  for (unsigned i = 0; status == SL_OK && i < original->function_count; i++)
    if (original->functions[i].entry && original->functions[i].defined)
      status = add(module, path, original, &original->functions[i], err);
  if (original != NULL)
    sl_ptx_free(original);
  if (status == SL_OK)
    return SL_OK;
  free(module->text);
  *module = (struct sl_linear_module){.text = NULL};
  return status;
}
