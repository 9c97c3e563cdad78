#include "compiler/isa64/assembler/asm_operand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 16 };

const char sl_asm_no_instruction[] = "there is no such instruction";
const char sl_asm_no_register[] = "a register is expected, from x0 to x255";
const char sl_asm_no_address[] = "a number or an address is expected";
const char sl_asm_wrong_count[] = "it has the wrong number of operands";

bool sl_asm_register(const char *text, uint8_t *reg)
{
  if (text[0] == 'x' && isdigit((unsigned char)text[1]) && strlen(text) <= 4) {
    char *end;
    const unsigned long number = strtoul(text + 1, &end, 10);
    *reg = (uint8_t)number;
    return *end == '\0' && number < SL_WIDE_REGISTERS && (text[1] != '0' || number == 0);
  }
  for (unsigned i = 0; i < SL_WIDE_REGISTERS; i++)
    if (strcmp(text, sl_wide_register_name(i)) == 0) {
      *reg = (uint8_t)i;
      return true;
    }
  *reg = 8;
  return strcmp(text, "fp") == 0;
}

/* Extracts the text between the last parentheses, which end the operand, without spaces; false if there are none. */
static bool in_parentheses(const char *text, char name[NAME_SIZE])
{
  const char *open = strrchr(text, '(');
  if (open == NULL || text[strlen(text) - 1] != ')')
    return false;
  size_t length = 0;
  for (const char *at = open + 1; at[1] != '\0'; at++)
    if (!isspace((unsigned char)*at)) {
      if (length == NAME_SIZE - 1)
        return false;
      name[length++] = *at;
    }
  name[length] = '\0';
  return true;
}

bool sl_asm_memory(const char *text, char offset[SL_ASM_TEXT_SIZE], uint8_t *base)
{
  char name[NAME_SIZE];
  const bool has_base = in_parentheses(text, name) && sl_asm_register(name, base);
  const size_t before = has_base ? (size_t)(strrchr(text, '(') - text) : strlen(text);
  if (before >= SL_ASM_TEXT_SIZE || (!has_base && before == 0))
    return false;
  memcpy(offset, text, before);
  offset[before] = '\0';
  if (offset[strspn(offset, " \t")] == '\0')
    memcpy(offset, "0", 2);
  *base = has_base ? *base : 0;
  return true;
}

/* A register name is not a symbol name. */
const char *sl_asm_immediate(const char *text, struct sl_asm_insn *insn)
{
  uint8_t reg;
  if (sl_asm_register(text, &reg) || !sl_asm_value(text, &insn->address))
    return sl_asm_no_address;
  if (insn->address.symbol[0] == '\0')
    insn->wide.imm = insn->address.number;
  return NULL;
}
