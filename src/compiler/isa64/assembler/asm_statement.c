#include "compiler/isa64/assembler/asm_statement.h"

#include <ctype.h>
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
