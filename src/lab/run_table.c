#include "lab/query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *text)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

/* The place of a text in the hash table, or the free one for it. */
static size_t slot_of(const struct sl_text_pool *pool, const char *text)
{
  size_t slot = hash_of(text) & (pool->slot_count - 1);
  while (pool->slots[slot] != 0 && strcmp(pool->texts[pool->slots[slot] - 1].text, text) != 0)
    slot = (slot + 1) & (pool->slot_count - 1);
  return slot;
}

static bool grow_pool(struct sl_text_pool *pool)
{
  const size_t room = pool->room > 0 ? 2 * pool->room : 256;
  struct sl_pooled_text *texts = realloc(pool->texts, room * sizeof *texts);
  if (texts != NULL)
    pool->texts = texts;
  uint32_t *slots = calloc(2 * room, sizeof *slots);
  if (texts == NULL || slots == NULL) {
    free(slots);
    return false;
  }
  free(pool->slots);
  pool->slots = slots;
  pool->slot_count = 2 * room;
  pool->room = room;
  for (size_t i = 0; i < pool->count; i++)
    pool->slots[slot_of(pool, pool->texts[i].text)] = (uint32_t)i + 1;
  return true;
}

/* The number of a text; NULL counts as "". UINT32_MAX: out of memory. */
static uint32_t pool_text(struct sl_text_pool *pool, const char *text)
{
  if (text == NULL)
    text = "";
  if (pool->count == pool->room && !grow_pool(pool))
    return UINT32_MAX;
  const size_t slot = slot_of(pool, text);
  if (pool->slots[slot] != 0)
    return pool->slots[slot] - 1;
  char *copy = strdup(text);
  if (copy == NULL)
    return UINT32_MAX;
  pool->texts[pool->count] = (struct sl_pooled_text){copy, sl_datum_of(copy)};
  pool->slots[slot] = (uint32_t)++pool->count;
  return (uint32_t)pool->count - 1;
}

const char *sl_run_table_text(const struct sl_run_table *table, const struct sl_run_column *column, size_t run)
{
  return table->pool.texts[column->texts[run]].text;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static bool grow_runs(struct sl_run_table *table)
{
  const size_t room = table->room > 0 ? 2 * table->room : 1024;
  int64_t *ids = realloc(table->ids, room * sizeof *ids);
  if (ids != NULL)
    table->ids = ids;
  uint32_t **numbers[] = {&table->configs, &table->programs, &table->builds};
  bool grown = ids != NULL;
  for (unsigned i = 0; i < 3; i++) {
    uint32_t *larger = realloc(*numbers[i], room * sizeof *larger);
    if (larger != NULL)
      *numbers[i] = larger;
    grown = grown && larger != NULL;
  }
  table->room = grown ? room : table->room;
  return grown;
}

static enum sl_status read_runs(struct sl_run_table *table, bool all, struct sl_error *err)
{
  sqlite3_stmt *s = NULL;
  enum sl_status code = sl_record_prepare(table->record,
                                          all ? "SELECT id, config, program, build FROM run WHERE outcome != 'running' "
                                                "ORDER BY id"
                                              : "SELECT id, config, program, build FROM run WHERE outcome = 'passed' "
                                                "ORDER BY id",
                                          &s, err);
  int step = SQLITE_DONE;
  while (code == SL_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
    if (table->count == table->room && !grow_runs(table)) {
      code = sl_no_memory(err, 2 * table->room);
      break;
    }
    table->ids[table->count] = sqlite3_column_int64(s, 0);
    table->configs[table->count] = (uint32_t)sqlite3_column_int64(s, 1);
    table->programs[table->count] = (uint32_t)sqlite3_column_int64(s, 2);
    table->builds[table->count++] = (uint32_t)sqlite3_column_int64(s, 3);
  }
  if (code == SL_OK && step != SQLITE_DONE)
    code = sl_record_fail(table->record, err);
  sqlite3_finalize(s);
  return code;
}

static enum sl_status read_metrics(struct sl_run_table *table, struct sl_error *err)
{
  sqlite3_stmt *s = NULL;
  size_t at;
  enum sl_status code = sl_record_prepare(table->record, "SELECT name, expression FROM metric", &s, err);
  while (code == SL_OK && sqlite3_step(s) == SQLITE_ROW) {
    struct sl_metric *larger = realloc(table->metrics, (table->metric_count + 1) * sizeof *larger);
    if (larger == NULL) {
      code = sl_no_memory(err, sizeof *larger);
      break;
    }
    table->metrics = larger;
    struct sl_metric *metric = &larger[table->metric_count++];
    *metric = (struct sl_metric){0};
    snprintf(metric->name, sizeof metric->name, "%s", (const char *)sqlite3_column_text(s, 0));
    code = sl_expression_parse(&metric->expression, (const char *)sqlite3_column_text(s, 1), err);
  }
  sqlite3_finalize(s);
  return code == SL_OK ? sl_metrics_check(table->metrics, table->metric_count, &at, err) : code;
}

enum sl_status sl_run_table_open(struct sl_run_table *table, struct sl_record *record, bool all, struct sl_error *err)
{
  *table = (struct sl_run_table){.record = record};
  enum sl_status code = read_metrics(table, err);
  if (code == SL_OK)
    code = read_runs(table, all, err);
  if (code == SL_OK && !grow_pool(&table->pool))
    code = sl_no_memory(err, table->pool.room);
  return code;
}

void sl_run_table_free(struct sl_run_table *table)
{
  for (size_t i = 0; i < table->column_count; i++) {
    free(table->columns[i].texts);
    free(table->columns[i].numbers);
  }
  for (size_t i = 0; i < table->pool.count; i++)
    free(table->pool.texts[i].text);
  for (size_t i = 0; i < table->metric_count; i++)
    sl_expression_free(table->metrics[i].expression);
  free(table->pool.texts);
  free(table->pool.slots);
  free(table->metrics);
  free(table->ids);
  free(table->configs);
  free(table->programs);
  free(table->builds);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Where a text of a run is. */
static const struct {
  const char *name, *table, *column;
} text_names[] = {
    {"machine", "machine_config", "name"},
    {"pipeline", "machine_config", "pipeline"},
    {"settings", "machine_config", "settings"},
    {"program", "program", "name"},
    {"path", "program", "path"},
    {"version", "build", "version"},
    {"commit", "build", "\"commit\""},
    {"host", "build", "host"},
    {"arguments", "run", "arguments"},
    {"size", "run", "size"},
    {"seed", "run", "seed"},
    {"mode", "run", "mode"},
    {"outcome", "run", "outcome"},
};
enum { TEXT_NAMES = sizeof text_names / sizeof *text_names };

static const char *const number_names[] = {"cycles", "seconds"};

static struct sl_run_column *new_column(struct sl_run_table *table, const char *name, bool is_text,
                                        struct sl_error *err)
{
  if (table->column_count == SL_TABLE_NAMES) {
    sl_fail(err, SL_USAGE, "the query has more than %d names", SL_TABLE_NAMES);
    return NULL;
  }
  struct sl_run_column *column = &table->columns[table->column_count];
  *column = (struct sl_run_column){.is_text = is_text};
  snprintf(column->name, sizeof column->name, "%s", name);
  if (is_text)
    column->texts = calloc(table->count + 1, sizeof *column->texts);
  else
    column->numbers = malloc((table->count + 1) * sizeof *column->numbers);
  if (column->texts == NULL && column->numbers == NULL) {
    sl_no_memory(err, table->count * sizeof(double));
    return NULL;
  }
  for (size_t i = 0; i < table->count && !is_text; i++)
    column->numbers[i] = NAN;
  table->column_count++;
  return column;
}

/* The texts of a table by id, then those of the runs by theirs. SQL yields id and text. */
static enum sl_status read_shared_texts(struct sl_run_table *table, const char *sql, const char *bound,
                                        const uint32_t *of_run, uint32_t *texts, struct sl_error *err)
{
  sqlite3_stmt *s = NULL;
  uint32_t *by_id = NULL, most = 0;
  enum sl_status code = sl_record_prepare(table->record, sql, &s, err);
  for (size_t i = 0; i < table->count; i++)
    most = of_run[i] > most ? of_run[i] : most;
  by_id = calloc((size_t)most + 1, sizeof *by_id);
  if (code == SL_OK && by_id == NULL)
    code = sl_no_memory(err, most * sizeof *by_id);
  if (code == SL_OK && bound != NULL)
    sqlite3_bind_text(s, 1, bound, -1, SQLITE_STATIC);
  const uint32_t none = pool_text(&table->pool, "");
  for (size_t i = 0; code == SL_OK && i <= most; i++)
    by_id[i] = none;
  while (code == SL_OK && sqlite3_step(s) == SQLITE_ROW) {
    const int64_t id = sqlite3_column_int64(s, 0);
    if (id >= 0 && id <= most &&
        (by_id[id] = pool_text(&table->pool, (const char *)sqlite3_column_text(s, 1))) == UINT32_MAX)
      code = sl_no_memory(err, 1);
  }
  for (size_t i = 0; i < table->count && code == SL_OK; i++)
    texts[i] = by_id[of_run[i]];
  sqlite3_finalize(s);
  free(by_id);
  return code;
}

/* Visits rows "id, value" in the order of the runs, and stores those of runs in the table. Several rows of a run are
 * summed, or their maximum is taken. */
static enum sl_status read_run_values(struct sl_run_table *table, const char *sql, struct sl_run_column *column,
                                      bool greatest, struct sl_error *err)
{
  sqlite3_stmt *s = NULL;
  size_t run = 0;
  int step = SQLITE_DONE;
  enum sl_status code = sl_record_prepare(table->record, sql, &s, err);
  while (code == SL_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
    const int64_t id = sqlite3_column_int64(s, 0);
    while (run < table->count && table->ids[run] < id)
      run++;
    if (run == table->count || table->ids[run] != id)
      continue;
    if (column->is_text) {
      column->texts[run] = pool_text(&table->pool, (const char *)sqlite3_column_text(s, 1));
      if (column->texts[run] == UINT32_MAX)
        code = sl_no_memory(err, 1);
      continue;
    }
    const double value = sqlite3_column_double(s, 1), before = column->numbers[run];
    column->numbers[run] = isnan(before) ? value : !greatest ? before + value : value > before ? value : before;
  }
  if (code == SL_OK && step != SQLITE_DONE)
    code = sl_record_fail(table->record, err);
  sqlite3_finalize(s);
  return code;
}

static enum sl_status read_text_column(struct sl_run_table *table, size_t which, struct sl_run_column *column,
                                       struct sl_error *err)
{
  char sql[160];
  const char *from = text_names[which].table;
  snprintf(sql, sizeof sql, "SELECT id, %s FROM %s ORDER BY id", text_names[which].column, from);
  const uint32_t *of_run = strcmp(from, "machine_config") == 0 ? table->configs
                           : strcmp(from, "program") == 0      ? table->programs
                                                               : table->builds;
  return strcmp(from, "run") == 0 ? read_run_values(table, sql, column, false, err)
                                  : read_shared_texts(table, sql, NULL, of_run, column->texts, err);
}

/* Whether a statement with the name bound has a row. */
static bool exists(const struct sl_run_table *table, const char *sql, const char *name)
{
  sqlite3_stmt *s = NULL;
  if (sl_record_prepare(table->record, sql, &s, NULL) != SL_OK)
    return false;
  sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
  const bool found = sqlite3_step(s) == SQLITE_ROW;
  sqlite3_finalize(s);
  return found;
}

/* A counter, from all sets that have it. */
static enum sl_status read_counter(struct sl_run_table *table, const char *name, struct sl_run_column *column,
                                   struct sl_error *err)
{
  sqlite3_stmt *s = NULL;
  enum sl_status code =
      sl_record_prepare(table->record, "SELECT counters, summed FROM counter WHERE name = ?", &s, err);
  if (code == SL_OK)
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
  while (code == SL_OK && sqlite3_step(s) == SQLITE_ROW) {
    char *sql = sqlite3_mprintf("SELECT run, \"%w\" FROM counters_%s ORDER BY run", name,
                                (const char *)sqlite3_column_text(s, 0));
    const bool greatest = strcmp((const char *)sqlite3_column_text(s, 1), "max") == 0;
    code = sql != NULL ? read_run_values(table, sql, column, greatest, err) : sl_no_memory(err, 1);
    sqlite3_free(sql);
  }
  sqlite3_finalize(s);
  return code;
}

static enum sl_status unknown_name(const struct sl_run_table *table, const char *name, struct sl_error *err)
{
  struct sl_nearest nearest;
  char meant[96];
  sqlite3_stmt *s = NULL;
  sl_nearest_begin(&nearest, name);
  for (size_t i = 0; i < TEXT_NAMES; i++)
    sl_nearest_offer(&nearest, text_names[i].name);
  snprintf(meant, sizeof meant, "%s", nearest.name != NULL ? nearest.name : "");
  if (sl_record_prepare(table->record,
                        "SELECT name FROM counter UNION SELECT name FROM metric UNION SELECT key FROM config_key", &s,
                        NULL) == SL_OK)
    while (sqlite3_step(s) == SQLITE_ROW) {
      struct sl_nearest one = {name, NULL, nearest.distance};
      sl_nearest_offer(&one, (const char *)sqlite3_column_text(s, 0));
      if (one.name != NULL) {
        snprintf(meant, sizeof meant, "%s", one.name);
        nearest.distance = one.distance;
      }
    }
  sqlite3_finalize(s);
  if (meant[0] != '\0')
    return sl_fail(err, SL_USAGE, "unknown name '%.80s'; did you mean '%s'?", name, meant);
  return sl_fail(
      err, SL_USAGE,
      "unknown name '%.80s'; it is no key, counter or metric of the recorded runs, and not machine, program, "
      "arguments, size or seed",
      name);
}

static enum sl_status compute(struct sl_run_table *table, const struct sl_expression *expression, const char *name,
                              const struct sl_run_column **column, struct sl_error *err);

enum sl_status sl_run_table_column(struct sl_run_table *table, const char *name, const struct sl_run_column **column,
                                   struct sl_error *err)
{
  for (size_t i = 0; i < table->column_count; i++)
    if (strcmp(table->columns[i].name, name) == 0) {
      *column = &table->columns[i];
      return SL_OK;
    }
  size_t text = 0, number = 0;
  while (text < TEXT_NAMES && strcmp(text_names[text].name, name) != 0)
    text++;
  while (number < 2 && strcmp(number_names[number], name) != 0)
    number++;
  const struct sl_metric *metric = sl_metric_find(table->metrics, table->metric_count, name);
  if (text == TEXT_NAMES && number == 2 && metric != NULL)
    return compute(table, metric->expression, name, column, err);
  const bool is_counter = exists(table, "SELECT 1 FROM counter WHERE name = ?", name),
             is_key = !is_counter && exists(table, "SELECT 1 FROM config_key WHERE key = ? LIMIT 1", name);
  if (text == TEXT_NAMES && number == 2 && !is_counter && !is_key)
    return unknown_name(table, name, err);
  struct sl_run_column *added = new_column(table, name, text < TEXT_NAMES || (number == 2 && is_key), err);
  *column = added;
  if (added == NULL)
    return err->code;
  if (text < TEXT_NAMES)
    return read_text_column(table, text, added, err);
  if (number < 2)
    return read_run_values(
        table, number == 0 ? "SELECT id, cycles FROM run ORDER BY id" : "SELECT id, seconds FROM run ORDER BY id",
        added, false, err);
  return is_counter ? read_counter(table, name, added, err)
                    : read_shared_texts(table, "SELECT config, value FROM config_key WHERE key = ?", name,
                                        table->configs, added->texts, err);
}

/* Copies the words of a text except the one that assigns to a key. */
static void without(const char *text, const char *key, char *to, size_t size)
{
  const size_t length = strlen(key);
  size_t used = 0;
  while (*text != '\0' && used + 1 < size) {
    const size_t word = strcspn(text, " ");
    if (strncmp(text, key, length) != 0 || text[length] != '=')
      used += (size_t)snprintf(to + used, size - used, "%.*s ", (int)word, text);
    text += word + (text[word] == ' ');
  }
  to[used < size ? used : size - 1] = '\0';
}

enum sl_status sl_run_table_other_settings(struct sl_run_table *table, const char *key,
                                           const struct sl_run_column **column, struct sl_error *err)
{
  const struct sl_run_column *settings;
  char text[1024];
  enum sl_status code = sl_run_table_column(table, "settings", &settings, err);
  if (code != SL_OK)
    return code;
  struct sl_run_column *added = new_column(table, "other settings", true, err);
  *column = added;
  if (added == NULL)
    return err->code;
  for (size_t i = 0; i < table->count; i++) {
    without(sl_run_table_text(table, settings, i), key, text, sizeof text);
    added->texts[i] = pool_text(&table->pool, text);
    if (added->texts[i] == UINT32_MAX)
      return sl_no_memory(err, sizeof text);
  }
  return SL_OK;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

static enum sl_status compute(struct sl_run_table *table, const struct sl_expression *expression, const char *name,
                              const struct sl_run_column **column, struct sl_error *err)
{
  const struct sl_run_column *used[SL_TABLE_NAMES];
  struct sl_datum values[SL_TABLE_NAMES];
  const size_t count = sl_expression_name_count(expression);
  for (size_t i = 0; i < count; i++) {
    const enum sl_status code = sl_run_table_column(table, sl_expression_name(expression, i), &used[i], err);
    if (code != SL_OK)
      return code;
  }
  struct sl_run_column *added = new_column(table, name, false, err);
  *column = added;
  if (added == NULL)
    return err->code;
  for (size_t run = 0; run < table->count; run++) {
    for (size_t i = 0; i < count; i++)
      values[i] = used[i]->is_text ? table->pool.texts[used[i]->texts[run]].datum
                                   : (struct sl_datum){NULL, used[i]->numbers[run]};
    const struct sl_datum value = sl_expression_value(expression, values);
    added->numbers[run] = value.text == NULL ? value.number : NAN;
  }
  return SL_OK;
}

enum sl_status sl_run_table_compute(struct sl_run_table *table, const char *text, const struct sl_run_column **column,
                                    struct sl_error *err)
{
  struct sl_expression *expression;
  enum sl_status code = sl_expression_parse(&expression, text, err);
  if (code == SL_OK)
    code = compute(table, expression, text, column, err);
  sl_expression_free(expression);
  return code;
}

/* Moves a run to another place. */
static void move_run(struct sl_run_table *table, size_t to, size_t from)
{
  table->ids[to] = table->ids[from];
  table->configs[to] = table->configs[from];
  table->programs[to] = table->programs[from];
  table->builds[to] = table->builds[from];
  for (struct sl_run_column *c = table->columns; c < table->columns + table->column_count; c++)
    if (c->is_text)
      c->texts[to] = c->texts[from];
    else
      c->numbers[to] = c->numbers[from];
}

enum sl_status sl_run_table_filter(struct sl_run_table *table, const char *expression, struct sl_error *err)
{
  const struct sl_run_column *keep;
  const enum sl_status code = sl_run_table_compute(table, expression, &keep, err);
  if (code != SL_OK)
    return code;
  size_t kept = 0;
  for (size_t i = 0; i < table->count; i++)
    if (sl_datum_holds((struct sl_datum){NULL, keep->numbers[i]}))
      move_run(table, kept++, i);
  table->count = kept;
  return SL_OK;
}

/* ---- builds ------------------------------------------------------------------------------------------------------ */

/* The place of a run's number in the table, whose numbers ascend; `count` if it is not there. */
static size_t place_of(const struct sl_run_table *table, int64_t id)
{
  size_t first = 0, behind = table->count;
  while (first < behind) {
    const size_t middle = first + (behind - first) / 2;
    if (table->ids[middle] < id)
      first = middle + 1;
    else
      behind = middle;
  }
  return first < table->count && table->ids[first] == id ? first : table->count;
}

/* Finds the runs of whose task a later one is in the table. The index of tasks has all that this reads. */
static enum sl_status find_repeated(const struct sl_run_table *table, bool *again, size_t *repeated,
                                    struct sl_error *err)
{
  sqlite3_stmt *s = NULL;
  enum sl_status code =
      sl_record_prepare(table->record, "SELECT task, id FROM run WHERE task IS NOT NULL ORDER BY task, id", &s, err);
  size_t last = table->count;
  int64_t last_task = 0;
  int step = SQLITE_DONE;
  while (code == SL_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
    const int64_t task = sqlite3_column_int64(s, 0);
    const size_t run = place_of(table, sqlite3_column_int64(s, 1));
    if (run == table->count)
      continue; /* it has not passed */
    if (last < table->count && task == last_task) {
      again[last] = true;
      ++*repeated;
    }
    last = run;
    last_task = task;
  }
  if (code == SL_OK && step != SQLITE_DONE)
    code = sl_record_fail(table->record, err);
  sqlite3_finalize(s);
  return code;
}

enum sl_status sl_run_table_once(struct sl_run_table *table, bool drop, size_t *repeated, struct sl_error *err)
{
  size_t kept = 0;
  *repeated = 0;
  bool *again = calloc(table->count + 1, sizeof *again);
  enum sl_status code =
      again != NULL ? find_repeated(table, again, repeated, err) : sl_no_memory(err, table->count * sizeof *again);
  for (size_t run = 0; run < table->count && drop && code == SL_OK; run++)
    if (!again[run])
      move_run(table, kept++, run);
  if (drop && code == SL_OK)
    table->count = kept;
  free(again);
  return code;
}
