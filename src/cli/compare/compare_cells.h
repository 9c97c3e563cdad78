/* Cells of a comparison's table, for text and HTML. */
#ifndef SL_CLI_COMPARE_COMPARE_CELLS_H
#define SL_CLI_COMPARE_COMPARE_CELLS_H

#include "cli/compare/compare.h"

/* Size of a number's text. */
struct sl_compare_cell {
  char text[32];
};

const char *sl_compare_count_text(struct sl_known known, struct sl_compare_cell *cell);
const char *sl_compare_ratio_text(double value, struct sl_compare_cell *cell);

enum { SL_COMPARE_OUTCOME = 2, SL_COMPARE_COLUMNS = 9 };

/* Column titles; the list ends with NULL. The first column, the program, appears only with several programs. */
extern const char *const sl_compare_titles[SL_COMPARE_COLUMNS + 1];
size_t sl_compare_first_column(const struct sl_comparison *c);

/* Formats a row's cells in the order of the titles. A run that did not end shows its counts so far, but no ratio. */
void sl_compare_row_texts(const struct sl_comparison *c, const struct sl_compare_row *row,
                          const char *text[SL_COMPARE_COLUMNS], struct sl_compare_cell cells[SL_COMPARE_COLUMNS]);

#endif
