#include "cli/compare/compare.h"

#include <stdio.h>

#include "observe/report.h"
#include "observe/table.h"

double sl_compare_utilisation(const struct sl_compare_row *row)
{
  const struct sl_soc soc = row->config.machine->soc(row->config.spec);
  if (!row->warp_instructions.known || !row->thread_instructions.known || row->warp_instructions.value == 0)
    return -1;
  return (double)row->thread_instructions.value / ((double)row->warp_instructions.value * soc.lanes);
}

bool sl_compare_ended(const struct sl_compare_row *row)
{
  return (row->code == SL_OK || row->code == SL_CHECK_FAILED) && row->cycles.known;
}

size_t sl_compare_base(const struct sl_comparison *c, size_t run)
{
  const size_t machines = c->count / c->programs;
  return machines == 1 ? 0 : run / machines * machines;
}

const char *sl_compare_base_words(const struct sl_comparison *c)
{
  if (c->programs == 1)
    return "those on the first machine";
  return c->count == c->programs ? "those of the first program" : "those of the same program on the first machine";
}

double sl_compare_ratio(const struct sl_comparison *c, const struct sl_compare_row *row)
{
  const struct sl_compare_row *first = &c->rows[sl_compare_base(c, (size_t)(row - c->rows))];
  if (!sl_compare_ended(row) || !sl_compare_ended(first) || first->cycles.value == 0)
    return -1;
  return (double)row->cycles.value / (double)first->cycles.value;
}

const char *sl_compare_outcome(const struct sl_compare_row *row)
{
  return sl_outcome(row->code, row->status);
}

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
