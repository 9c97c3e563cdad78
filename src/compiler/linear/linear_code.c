#include "compiler/linear/linear_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { MOST_SYMBOLS = 30000 };

uint16_t sl_linear_symbol(struct sl_linear_code *code, const struct sl_linear_symbol *symbol)
{
  for (uint16_t i = 1; i < code->symbols; i++)
    if (strcmp(code->symbol[i].name, symbol->name) == 0)
      return i;
  const uint16_t number = code->symbols;
  if (number > MOST_SYMBOLS)
    return 0;
  if (!SL_GROW(code->symbol, number))
    return 0;
  code->symbol[0] = (struct sl_linear_symbol){.name = "?"};
  code->symbol[number] = *symbol;
  code->symbols = (uint16_t)(number + 1);
  return number;
}

void sl_linear_code_free(struct sl_linear_code *code)
{
  free(code->insn);
  free(code->entry);
  free(code->symbol);
  *code = (struct sl_linear_code){.count = 0};
}
