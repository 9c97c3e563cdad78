#include "cli/compare/compare_cells.h"

#include <stdio.h>

#include "observe/table.h"

const char *sl_compare_count_text(struct sl_known known, struct sl_compare_cell *cell)
{
  return known.known ? sl_grouped(known.value, cell->text) : "-";
}

const char *sl_compare_ratio_text(double value, struct sl_compare_cell *cell)
{
  if (value < 0)
    return "-";
  snprintf(cell->text, sizeof cell->text, "%.3f", value);
  return cell->text;
}

static const char *percent_text(double value, struct sl_compare_cell *cell)
{
  if (value < 0)
    return "-";
  snprintf(cell->text, sizeof cell->text, "%.1f %%", 100 * value);
  return cell->text;
}

SL_HOLDS(SL_TABLE_COLUMNS, SL_COMPARE_COLUMNS, "columns of the table");

const char *const sl_compare_titles[SL_COMPARE_COLUMNS + 1] = {"program",
                                                               "machine",
                                                               ">outcome",
                                                               ">cycles",
                                                               ">ratio",
                                                               ">instructions",
                                                               ">thread instrs",
                                                               ">lane utilisation",
                                                               ">memory transactions",
                                                               NULL};

/* Formats a row's cells in the order of sl_compare_titles. A run that did not end shows its counts so far, but no
 * ratio. */
void sl_compare_row_texts(const struct sl_comparison *c, const struct sl_compare_row *row,
                          const char *text[SL_COMPARE_COLUMNS], struct sl_compare_cell cells[SL_COMPARE_COLUMNS])
{
  text[0] = row->file;
  text[1] = row->name;
  text[SL_COMPARE_OUTCOME] = sl_compare_outcome(row);
  text[3] = sl_compare_count_text(row->cycles, &cells[3]);
  text[4] = sl_compare_ratio_text(sl_compare_ratio(c, row), &cells[4]);
  text[5] = sl_compare_count_text(row->warp_instructions, &cells[5]);
  text[6] = sl_compare_count_text(row->thread_instructions, &cells[6]);
  text[7] = percent_text(sl_compare_utilisation(row), &cells[7]);
  text[8] = sl_compare_count_text(row->transactions, &cells[8]);
}

size_t sl_compare_first_column(const struct sl_comparison *c)
{
  return c->programs == 1;
}
