#include "cli/compare/compare.h"

#include "observe/report.h"

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
