#include "lab/query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/record.h"

enum { MATCHED = 6, TUPLE = SL_QUERY_NAMES > MATCHED + 1 ? SL_QUERY_NAMES : MATCHED + 1 };

/* Sums of one metric over some runs. */
struct sums {
  double count, sum, squares;
};

/* Runs with equal texts in some columns. */
struct bucket {
  uint32_t texts[TUPLE];
  struct sums sums[SL_QUERY_NAMES];
};

struct buckets {
  size_t width; /* texts that count */
  struct bucket *all;
  size_t count, room;
  uint32_t *slots; /* hash table of numbers + 1 */
  size_t slot_count;
};

struct grouping {
  const struct sl_query *query;
  const struct sl_run_column *by[SL_QUERY_NAMES], *metrics[SL_QUERY_NAMES];
  const struct sl_run_column *matched[TUPLE]; /* what a run and its base have in common */
  size_t matched_count;
  const struct sl_run_column *base; /* NULL: not normalised */
  const char *base_text;
};

/* ---- buckets ----------------------------------------------------------------------------------------------------- */

static size_t slot_of(const struct buckets *buckets, const uint32_t *texts)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < buckets->width; i++)
    hash = (hash ^ texts[i]) * UINT64_C(0x9e3779b97f4a7c15);
  size_t slot = (hash >> 20) & (buckets->slot_count - 1);
  while (buckets->slots[slot] != 0 &&
         memcmp(buckets->all[buckets->slots[slot] - 1].texts, texts, buckets->width * sizeof *texts) != 0)
    slot = (slot + 1) & (buckets->slot_count - 1);
  return slot;
}

static bool grow(struct buckets *buckets)
{
  const size_t room = buckets->room > 0 ? 2 * buckets->room : 64;
  struct bucket *all = realloc(buckets->all, room * sizeof *all);
  if (all != NULL)
    buckets->all = all;
  uint32_t *slots = calloc(2 * room, sizeof *slots);
  if (all == NULL || slots == NULL) {
    free(slots);
    return false;
  }
  free(buckets->slots);
  buckets->slots = slots;
  buckets->slot_count = 2 * room;
  buckets->room = room;
  for (size_t i = 0; i < buckets->count; i++)
    buckets->slots[slot_of(buckets, buckets->all[i].texts)] = (uint32_t)i + 1;
  return true;
}

/* The bucket of a run; NULL: out of memory, or, without `adds`, there is none. */
static struct bucket *bucket_of(struct buckets *buckets, const struct sl_run_column *const *columns, size_t run,
                                bool adds)
{
  uint32_t texts[TUPLE] = {0};
  if (buckets->count == buckets->room && !grow(buckets))
    return NULL;
  for (size_t i = 0; i < buckets->width; i++)
    texts[i] = columns[i]->texts[run];
  const size_t slot = slot_of(buckets, texts);
  if (buckets->slots[slot] == 0 && !adds)
    return NULL;
  if (buckets->slots[slot] == 0) {
    struct bucket *added = &buckets->all[buckets->count];
    *added = (struct bucket){0};
    memcpy(added->texts, texts, sizeof texts);
    buckets->slots[slot] = (uint32_t)++buckets->count;
  }
  return &buckets->all[buckets->slots[slot] - 1];
}

static void free_buckets(struct buckets *buckets)
{
  free(buckets->all);
  free(buckets->slots);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* A geometric mean is the mean of logarithms; what has none is left out. */
static void add(struct sums *sums, double value, bool geomean)
{
  const double x = geomean ? log(value) : value;
  if (!isfinite(x))
    return;
  sums->count++;
  sums->sum += x;
  sums->squares += x * x;
}

static double mean_of(const struct sums *sums, bool geomean)
{
  const double mean = sums->count > 0 ? sums->sum / sums->count : NAN;
  return geomean ? exp(mean) : mean;
}

double sl_student(size_t count)
{
  static const double quantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                     2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                     2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  const size_t freedom = count - 1, known = sizeof quantiles / sizeof *quantiles;
  if (freedom <= known)
    return quantiles[freedom - 1];
  /* The first terms of the expansion in 1/freedom around the normal quantile; right to four digits from 30 on. */
  const double z = 1.959964, n = (double)freedom;
  return z + (z * z * z + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n);
}

static struct sl_query_cell cell_of(const struct sums *sums, bool geomean)
{
  struct sl_query_cell cell = {(size_t)sums->count, mean_of(sums, geomean), NAN, NAN};
  if (sums->count < 2)
    return cell;
  const double mean = sums->sum / sums->count, squares = sums->squares - sums->count * mean * mean;
  const double variance = squares > 0 ? squares / (sums->count - 1) : 0;
  const double half = sl_student(cell.count) * sqrt(variance / sums->count);
  cell.low = geomean ? exp(mean - half) : mean - half;
  cell.high = geomean ? exp(mean + half) : mean + half;
  return cell;
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

static enum sl_status text_column(struct sl_run_table *table, const char *name, const struct sl_run_column **column,
                                  struct sl_error *err)
{
  const enum sl_status code = sl_run_table_column(table, name, column, err);
  if (code == SL_OK && !(*column)->is_text)
    return sl_fail(err, SL_USAGE,
                   "runs cannot be grouped by '%.80s', which is counted; take a key, machine, program or "
                   "the like",
                   name);
  return code;
}

static enum sl_status choose_base(struct sl_run_table *table, struct grouping *g, struct sl_error *err)
{
  static const char *const names[MATCHED] = {"program", "arguments", "size", "seed", "mode", "machine"};
  const char *equals = strchr(g->query->normalise, '=');
  char name[96] = "machine";
  if (equals != NULL)
    snprintf(name, sizeof name, "%.*s", (int)(equals - g->query->normalise), g->query->normalise);
  g->base_text = equals != NULL ? equals + 1 : g->query->normalise;
  enum sl_status code = text_column(table, name, &g->base, err);
  for (size_t i = 0; i < MATCHED && code == SL_OK; i++)
    if (strcmp(names[i], name) != 0)
      code = text_column(table, names[i], &g->matched[g->matched_count++], err);
  if (code == SL_OK)
    code = sl_run_table_other_settings(table, name, &g->matched[g->matched_count++], err);
  bool found = false;
  for (size_t run = 0; run < table->count && code == SL_OK && !found; run++)
    found = strcmp(sl_run_table_text(table, g->base, run), g->base_text) == 0;
  if (code == SL_OK && !found)
    return sl_fail(err, SL_USAGE, "--normalise: no run has %s %.80s", name, g->base_text);
  return code;
}

static enum sl_status choose_columns(struct sl_run_table *table, struct grouping *g, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < g->query->by_count && code == SL_OK; i++)
    code = text_column(table, g->query->by[i], &g->by[i], err);
  for (size_t i = 0; i < g->query->metric_count && code == SL_OK; i++)
    code = sl_run_table_compute(table, g->query->metrics[i], &g->metrics[i], err);
  return code == SL_OK && g->query->normalise != NULL ? choose_base(table, g, err) : code;
}

static enum sl_status sum_bases(const struct sl_run_table *table, const struct grouping *g, struct buckets *bases,
                                struct sl_error *err)
{
  bases->width = g->matched_count;
  for (size_t run = 0; run < table->count; run++) {
    if (strcmp(sl_run_table_text(table, g->base, run), g->base_text) != 0)
      continue;
    struct bucket *bucket = bucket_of(bases, g->matched, run, true);
    if (bucket == NULL)
      return sl_no_memory(err, bases->room * sizeof *bucket);
    for (size_t m = 0; m < g->query->metric_count; m++)
      add(&bucket->sums[m], g->metrics[m]->numbers[run], g->query->geomean);
  }
  return SL_OK;
}

static enum sl_status sum_groups(const struct sl_run_table *table, const struct grouping *g, struct buckets *bases,
                                 struct buckets *groups, size_t *without_base, struct sl_error *err)
{
  groups->width = g->query->by_count;
  for (size_t run = 0; run < table->count; run++) {
    const struct bucket *base = g->base != NULL ? bucket_of(bases, g->matched, run, false) : NULL;
    if (g->base != NULL && base == NULL) {
      (*without_base)++;
      continue;
    }
    struct bucket *bucket = bucket_of(groups, g->by, run, true);
    if (bucket == NULL)
      return sl_no_memory(err, groups->room * sizeof *bucket);
    for (size_t m = 0; m < g->query->metric_count; m++)
      add(&bucket->sums[m],
          g->metrics[m]->numbers[run] / (base != NULL ? mean_of(&base->sums[m], g->query->geomean) : 1),
          g->query->geomean);
  }
  return SL_OK;
}

/* Numbers come before texts, in their order. */
static int compare_texts(const struct sl_pooled_text *a, const struct sl_pooled_text *b)
{
  const bool a_text = a->datum.text != NULL, b_text = b->datum.text != NULL;
  if (a_text || b_text)
    return a_text && b_text ? strcmp(a->text, b->text) : a_text - b_text;
  return (a->datum.number > b->datum.number) - (a->datum.number < b->datum.number);
}

static int compare_groups(const struct sl_run_table *table, size_t width, const struct sl_query_group *a,
                          const struct sl_query_group *b)
{
  int order = 0;
  for (size_t i = 0; i < width && order == 0; i++)
    order = compare_texts(&table->pool.texts[a->texts[i]], &table->pool.texts[b->texts[i]]);
  return order;
}

/* Heap sort: qsort has no context for the pool of texts. */
static void sift(const struct sl_run_table *table, size_t width, struct sl_query_group *groups, size_t at, size_t count)
{
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && compare_groups(table, width, &groups[child], &groups[child + 1]) < 0)
      child++;
    if (compare_groups(table, width, &groups[at], &groups[child]) >= 0)
      return;
    const struct sl_query_group moved = groups[at];
    groups[at] = groups[child];
    groups[child] = moved;
  }
}

static void sort(const struct sl_run_table *table, size_t width, struct sl_query_group *groups, size_t count)
{
  for (size_t i = count / 2; i-- > 0;)
    sift(table, width, groups, i, count);
  for (size_t end = count; end-- > 1;) {
    const struct sl_query_group last = groups[0];
    groups[0] = groups[end];
    groups[end] = last;
    sift(table, width, groups, 0, end);
  }
}

enum sl_status sl_query(struct sl_run_table *table, const struct sl_query *query, struct sl_query_result *result,
                        struct sl_error *err)
{
  struct grouping g = {.query = query};
  struct buckets bases = {0}, groups = {0};
  *result = (struct sl_query_result){0};
  enum sl_status code = choose_columns(table, &g, err);
  if (code == SL_OK && g.base != NULL)
    code = sum_bases(table, &g, &bases, err);
  if (code == SL_OK)
    code = sum_groups(table, &g, &bases, &groups, &result->without_base, err);
  if (code == SL_OK && groups.count > 0 && (result->groups = calloc(groups.count, sizeof *result->groups)) == NULL)
    code = sl_no_memory(err, groups.count * sizeof *result->groups);
  for (size_t i = 0; i < groups.count && code == SL_OK; i++) {
    struct sl_query_group *group = &result->groups[result->count++];
    memcpy(group->texts, groups.all[i].texts, sizeof group->texts);
    for (size_t m = 0; m < query->metric_count; m++)
      group->cells[m] = cell_of(&groups.all[i].sums[m], query->geomean);
  }
  sort(table, query->by_count, result->groups, result->count);
  free_buckets(&bases);
  free_buckets(&groups);
  return code;
}

/* Facts about the recorded runs as a whole. */

enum sl_status sl_record_builds(struct sl_record *record, unsigned *count, struct sl_error *err)
{
  sqlite3_stmt *statement = NULL;
  enum sl_status code = sl_record_prepare(
      record,
      "SELECT (SELECT count(*) FROM pragma_table_info('run') WHERE name = 'task') * count(DISTINCT hash) FROM build",
      &statement, err);
  if (code == SL_OK && sqlite3_step(statement) != SQLITE_ROW)
    code = sl_record_fail(record, err);
  *count = code == SL_OK ? (unsigned)sqlite3_column_int(statement, 0) : 0;
  sqlite3_finalize(statement);
  return code;
}

double sl_record_seconds(struct sl_record *record, const char *program, const char *pipeline)
{
  sqlite3_stmt *s = NULL;
  double seconds = -1;
  if (sl_record_prepare(record,
                        "SELECT avg(seconds) FROM run JOIN program ON program.id = run.program JOIN machine_config ON "
                        "machine_config.id = run.config WHERE program.hash = ? AND pipeline = ? AND outcome = 'passed'",
                        &s, NULL) != SL_OK)
    return seconds;
  sqlite3_bind_text(s, 1, program, -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 2, pipeline, -1, SQLITE_STATIC);
  if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
    seconds = sqlite3_column_double(s, 0);
  sqlite3_finalize(s);
  return seconds;
}

uint64_t sl_record_megabytes(struct sl_record *record, const char *program, const char *pipeline)
{
  sqlite3_stmt *s = NULL;
  uint64_t megabytes = 0;
  if (sl_record_prepare(record,
                        "SELECT max(megabytes) FROM run JOIN program ON program.id = run.program JOIN machine_config "
                        "ON machine_config.id = run.config WHERE program.hash = ? AND pipeline = ?",
                        &s, NULL) != SL_OK)
    return 0; /* an older database */
  sqlite3_bind_text(s, 1, program, -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 2, pipeline, -1, SQLITE_STATIC);
  if (sqlite3_step(s) == SQLITE_ROW)
    megabytes = (uint64_t)sqlite3_column_int64(s, 0);
  sqlite3_finalize(s);
  return megabytes;
}
