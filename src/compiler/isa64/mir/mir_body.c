/* Parser of function bodies: lines of blocks, successor lists, and instructions. */
#include <stdlib.h>
#include <string.h>

#include "compiler/isa64/compile_mir.h"
#include "compiler/isa64/mir/mir.h"

/* Parser of machine IR operands. */

static enum sl_status operand_no_memory(struct sl_mir_parser *parser)
{
  return sl_no_memory(parser->err, sizeof(struct sl_mir_operand));
}

/* Parses the flags before a register; liveness flags are ignored and recomputed later. */
static unsigned flags_of(struct sl_mir_lexer *lexer)
{
  static const struct {
    const char *word;
    unsigned flags;
  } words[] = {
      {"implicit", SL_MIR_IMPLICIT},
      {"implicit-def", SL_MIR_IMPLICIT | SL_MIR_DEF},
      {"def", SL_MIR_DEF},
      {"early-clobber", SL_MIR_EARLY},
      {"undef", SL_MIR_UNDEF},
      {"dead", 0},
      {"killed", 0},
      {"renamable", 0},
  };
  unsigned flags = 0;
  for (size_t i = 0; i < sizeof words / sizeof words[0];) {
    if (sl_mir_accept(lexer, words[i].word)) {
      flags |= words[i].flags;
      i = 0;
    } else {
      i++;
    }
  }
  return flags;
}

static enum sl_status target_of(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer, uint8_t *target)
{
  static const struct {
    const char *word;
    enum sl_mir_target target;
  } words[] = {
      {"riscv-call", SL_MIR_CALLED},      {"riscv-hi", SL_MIR_HIGH},         {"riscv-lo", SL_MIR_LOW},
      {"riscv-tprel-hi", SL_MIR_TP_HIGH}, {"riscv-tprel-lo", SL_MIR_TP_LOW}, {"riscv-tprel-add", SL_MIR_TP_ADD},
  };
  *target = SL_MIR_PLAIN;
  if (!sl_mir_accept(lexer, "target-flags"))
    return SL_OK;
  sl_mir_accept(lexer, "(");
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (sl_mir_accept(lexer, words[i].word))
      *target = (uint8_t)words[i].target;
  if (*target == SL_MIR_PLAIN || !sl_mir_accept(lexer, ")"))
    return sl_mir_refuse(parser, "the operand flag '%.*s' is unknown", (int)lexer->token.length, lexer->token.start);
  return SL_OK;
}

/* "name.12" or "name.12.anything" */
static bool numbered(const struct sl_mir_token *token, const char *name, uint32_t *number)
{
  const size_t length = strlen(name);
  if (token->length <= length || memcmp(token->start, name, length) != 0)
    return false;
  const char *digits = token->start + length;
  const char *dot = memchr(digits, '.', token->length - length);
  return sl_mir_digits(digits, dot != NULL ? (size_t)(dot - digits) : token->length - length, number);
}

/* A register class limits the allowed physical registers; all classes here are integer registers. */
static enum sl_status class_of(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer)
{
  static const char *const classes[] = {"gpr", "gprf32", "gprnox0", "gprnox0x2", "gprjalr", "gprtc", "gprc", "gprx0"};
  if (!sl_mir_accept(lexer, ":"))
    return SL_OK;
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
    if (sl_mir_accept(lexer, classes[i]))
      return SL_OK;
  return sl_mir_refuse(parser, "the register class '%.*s' is unknown", (int)lexer->token.length, lexer->token.start);
}

static enum sl_status percent(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer, struct sl_mir_operand *operand)
{
  static const struct {
    const char *name;
    enum sl_mir_kind kind;
  } names[] = {{"bb.", SL_MIR_BLOCK},
               {"stack.", SL_MIR_STACK},
               {"fixed-stack.", SL_MIR_FIXED},
               {"const.", SL_MIR_CONSTANT},
               {"jump-table.", SL_MIR_JUMP_TABLE}};
  const struct sl_mir_token token = lexer->token;
  sl_mir_next(lexer);
  if (sl_mir_digits(token.start, token.length, &operand->number)) {
    operand->kind = SL_MIR_VIRTUAL;
    if (operand->number >= parser->function->register_count)
      return sl_mir_refuse(parser, "it refers to register %%%u, which does not exist", operand->number);
    return class_of(parser, lexer);
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (numbered(&token, names[i].name, &operand->number)) {
      operand->kind = (uint8_t)names[i].kind;
      if (lexer->token.kind == SL_TOKEN_STRING) /* the name of an object */
        sl_mir_next(lexer);
      return SL_OK;
    }
  return sl_mir_refuse(parser, "the operand '%%%.*s' is unknown", (int)token.length, token.start);
}

static enum sl_status physical(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer, struct sl_mir_operand *operand)
{
  const struct sl_mir_token token = lexer->token;
  sl_mir_next(lexer);
  operand->kind = SL_MIR_PHYSICAL;
  if (token.length > 1 && token.start[0] == 'x' && sl_mir_digits(token.start + 1, token.length - 1, &operand->number) &&
      operand->number < 32)
    return SL_OK;
  operand->kind = SL_MIR_NOTHING;
  if (token.length == 5 && memcmp(token.start, "noreg", 5) == 0)
    return SL_OK;
  operand->kind = SL_MIR_FLOAT_STATE;
  if ((token.length == 3 && memcmp(token.start, "frm", 3) == 0) ||
      (token.length == 6 && memcmp(token.start, "fflags", 6) == 0))
    return SL_OK;
  return sl_mir_refuse(parser, "the register '$%.*s' is unknown", (int)token.length, token.start);
}

/* Private symbols have a different name in objects. */
static enum sl_status symbol(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer, struct sl_mir_operand *operand)
{
  const struct sl_mir_token token = lexer->token;
  sl_mir_next(lexer);
  const struct sl_mir_text_line *line =
      token.kind == SL_TOKEN_AT ? sl_mir_ir_symbol(&parser->ir, token.start, token.length) : NULL;
  const size_t prefix = line != NULL && sl_mir_ir_says(line, "private") ? 2 : 0;
  char *name = malloc(token.length + prefix + 1);
  if (name == NULL)
    return operand_no_memory(parser);
  memcpy(name, ".L", prefix);
  memcpy(name + prefix, token.start, token.length);
  operand->kind = SL_MIR_SYMBOL;
  operand->number = sl_mir_text(parser->module, name, prefix + sl_mir_unescape(name + prefix, token.length));
  free(name);
  return operand->number == UINT32_MAX ? operand_no_memory(parser) : SL_OK;
}

static enum sl_status value_of(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer, struct sl_mir_operand *operand)
{
  const struct sl_mir_token token = lexer->token;
  switch (token.kind) {
  case SL_TOKEN_PERCENT: return percent(parser, lexer, operand);
  case SL_TOKEN_DOLLAR: return physical(parser, lexer, operand);
  case SL_TOKEN_AT:
  case SL_TOKEN_AND: return symbol(parser, lexer, operand);
  case SL_TOKEN_NUMBER:
    operand->kind = SL_MIR_IMMEDIATE;
    operand->value = token.number;
    sl_mir_next(lexer);
    return SL_OK;
  case SL_TOKEN_EXCLAIM:
    operand->kind = SL_MIR_METADATA;
    sl_mir_next(lexer);
    return SL_OK;
  default:
    operand->kind = SL_MIR_CALL_MASK;
    if (sl_mir_accept(lexer, "csr_ilp32_lp64"))
      return SL_OK;
    return sl_mir_refuse(parser, "the operand '%.*s' is unknown", (int)token.length, token.start);
  }
}

/* Parses "+ 8" after a symbol or an object. */
static enum sl_status offset_of(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer,
                                struct sl_mir_operand *operand)
{
  const bool minus = sl_mir_is(lexer, "-");
  if (!minus && !sl_mir_is(lexer, "+"))
    return SL_OK;
  sl_mir_next(lexer);
  if (lexer->token.kind != SL_TOKEN_NUMBER)
    return sl_mir_refuse(parser, "an offset is not a number");
  operand->value = minus ? -lexer->token.number : lexer->token.number;
  sl_mir_next(lexer);
  return SL_OK;
}

enum sl_status sl_mir_operand(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer)
{
  struct sl_mir_function *f = parser->function;
  struct sl_mir_operand operand = {.flags = (uint8_t)flags_of(lexer)};
  enum sl_status status = target_of(parser, lexer, &operand.target);
  if (status == SL_OK)
    status = value_of(parser, lexer, &operand);
  if (status == SL_OK)
    status = offset_of(parser, lexer, &operand);
  if (status != SL_OK)
    return status;
  if (sl_mir_accept(lexer, "(")) { /* tied-def N: the same register, which the operand already has by number */
    if (!sl_mir_accept(lexer, "tied-def") || lexer->token.kind != SL_TOKEN_NUMBER)
      return sl_mir_refuse(parser, "a register has the unknown mark '%.*s'", (int)lexer->token.length,
                           lexer->token.start);
    sl_mir_next(lexer);
    if (!sl_mir_accept(lexer, ")"))
      return sl_mir_refuse(parser, "a parenthesis is not closed");
  }
  if (!SL_GROW(f->operand, f->operand_count))
    return operand_no_memory(parser);
  f->operand[f->operand_count++] = operand;
  f->insn[f->insn_count - 1].operand_count++;
  return SL_OK;
}

/* Parses the operands of an instruction up to its debug location or the end. */
static enum sl_status read_operands(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer)
{
  if (lexer->token.kind == SL_TOKEN_END || sl_mir_is(lexer, "::"))
    return SL_OK;
  do {
    if (sl_mir_is(lexer, "debug-location") || sl_mir_is(lexer, "debug-instr-number"))
      return SL_OK;
    const enum sl_status status = sl_mir_operand(parser, lexer);
    if (status != SL_OK)
      return status;
  } while (sl_mir_accept(lexer, ","));
  return SL_OK;
}

/* Probabilities are fractions of 2^31. */
static const double WHOLE = 2147483648.0;

struct body {
  struct sl_mir_parser *parser;
  struct sl_mir_function *f;
  uint32_t *number; /* block numbers in the text */
};

static enum sl_status no_memory(struct body *body)
{
  return sl_no_memory(body->parser->err, sizeof(struct sl_mir_insn));
}

/* Parses the parentheses after a block's number. */
static enum sl_status block_attributes(struct body *body, struct sl_mir_lexer *lexer)
{
  if (!sl_mir_accept(lexer, "("))
    return SL_OK;
  while (!sl_mir_accept(lexer, ")")) {
    const struct sl_mir_token token = lexer->token;
    sl_mir_next(lexer);
    if (token.kind == SL_TOKEN_PERCENT && lexer->token.kind == SL_TOKEN_STRING)
      sl_mir_next(lexer);
    const bool counted = token.length == 5 && memcmp(token.start, "align", 5) == 0;
    if (counted)
      sl_mir_next(lexer);
    if (token.kind == SL_TOKEN_END || (token.kind == SL_TOKEN_WORD && !counted))
      return sl_mir_refuse(body->parser, "a block is '%.*s', which is not supported", (int)token.length, token.start);
  }
  return SL_OK;
}

static enum sl_status block_line(struct body *body, struct sl_mir_lexer *lexer)
{
  struct sl_mir_function *f = body->f;
  const struct sl_mir_token token = lexer->token;
  const char *dot = memchr(token.start + 3, '.', token.length - 3);
  if (!SL_GROW(f->block, f->block_count) || !SL_GROW(body->number, f->block_count))
    return no_memory(body);
  if (!sl_mir_digits(token.start + 3, dot != NULL ? (size_t)(dot - token.start) - 3 : token.length - 3,
                     &body->number[f->block_count]))
    return sl_mir_refuse(body->parser, "a block has no number");
  f->block[f->block_count++] = (struct sl_mir_block){.insn = (uint32_t)f->insn_count, .edge = (uint32_t)f->edge_count};
  sl_mir_next(lexer);
  if (lexer->token.kind == SL_TOKEN_STRING)
    sl_mir_next(lexer);
  const enum sl_status status = block_attributes(body, lexer);
  if (status != SL_OK)
    return status;
  return sl_mir_accept(lexer, ":") ? SL_OK : sl_mir_refuse(body->parser, "a block's line does not end with ':'");
}

/* "successors: %bb.1(0x40000000), %bb.2(0x40000000)" */
static enum sl_status successors(struct body *body, struct sl_mir_lexer *lexer)
{
  struct sl_mir_function *f = body->f;
  if (lexer->token.kind == SL_TOKEN_END) /* end of a call that does not return */
    return SL_OK;
  do {
    struct sl_mir_edge edge = {.probability = WHOLE};
    if (lexer->token.kind != SL_TOKEN_PERCENT || lexer->token.length < 4 ||
        !sl_mir_digits(lexer->token.start + 3, lexer->token.length - 3, &edge.block))
      return sl_mir_refuse(body->parser, "a successor is not a block");
    sl_mir_next(lexer);
    if (sl_mir_accept(lexer, "(")) {
      edge.probability = (double)lexer->token.number;
      sl_mir_next(lexer);
      if (!sl_mir_accept(lexer, ")") || edge.probability < 0)
        return sl_mir_refuse(body->parser, "a successor's probability is not a number");
    }
    if (!SL_GROW(f->edge, f->edge_count))
      return no_memory(body);
    f->edge[f->edge_count++] = edge;
    f->block[f->block_count - 1].edge_count++;
  } while (sl_mir_accept(lexer, ","));
  return SL_OK;
}

/* Skips flags that do not affect the code. */
static void skip_flags(struct sl_mir_lexer *lexer)
{
  static const char *const flags[] = {"nsw",           "nuw",          "exact",       "disjoint", "nofpexcept",
                                      "contract",      "reassoc",      "nnan",        "ninf",     "nsz",
                                      "arcp",          "afn",          "nneg",        "nomerge",  "fast",
                                      "unpredictable", "noconvergent", "frame-setup", "samesign", "frame-destroy"};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0];)
    i = sl_mir_accept(lexer, flags[i]) ? 0 : i + 1;
}

/* Parses results before '='. */
static enum sl_status results(struct body *body, struct sl_mir_lexer *lexer)
{
  static const char *const words[] = {"dead", "early-clobber", "renamable", "undef"};
  bool has = lexer->token.kind == SL_TOKEN_PERCENT || lexer->token.kind == SL_TOKEN_DOLLAR;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    has = has || sl_mir_is(lexer, words[i]);
  if (!has)
    return SL_OK;
  do {
    const enum sl_status status = sl_mir_operand(body->parser, lexer);
    if (status != SL_OK)
      return status;
    body->f->operand[body->f->operand_count - 1].flags |= SL_MIR_DEF;
  } while (sl_mir_accept(lexer, ","));
  return sl_mir_accept(lexer, "=") ? SL_OK : sl_mir_refuse(body->parser, "'=' is missing after a result");
}

/* Parses the part after the operands: debug location and memory operands. */
static enum sl_status remarks(struct body *body, struct sl_mir_lexer *lexer, struct sl_mir_insn *insn)
{
  if (sl_mir_accept(lexer, "debug-location")) {
    if (!sl_mir_ir_location(&body->parser->ir, body->parser->module, &lexer->token, &insn->file, &insn->line,
                            &insn->column))
      return no_memory(body);
    sl_mir_next(lexer);
  }
  if (sl_mir_accept(lexer, "::"))
    while (lexer->token.kind != SL_TOKEN_END) {
      const bool space = sl_mir_accept(lexer, "addrspace");
      insn->shared = insn->shared || (space && lexer->token.kind == SL_TOKEN_NUMBER && lexer->token.number == 3);
      if (!space)
        sl_mir_next(lexer);
    }
  if (lexer->token.kind != SL_TOKEN_END)
    return sl_mir_refuse(body->parser, "'%.*s' is unknown", (int)lexer->token.length, lexer->token.start);
  return SL_OK;
}

static enum sl_status instruction(struct body *body, struct sl_mir_lexer *lexer)
{
  struct sl_mir_function *f = body->f;
  if (f->block_count == 0)
    return sl_mir_refuse(body->parser, "it precedes the first block");
  if (!SL_GROW(f->insn, f->insn_count))
    return no_memory(body);
  f->insn[f->insn_count++] = (struct sl_mir_insn){.operand = (uint32_t)f->operand_count};
  enum sl_status status = results(body, lexer);
  if (status != SL_OK)
    return status;
  skip_flags(lexer);
  const struct sl_mir_token name = lexer->token;
  const enum sl_mir_opcode opcode =
      name.kind == SL_TOKEN_WORD ? sl_mir_opcode(name.start, name.length) : SL_MIR_OP_COUNT;
  if (opcode == SL_MIR_OP_COUNT)
    return sl_mir_refuse(body->parser, "the opcode '%.*s' is unknown", (int)name.length, name.start);
  f->insn[f->insn_count - 1].opcode = (uint16_t)opcode;
  if (sl_mir_shape(opcode) == SL_SHAPE_SKIP) {
    f->operand_count = f->insn[--f->insn_count].operand;
    return SL_OK;
  }
  sl_mir_next(lexer);
  status = read_operands(body->parser, lexer);
  if (status == SL_OK)
    status = remarks(body, lexer, &f->insn[f->insn_count - 1]);
  f->block[f->block_count - 1].insn_count++;
  return status;
}

static enum sl_status one_line(struct body *body, const char *line, size_t length)
{
  struct sl_mir_lexer lexer = sl_mir_lexer(line, length);
  if (lexer.token.kind == SL_TOKEN_END || lexer.token.start[0] == ';')
    return SL_OK;
  if (lexer.token.kind == SL_TOKEN_WORD && lexer.token.length > 3 && memcmp(lexer.token.start, "bb.", 3) == 0)
    return block_line(body, &lexer);
  if (sl_mir_accept(&lexer, "liveins"))
    return SL_OK; /* every use describes the operand */
  if (sl_mir_accept(&lexer, "successors"))
    return body->f->block_count > 0 && sl_mir_accept(&lexer, ":")
               ? successors(body, &lexer)
               : sl_mir_refuse(body->parser, "the list of successors is invalid");
  return instruction(body, &lexer);
}

/* Translates block numbers of the text to array indices. */
static enum sl_status resolve(struct body *body)
{
  struct sl_mir_function *f = body->f;
  uint32_t most = 0;
  for (size_t i = 0; i < f->block_count; i++)
    most = body->number[i] > most ? body->number[i] : most;
  if (f->block_count == 0 || most > 64 + 8 * f->block_count)
    return sl_mir_refuse(body->parser, "its block numbers are inconsistent");
  uint32_t *place = malloc((most + 1) * sizeof *place);
  if (place == NULL)
    return no_memory(body);
  memset(place, 0xff, (most + 1) * sizeof *place);
  for (size_t i = 0; i < f->block_count; i++)
    place[body->number[i]] = (uint32_t)i;
  bool good = true;
#define RESOLVE(n)                                                                                                     \
  do {                                                                                                                 \
    (n) = (n) <= most ? place[n] : UINT32_MAX;                                                                         \
    good = good && (n) != UINT32_MAX;                                                                                  \
  } while (false)
  for (size_t i = 0; i < f->edge_count; i++)
    RESOLVE(f->edge[i].block);
  for (size_t i = 0; i < f->target_count; i++)
    RESOLVE(f->target[i]);
  for (size_t i = 0; i < f->operand_count; i++)
    if (f->operand[i].kind == SL_MIR_BLOCK)
      RESOLVE(f->operand[i].number);
#undef RESOLVE
  free(place);
  return good ? SL_OK : sl_mir_refuse(body->parser, "it refers to a block that does not exist");
}

/* Scales the probabilities of a block's successors to a sum of 1. */
static void normalise(struct sl_mir_function *f)
{
  for (size_t i = 0; i < f->block_count; i++) {
    struct sl_mir_edge *edge = f->edge + f->block[i].edge;
    double sum = 0;
    for (uint32_t k = 0; k < f->block[i].edge_count; k++)
      sum += edge[k].probability;
    for (uint32_t k = 0; k < f->block[i].edge_count; k++)
      edge[k].probability = sum > 0 ? edge[k].probability / sum : 1.0 / f->block[i].edge_count;
  }
}

enum sl_status sl_mir_body(struct sl_mir_parser *parser, const char *text, size_t size)
{
  struct body body = {.parser = parser, .f = parser->function};
  enum sl_status status = SL_OK;
  for (const char *line = text, *end = text + size; status == SL_OK && line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const size_t length = (size_t)((newline != NULL ? newline : end) - line);
    status = one_line(&body, line, length);
    if (status == SL_USAGE)
      sl_error_prefix(parser->err, "'%.*s': ", (int)(length > 200 ? 200 : length), line);
    line += length + 1;
  }
  if (status == SL_OK)
    status = resolve(&body);
  if (status == SL_OK)
    normalise(body.f);
  free(body.number);
  return status;
}
