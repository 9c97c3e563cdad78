/* The cells of a comparison's table, as text and in the page. */
#ifndef SL_CLI_COMPARE_COMPARE_CELLS_H
#define SL_CLI_COMPARE_COMPARE_CELLS_H

#include "cli/compare/compare.h"

/* Room for the text of a number. */
struct sl_compare_cell {
  char text[32];
};

const char *sl_compare_count_text(struct sl_known known, struct sl_compare_cell *cell);
const char *sl_compare_ratio_text(double value, struct sl_compare_cell *cell);

enum { SL_COMPARE_OUTCOME = 2, SL_COMPARE_COLUMNS = 9 };

/* Of the columns, NULL at the end. The first, the program, is shown only with several programs. */
extern const char *const sl_compare_titles[SL_COMPARE_COLUMNS + 1];
size_t sl_compare_first_column(const struct sl_comparison *c);

/* The texts of a row, in the order of the titles. What did not end shows what there was until then, but no ratio. */
void sl_compare_row_texts(const struct sl_comparison *c, const struct sl_compare_row *row,
                          const char *text[SL_COMPARE_COLUMNS], struct sl_compare_cell cells[SL_COMPARE_COLUMNS]);

#endif
