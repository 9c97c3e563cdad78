/* Parser of machine IR operands. */
#include <stdlib.h>
#include <string.h>

#include "compiler/isa64/grow.h"
#include "compiler/isa64/mir/mir_parser.h"

static enum sl_status no_memory(struct sl_mir_parser *parser)
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
    return no_memory(parser);
  memcpy(name, ".L", prefix);
  memcpy(name + prefix, token.start, token.length);
  operand->kind = SL_MIR_SYMBOL;
  operand->number = sl_mir_text(parser->module, name, prefix + sl_mir_unescape(name + prefix, token.length));
  free(name);
  return operand->number == UINT32_MAX ? no_memory(parser) : SL_OK;
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
  if (!SL_GROW(f->operand, f->operand_room, f->operand_count))
    return no_memory(parser);
  f->operand[f->operand_count++] = operand;
  f->insn[f->insn_count - 1].operand_count++;
  return SL_OK;
}

enum sl_status sl_mir_operands(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer)
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
