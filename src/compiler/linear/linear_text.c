#include "compiler/linear/linear_text.h"

#include <stdio.h>

const char *sl_linear_symbol_name(const void *analysis, uint16_t symbol)
{
  static const char *const iterations[] = {"i", "j", "k", "l", "m", "n"};
  const struct sl_linear_analysis *a = analysis;
  if (symbol < a->code->symbols)
    return a->code->symbol[symbol].name;
  const uint32_t loop = (uint32_t)symbol - a->code->symbols;
  const uint32_t depth = loop < a->flow.loops ? a->flow.loop[loop].depth : 0;
  return depth >= 1 && depth <= sizeof iterations / sizeof *iterations ? iterations[depth - 1] : "i'";
}

char *sl_linear_vector_text(const struct sl_linear_analysis *a, const struct sl_linear_vector *v,
                            char text[SL_LINEAR_TEXT])
{
  char part[SL_LINEAR_TEXT];
  int used = snprintf(text, SL_LINEAR_TEXT, "{%s",
                      sl_poly_text(a->polys, v->constant, sl_linear_symbol_name, a, part, sizeof part));
  for (unsigned i = 0; i < SL_LINEAR_INDICES && used > 0 && used < SL_LINEAR_TEXT; i++)
    used += snprintf(text + used, (size_t)(SL_LINEAR_TEXT - used), ", %s",
                     sl_poly_text(a->polys, v->index[i], sl_linear_symbol_name, a, part, sizeof part));
  if (used > 0 && used < SL_LINEAR_TEXT)
    snprintf(text + used, (size_t)(SL_LINEAR_TEXT - used), "}");
  return text;
}

const char *sl_linear_reason_text(enum sl_linear_reason reason)
{
  static const char *const texts[SL_LINEAR_REASONS] = {
      [SL_LINEAR_YES] = "linear",
      [SL_LINEAR_NO_OPERATION] = "not a linear operation",
      [SL_LINEAR_NO_LOAD] = "comes from memory",
      [SL_LINEAR_NO_OPERAND] = "an operand is not linear",
      [SL_LINEAR_NO_PRODUCT] = "product of two varying values",
      [SL_LINEAR_NO_GUARD] = "guarded",
      [SL_LINEAR_NO_MERGE] = "differs between the paths taken",
      [SL_LINEAR_NO_STEP] = "no constant step shared by all lanes in the loop",
      [SL_LINEAR_NO_CALL] = "a call may change it",
      [SL_LINEAR_NO_ENTRY] = "not initialised",
      [SL_LINEAR_NO_WIDTH] = "may wrap around before it is extended",
      [SL_LINEAR_NO_SIZE] = "more than 16 terms",
      [SL_LINEAR_NO_OUTSIDE] = "lanes leave its loop in different iterations",
      [SL_LINEAR_NO_REGISTER] = "its register is written more than once",
  };
  return reason < SL_LINEAR_REASONS ? texts[reason] : "";
}
