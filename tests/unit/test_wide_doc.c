/* The table of instructions in docs/explanation/machines/vortex64.md equals the decoder's. Otherwise the test prints
 * the right one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/wide.h"

#define SETS (SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_ZICOND | SL_ISA_WARP2 | SL_ISA_WIDE)

static char table[1 << 14], page[1 << 16];

static const char *format_of(enum sl_format format)
{
  switch (format) {
  case SL_FORMAT_U: return "U";
  case SL_FORMAT_J: return "J";
  case SL_FORMAT_B: return "B";
  case SL_FORMAT_S: return "S";
  case SL_FORMAT_I:
  case SL_FORMAT_IL:
  case SL_FORMAT_IJ:
  case SL_FORMAT_SH:
  case SL_FORMAT_C:
  case SL_FORMAT_CI:
  case SL_FORMAT_FENCE:
  case SL_FORMAT_N: return "I";
  default: return "R";
  }
}

static void field(char *text, size_t size, uint32_t mask, uint32_t bits, uint32_t value)
{
  if ((mask & bits) == 0)
    snprintf(text, size, "-");
  else
    snprintf(text, size, "0x%x", (unsigned)value);
}

/* funct7 contains operand bits of atomics and fused multiply-add. */
static void add_row(unsigned op)
{
  const struct sl_op_info *info = sl_op_info(op);
  const uint32_t match = info->match, mask = info->mask;
  char funct3[16], funct7[16], *end = table + strlen(table);
  field(funct3, sizeof funct3, mask, 0x7000, match >> 12 & 7);
  field(funct7, sizeof funct7, info->format == SL_FORMAT_N ? 0 : mask, 0xfe000000, match >> 25);
  snprintf(end, sizeof table - (size_t)(end - table), "| `%s` | %s | 0x%02x | %s | %s | %u |\n", info->name,
           format_of(info->format), (unsigned)(match | 3) & 0x7f, funct3, funct7, 3 - (unsigned)(match & 3));
}

static void the_page_equals_the_decoder_table(void **state)
{
  (void)state;
  char path[1000];
  const char *slash = strstr(__FILE__, "tests/unit/");
  snprintf(path, sizeof path, "%.*sdocs/explanation/machines/vortex64.md", (int)(slash - __FILE__), __FILE__);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  page[fread(page, 1, sizeof page - 1, file)] = '\0';
  fclose(file);
  strcpy(table, "| instruction | format | opcode | funct3 | funct7 | opext |\n|---|---|---|---|---|---|\n");
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    if (((unsigned)sl_op_info(op)->set & SETS) != 0)
      add_row(op);
  if (strstr(page, table) == NULL) {
    puts(table);
    fail_msg("%s does not have the table above", path);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_equals_the_decoder_table)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
