#include "lab/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/process.h"

enum { BUSY_MILLISECONDS = 10000, WITH_TASKS = 2 /* the schema that has tasks */ };

/* Statements that sweeps repeat; each is prepared once. */
enum statement {
  FIND,
  FIND_TASK,
  CLAIM_NEW,
  CLAIM_RUN,
  FINISH,
  CONFIG_ID,
  CONFIG_ADD,
  KEY_ADD,
  PROGRAM_ID,
  PROGRAM_ADD,
  BUILD_ID,
  BUILD_ADD,
  STATEMENTS
};

static const char *const statements[STATEMENTS] = {
    [FIND] = "SELECT id, outcome, claim, counters IS NOT NULL FROM run WHERE hash = ?",
    [FIND_TASK] = "SELECT 1 FROM run JOIN program ON program.id = run.program WHERE task = ? AND program.hash = ? AND "
                  "outcome = 'passed'",
    [CLAIM_NEW] = "INSERT INTO run(hash, outcome, claim) VALUES(?, 'running', ?) ON CONFLICT(hash) DO NOTHING",
    [CLAIM_RUN] = "INSERT INTO run(hash, outcome, claim) VALUES(?, 'running', ?) ON CONFLICT(hash) DO UPDATE SET "
                  "outcome = 'running', claim = excluded.claim",
    [FINISH] = "UPDATE run SET config = ?2, program = ?3, arguments = ?4, size = ?5, seed = ?6, mode = ?7, build = ?8, "
               "outcome = ?9, status = ?10, message = ?11, cycles = ?12, seconds = ?13, at = ?14, counters = ?15, "
               "task = ?16, megabytes = ?17, claim = NULL WHERE id = ?1",
    [CONFIG_ID] = "SELECT id FROM machine_config WHERE hash = ?",
    [CONFIG_ADD] = "INSERT INTO machine_config(hash, name, pipeline, settings, keys) VALUES(?, ?, ?, ?, ?)",
    [KEY_ADD] = "INSERT INTO config_key(config, key, value) SELECT ?1, key, value FROM json_each(?2)",
    [PROGRAM_ID] = "SELECT id FROM program WHERE hash = ? AND path = ?",
    [PROGRAM_ADD] = "INSERT INTO program(hash, path, name, toolchain) VALUES(?, ?, ?, ?)",
    [BUILD_ID] = "SELECT id FROM build WHERE hash = ? AND host = ?",
    [BUILD_ADD] = "INSERT INTO build(hash, host, version, \"commit\") VALUES(?, ?, ?, ?)",
};

struct sl_record {
  sqlite3 *database;
  bool writes;
  int version; /* of the schema */
  char path[SL_RECORD_PATH];
  char claim[SL_PROCESS]; /* of this process */
  sqlite3_stmt *statement[STATEMENTS];
  struct sl_counter_sets sets;
};

/* ---- SQLite ------------------------------------------------------------------------------------------------------ */

sqlite3 *sl_record_database(const struct sl_record *record)
{
  return record->database;
}

enum sl_status sl_record_fail(const struct sl_record *record, struct sl_error *err)
{
  const int code = sqlite3_errcode(record->database);
  const bool full = code == SQLITE_FULL || (code == SQLITE_IOERR && sqlite3_system_errno(record->database) == ENOSPC);
  if (full) /* also the log and its index, of which SQLite only tells an error */
    return sl_fail(err, SL_USAGE, "%.300s: the disk is full; make room and start again: what is recorded stays",
                   record->path);
  const char *remedy = code == SQLITE_BUSY ? "; another process has been writing for ten seconds"
                       : record->writes && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY)
                           ? "; choose a folder that can be written with --database FILE"
                       : code == SQLITE_NOTADB ? "; it is no database of simtlab sweep"
                                               : "";
  return sl_fail(err, SL_USAGE, "%.300s: %.300s%s", record->path, sqlite3_errmsg(record->database), remedy);
}

enum sl_status sl_record_prepare(const struct sl_record *record, const char *sql, sqlite3_stmt **statement,
                                 struct sl_error *err)
{
  return sqlite3_prepare_v2(record->database, sql, -1, statement, NULL) == SQLITE_OK ? SL_OK
                                                                                     : sl_record_fail(record, err);
}

static enum sl_status perform(struct sl_record *record, const char *sql, struct sl_error *err)
{
  return sqlite3_exec(record->database, sql, NULL, NULL, NULL) == SQLITE_OK ? SL_OK : sl_record_fail(record, err);
}

enum sl_status sl_record_begin(struct sl_record *record, struct sl_error *err)
{
  return perform(record, "BEGIN IMMEDIATE", err);
}

enum sl_status sl_record_commit(struct sl_record *record, struct sl_error *err)
{
  const enum sl_status code = perform(record, "COMMIT", err);
  if (code != SL_OK)
    sqlite3_exec(record->database, "ROLLBACK", NULL, NULL, NULL);
  return code;
}

/* A repeated statement with its texts bound, ready to step. NULL texts are null. */
static sqlite3_stmt *bound(struct sl_record *record, enum statement which, size_t count, const char *const *texts)
{
  sqlite3_stmt **statement = &record->statement[which];
  if (*statement == NULL)
    sqlite3_prepare_v3(record->database, statements[which], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
  for (size_t i = 0; i < count; i++)
    sqlite3_bind_text(*statement, (int)i + 1, texts[i], -1, SQLITE_TRANSIENT);
  return *statement; /* NULL makes stepping fail, which reports the error */
}

static uint8_t digit_of(char digit)
{
  return (uint8_t)(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
}

/* The same with a run's hash as 32 bytes in the first place. */
static sqlite3_stmt *bound_hash(struct sl_record *record, enum statement which, const char *hash)
{
  uint8_t bytes[SL_SHA256] = {0};
  sqlite3_stmt *statement = bound(record, which, 0, NULL);
  const bool whole = strspn(hash, "0123456789abcdefABCDEF") == 2 * SL_SHA256;
  for (unsigned i = 0; i < SL_SHA256 && whole; i++)
    bytes[i] = (uint8_t)(digit_of(hash[2 * i]) << 4 | digit_of(hash[2 * i + 1]));
  sqlite3_bind_blob(statement, 1, bytes, sizeof bytes, SQLITE_TRANSIENT);
  return statement;
}

/* The first 64 bits of a task: an index of whole hashes would be large. */
static void bind_task(sqlite3_stmt *statement, int place, const char *task)
{
  char digits[17];
  snprintf(digits, sizeof digits, "%.16s", task);
  sqlite3_bind_int64(statement, place, (int64_t)strtoull(digits, NULL, 16));
}

static enum sl_status finish(struct sl_record *record, sqlite3_stmt *statement, struct sl_error *err)
{
  const bool done = sqlite3_step(statement) == SQLITE_DONE;
  const enum sl_status code = done ? SL_OK : sl_record_fail(record, err);
  sqlite3_reset(statement);
  return code;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* The schema of each version, as a change of the one before. */
static const char *const migrations[SL_RECORD_VERSION] = {
    "CREATE TABLE machine_config(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT, pipeline TEXT, settings "
    "TEXT, keys TEXT);"
    "CREATE TABLE config_key(config INTEGER REFERENCES machine_config, key TEXT, value, PRIMARY KEY(config, key)) "
    "WITHOUT ROWID;"
    "CREATE TABLE program(id INTEGER PRIMARY KEY, hash TEXT NOT NULL, path TEXT NOT NULL, name TEXT, toolchain TEXT, "
    "UNIQUE(hash, path));"
    "CREATE TABLE build(id INTEGER PRIMARY KEY, hash TEXT NOT NULL, host TEXT NOT NULL, version TEXT, \"commit\" TEXT, "
    "UNIQUE(hash, host));"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, config INTEGER REFERENCES machine_config, "
    "program INTEGER REFERENCES program, arguments TEXT, size TEXT, seed TEXT, mode TEXT, build INTEGER REFERENCES "
    "build, outcome TEXT NOT NULL, status INTEGER, message TEXT, cycles INTEGER, seconds REAL, at INTEGER, counters "
    "TEXT, claim TEXT);"
    "CREATE INDEX run_by_program ON run(program, config);"
    "CREATE TABLE counter(counters TEXT, pipeline TEXT, number INTEGER, name TEXT, unit TEXT, summed TEXT, PRIMARY "
    "KEY(counters, number)) WITHOUT ROWID;"
    "CREATE TABLE metric(name TEXT PRIMARY KEY, expression TEXT) WITHOUT ROWID;",
    "ALTER TABLE run ADD COLUMN task INTEGER; CREATE INDEX run_by_task ON run(task);",
    "ALTER TABLE run ADD COLUMN megabytes INTEGER;",
};

/* The version of the schema; 0: the database is empty. */
static enum sl_status read_version(struct sl_record *record, int *version, struct sl_error *err)
{
  sqlite3_stmt *statement = NULL;
  *version = 0;
  enum sl_status code = sl_record_prepare(
      record, "SELECT count(*), sum(name = 'meta') FROM sqlite_master WHERE type = 'table'", &statement, err);
  if (code != SL_OK || sqlite3_step(statement) != SQLITE_ROW) {
    sqlite3_finalize(statement);
    return code == SL_OK ? sl_record_fail(record, err) : code;
  }
  const int tables = sqlite3_column_int(statement, 0), own = sqlite3_column_int(statement, 1);
  sqlite3_finalize(statement);
  if (tables == 0)
    return SL_OK;
  statement = NULL;
  if (own == 1 &&
      sl_record_prepare(record, "SELECT value FROM meta WHERE key = 'simtlab schema'", &statement, NULL) == SL_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    *version = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return *version > 0 ? SL_OK : sl_fail(err, SL_USAGE, "%.300s: is a database, but not of simtlab sweep", record->path);
}

static enum sl_status newer(const struct sl_record *record, int version, struct sl_error *err)
{
  return sl_fail(err, SL_USAGE, "%.300s: was written by a newer simtlab (schema %d, this one knows %d); use that one",
                 record->path, version, SL_RECORD_VERSION);
}

/* Each version in a transaction of its own, which also checks that no other process has made it. */
static enum sl_status migrate(struct sl_record *record, struct sl_error *err)
{
  for (;;) {
    int version;
    char set[160];
    enum sl_status code = sl_record_begin(record, err);
    if (code != SL_OK)
      return code;
    code = read_version(record, &version, err);
    if (code == SL_OK && version > SL_RECORD_VERSION)
      code = newer(record, version, err);
    const bool last = code != SL_OK || version == SL_RECORD_VERSION;
    record->version = version;
    if (code == SL_OK && version == 0)
      code = perform(record, "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID", err);
    if (code == SL_OK && !last)
      code = perform(record, migrations[version], err);
    snprintf(set, sizeof set, "INSERT OR REPLACE INTO meta VALUES('simtlab schema', %d)", version + 1);
    if (code == SL_OK && !last)
      code = perform(record, set, err);
    if (code != SL_OK)
      sqlite3_exec(record->database, "ROLLBACK", NULL, NULL, NULL);
    else
      code = sl_record_commit(record, err);
    if (code != SL_OK || last)
      return code;
  }
}

/* Changes of the journal mode do not wait for the locks of others: SQLite gives SQLITE_BUSY at once, because two that
 * wait for each other's read locks would never end. */
static enum sl_status set_modes(struct sl_record *record, struct sl_error *err)
{
  enum { PAUSE_MILLISECONDS = 5 };
  for (unsigned waited = 0;; waited += PAUSE_MILLISECONDS) {
    const enum sl_status code =
        perform(record, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", err);
    if (code == SL_OK || sqlite3_errcode(record->database) != SQLITE_BUSY || waited >= BUSY_MILLISECONDS)
      return code;
    sqlite3_sleep(PAUSE_MILLISECONDS);
  }
}

static enum sl_status open_to_write(struct sl_record *record, struct sl_error *err)
{
  enum sl_status code = sl_record_check_place(record->path, err);
  if (code != SL_OK)
    return code;
  if (sqlite3_open_v2(record->path, &record->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
    return sl_record_fail(record, err);
  sqlite3_busy_timeout(record->database, BUSY_MILLISECONDS);
  code = set_modes(record, err);
  return code == SL_OK ? migrate(record, err) : code;
}

/* A folder that cannot be written cannot hold the log's shared memory; then nobody writes the database either. */
static enum sl_status open_to_read(struct sl_record *record, struct sl_error *err)
{
  static const char *const parameters[] = {"", "?immutable=1"};
  enum sl_status code = SL_USAGE;
  if (access(record->path, R_OK) != 0)
    return sl_fail(err, SL_USAGE, "%.300s: cannot be opened (%s)", record->path, strerror(errno));
  for (unsigned i = 0; i < 2 && code != SL_OK; i++) {
    char *name = sqlite3_mprintf("file:%s%s", record->path, parameters[i]);
    int version = 0;
    sqlite3_close(record->database);
    record->database = NULL;
    if (name == NULL)
      return sl_no_memory(err, sizeof record->path);
    const bool opened =
        sqlite3_open_v2(name, &record->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK;
    sqlite3_busy_timeout(record->database, BUSY_MILLISECONDS);
    code = opened ? read_version(record, &version, err) : sl_record_fail(record, err);
    sqlite3_free(name);
    if (code == SL_OK && version == 0)
      return sl_fail(err, SL_USAGE, "%.300s: has no runs", record->path);
    if (code == SL_OK && version > SL_RECORD_VERSION)
      return newer(record, version, err);
    record->version = version; /* what older ones lack, only a sweep needs */
    if (sqlite3_errcode(record->database) != SQLITE_CANTOPEN && sqlite3_errcode(record->database) != SQLITE_READONLY)
      break;
  }
  return code;
}

enum sl_status sl_record_open(struct sl_record **record, const char *path, bool writes, struct sl_error *err)
{
  struct sl_record *r = *record = calloc(1, sizeof *r);
  if (r == NULL)
    return sl_no_memory(err, sizeof *r);
  if (strlen(path) >= sizeof r->path || strpbrk(path, "?#%") != NULL)
    return sl_fail(err, SL_USAGE, "%.200s: the name is too long, or contains one of ? # %%", path);
  strcpy(r->path, path);
  r->writes = writes;
  if (!sl_process_name((long)getpid(), r->claim))
    return sl_fail(err, SL_USAGE, "/proc is not mounted; simtlab needs it to find out which runs are under way");
  const enum sl_status code = writes ? open_to_write(r, err) : open_to_read(r, err);
  sl_counter_sets_open(&r->sets, r->database);
  return code;
}

void sl_record_close(struct sl_record *record)
{
  if (record == NULL)
    return;
  for (unsigned i = 0; i < STATEMENTS; i++)
    sqlite3_finalize(record->statement[i]);
  sl_counter_sets_close(&record->sets);
  sqlite3_close(record->database);
  free(record);
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

/* What the record has of a run. */
struct found {
  enum sl_recorded state;
  int64_t id;
  bool own, counted; /* claimed by this process; with counters, of an earlier result */
};

static enum sl_status find(struct sl_record *record, const char *hash, struct found *found, struct sl_error *err)
{
  sqlite3_stmt *statement = bound_hash(record, FIND, hash);
  const int step = sqlite3_step(statement);
  *found = (struct found){.state = SL_RECORDED_NOT};
  if (step == SQLITE_ROW) {
    const char *outcome = (const char *)sqlite3_column_text(statement, 1);
    const char *claim = (const char *)sqlite3_column_text(statement, 2);
    found->id = sqlite3_column_int64(statement, 0);
    found->own = claim != NULL && strcmp(claim, record->claim) == 0;
    found->counted = sqlite3_column_int(statement, 3) != 0;
    found->state = strcmp(outcome, "passed") == 0          ? SL_RECORDED_PASSED
                   : strcmp(outcome, "running") != 0       ? SL_RECORDED_FAILED
                   : found->own || sl_process_lives(claim) ? SL_RECORDED_CLAIM
                                                           : SL_RECORDED_NOT;
  }
  const enum sl_status code = step == SQLITE_ROW || step == SQLITE_DONE ? SL_OK : sl_record_fail(record, err);
  sqlite3_reset(statement);
  return code;
}

enum sl_status sl_record_find(struct sl_record *record, const char *hash, enum sl_recorded *state, struct sl_error *err)
{
  struct found found;
  const enum sl_status code = find(record, hash, &found, err);
  *state = found.state;
  return code;
}

enum sl_status sl_record_find_task(struct sl_record *record, const char *task, const char *program, bool *passed,
                                   struct sl_error *err)
{
  *passed = false;
  if (record->version < WITH_TASKS)
    return SL_OK;
  sqlite3_stmt *statement = bound(record, FIND_TASK, 2, (const char *const[]){NULL, program});
  bind_task(statement, 1, task);
  const int step = sqlite3_step(statement);
  *passed = step == SQLITE_ROW;
  const enum sl_status code = *passed || step == SQLITE_DONE ? SL_OK : sl_record_fail(record, err);
  sqlite3_reset(statement);
  return code;
}

static enum sl_status claim_run(struct sl_record *record, enum statement which, const char *hash, struct sl_error *err)
{
  sqlite3_stmt *statement = bound_hash(record, which, hash);
  sqlite3_bind_text(statement, 2, record->claim, -1, SQLITE_STATIC);
  return finish(record, statement, err);
}

enum sl_status sl_record_claim(struct sl_record *record, const char *hash, bool again, bool *claimed,
                               struct sl_error *err)
{
  struct found found;
  enum sl_status code = claim_run(record, CLAIM_NEW, hash, err);
  *claimed = code == SL_OK && sqlite3_changes(record->database) > 0;
  if (code != SL_OK || *claimed) /* most runs are new */
    return code;
  code = find(record, hash, &found, err);
  *claimed = code == SL_OK && (found.state == SL_RECORDED_NOT || (found.state == SL_RECORDED_CLAIM && found.own) ||
                               (found.state == SL_RECORDED_FAILED && again));
  return *claimed ? claim_run(record, CLAIM_RUN, hash, err) : code;
}

enum sl_status sl_record_release(struct sl_record *record, struct sl_error *err)
{
  sqlite3_stmt *all = NULL;
  enum sl_status code =
      sl_record_prepare(record, "SELECT DISTINCT claim FROM run WHERE outcome = 'running'", &all, err);
  while (code == SL_OK && sqlite3_step(all) == SQLITE_ROW) {
    const char *claim = (const char *)sqlite3_column_text(all, 0);
    if (strcmp(claim, record->claim) != 0 && sl_process_lives(claim))
      continue;
    char *sql = sqlite3_mprintf("DELETE FROM run WHERE outcome = 'running' AND claim = %Q", claim);
    code = sql != NULL ? perform(record, sql, err) : sl_no_memory(err, SL_PROCESS);
    sqlite3_free(sql);
  }
  sqlite3_finalize(all);
  return code;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *name)
{
  return json_string_value(json_object_get(object, name));
}

/* Whether there is a row with these first texts; *id: its number. */
static bool find_row(struct sl_record *record, enum statement which, size_t names, const char *const *texts,
                     int64_t *id)
{
  sqlite3_stmt *statement = bound(record, which, names, texts);
  const bool found = sqlite3_step(statement) == SQLITE_ROW;
  *id = found ? sqlite3_column_int64(statement, 0) : 0;
  sqlite3_reset(statement);
  return found;
}

static enum sl_status add_row(struct sl_record *record, enum statement adds, size_t count, const char *const *texts,
                              int64_t *id, struct sl_error *err)
{
  const enum sl_status code = finish(record, bound(record, adds, count, texts), err);
  *id = sqlite3_last_insert_rowid(record->database);
  return code;
}

/* The number of a row that is found by its first two texts, and added with all four of them. */
static enum sl_status row_of(struct sl_record *record, enum statement which, enum statement adds,
                             const char *const *texts, int64_t *id, struct sl_error *err)
{
  return find_row(record, which, 2, texts, id) ? SL_OK : add_row(record, adds, 4, texts, id, err);
}

/* A worker on this computer sends the keys as a text. */
static enum sl_status add_config(struct sl_record *record, const json_t *machine, int64_t *id, struct sl_error *err)
{
  const json_t *keys = json_object_get(machine, "keys");
  const char *texts[] = {text_of(machine, "hash"), text_of(machine, "name"), text_of(machine, "pipeline"),
                         text_of(machine, "settings"), NULL};
  if (find_row(record, CONFIG_ID, 1, texts, id))
    return SL_OK;
  char *text = json_is_string(keys) ? strdup(json_string_value(keys)) : json_dumps(keys, JSON_COMPACT);
  texts[4] = text;
  enum sl_status code = add_row(record, CONFIG_ADD, 5, texts, id, err);
  if (code == SL_OK && text != NULL) {
    sqlite3_stmt *statement = bound(record, KEY_ADD, 0, NULL);
    sqlite3_bind_int64(statement, 1, *id);
    sqlite3_bind_text(statement, 2, text, -1, SQLITE_TRANSIENT);
    code = finish(record, statement, err);
  }
  free(text);
  return code;
}

static enum sl_status finish_run(struct sl_record *record, int64_t id, const json_t *result, const char *set,
                                 struct sl_error *err)
{
  const json_t *run = json_object_get(result, "run"), *program = json_object_get(result, "program"),
               *build = json_object_get(result, "build");
  const char *const programs[] = {text_of(program, "hash"), text_of(program, "path"), text_of(program, "name"),
                                  text_of(program, "toolchain")};
  const char *const builds[] = {text_of(build, "hash"), text_of(build, "host"), text_of(build, "version"),
                                text_of(build, "commit")};
  int64_t config = 0, program_id = 0, build_id = 0;
  enum sl_status code = add_config(record, json_object_get(result, "machine"), &config, err);
  if (code == SL_OK)
    code = row_of(record, PROGRAM_ID, PROGRAM_ADD, programs, &program_id, err);
  if (code == SL_OK)
    code = row_of(record, BUILD_ID, BUILD_ADD, builds, &build_id, err);
  if (code != SL_OK)
    return code;
  sqlite3_stmt *s = bound(record, FINISH, 0, NULL);
  char words[1024] = "";
  size_t i;
  json_t *word;
  json_array_foreach(json_object_get(run, "arguments"), i, word)
      snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", i > 0 ? " " : "", json_string_value(word));
  const char *const texts[] = {words, text_of(run, "size"), text_of(run, "seed"), text_of(run, "mode")};
  const int64_t numbers[] = {id, config, program_id};
  for (i = 0; i < 3; i++)
    sqlite3_bind_int64(s, (int)i + 1, numbers[i]);
  for (i = 0; i < 4; i++)
    sqlite3_bind_text(s, (int)i + 4, texts[i], -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64(s, 8, build_id);
  sqlite3_bind_text(s, 9, text_of(result, "outcome"), -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64(s, 10, json_integer_value(json_object_get(result, "status")));
  sqlite3_bind_text(s, 11, text_of(result, "message"), -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64(s, 12, json_integer_value(json_object_get(result, "cycles")));
  sqlite3_bind_double(s, 13, json_number_value(json_object_get(result, "seconds")));
  sqlite3_bind_int64(s, 14, json_integer_value(json_object_get(result, "at")));
  sqlite3_bind_text(s, 15, set, -1, SQLITE_TRANSIENT);
  if (text_of(run, "task") != NULL)
    bind_task(s, 16, text_of(run, "task"));
  else
    sqlite3_bind_null(s, 16);
  const json_t *megabytes = json_object_get(result, "megabytes");
  if (megabytes != NULL)
    sqlite3_bind_int64(s, 17, json_integer_value(megabytes));
  else
    sqlite3_bind_null(s, 17);
  return finish(record, s, err);
}

/* A second result of a recorded run: the two must have equal counters. */
static enum sl_status compare(struct sl_record *record, int64_t id, const json_t *result, struct sl_error *err)
{
  char first_host[80] = "?";
  sqlite3_stmt *s = NULL;
  bool same = false;
  enum sl_status code = sl_record_prepare(
      record, "SELECT outcome, cycles, host FROM run JOIN build ON build.id = run.build WHERE run.id = ?", &s, err);
  if (code != SL_OK)
    return code;
  sqlite3_bind_int64(s, 1, id);
  if (sqlite3_step(s) == SQLITE_ROW) {
    same = strcmp((const char *)sqlite3_column_text(s, 0), text_of(result, "outcome")) == 0 &&
           sqlite3_column_int64(s, 1) == json_integer_value(json_object_get(result, "cycles"));
    snprintf(first_host, sizeof first_host, "%s", (const char *)sqlite3_column_text(s, 2));
  }
  sqlite3_finalize(s);
  if (same && sl_counters_equal(&record->sets, id, result))
    return SL_OK;
  return sl_fail(err, SL_CHECK_FAILED,
                 "%.300s: run %.16s of %.60s gave other counters on %.60s than on %.60s, so the simulation is not "
                 "deterministic; please report it",
                 record->path, text_of(json_object_get(result, "run"), "hash"),
                 text_of(json_object_get(result, "program"), "name"), text_of(json_object_get(result, "build"), "host"),
                 first_host);
}

enum sl_status sl_record_add_result(struct sl_record *record, const json_t *result, struct sl_error *err)
{
  const char *hash = text_of(json_object_get(result, "run"), "hash");
  struct found found;
  char set[SL_COUNTER_SET] = "";
  if (hash == NULL || text_of(result, "outcome") == NULL)
    return sl_fail(err, SL_USAGE, "%.300s: a result without hash or outcome cannot be recorded", record->path);
  enum sl_status code = find(record, hash, &found, err);
  if (code != SL_OK)
    return code;
  if (found.state == SL_RECORDED_PASSED || found.state == SL_RECORDED_FAILED)
    return compare(record, found.id, result, err);
  if (found.id == 0) {
    code = claim_run(record, CLAIM_RUN, hash, err);
    found.id = sqlite3_last_insert_rowid(record->database);
  }
  if (code == SL_OK)
    code = sl_counters_add(&record->sets, found.id, found.counted, result, set, err);
  return code == SL_OK ? finish_run(record, found.id, result, set[0] != '\0' ? set : NULL, err) : code;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

enum sl_status sl_record_keep_metric(struct sl_record *record, const char *name, const char *text, struct sl_error *err)
{
  char *sql = sqlite3_mprintf("INSERT OR REPLACE INTO metric VALUES(%Q, %Q)", name, text);
  const enum sl_status code = sql != NULL ? perform(record, sql, err) : sl_no_memory(err, strlen(text));
  sqlite3_free(sql);
  return code;
}

enum sl_status sl_record_check(struct sl_record *record, struct sl_error *err)
{
  sqlite3_stmt *s = NULL;
  enum sl_status code = sl_record_prepare(record, "PRAGMA integrity_check", &s, err);
  if (code == SL_OK && (sqlite3_step(s) != SQLITE_ROW || strcmp((const char *)sqlite3_column_text(s, 0), "ok") != 0))
    code = sl_fail(err, SL_CHECK_FAILED, "%.300s: is damaged: %.300s", record->path,
                   sqlite3_column_text(s, 0) != NULL ? (const char *)sqlite3_column_text(s, 0) : "it cannot be read");
  sqlite3_finalize(s);
  return code;
}
