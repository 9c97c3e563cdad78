#include "lab/record.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"

void sl_counter_sets_open(struct sl_counter_sets *sets, sqlite3 *database)
{
  *sets = (struct sl_counter_sets){.database = database};
}

void sl_counter_sets_close(struct sl_counter_sets *sets)
{
  for (size_t i = 0; i < sets->count; i++)
    sqlite3_finalize(sets->sets[i].insert);
  json_decref(sets->last_names);
  free(sets->sets);
}

static enum sl_status fail(const struct sl_counter_sets *sets, struct sl_error *err)
{
  return sl_fail(err, SL_USAGE, "%.300s: the counters cannot be recorded: %.300s",
                 sqlite3_db_filename(sets->database, "main"), sqlite3_errmsg(sets->database));
}

/* Performs a statement that sqlite3_str has built, and frees it. */
static enum sl_status perform(const struct sl_counter_sets *sets, sqlite3_str *built, struct sl_error *err)
{
  char *sql = sqlite3_str_finish(built);
  const enum sl_status code = sql == NULL                                                        ? sl_no_memory(err, 1)
                              : sqlite3_exec(sets->database, sql, NULL, NULL, NULL) == SQLITE_OK ? SL_OK
                                                                                                 : fail(sets, err);
  sqlite3_free(sql);
  return code;
}

bool sl_is_counter_name(const char *name)
{
  const size_t length = strlen(name);
  bool plain = length > 0 && length < SL_COUNTER_NAME && isalpha((unsigned char)name[0]);
  for (size_t i = 0; i < length; i++)
    plain = plain && (isalnum((unsigned char)name[i]) || name[i] == '_' || name[i] == '.');
  return plain && sqlite3_stricmp(name, "run") != 0 && sqlite3_stricmp(name, "launch") != 0 &&
         sqlite3_stricmp(name, "launches") != 0;
}

static const struct sl_machine *machine_of(const json_t *result)
{
  const char *pipeline = json_string_value(json_object_get(result, "pipeline"));
  for (size_t i = 0; sl_machines[i] != NULL && pipeline != NULL; i++)
    if (strcmp(sl_machines[i]->name, pipeline) == 0)
      return sl_machines[i];
  return NULL;
}

static const struct sl_counter *counter_of(const struct sl_machine *machine, const char *name)
{
  for (size_t i = 0; machine != NULL && i < machine->counters->count; i++)
    if (strcmp(machine->counters->counter[i].name, name) == 0)
      return &machine->counters->counter[i];
  return NULL;
}

/* How launches are totalled: the function of SQL. */
static const char *summed(const struct sl_counter *counter)
{
  return counter != NULL && counter->role == SL_COUNTER_GREATEST ? "max" : "sum";
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static enum sl_status create_view(const struct sl_counter_sets *sets, const char *name, const json_t *names,
                                  const struct sl_machine *machine, struct sl_error *err)
{
  sqlite3_str *sql = sqlite3_str_new(sets->database);
  size_t i;
  json_t *counter;
  sqlite3_str_appendf(sql, "DROP VIEW IF EXISTS totals_%s; CREATE VIEW totals_%s AS SELECT run, count(*) AS launches",
                      machine->name, machine->name);
  json_array_foreach(names, i, counter)
  {
    const char *text = json_string_value(counter);
    sqlite3_str_appendf(sql, ", %s(\"%w\") AS \"%w\"", summed(counter_of(machine, text)), text, text);
  }
  sqlite3_str_appendf(sql, " FROM counters_%s GROUP BY run", name);
  return perform(sets, sql, err);
}

static enum sl_status create_table(const struct sl_counter_sets *sets, const char *name, const json_t *names,
                                   const struct sl_machine *machine, struct sl_error *err)
{
  sqlite3_str *sql = sqlite3_str_new(sets->database), *rows = sqlite3_str_new(sets->database);
  size_t i;
  json_t *counter;
  sqlite3_str_appendf(sql, "CREATE TABLE counters_%s(run INTEGER, launch INTEGER", name);
  json_array_foreach(names, i, counter)
  {
    const char *text = json_string_value(counter);
    const struct sl_counter *known = counter_of(machine, text);
    sqlite3_str_appendf(sql, ", \"%w\" INTEGER", text);
    sqlite3_str_appendf(rows, "INSERT INTO counter VALUES(%Q, %Q, %d, %Q, %Q, %Q);", name,
                        machine != NULL ? machine->name : NULL, (int)i, text, known != NULL ? known->unit : "",
                        summed(known));
  }
  sqlite3_str_appendf(sql, ", PRIMARY KEY(run, launch)) WITHOUT ROWID");
  enum sl_status code = perform(sets, sql, err);
  const enum sl_status second = perform(sets, rows, code == SL_OK ? err : NULL);
  code = code == SL_OK ? second : code;
  return code == SL_OK && machine != NULL ? create_view(sets, name, names, machine, err) : code;
}

/* Whether the database has the set's table. */
static bool has_table(const struct sl_counter_sets *sets, const char *name)
{
  char table[40];
  snprintf(table, sizeof table, "counters_%s", name);
  return sqlite3_table_column_metadata(sets->database, NULL, table, "run", NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

static enum sl_status prepare_insert(struct sl_counter_sets *sets, struct sl_counter_set *set, struct sl_error *err)
{
  sqlite3_str *built = sqlite3_str_new(sets->database);
  sqlite3_str_appendf(built, "INSERT INTO counters_%s VALUES(?, ?", set->name);
  for (size_t i = 0; i < set->count; i++)
    sqlite3_str_appendall(built, ", ?");
  sqlite3_str_appendall(built, ")");
  char *sql = sqlite3_str_finish(built);
  const bool prepared = sql != NULL && sqlite3_prepare_v3(sets->database, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                                          &set->insert, NULL) == SQLITE_OK;
  sqlite3_free(sql);
  return prepared ? SL_OK : fail(sets, err);
}

/* The name of a set: the first digits of the hash of its counters' names. */
static void name_set(const json_t *names, char name[SL_COUNTER_SET])
{
  struct sl_sha256 hash;
  char digest[SL_SHA256_TEXT];
  size_t i;
  json_t *counter;
  sl_sha256_begin(&hash);
  json_array_foreach(names, i, counter) sl_sha256_text(&hash, json_string_value(counter));
  sl_sha256_end(&hash, digest);
  snprintf(name, SL_COUNTER_SET, "%.12s", digest);
}

/* The same, once for results that share the list. */
static const char *name_of(struct sl_counter_sets *sets, json_t *names)
{
  if (names != sets->last_names) {
    json_decref(sets->last_names);
    sets->last_names = json_incref(names);
    name_set(names, sets->last);
  }
  return sets->last;
}

static enum sl_status open_set(struct sl_counter_sets *sets, const json_t *result, struct sl_counter_set **set,
                               struct sl_error *err)
{
  json_t *names = json_object_get(result, "counters");
  const char *name = name_of(sets, names);
  for (*set = sets->sets; *set < sets->sets + sets->count; (*set)++)
    if (strcmp((*set)->name, name) == 0)
      return SL_OK;
  struct sl_counter_set *larger = realloc(sets->sets, (sets->count + 1) * sizeof *larger);
  if (larger == NULL)
    return sl_no_memory(err, (sets->count + 1) * sizeof *larger);
  sets->sets = larger;
  *set = &larger[sets->count];
  **set = (struct sl_counter_set){.count = json_array_size(names)};
  strcpy((*set)->name, name);
  enum sl_status code = has_table(sets, name) ? SL_OK : create_table(sets, name, names, machine_of(result), err);
  if (code == SL_OK)
    code = prepare_insert(sets, *set, err);
  sets->count += code == SL_OK;
  return code;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static enum sl_status add_launch(const struct sl_counter_sets *sets, const struct sl_counter_set *set, int64_t run,
                                 size_t launch, const json_t *values, struct sl_error *err)
{
  sqlite3_bind_int64(set->insert, 1, run);
  sqlite3_bind_int64(set->insert, 2, (int64_t)launch);
  for (size_t i = 0; i < set->count; i++)
    sqlite3_bind_int64(set->insert, (int)i + 3, json_integer_value(json_array_get(values, i)));
  const bool done = sqlite3_step(set->insert) == SQLITE_DONE;
  const enum sl_status code = done ? SL_OK : fail(sets, err);
  sqlite3_reset(set->insert);
  return code;
}

/* The set of a recorded run; "" if it has no counters. */
static void recorded_set(const struct sl_counter_sets *sets, int64_t run, char name[SL_COUNTER_SET])
{
  sqlite3_stmt *s = NULL;
  name[0] = '\0';
  sqlite3_prepare_v2(sets->database, "SELECT counters FROM run WHERE id = ? AND counters IS NOT NULL", -1, &s, NULL);
  sqlite3_bind_int64(s, 1, run);
  if (sqlite3_step(s) == SQLITE_ROW)
    snprintf(name, SL_COUNTER_SET, "%s", (const char *)sqlite3_column_text(s, 0));
  sqlite3_finalize(s);
}

static enum sl_status remove_counters(const struct sl_counter_sets *sets, int64_t run, struct sl_error *err)
{
  char name[SL_COUNTER_SET];
  recorded_set(sets, run, name);
  sqlite3_str *sql = sqlite3_str_new(sets->database);
  sqlite3_str_appendf(sql, name[0] != '\0' ? "DELETE FROM counters_%s WHERE run = %lld" : " ", name, (long long)run);
  return perform(sets, sql, err);
}

enum sl_status sl_counters_add(struct sl_counter_sets *sets, int64_t run, bool replaces, const json_t *result,
                               char set[SL_COUNTER_SET], struct sl_error *err)
{
  const json_t *launches = json_object_get(result, "launches");
  struct sl_counter_set *chosen;
  set[0] = '\0';
  enum sl_status code = replaces ? remove_counters(sets, run, err) : SL_OK;
  if (code != SL_OK || json_array_size(json_object_get(result, "counters")) == 0)
    return code;
  code = open_set(sets, result, &chosen, err);
  size_t i;
  json_t *values;
  json_array_foreach(launches, i, values) if (code == SL_OK) code = add_launch(sets, chosen, run, i, values, err);
  if (code == SL_OK)
    strcpy(set, chosen->name);
  return code;
}

bool sl_counters_equal(struct sl_counter_sets *sets, int64_t run, const json_t *result)
{
  const json_t *launches = json_object_get(result, "launches"), *names = json_object_get(result, "counters");
  char recorded[SL_COUNTER_SET], name[SL_COUNTER_SET] = "", sql[120];
  recorded_set(sets, run, recorded);
  if (json_array_size(names) > 0)
    name_set(names, name);
  if (strcmp(recorded, name) != 0 || name[0] == '\0')
    return strcmp(recorded, name) == 0;
  sqlite3_stmt *s = NULL;
  snprintf(sql, sizeof sql, "SELECT * FROM counters_%s WHERE run = %lld ORDER BY launch", name, (long long)run);
  sqlite3_prepare_v2(sets->database, sql, -1, &s, NULL);
  size_t launch = 0;
  bool same = true;
  for (; sqlite3_step(s) == SQLITE_ROW; launch++)
    for (size_t i = 0; i < json_array_size(names); i++)
      same = same && sqlite3_column_int64(s, (int)i + 2) ==
                         json_integer_value(json_array_get(json_array_get(launches, launch), i));
  sqlite3_finalize(s);
  return same && launch == json_array_size(launches);
}
