#include "compiler/isa64/assembler/assembler64.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *trim(char *text)
{
  while (isspace((unsigned char)*text))
    text++;
  for (size_t n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]); n--)
    text[n - 1] = '\0';
  return text;
}

/* Commas outside parentheses separate operands. */
static bool split_operands(struct sl_asm_statement *s, char *text)
{
  if (*trim(text) == '\0')
    return true;
  unsigned depth = 0;
  char *begin = text;
  for (;; text++) {
    const char c = *text;
    depth += c == '(' ? 1 : 0;
    depth -= c == ')' && depth > 0 ? 1 : 0;
    if (c != '\0' && (c != ',' || depth > 0))
      continue;
    if (s->count == SL_ASM_OPERANDS)
      return false;
    *text = '\0';
    s->operand[s->count++] = trim(begin);
    begin = text + 1;
    if (c == '\0')
      return true;
  }
}

bool sl_asm_split(struct sl_asm_statement *s, const char *text, size_t length)
{
  s->count = 0;
  if (length >= sizeof s->text)
    return false;
  memcpy(s->text, text, length);
  s->text[length] = '\0';
  char *begin = trim(s->text), *end = begin + strcspn(begin, " \t");
  char *operands = *end != '\0' ? end + 1 : end;
  *end = '\0';
  s->mnemonic = begin;
  return split_operands(s, operands);
}

enum { DEEPEST = 32 };

struct reader {
  const char *at;
  bool wrong;
  unsigned depth;
};

static int64_t either(struct reader *r);

static void skip_spaces(struct reader *r)
{
  while (isspace((unsigned char)*r->at))
    r->at++;
}

static bool take(struct reader *r, const char *operator)
{
  skip_spaces(r);
  const size_t length = strlen(operator);
  if (strncmp(r->at, operator, length) != 0)
    return false;
  r->at += length;
  return true;
}

static int64_t fail(struct reader *r)
{
  r->wrong = true;
  return 0;
}

static int64_t character(struct reader *r)
{
  const char c = r->at[0];
  if (c == '\0' || c == '\\')
    return fail(r);
  r->at += r->at[1] == '\'' ? 2 : 1;
  return (unsigned char)c;
}

static int64_t digits(struct reader *r)
{
  skip_spaces(r);
  if (!isdigit((unsigned char)*r->at))
    return fail(r);
  const bool binary = r->at[0] == '0' && (r->at[1] == 'b' || r->at[1] == 'B');
  char *end;
  const unsigned long long number = strtoull(r->at + (binary ? 2 : 0), &end, binary ? 2 : 0);
  const bool empty = end == r->at || (binary && end == r->at + 2);
  r->at = end;
  return empty || number > UINT32_MAX || isalnum((unsigned char)*end) || *end == '_' ? fail(r) : (int64_t)number;
}

static int64_t operand(struct reader *r)
{
  if (r->wrong || ++r->depth > DEEPEST)
    return fail(r);
  int64_t value;
  if (take(r, "-"))
    value = -operand(r);
  else if (take(r, "+"))
    value = operand(r);
  else if (take(r, "~"))
    value = ~operand(r);
  else if (take(r, "'"))
    value = character(r);
  else if (take(r, "(")) {
    value = either(r);
    if (!take(r, ")"))
      fail(r);
  } else
    value = digits(r);
  r->depth--;
  return value;
}

/* Keeps results below 2^62, so that no operation overflows. */
static int64_t bounded(struct reader *r, int64_t value)
{
  return value < -(INT64_C(1) << 40) || value > INT64_C(1) << 40 ? fail(r) : value;
}

static int64_t shift(struct reader *r, int64_t value, int64_t amount, bool left)
{
  if (amount < 0 || amount > 31)
    return fail(r);
  return left ? bounded(r, value) * (INT64_C(1) << amount) : value / (INT64_C(1) << amount);
}

static int64_t product(struct reader *r)
{
  int64_t value = bounded(r, operand(r));
  while (!r->wrong) {
    const char *const from = r->at;
    int64_t right;
    if (take(r, "<<"))
      value = bounded(r, shift(r, value, operand(r), true));
    else if (take(r, ">>"))
      value = shift(r, value, operand(r), false);
    else if (take(r, "*")) {
      right = operand(r);
      value = right > UINT32_MAX || right < -(int64_t)UINT32_MAX || value > INT32_MAX || value < INT32_MIN
                  ? fail(r)
                  : bounded(r, value * right);
    } else if (take(r, "/") || take(r, "%")) {
      const bool quotient = r->at[-1] == '/';
      right = operand(r);
      value = right == 0 ? fail(r) : quotient ? value / right : value % right;
    } else {
      r->at = from;
      break;
    }
  }
  return value;
}

static int64_t sum(struct reader *r)
{
  int64_t value = product(r);
  while (!r->wrong)
    if (take(r, "+"))
      value = bounded(r, value + product(r));
    else if (take(r, "-"))
      value = bounded(r, value - product(r));
    else
      break;
  return value;
}

/* Operators | & ^ have equal precedence, as in GNU as. */
static int64_t either(struct reader *r)
{
  int64_t value = sum(r);
  while (!r->wrong)
    if (take(r, "|"))
      value |= sum(r);
    else if (take(r, "&"))
      value &= sum(r);
    else if (take(r, "^"))
      value ^= sum(r);
    else
      break;
  return value;
}

bool sl_asm_number(const char *text, uint32_t *number)
{
  struct reader r = {.at = text};
  const int64_t value = either(&r);
  skip_spaces(&r);
  if (r.wrong || *r.at != '\0' || value < INT32_MIN || value > UINT32_MAX)
    return false;
  *number = (uint32_t)value;
  return true;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static bool begins_name(char c)
{
  return isalpha((unsigned char)c) || c == '_' || c == '.';
}

static bool is_in_name(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Parses "1b" or "1f"; 0: neither. */
static size_t numbered_label(const char *text)
{
  const size_t length = strspn(text, "0123456789");
  const bool is =
      length > 0 && length < 8 && (text[length] == 'b' || text[length] == 'f') && !is_in_name(text[length + 1]);
  return is && !(text[0] == '0' && text[length] == 'b' && isdigit((unsigned char)text[length + 1])) ? length + 1 : 0;
}

static bool symbol_and_number(const char *text, struct sl_asm_value *value)
{
  while (isspace((unsigned char)*text))
    text++;
  size_t length = numbered_label(text);
  if (length == 0 && begins_name(*text))
    while (is_in_name(text[length]))
      length++;
  if (length == 0)
    return sl_asm_number(text, &value->number);
  if (length >= SL_ASM_NAME_SIZE)
    return false;
  memcpy(value->symbol, text, length);
  value->symbol[length] = '\0';
  text += length;
  while (isspace((unsigned char)*text))
    text++;
  return *text == '\0' || ((*text == '+' || *text == '-') && sl_asm_number(text, &value->number));
}

bool sl_asm_value(const char *text, struct sl_asm_value *value)
{
  static const struct {
    const char *name;
    unsigned part;
  } parts[] = {{"%hi(", SL_ASM_HI}, {"%lo(", SL_ASM_LO}, {"%tprel_hi(", SL_ASM_TP_HI}, {"%tprel_lo(", SL_ASM_TP_LO}};
  *value = (struct sl_asm_value){.part = SL_ASM_WHOLE};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    const size_t before = strlen(parts[i].name), length = strlen(text);
    char inner[2 * SL_ASM_NAME_SIZE];
    if (strncmp(text, parts[i].name, before) != 0)
      continue;
    if (text[length - 1] != ')' || length - before > sizeof inner)
      return false;
    memcpy(inner, text + before, length - before - 1);
    inner[length - before - 1] = '\0';
    value->part = parts[i].part;
    return symbol_and_number(inner, value);
  }
  return symbol_and_number(text, value);
}
