#include "lab/run_diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 7, LONGEST = 1024 };

static const char *const names[NAMES] = {"program", "arguments", "size", "seed", "mode", "machine", "settings"};

/* The runs of a table by their text, sorted. */
struct entry {
  char *text;
  size_t run;
};

struct side {
  struct sl_run_table *table;
  const struct sl_run_column *columns[NAMES], *metric, *outcome;
  struct entry *entries;
  size_t count;
};

static int compare(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  const int order = strcmp(x->text, y->text);
  return order != 0 ? order : (x->run > y->run) - (x->run < y->run);
}

static enum sl_status open_side(struct side *side, const char *metric, struct sl_error *err)
{
  enum sl_status code = sl_run_table_compute(side->table, metric, &side->metric, err);
  if (code == SL_OK)
    code = sl_run_table_column(side->table, "outcome", &side->outcome, err);
  for (unsigned i = 0; i < NAMES && code == SL_OK; i++)
    code = sl_run_table_column(side->table, names[i], &side->columns[i], err);
  side->entries = calloc(side->table->count + 1, sizeof *side->entries);
  if (code == SL_OK && side->entries == NULL)
    code = sl_no_memory(err, side->table->count * sizeof *side->entries);
  for (size_t run = 0; run < side->table->count && code == SL_OK; run++) {
    char text[LONGEST];
    size_t used = 0;
    for (unsigned i = 0; i < NAMES && used < sizeof text; i++)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s\n",
                               sl_run_table_text(side->table, side->columns[i], run));
    side->entries[side->count] = (struct entry){strdup(text), run};
    if (side->entries[side->count++].text == NULL)
      code = sl_no_memory(err, LONGEST);
  }
  if (code != SL_OK)
    return code;
  qsort(side->entries, side->count, sizeof *side->entries, compare);
  size_t kept = 0; /* the last of equal texts is the latest run */
  for (size_t i = 0; i < side->count; i++)
    if (i + 1 < side->count && strcmp(side->entries[i].text, side->entries[i + 1].text) == 0)
      free(side->entries[i].text);
    else
      side->entries[kept++] = side->entries[i];
  side->count = kept;
  return SL_OK;
}

static void close_side(struct side *side)
{
  for (size_t i = 0; i < side->count; i++)
    free(side->entries[i].text);
  free(side->entries);
}

static struct sl_run_pair pair_of(const struct side sides[2], size_t a, size_t b, double threshold)
{
  struct sl_run_pair pair = {.run = {sides[0].entries[a].run, sides[1].entries[b].run}};
  const char *outcomes[2];
  for (unsigned i = 0; i < 2; i++) {
    pair.value[i] = sides[i].metric->numbers[pair.run[i]];
    outcomes[i] = sl_run_table_text(sides[i].table, sides[i].outcome, pair.run[i]);
  }
  pair.outcome = strcmp(outcomes[0], outcomes[1]) != 0;
  pair.change = pair.value[0] == pair.value[1] ? 0 : pair.value[1] / pair.value[0] - 1;
  const bool both_unknown = isnan(pair.value[0]) && isnan(pair.value[1]);
  pair.beyond = pair.outcome || (!both_unknown && !(fabs(pair.change) <= threshold));
  return pair;
}

static int compare_pairs(const void *a, const void *b)
{
  const struct sl_run_pair *x = a, *y = b;
  return (x->run[0] > y->run[0]) - (x->run[0] < y->run[0]);
}

static void merge(const struct side sides[2], double threshold, struct sl_run_diff *diff)
{
  double logarithms = 0, counted = 0;
  size_t a = 0, b = 0;
  while (a < sides[0].count || b < sides[1].count) {
    const int order = a == sides[0].count   ? 1
                      : b == sides[1].count ? -1
                                            : strcmp(sides[0].entries[a].text, sides[1].entries[b].text);
    if (order != 0) {
      diff->only[order > 0]++;
      a += order < 0;
      b += order > 0;
      continue;
    }
    const struct sl_run_pair pair = diff->pairs[diff->count++] = pair_of(sides, a++, b++, threshold);
    const double logarithm = log(pair.value[1] / pair.value[0]);
    diff->beyond += pair.beyond;
    if (isfinite(logarithm)) {
      logarithms += logarithm;
      counted++;
    }
  }
  diff->ratio = counted > 0 ? exp(logarithms / counted) : NAN;
  qsort(diff->pairs, diff->count, sizeof *diff->pairs, compare_pairs);
}

enum sl_status sl_run_diff(struct sl_run_table tables[2], const char *metric, double threshold,
                           struct sl_run_diff *diff, struct sl_error *err)
{
  struct side sides[2] = {{.table = &tables[0]}, {.table = &tables[1]}};
  *diff = (struct sl_run_diff){0};
  enum sl_status code = open_side(&sides[0], metric, err);
  if (code == SL_OK)
    code = open_side(&sides[1], metric, err);
  diff->pairs = calloc(tables[0].count + 1, sizeof *diff->pairs);
  if (code == SL_OK && diff->pairs == NULL)
    code = sl_no_memory(err, tables[0].count * sizeof *diff->pairs);
  if (code == SL_OK)
    merge(sides, threshold, diff);
  close_side(&sides[0]);
  close_side(&sides[1]);
  return code;
}

enum sl_status sl_run_describe(struct sl_run_table *table, size_t run, char *text, size_t size, struct sl_error *err)
{
  static const char *const parts[][2] = {{"program", ""}, {"arguments", " "}, {"machine", " on "}, {"settings", " "}};
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
    const struct sl_run_column *column;
    const enum sl_status code = sl_run_table_column(table, parts[i][0], &column, err);
    if (code != SL_OK)
      return code;
    const char *part = sl_run_table_text(table, column, run);
    if (part[0] != '\0' && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s", parts[i][1], part);
  }
  return SL_OK;
}
