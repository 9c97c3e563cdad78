/* Readable text of vectors and reasons. */
#ifndef SL_LINEAR_LINEAR_TEXT_H
#define SL_LINEAR_LINEAR_TEXT_H

#include "compiler/linear/linear_vectors.h"

/* Returns the name of a symbol, for sl_poly_text; the context is the analysis. Iterations are i, j, k by loop depth. */
const char *sl_linear_symbol_name(const void *analysis, uint16_t symbol);

/* Writes "{P5+4*P1, 4, 4*P1+4, 0, 0, 64*P1+64, 0}": constant, thread x, y, z, block x, y, z. */
enum { SL_LINEAR_TEXT = 1024 };
char *sl_linear_vector_text(const struct sl_linear_analysis *a, const struct sl_linear_vector *v,
                            char text[SL_LINEAR_TEXT]);

/* Returns why a value is no linear combination. */
const char *sl_linear_reason_text(enum sl_linear_reason reason);

#endif
