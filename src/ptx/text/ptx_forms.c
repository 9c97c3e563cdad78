#include "ptx/text/ptx_forms.h"

#include <string.h>

#include "ptx/run/ptx_lanes.h"
#include "ptx/run/ptx_linear.h"

/* ---- forms of control flow --------------------------------------------------------------------------------------- */

uint32_t sl_ptx_label_of(struct sl_ptx_parser *p, const struct sl_ptx_token *name)
{
  for (uint32_t i = 0; i < p->labels.count; i++)
    if (sl_ptx_same(&p->labels.items[i].name, name))
      return i;
  if (!SL_PTX_MORE(p, p->labels, 1))
    return UINT32_MAX;
  p->labels.items[p->labels.count] = (struct sl_ptx_label){.name = *name};
  return p->labels.count++;
}

uint32_t sl_ptx_function_of(const struct sl_ptx_parser *p, const struct sl_ptx_token *name)
{
  for (uint32_t i = 0; i < p->functions.count; i++)
    if (sl_ptx_token_is(name, p->functions.items[i].name))
      return i;
  return UINT32_MAX;
}

static bool sl_ptx_form_bra(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  (void)sl_ptx_modifier(st, "uni");
  st->in.kind = SL_PTX_K_BRANCH;
  if (!sl_ptx_operands_are(p, st, 1, 1) || !sl_ptx_modifiers_known(p, st))
    return false;
  const struct sl_ptx_operand *o = &st->operands[0];
  if (o->vector || o->address || o->item.kind != SL_PTX_I_NAME)
    return sl_ptx_error(p, &o->at, "bra needs a label");
  st->in.target = sl_ptx_label_of(p, &o->item.at); /* its PC is filled in at the end of the function */
  return !sl_ptx_failed(p);
}

static bool sl_ptx_form_end(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned kind)
{
  (void)sl_ptx_modifier(st, "uni");
  st->in.kind = (uint8_t)kind;
  return sl_ptx_operands_are(p, st, 0, 0) && sl_ptx_modifiers_known(p, st);
}

/* The variable that the next token names, which must fit the parameter of `f` (NULL: none is known). NULL: an error. */
static struct sl_ptx_symbol *argument_of(struct sl_ptx_parser *p, const struct sl_ptx_function *f,
                                         const struct sl_ptx_param *param)
{
  const struct sl_ptx_token *name = &p->token;
  const uint32_t index = sl_ptx_symbol_find(p, name);
  struct sl_ptx_symbol *s = index != UINT32_MAX ? &p->symbols.items[index] : NULL;
  if (s == NULL || !s->argument)
    sl_ptx_error(p, name, "an argument must be a .param variable, not '%.*s'", SL_PTX_SHOWN(name));
  else if (param != NULL && s->bytes != param->bytes)
    sl_ptx_error(p, name, "'%.*s' has %u bytes, but the parameter of '%.60s' has %u", SL_PTX_SHOWN(name),
                 (unsigned)s->bytes, f->name, param->bytes);
  else
    return s;
  return NULL;
}

/* (a, b): each is a variable of the caller, which shares the place of the function's parameter. */
static bool pass(struct sl_ptx_parser *p, const struct sl_ptx_function *f, unsigned from, unsigned count)
{
  unsigned n = 0;
  const struct sl_ptx_token open = p->token;
  if (!sl_ptx_expect(p, "("))
    return false;
  while (!sl_ptx_at(p, SL_PTX_T_SIGN, ")")) {
    const struct sl_ptx_token name = p->token;
    struct sl_ptx_symbol *s = argument_of(p, f, n < count ? &f->params[from + n] : NULL);
    if (s == NULL)
      return false;
    if (s->passed)
      return sl_ptx_error(p, &name, "'%.*s' is passed twice, which simtlab does not support", SL_PTX_SHOWN(&name));
    s->passed = true;
    if (n < count)
      s->address = f->params[from + n].offset;
    n++;
    sl_ptx_advance(p);
    if (!sl_ptx_take(p, SL_PTX_T_SIGN, ","))
      break;
  }
  if (!sl_ptx_expect(p, ")"))
    return false;
  return n == count || sl_ptx_error(p, &open, "'%.60s' has %u parameters or results here, not %u", f->name, count, n);
}

/* (a, b): variables of the caller that are copied to or from the parameters. `f`: the function, if it is known. */
static bool copy(struct sl_ptx_parser *p, const struct sl_ptx_function *f, unsigned from, unsigned count,
                 uint16_t *copied)
{
  const struct sl_ptx_token open = p->token;
  unsigned n = 0;
  if (!sl_ptx_expect(p, "("))
    return false;
  while (!sl_ptx_at(p, SL_PTX_T_SIGN, ")")) {
    const struct sl_ptx_symbol *s = argument_of(p, f, f != NULL && n < count ? &f->params[from + n] : NULL);
    if (s == NULL)
      return false;
    if (!SL_PTX_MORE(p, p->transfers, 1))
      return false;
    p->transfers.items[p->transfers.count++] = (struct sl_ptx_transfer){(uint32_t)s->address, (uint32_t)s->bytes};
    n++;
    sl_ptx_advance(p);
    if (!sl_ptx_take(p, SL_PTX_T_SIGN, ","))
      break;
  }
  *copied = (uint16_t)n;
  if (!sl_ptx_expect(p, ")"))
    return false;
  return f == NULL || n == count ||
         sl_ptx_error(p, &open, "'%.60s' has %u parameters or results here, not %u", f->name, count, n);
}

static bool give(struct sl_ptx_parser *p, struct sl_ptx_insn *in, const struct sl_ptx_function *f, bool results)
{
  const unsigned from = results ? f->param_count : 0, count = results ? f->result_count : f->param_count;
  return in->mode == SL_PTX_CALL_SHARED ? pass(p, f, from, count)
                                        : copy(p, f, from, count, results ? &in->results : &in->arguments);
}

/* The part after the results: %rd1, (arguments), prototype; the function itself is compared with the arguments. */
static bool call_address(struct sl_ptx_parser *p, struct sl_ptx_insn *in)
{
  struct sl_ptx_item address;
  if (!sl_ptx_register_read(p, &address) || !sl_ptx_source(p, in, &address, SL_PTX_B64, true, &in->a))
    return false;
  while (sl_ptx_take(p, SL_PTX_T_SIGN, ","))
    if (!sl_ptx_at(p, SL_PTX_T_SIGN, "("))
      sl_ptx_advance(p);
    else if (!copy(p, NULL, 0, 0, &in->arguments))
      return false;
  return sl_ptx_expect(p, ";");
}

/* The results come before the name of the function: they are read again when it is known. */
static bool sl_ptx_call_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  const struct sl_ptx_lexer start = p->lexer;
  const struct sl_ptx_token first = p->token;
  const bool results = sl_ptx_at(p, SL_PTX_T_SIGN, "(");
  struct sl_ptx_insn *in = &st->in;
  (void)sl_ptx_modifier(st, "uni");
  if (!sl_ptx_modifiers_known(p, st))
    return false;
  while (results && p->token.kind != SL_PTX_T_END && !sl_ptx_take(p, SL_PTX_T_SIGN, ")"))
    sl_ptx_advance(p);
  if (results && !sl_ptx_expect(p, ","))
    return false;
  const struct sl_ptx_token name = p->token;
  const uint32_t index = sl_ptx_function_of(p, &name);
  const bool named = index != UINT32_MAX && !p->functions.items[index].entry;
  if (!named && (name.kind != SL_PTX_T_WORD || name.text[0] != '%'))
    return sl_ptx_error(p, &name, "'%.*s' is not a function declared above, or a register with the address of one",
                        SL_PTX_SHOWN(&name));
  const struct sl_ptx_function *f = named ? &p->functions.items[index] : NULL;
  if (named && f->result_count > 0 && !results)
    return sl_ptx_error(p, &name, "'%.60s' has a result: call (result), name, (parameters)", f->name);
  in->kind = SL_PTX_K_CALL;
  in->mode = !named ? SL_PTX_CALL_ADDRESS : p->deep != NULL && p->deep[index] ? SL_PTX_CALL_COPIED : SL_PTX_CALL_SHARED;
  in->function = index; /* its PC is filled in at the end of the module */
  in->immediate = p->transfers.count;
  if (results) {
    p->lexer = start;
    p->token = first;
    if (!(named ? give(p, in, f, true) : copy(p, NULL, 0, 0, &in->results)) || !sl_ptx_expect(p, ","))
      return false;
  }
  if (!named)
    return call_address(p, in);
  sl_ptx_advance(p);
  if (sl_ptx_take(p, SL_PTX_T_SIGN, ",") && !give(p, in, f, false))
    return false;
  return sl_ptx_expect(p, ";");
}

/* ---- forms of textures, and the table of opcodes ----------------------------------------------------------------- */

/* Parses texture fetches: tex.1d, tex.2d and tex.3d. */

/* A .texref variable, or a register with its handle. */
static bool take_texture(struct sl_ptx_parser *p, struct sl_ptx_statement *st, const struct sl_ptx_operand *o)
{
  struct sl_ptx_insn *in = &st->in;
  if (!o->address || !o->has_coordinates || o->offset != 0)
    return sl_ptx_error(p, &o->at, "a texture and its coordinates are expected here: [texture, {x, y}]");
  if (o->item.kind == SL_PTX_I_SYMBOL && p->symbols.items[o->item.index].texture) {
    in->a = sl_ptx_symbol_place(p, o->item.index, 0, true, false);
    return !sl_ptx_failed(p);
  }
  if (o->item.kind != SL_PTX_I_REGISTER)
    return sl_ptx_error(p, &o->item.at, "'%.*s' is neither a .texref variable nor a register",
                        SL_PTX_SHOWN(&o->item.at));
  const struct sl_ptx_register *r = sl_ptx_register_use(p, &o->item);
  if (sl_ptx_type_bytes(r->type) != 8 || r->type == SL_PTX_F64)
    return sl_ptx_error(p, &o->item.at, "register %.*s is .%s, but the handle of a texture has 64 bits",
                        SL_PTX_SHOWN(&o->item.at), sl_ptx_type_name(r->type));
  in->address = sl_ptx_reg_of(r);
  in->a = (struct sl_ptx_place){.area = SL_PTX_REGISTERS, .offset = r->offset & 0x3fffffff};
  return !sl_ptx_failed(p);
}

/* The coordinate of .1d may be a vector of one element; .3d has a fourth one, which does not matter. */
static bool take_coordinates(struct sl_ptx_parser *p, struct sl_ptx_statement *st, enum sl_ptx_type type,
                             unsigned dimensions)
{
  const struct sl_ptx_operand *o = &st->operands[1];
  struct sl_ptx_place *const places[] = {&st->in.b, &st->in.c, &st->in.e};
  const unsigned count = dimensions == 3 ? 4 : dimensions;
  if (o->count != count)
    return sl_ptx_error(p, &o->at, "the texture has %u coordinate%s, not %u", count, count > 1 ? "s" : "", o->count);
  for (unsigned i = 0; i < dimensions; i++)
    if (!sl_ptx_source(p, &st->in, &o->elements[i], type, true, places[i]))
      return false;
  return true;
}

static bool sl_ptx_form_tex(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_insn *in = &st->in;
  in->kind = SL_PTX_K_TEX;
  in->class = SL_PTX_C_MEMORY;
  in->space = SL_PTX_GLOBAL;
  in->elements = SL_PTX_ELEMENTS;
  in->bytes = 4;
  const unsigned dimensions = sl_ptx_modifier_of(st, (const char *const[]){"1d", "2d", "3d", NULL}, 3) + 1;
  const bool four = sl_ptx_modifier(st, "v4");
  const enum sl_ptx_type type = sl_ptx_modifier_type(st), coordinate = sl_ptx_modifier_type(st);
  in->type = (uint8_t)type;
  in->mode = dimensions == 3 ? SL_PTX_TEX_2D | SL_PTX_TEX_3D : dimensions == 2 ? SL_PTX_TEX_2D : 0;
  in->mode |= coordinate == SL_PTX_F32 ? SL_PTX_TEX_REAL : 0;
  if (dimensions > 3 || !four || (type != SL_PTX_F32 && type != SL_PTX_S32 && type != SL_PTX_U32) ||
      (coordinate != SL_PTX_F32 && coordinate != SL_PTX_S32))
    return sl_ptx_error(p, &st->opcode,
                        "simtlab supports tex.1d.v4, tex.2d.v4 and tex.3d.v4 of .f32, .s32 and .u32, with coordinates "
                        "of .s32 and .f32");
  if (!sl_ptx_operands_are(p, st, 2, 2) || !sl_ptx_modifiers_known(p, st))
    return false;
  const struct sl_ptx_operand *d = &st->operands[0];
  if (!d->vector || d->count != SL_PTX_ELEMENTS)
    return sl_ptx_error(p, &d->at, "the result of a texture fetch must be a vector of four registers");
  if (!take_texture(p, st, &st->operands[1]) || !take_coordinates(p, st, coordinate, dimensions))
    return false;
  for (unsigned i = 0; i < SL_PTX_ELEMENTS; i++)
    if (!sl_ptx_element(p, in, &d->elements[i], type, true, &in->element[i]))
      return false;
  return true;
}

/* Parses instructions of kernels with linear registers, whose syntax is specific to simtlab
 * (docs/explanation/linear.md). r2.mad is an ordinary row. r2.cr, r2.tr, r2.br, r2.slice and r2.sum declare the role of
 * a register and are not executed. r2.end ends a phase. */

/* An integer operand from `least` (0, or -1 for none) to `most`. */
static bool number(struct sl_ptx_parser *p, const struct sl_ptx_statement *st, unsigned operand, int least,
                   uint32_t most, uint32_t *value)
{
  const struct sl_ptx_operand *o = &st->operands[operand];
  const int64_t bits = (int64_t)o->item.number.bits;
  if (o->item.kind != SL_PTX_I_NUMBER || o->item.number.real || bits < least || bits > (int64_t)most)
    return sl_ptx_error(p, &o->at, "a number from %d to %u is expected here", least, most);
  *value = bits < 0 ? SL_PTX_LINEAR_NONE : (uint32_t)bits;
  return true;
}

static bool sum(struct sl_ptx_parser *p, struct sl_ptx_statement *st, enum sl_ptx_type type)
{
  struct sl_ptx_insn *in = &st->in;
  uint32_t lr = 0, tr = 0, cr = 0;
  if (type != SL_PTX_B32 && type != SL_PTX_B64)
    return sl_ptx_error(p, &st->opcode, "r2.sum needs .b32 or .b64");
  if (!sl_ptx_operands_are(p, st, 6, 6) || !sl_ptx_modifiers_known(p, st) ||
      !sl_ptx_take_destination(p, st, 0, type, true, &in->d) || !number(p, st, 1, -1, SL_PTX_BLOCK_LINEAR - 1, &lr) ||
      !number(p, st, 2, -1, SL_PTX_BLOCK_LINEAR - 1, &tr) || !number(p, st, 3, -1, SL_PTX_LINEAR_CRS - 1, &cr) ||
      !sl_ptx_take_source(p, st, 4, SL_PTX_B64, true, &in->a))
    return false;
  if (st->operands[5].item.kind != SL_PTX_I_NUMBER)
    return sl_ptx_error(p, &st->operands[5].at, "a number is expected here");
  in->target = lr | tr << 8 | cr << 16;
  in->immediate = (int64_t)st->operands[5].item.number.bits;
  in->bytes = (uint8_t)sl_ptx_type_bytes(type);
  return true;
}

static bool sl_ptx_form_linear(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  static const char *const modes[] = {
      [SL_PTX_LINEAR_CR] = "cr",       [SL_PTX_LINEAR_TR] = "tr",   [SL_PTX_LINEAR_BR] = "br",
      [SL_PTX_LINEAR_SLICE] = "slice", [SL_PTX_LINEAR_SUM] = "sum", [SL_PTX_LINEAR_END] = "end",
      [SL_PTX_LINEAR_END + 1] = NULL};
  static const uint32_t most[] = {[SL_PTX_LINEAR_CR] = SL_PTX_LINEAR_CRS - 1,
                                  [SL_PTX_LINEAR_TR] = SL_PTX_BLOCK_LINEAR - 1,
                                  [SL_PTX_LINEAR_BR] = SL_PTX_BLOCK_LINEAR,
                                  [SL_PTX_LINEAR_SLICE] = 3};
  struct sl_ptx_insn *in = &st->in;
  const unsigned mode = sl_ptx_modifier_of(st, modes, SL_PTX_LINEAR_END + 1);
  if (mode > SL_PTX_LINEAR_END)
    return sl_ptx_form_row(p, st, unused);
  in->kind = SL_PTX_K_LINEAR;
  in->mode = (uint8_t)mode;
  if (mode == SL_PTX_LINEAR_SUM)
    return sum(p, st, sl_ptx_modifier_type(st));
  if (mode == SL_PTX_LINEAR_END)
    return sl_ptx_operands_are(p, st, 0, 0) && sl_ptx_modifiers_known(p, st);
  return sl_ptx_operands_are(p, st, 2, 2) && sl_ptx_modifiers_known(p, st) &&
         sl_ptx_take_destination(p, st, 0, SL_PTX_B64, true, &in->d) && number(p, st, 1, 0, most[mode], &in->target);
}

typedef bool form_function(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned detail);

enum { BITS = SL_PTX_BITS, ANY = SL_PTX_BITS | SL_PTX_FLOATS };

static const struct {
  const char *name;
  form_function *form;
  unsigned detail;
} opcodes[] = {
    {"add", sl_ptx_form_row, 0},
    {"addc", sl_ptx_form_row, 0},
    {"sub", sl_ptx_form_row, 0},
    {"subc", sl_ptx_form_row, 0},
    {"mul", sl_ptx_form_row, 0},
    {"mad", sl_ptx_form_row, 0},
    {"madc", sl_ptx_form_row, 0},
    {"mul24", sl_ptx_form_row, 0},
    {"mad24", sl_ptx_form_row, 0},
    {"dp4a", sl_ptx_form_row, 0},
    {"dp2a", sl_ptx_form_row, 0},
    {"sad", sl_ptx_form_row, 0},
    {"div", sl_ptx_form_row, 0},
    {"rem", sl_ptx_form_row, 0},
    {"neg", sl_ptx_form_row, 0},
    {"abs", sl_ptx_form_row, 0},
    {"min", sl_ptx_form_row, 0},
    {"max", sl_ptx_form_row, 0},
    {"fma", sl_ptx_form_row, 0},
    {"sqrt", sl_ptx_form_row, 0},
    {"rsqrt", sl_ptx_form_row, 0},
    {"rcp", sl_ptx_form_row, 0},
    {"sin", sl_ptx_form_row, 0},
    {"cos", sl_ptx_form_row, 0},
    {"ex2", sl_ptx_form_row, 0},
    {"lg2", sl_ptx_form_row, 0},
    {"tanh", sl_ptx_form_row, 0},
    {"copysign", sl_ptx_form_row, 0},
    {"testp", sl_ptx_form_row, 0},
    {"and", sl_ptx_form_logic, BITS},
    {"or", sl_ptx_form_logic, BITS},
    {"xor", sl_ptx_form_logic, BITS},
    {"not", sl_ptx_form_logic, BITS},
    {"cnot", sl_ptx_form_row, BITS},
    {"shl", sl_ptx_form_row, BITS},
    {"shr", sl_ptx_form_row, BITS},
    {"shf", sl_ptx_form_row, BITS},
    {"prmt", sl_ptx_form_row, BITS},
    {"vadd", sl_ptx_form_video, 0},
    {"vadd2", sl_ptx_form_video, 0},
    {"vadd4", sl_ptx_form_video, 0},
    {"vsub", sl_ptx_form_video, 0},
    {"vsub2", sl_ptx_form_video, 0},
    {"vsub4", sl_ptx_form_video, 0},
    {"vabsdiff", sl_ptx_form_video, 0},
    {"vabsdiff2", sl_ptx_form_video, 0},
    {"vabsdiff4", sl_ptx_form_video, 0},
    {"vmin", sl_ptx_form_video, 0},
    {"vmin2", sl_ptx_form_video, 0},
    {"vmin4", sl_ptx_form_video, 0},
    {"vmax", sl_ptx_form_video, 0},
    {"vmax2", sl_ptx_form_video, 0},
    {"vmax4", sl_ptx_form_video, 0},
    {"vavrg2", sl_ptx_form_video, 0},
    {"vavrg4", sl_ptx_form_video, 0},
    {"lop3", sl_ptx_form_row, BITS},
    {"clz", sl_ptx_form_row, BITS},
    {"popc", sl_ptx_form_row, BITS},
    {"brev", sl_ptx_form_row, BITS},
    {"bfind", sl_ptx_form_row, 0},
    {"bfe", sl_ptx_form_row, 0},
    {"bfi", sl_ptx_form_row, BITS},
    {"selp", sl_ptx_form_row, ANY},
    {"slct", sl_ptx_form_row, ANY},
    {"mov", sl_ptx_form_mov, ANY},
    {"cvt", sl_ptx_form_cvt, 0},
    {"cvta", sl_ptx_form_space, 0},
    {"isspacep", sl_ptx_form_space, 0},
    {"setp", sl_ptx_form_setp, 0},
    {"set", sl_ptx_form_set, 0},
    {"ld", sl_ptx_form_access, 0},
    {"ldu", sl_ptx_form_access, 0},
    {"st", sl_ptx_form_access, 1},
    {"atom", sl_ptx_form_atomic, 0},
    {"red", sl_ptx_form_atomic, 1},
    {"cp", sl_ptx_form_cp, 0},
    {"alloca", sl_ptx_form_stack, SL_PTX_STACK_ALLOCA},
    {"stacksave", sl_ptx_form_stack, SL_PTX_STACK_SAVE},
    {"stackrestore", sl_ptx_form_stack, SL_PTX_STACK_RESTORE},
    {"createpolicy", sl_ptx_form_policy, 0},
    {"tex", sl_ptx_form_tex, 0},
    {"membar", sl_ptx_form_membar, 0},
    {"fence", sl_ptx_form_membar, 0},
    {"wmma", sl_ptx_form_wmma, 0},
    {"mma", sl_ptx_form_mma, 0},
    {"ldmatrix", sl_ptx_form_matrix, 0},
    {"stmatrix", sl_ptx_form_matrix, 1},
    {"movmatrix", sl_ptx_form_movmatrix, 0},
    {"shfl", sl_ptx_form_shfl, 0},
    {"vote", sl_ptx_form_vote, 0},
    {"match", sl_ptx_form_match, 0},
    {"redux", sl_ptx_form_redux, 0},
    {"activemask", sl_ptx_form_activemask, 0},
    {"bar", sl_ptx_form_bar, 0},
    {"barrier", sl_ptx_form_bar, 0},
    {"bra", sl_ptx_form_bra, 0},
    {"ret", sl_ptx_form_end, SL_PTX_K_RETURN},
    {"exit", sl_ptx_form_end, SL_PTX_K_EXIT},
    {"trap", sl_ptx_form_end, SL_PTX_K_TRAP},
    {"brkpt", sl_ptx_form_end, SL_PTX_K_TRAP},
    {"r2", sl_ptx_form_linear, 0},
    {"prefetch", sl_ptx_form_nothing, 0},
    {"prefetchu", sl_ptx_form_nothing, 0},
    {"nanosleep", sl_ptx_form_nothing, 0},
    {"pmevent", sl_ptx_form_nothing, 0},
};

bool sl_ptx_instruction_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  if (!sl_ptx_opcode_read(p, st))
    return false;
  if (sl_ptx_token_is(&st->opcode, "call"))
    return sl_ptx_call_read(p, st);
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
    if (sl_ptx_token_is(&st->opcode, opcodes[i].name))
      return sl_ptx_operands_read(p, st) && opcodes[i].form(p, st, opcodes[i].detail);
  return sl_ptx_error(p, &st->opcode,
                      "simtlab does not support the instruction '%.*s': docs/how-to/ptx.md lists the supported ones",
                      SL_PTX_SHOWN(&st->opcode));
}
