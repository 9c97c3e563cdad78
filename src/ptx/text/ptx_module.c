/* Parses everything outside of functions, and resolves what is known only at the end of the text. */
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"
#include "ptx/run/ptx_execute.h"
#include "ptx/text/ptx_forms.h"
#include "ptx/text/ptx_parser.h"

/* A parameter of a kernel is in its parameter space; one of another function is in the frame. */
static bool parameter(struct sl_ptx_parser *p, struct sl_ptx_function *f)
{
  struct sl_ptx_declared d;
  if (!sl_ptx_take(p, SL_PTX_T_DOT, "param"))
    return sl_ptx_error(p, &p->token, "parameters are declared with .param here, not '%.*s'", SL_PTX_SHOWN(&p->token));
  if (!sl_ptx_declared_read(p, &d))
    return false;
  if (d.open)
    return sl_ptx_error(p, &d.name, "the size of '%.*s' is missing", SL_PTX_SHOWN(&d.name));
  uint32_t *end = f->entry ? &f->param_bytes : &p->frame_bytes;
  const uint64_t offset = (*end + d.align - 1) & ~(d.align - 1);
  if (offset + d.bytes > (1u << 20))
    return sl_ptx_error(p, &d.name, "the parameters have more than 1 MiB");
  struct sl_ptx_param *params = realloc(f->params, (f->param_count + f->result_count + 1) * sizeof *params);
  if (params == NULL)
    return (p->status = sl_no_memory(p->err, sizeof *params)) == SL_OK;
  f->params = params;
  struct sl_ptx_param *new = &params[f->param_count + f->result_count];
  *new = (struct sl_ptx_param){.type = d.type, .offset = (uint32_t)offset, .bytes = (uint32_t)d.bytes};
  snprintf(new->name, sizeof new->name, "%.*s", (int)(d.name.length < 250 ? d.name.length : 250), d.name.text);
  *end = (uint32_t)(offset + d.bytes);
  if (!SL_PTX_MORE(p, p->symbols, 1))
    return false;
  p->symbols.items[p->symbols.count++] = (struct sl_ptx_symbol){.name = d.name,
                                                                .space = f->entry ? SL_PTX_PARAM : SL_PTX_LOCAL,
                                                                .address = offset,
                                                                .bytes = d.bytes,
                                                                .parameter = true};
  return true;
}

static bool parameters(struct sl_ptx_parser *p, struct sl_ptx_function *f, unsigned *count)
{
  if (!sl_ptx_take(p, SL_PTX_T_SIGN, "("))
    return true;
  while (!sl_ptx_at(p, SL_PTX_T_SIGN, ")")) {
    if (!parameter(p, f))
      return false;
    ++*count;
    if (!sl_ptx_take(p, SL_PTX_T_SIGN, ","))
      break;
  }
  return sl_ptx_expect(p, ")");
}

/* Results are written before the name and parameters, but are kept after them. */
static void results_last(struct sl_ptx_function *f)
{
  for (unsigned done = 0; done < f->result_count; done++) {
    const struct sl_ptx_param first = f->params[0];
    const unsigned all = f->param_count + f->result_count;
    memmove(f->params, f->params + 1, (all - 1) * sizeof first);
    f->params[all - 1] = first;
  }
}

/* The block sizes that a kernel declares: a maximum number of threads, or a shape. */
static bool thread_limit(struct sl_ptx_parser *p, struct sl_ptx_function *f)
{
  const bool shape = sl_ptx_take(p, SL_PTX_T_DOT, "reqntid");
  uint32_t size[3] = {1, 1, 1};
  unsigned count = 0;
  if (!shape && !sl_ptx_take(p, SL_PTX_T_DOT, "maxntid"))
    return false;
  do {
    if (count == 3)
      return sl_ptx_error(p, &p->token, "a block has three dimensions");
    const struct sl_ptx_number n = sl_ptx_token_number(&p->token);
    if (!n.ok || n.real || n.bits == 0 || n.bits > 4096)
      return sl_ptx_error(p, &p->token, "a number of threads is expected here, not '%.*s'", SL_PTX_SHOWN(&p->token));
    size[count++] = (uint32_t)n.bits;
    sl_ptx_advance(p);
  } while (sl_ptx_take(p, SL_PTX_T_SIGN, ","));
  const uint64_t product = (uint64_t)size[0] * size[1] * size[2];
  if (shape)
    memcpy(f->block, size, sizeof f->block);
  else
    f->max_threads = product < UINT32_MAX ? (uint32_t)product : UINT32_MAX;
  return true;
}

/* A function may be declared first and defined later: its parameters keep their places. */
static bool same_as_declared(struct sl_ptx_parser *p, const struct sl_ptx_token *name, struct sl_ptx_function *new,
                             uint32_t symbols)
{
  struct sl_ptx_function *old = &p->functions.items[p->function];
  const unsigned all = new->param_count + new->result_count;
  const bool declares = sl_ptx_at(p, SL_PTX_T_SIGN, ";");
  if ((old->defined && !declares && !p->weak) || old->entry != new->entry || old->param_count != new->param_count ||
      old->result_count != new->result_count)
    return sl_ptx_error(p, name, "'%.*s' is declared twice with different attributes", SL_PTX_SHOWN(name));
  for (unsigned i = 0; i < all; i++) {
    const unsigned kept = i < new->result_count ? new->param_count + i : i - new->result_count;
    if (old->params[kept].bytes != new->params[kept].bytes)
      return sl_ptx_error(p, name, "'%.*s' is declared with other parameters above", SL_PTX_SHOWN(name));
    p->symbols.items[symbols + i].address = old->params[kept].offset;
  }
  return true;
}

static bool add_function(struct sl_ptx_parser *p, const struct sl_ptx_token *name, struct sl_ptx_function *f,
                         uint32_t symbols)
{
  results_last(f);
  p->function = sl_ptx_function_of(p, name);
  if (p->function != UINT32_MAX) {
    const bool same = same_as_declared(p, name, f, symbols);
    free(f->params);
    f->params = NULL;
    return same;
  }
  f->name = sl_ptx_token_copy(p, name);
  if (f->name == NULL || !SL_PTX_MORE(p, p->functions, 1)) {
    free(f->params);
    free(f->name);
    return false;
  }
  p->function = p->functions.count;
  p->functions.items[p->functions.count++] = *f;
  return true;
}

/* The body of a .weak function that an earlier module has defined, too. */
static bool skip_body(struct sl_ptx_parser *p)
{
  unsigned depth = 0;
  do {
    depth += sl_ptx_at(p, SL_PTX_T_SIGN, "{");
    depth -= sl_ptx_at(p, SL_PTX_T_SIGN, "}");
    sl_ptx_advance(p);
  } while (depth > 0 && p->token.kind != SL_PTX_T_END);
  return depth == 0 || sl_ptx_expect(p, "}");
}

static bool function(struct sl_ptx_parser *p, bool entry)
{
  struct sl_ptx_function f = {.entry = entry};
  const uint32_t symbols = p->symbols.count;
  p->function = UINT32_MAX;
  p->at = SL_PTX_IN_HEADER;
  p->rolled_function = false;
  if (!entry && !parameters(p, &f, &f.result_count))
    return free(f.params), false;
  const struct sl_ptx_token name = p->token;
  f.line = name.line;
  if (name.kind != SL_PTX_T_WORD)
    sl_ptx_error(p, &name, "the name of a function is expected here, not '%.*s'", SL_PTX_SHOWN(&name));
  sl_ptx_advance(p);
  if (sl_ptx_failed(p) || !parameters(p, &f, &f.param_count))
    return free(f.params), false;
  while (p->token.kind == SL_PTX_T_DOT && (thread_limit(p, &f) || (!sl_ptx_failed(p) && sl_ptx_directive_skip(p))))
    ;
  if (sl_ptx_failed(p))
    return free(f.params), false;
  if (!add_function(p, &name, &f, symbols))
    return false;
  bool read = true;
  if (!sl_ptx_at(p, SL_PTX_T_SIGN, ";") && p->functions.items[p->function].defined)
    read = skip_body(p);
  else if (!sl_ptx_take(p, SL_PTX_T_SIGN, ";")) {
    p->function_shared = sl_ptx_shared_base(p);
    p->functions.items[p->function].shared_base = p->function_shared;
    p->functions.items[p->function].shared_gaps = 0;
    read = sl_ptx_expect(p, "{") && sl_ptx_body_read(p) && sl_ptx_shared_end_function(p);
    p->functions.items[p->function].shared_bytes = p->function_shared;
  }
  p->symbols.count = symbols;
  p->function = UINT32_MAX;
  p->at = SL_PTX_IN_MODULE;
  return read;
}

static bool module_statement(struct sl_ptx_parser *p)
{
  bool is_extern = false;
  p->weak = false;
  while (sl_ptx_at(p, SL_PTX_T_DOT, "visible") || sl_ptx_at(p, SL_PTX_T_DOT, "weak") ||
         sl_ptx_at(p, SL_PTX_T_DOT, "common") || sl_ptx_at(p, SL_PTX_T_DOT, "extern")) {
    is_extern |= sl_ptx_token_is(&p->token, "extern");
    p->weak |= sl_ptx_token_is(&p->token, "weak");
    sl_ptx_advance(p);
  }
  if (sl_ptx_take(p, SL_PTX_T_DOT, "entry"))
    return function(p, true);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "func"))
    return function(p, false);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "global"))
    return sl_ptx_declare_variable(p, SL_PTX_GLOBAL, is_extern);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "const"))
    return sl_ptx_declare_variable(p, SL_PTX_CONST, is_extern);
  if (sl_ptx_take(p, SL_PTX_T_DOT, "shared"))
    return sl_ptx_declare_variable(p, SL_PTX_SHARED, is_extern);
  if (p->token.kind == SL_PTX_T_DOT && sl_ptx_directive_skip(p))
    return true;
  return sl_ptx_error(p, &p->token, "simtlab does not support '%.*s' outside of functions", SL_PTX_SHOWN(&p->token));
}

/* Registers of all functions that are not kernels. */
static uint32_t registers_of_functions(const struct sl_ptx_parser *p)
{
  uint32_t registers = 0;
  for (uint32_t i = 0; i < p->functions.count; i++)
    registers += p->functions.items[i].entry ? 0 : p->functions.items[i].registers;
  return registers;
}

static bool has_linear(const struct sl_ptx_parser *p, const struct sl_ptx_function *f)
{
  for (uint32_t pc = f->begin; pc < f->end; pc++)
    if (p->code.items[pc].kind == SL_PTX_K_LINEAR)
      return true;
  return false;
}

/* A kernel with too many names shares registers, and then the other functions do. */
static bool share_registers(struct sl_ptx_parser *p)
{
  bool functions = false;
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < p->homes.count; i++) {
      const struct sl_ptx_homes *h = &p->homes.items[i];
      struct sl_ptx_function *f = &p->functions.items[h->function];
      const bool many = f->registers + (f->entry ? registers_of_functions(p) : 0) > SL_PTX_TOLD_APART;
      if (!(pass == 0 ? many : functions && !f->entry && !f->shares) || has_linear(p, f))
        continue;
      p->status = sl_ptx_ranges_number(p->code.items, f, h->home, h->count, p->err);
      if (sl_ptx_failed(p))
        return false;
      functions |= f->entry && f->registers + registers_of_functions(p) > SL_PTX_TOLD_APART;
    }
  return true;
}

/* Device functions use the registers from 0 on, kernels those after them. */
static void place_registers(struct sl_ptx_parser *p)
{
  uint32_t ids = 0, window = 0, bytes = 0, kernel_ids = 0, kernel_bytes = 0;
  for (uint32_t i = 0; i < p->functions.count; i++)
    bytes += p->functions.items[i].deep ? p->functions.items[i].register_bytes : 0;
  for (uint32_t i = 0; i < p->functions.count; i++)
    if (!p->functions.items[i].entry) {
      kernel_ids += p->functions.items[i].registers;
      kernel_bytes += p->functions.items[i].register_bytes;
    }
  for (uint32_t i = 0; i < p->functions.count; i++) {
    struct sl_ptx_function *f = &p->functions.items[i];
    const uint32_t id = f->entry ? kernel_ids : ids, offset = f->entry ? kernel_bytes : f->deep ? window : bytes;
    for (uint32_t pc = f->begin; pc < f->end; pc++)
      sl_ptx_ranges_move(&p->code.items[pc], offset, id);
    if (!f->entry) {
      ids += f->registers;
      *(f->deep ? &window : &bytes) += f->register_bytes;
    } else {
      f->registers += kernel_ids;
      f->register_bytes += kernel_bytes;
    }
  }
}

static struct sl_ptx_token place_of(const struct sl_ptx_insn *in)
{
  return (struct sl_ptx_token){.line = in->line, .column = in->column};
}

/* Whether a function can call another directly. A call of an address can reach all functions whose address is taken. */
static bool calls(const struct sl_ptx_parser *p, uint32_t from, uint32_t to)
{
  const struct sl_ptx_function *f = &p->functions.items[from];
  for (uint32_t pc = f->begin; pc < f->end; pc++) {
    const struct sl_ptx_insn *in = &p->code.items[pc];
    if (in->kind == SL_PTX_K_CALL &&
        (in->mode == SL_PTX_CALL_ADDRESS ? p->functions.items[to].taken && !p->functions.items[to].entry
                                         : in->function == to))
      return true;
  }
  return false;
}

/* The functions that can call themselves, directly or through others, by number. NULL: there are none. */
static bool *find_deep(struct sl_ptx_parser *p)
{
  const uint32_t n = p->functions.count;
  bool *deep = calloc(n + (size_t)1, sizeof *deep), *seen = calloc(n + (size_t)1, sizeof *seen), any = false;
  uint32_t *list = calloc(n + (size_t)1, sizeof *list);
  if (deep == NULL || seen == NULL || list == NULL)
    p->status = sl_no_memory(p->err, n);
  for (uint32_t f = 0; f < n && !sl_ptx_failed(p); f++) {
    uint32_t count = 0;
    memset(seen, 0, n * sizeof *seen);
    list[count++] = f;
    for (uint32_t i = 0; i < count && !deep[f]; i++)
      for (uint32_t to = 0; to < n; to++)
        if (!seen[to] && !p->functions.items[to].entry && calls(p, list[i], to)) {
          seen[to] = true;
          deep[f] |= to == f;
          if (to != f)
            list[count++] = to;
        }
    any |= deep[f];
  }
  free(seen);
  free(list);
  if (!any) {
    free(deep);
    return NULL;
  }
  return deep;
}

/* Instructions of deep functions find their variables in the frame of their call level. */
static bool mark_deep(struct sl_ptx_parser *p)
{
  for (uint32_t i = 0; i < p->functions.count; i++) {
    struct sl_ptx_function *f = &p->functions.items[i];
    f->deep = p->deep != NULL && p->deep[i];
    for (uint32_t pc = f->begin; pc < f->end; pc++) {
      struct sl_ptx_insn *in = &p->code.items[pc];
      const struct sl_ptx_token at = place_of(in);
      in->deep = f->deep;
      if (in->kind == SL_PTX_K_RETURN)
        in->function = i;
      if (!f->deep)
        in->framed = SL_PTX_NOT_FRAMED;
      else if (in->framed == SL_PTX_FRAMED_OTHER)
        return sl_ptx_error(p, &at,
                            "in a recursive function the address of a local variable must be moved to a "
                            "register first");
      else if (in->framed && in->kind == SL_PTX_K_LANES)
        in->careful = true;
    }
  }
  return true;
}

/* A call of a function of the host. */
static bool is_service(const struct sl_ptx_function *f, struct sl_ptx_insn *call)
{
  enum sl_ptx_service service;
  unsigned parameters, results;
  if (f->defined || !sl_ptx_service_find(f->name, &service, &parameters, &results) || f->param_count != parameters ||
      f->result_count != results)
    return false;
  call->kind = SL_PTX_K_SERVICE;
  call->target = call->function;
  call->mode = (uint8_t)service;
  return true;
}

static bool place_calls(struct sl_ptx_parser *p)
{
  for (uint32_t pc = 0; pc < p->code.count; pc++) {
    struct sl_ptx_insn *in = &p->code.items[pc];
    if (in->kind != SL_PTX_K_CALL)
      continue;
    if (in->mode == SL_PTX_CALL_ADDRESS)
      continue;
    const struct sl_ptx_function *f = &p->functions.items[in->function];
    const struct sl_ptx_token at = place_of(in);
    if (is_service(f, in))
      continue;
    if (!f->defined)
      return sl_ptx_error(p, &at, "'%.60s' is called, but is not in this module", f->name);
    in->target = f->begin;
  }
  return true;
}

/* A thread has a frame, and one for each call level if functions are deep. */
static void give_frame(const struct sl_ptx_parser *p, struct sl_ptx_function *f)
{
  enum { LEVELS = 64, LEAST = 8, MOST_BYTES = 16384 };
  f->frame_bytes = (p->frame_bytes + 15) / 16 * 16;
  f->local_bytes = (p->frame_bytes + 7) / 8 * 8;
  if (p->deep == NULL)
    return;
  const uint32_t fit = f->frame_bytes > 0 ? MOST_BYTES / f->frame_bytes : LEVELS;
  f->levels = fit < LEAST ? LEAST : fit < LEVELS ? fit : LEVELS;
  f->local_bytes = f->frame_bytes * (1 + f->levels);
  for (uint32_t i = 0; i < p->functions.count; i++)
    f->window_bytes += p->functions.items[i].deep ? p->functions.items[i].register_bytes : 0;
}

static bool check_registers(struct sl_ptx_parser *p)
{
  enum { MOST = 60000, MOST_BYTES = 1 << 28 };
  for (uint32_t i = 0; i < p->functions.count; i++) {
    const struct sl_ptx_function *f = &p->functions.items[i];
    const struct sl_ptx_token at = {.line = f->line, .column = 1};
    if (f->registers > MOST || f->register_bytes > MOST_BYTES)
      return sl_ptx_error(p, &at, "'%.60s' and the functions of the module use more than %d registers", f->name, MOST);
  }
  return true;
}

/* Moves the parser's results into the module. */
static void hand_over(struct sl_ptx_parser *p)
{
  struct sl_ptx_module *m = p->module;
  m->code = p->code.items;
  m->code_count = p->code.count;
  m->functions = p->functions.items;
  m->function_count = p->functions.count;
  m->constants = p->constants.items;
  m->constant_bytes = p->constants.count;
  m->global_image = p->globals.items;
  m->global_bytes = p->globals.count;
  m->const_image = p->consts.items;
  m->const_bytes = p->consts.count;
  m->transfers = p->transfers.items;
  m->sources = p->sources.items;
  m->source_count = p->sources.count;
}

/* Names of module variables, which launches can refer to. */
static bool keep_variables(struct sl_ptx_parser *p)
{
  struct sl_ptx_module *m = p->module;
  m->variables = calloc(p->symbols.count + 1, sizeof *m->variables);
  if (m->variables == NULL)
    return (p->status = sl_no_memory(p->err, sizeof *m->variables)) == SL_OK;
  for (uint32_t i = 0; i < p->symbols.count; i++) {
    const struct sl_ptx_symbol *s = &p->symbols.items[i];
    if ((s->space != SL_PTX_GLOBAL && s->space != SL_PTX_CONST) || s->undefined)
      continue;
    struct sl_ptx_variable *v = &m->variables[m->variable_count++];
    *v = (struct sl_ptx_variable){.space = s->space, .address = s->address, .bytes = s->bytes, .texture = s->texture};
    v->name = sl_ptx_token_copy(p, &s->name);
    if (v->name == NULL)
      return false;
  }
  return true;
}

/* What is known only behind the text, for a second pass. */
struct knowledge {
  bool *deep; /* functions */
  struct sl_ptx_symbol *known;
  uint32_t known_count;
  struct sl_ptx_shared_layout *layout;
};

/* Reports an .extern variable that the text does not define. *again: it defines some. */
static bool find_externs(struct sl_ptx_parser *p, bool *again)
{
  for (uint32_t i = 0; i < p->symbols.count; i++) {
    const struct sl_ptx_symbol *s = &p->symbols.items[i];
    bool defined = !s->undefined;
    for (uint32_t k = 0; k < p->symbols.count && !defined; k++) {
      const struct sl_ptx_symbol *other = &p->symbols.items[k];
      defined = !other->undefined && other->space == s->space && sl_ptx_same(&other->name, &s->name);
    }
    if (!defined)
      return sl_ptx_error(p, &s->name, "'%.*s' is not defined in this module: link the modules into one",
                          SL_PTX_SHOWN(&s->name));
    *again |= s->undefined;
  }
  return true;
}

static void end_pass(struct sl_ptx_parser *p, struct knowledge *k, bool first)
{
  bool again = false;
  if (!first || sl_ptx_failed(p) || !find_externs(p, &again))
    return;
  k->deep = find_deep(p);
  if (!sl_ptx_shared_improve(p, &k->layout) || !again)
    return;
  k->known = p->symbols.items;
  k->known_count = p->symbols.count;
  p->symbols.items = NULL;
  p->symbols.count = p->symbols.room = 0;
}

static enum sl_status parse(struct sl_ptx_module **module, const char *text, size_t length, const char *path,
                            const struct sl_ptx_options *options, struct knowledge *k, bool first, struct sl_error *err)
{
  struct sl_ptx_module *m = calloc(1, sizeof *m);
  if (m == NULL)
    return sl_no_memory(err, sizeof *m);
  snprintf(m->path, sizeof m->path, "%s", path);
  if (options != NULL)
    m->options = *options;
  struct sl_ptx_parser p = {.module = m,
                            .err = err,
                            .function = UINT32_MAX,
                            .deep = k->deep,
                            .known = k->known,
                            .known_count = k->known_count,
                            .layout = k->layout};
  sl_ptx_lexer_init(&p.lexer, text, length);
  sl_ptx_advance(&p);
  while (p.token.kind != SL_PTX_T_END && module_statement(&p))
    ;
  end_pass(&p, k, first);
  if (!sl_ptx_failed(&p) && check_registers(&p) && mark_deep(&p) && place_calls(&p) && keep_variables(&p) &&
      share_registers(&p) && sl_ptx_shared_finish(&p)) {
    for (uint32_t i = 0; i < p.functions.count; i++)
      give_frame(&p, &p.functions.items[i]);
    place_registers(&p);
    (void)check_registers(&p);
  }
  hand_over(&p);
  for (uint32_t i = 0; i < p.homes.count; i++)
    free(p.homes.items[i].home);
  free(p.homes.items);
  free(p.pool.items);
  free(p.symbols.items);
  free(p.banks.items);
  free(p.registers.items);
  free(p.labels.items);
  free(p.uses.items);
  free(p.rolled.items);
  free(p.further.items);
  free(p.shared.items);
  free(p.shared_uses.items);
  free(p.dynamics.items);
  if (sl_ptx_failed(&p)) {
    sl_ptx_free(m);
    return p.status;
  }
  *module = m;
  return SL_OK;
}

enum sl_status sl_ptx_parse(struct sl_ptx_module **module, const char *text, size_t length, const char *path,
                            const struct sl_ptx_options *options, struct sl_error *err)
{
  struct knowledge k = {.deep = NULL};
  *module = NULL;
  enum sl_status code = parse(module, text, length, path, options, &k, true, err);
  if (code == SL_OK && (k.deep != NULL || k.known != NULL || k.layout != NULL)) {
    sl_ptx_free(*module);
    *module = NULL;
    code = parse(module, text, length, path, options, &k, false, err);
  }
  free(k.deep);
  free(k.known);
  sl_ptx_shared_layout_free(k.layout);
  return code;
}

enum sl_status sl_ptx_load(struct sl_ptx_module **module, const char *path, const struct sl_ptx_options *options,
                           struct sl_error *err)
{
  char *text;
  size_t length;
  *module = NULL;
  enum sl_status code = sl_file_bytes_read(path, &text, &length, err);
  if (code != SL_OK)
    return code;
  code = sl_ptx_parse(module, text, length, path, options, err);
  free(text);
  return code;
}
