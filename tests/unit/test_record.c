/* The record of runs: claims, results, duplicates, versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lab/record.h"

static const char hash[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

static const char task[] = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100";

struct place {
  char folder[64], path[128];
};

static int make_folder(void **state)
{
  struct place *place = calloc(1, sizeof *place);
  if (place == NULL)
    return -1;
  strcpy(place->folder, "/tmp/simtlab-record-XXXXXX");
  if (mkdtemp(place->folder) == NULL)
    return -1;
  sprintf(place->path, "%s/a.db", place->folder);
  *state = place;
  return 0;
}

static int remove_folder(void **state)
{
  struct place *place = *state;
  char path[160];
  for (const char *const *end = (const char *const[]){"", "-wal", "-shm", NULL}; *end != NULL; end++) {
    sprintf(path, "%s%s", place->path, *end);
    unlink(path);
  }
  const int code = rmdir(place->folder);
  free(place);
  return code;
}

static struct sl_record *open_record(void **state)
{
  struct sl_record *record;
  struct sl_error err = {0};
  if (sl_record_open(&record, ((struct place *)*state)->path, true, &err) != SL_OK)
    fail_msg("%s", err.text);
  return record;
}

static void perform(struct sl_record *record, const char *sql)
{
  if (sqlite3_exec(sl_record_database(record), sql, NULL, NULL, NULL) != SQLITE_OK)
    fail_msg("%s: %s", sql, sqlite3_errmsg(sl_record_database(record)));
}

static int64_t number(struct sl_record *record, const char *sql)
{
  sqlite3_stmt *s = NULL;
  if (sqlite3_prepare_v2(sl_record_database(record), sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW)
    fail_msg("%s: %s", sql, sqlite3_errmsg(sl_record_database(record)));
  const int64_t value = sqlite3_column_int64(s, 0);
  sqlite3_finalize(s);
  return value;
}

/* Adds a run with two launches; its outcome and the cycles of the second launch vary. */
static enum sl_status add(struct sl_record *record, const char *outcome, int cycles, const char *host,
                          struct sl_error *err)
{
  json_t *result = json_pack(
      "{s{ss ss s[ss] ss ss ss} s{ss ss ss} s{ss ss ss ss s{si sb ss}} s{ss ss ss ss} ss si sn si "
      "sf si ss s[ss] s[[ii][ii]]}",
      "run", "hash", hash, "task", task, "arguments", "small", "1", "size", "small", "seed", "1", "mode", "cycle",
      "program", "hash", "p", "path", "/p.elf", "name", "p", "machine", "hash", "m", "name", "simtight", "pipeline",
      "simtight", "settings", "lanes=8", "keys", "lanes", 8, "fpu", 1, "policy", "x", "build", "hash", "b", "host",
      host, "version", "0", "commit", "c", "outcome", outcome, "status", 0, "message", "cycles", 10 + cycles, "seconds",
      0.5, "at", 1, "pipeline", "simtight", "counters", "cycles", "instrs", "launches", 10, 7, cycles, 8);
  assert_non_null(result);
  assert_int_equal(sl_record_begin(record, err), SL_OK);
  const enum sl_status code = sl_record_add_result(record, result, err);
  assert_int_equal(sl_record_commit(record, NULL), SL_OK);
  json_decref(result);
  return code;
}

static enum sl_recorded state_of(struct sl_record *record)
{
  enum sl_recorded state;
  struct sl_error err = {0};
  assert_int_equal(sl_record_find(record, hash, &state, &err), SL_OK);
  return state;
}

static bool claim(struct sl_record *record, bool again)
{
  bool claimed;
  struct sl_error err = {0};
  assert_int_equal(sl_record_claim(record, hash, again, &claimed, &err), SL_OK);
  return claimed;
}

static void hashes_as_the_standard(void **state)
{
  static const struct {
    const char *text, *digest;
  } cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
  };
  struct sl_sha256 sum;
  char digest[SL_SHA256_TEXT];
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sl_sha256_begin(&sum);
    sl_sha256_add(&sum, cases[i].text, strlen(cases[i].text));
    sl_sha256_end(&sum, digest);
    assert_string_equal(digest, cases[i].digest);
  }
  sl_sha256_begin(&sum);
  for (int i = 0; i < 1000000; i++)
    sl_sha256_add(&sum, "a", 1);
  sl_sha256_end(&sum, digest);
  assert_string_equal(digest, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void records_a_run_once(void **state)
{
  struct sl_error err = {0};
  struct sl_record *record = open_record(state);
  assert_int_equal(state_of(record), SL_RECORDED_NOT);
  assert_true(claim(record, false));
  assert_int_equal(state_of(record), SL_RECORDED_CLAIM);
  if (add(record, "passed", 5, "here", &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(state_of(record), SL_RECORDED_PASSED);
  assert_false(claim(record, true));
  assert_int_equal(number(record, "SELECT cycles FROM totals_simtight"), 15);
  assert_int_equal(number(record, "SELECT launches FROM totals_simtight"), 2);
  assert_int_equal(number(record, "SELECT length(hash) FROM run"), 32);
  assert_int_equal(number(record, "SELECT value FROM config_key WHERE key = 'lanes'"), 8);
  assert_true(sl_record_seconds(record, "p", "simtight") == 0.5);
  assert_true(sl_record_seconds(record, "p", "vortex") < 0);

  /* The same result again, and another one from another host. */
  assert_int_equal(add(record, "passed", 5, "there", &err), SL_OK);
  assert_int_equal(number(record, "SELECT count(*) FROM run"), 1);
  assert_int_equal(add(record, "passed", 6, "there", &err), SL_CHECK_FAILED);
  assert_non_null(strstr(err.text, "on there than on here"));
  assert_int_equal(sl_record_check(record, &err), SL_OK);
  sl_record_close(record);
}

static void repeats_failed_runs_on_demand(void **state)
{
  struct sl_error err = {0};
  struct sl_record *record = open_record(state);
  assert_int_equal(add(record, "fault", 5, "here", &err), SL_OK);
  assert_int_equal(state_of(record), SL_RECORDED_FAILED);
  assert_false(claim(record, false));
  assert_true(claim(record, true));
  assert_int_equal(add(record, "passed", 9, "here", &err), SL_OK);
  assert_int_equal(number(record, "SELECT cycles FROM totals_simtight"), 19);
  sl_record_close(record);
}

static void frees_claims_of_dead_processes(void **state)
{
  struct sl_error err = {0};
  struct sl_record *record = open_record(state);
  assert_true(claim(record, false));
  /* The same process number with another start time, then another boot. */
  perform(record, "UPDATE run SET claim = claim || '1'");
  assert_int_equal(state_of(record), SL_RECORDED_NOT);
  assert_true(claim(record, false));
  perform(record, "UPDATE run SET claim = 'x' || claim");
  assert_int_equal(state_of(record), SL_RECORDED_NOT);
  assert_int_equal(sl_record_release(record, &err), SL_OK);
  assert_int_equal(number(record, "SELECT count(*) FROM run"), 0);

  sl_record_close(record);
}

static void refuses_other_databases(void **state)
{
  static const struct {
    const char *change, *sentence;
  } cases[] = {
      {"UPDATE meta SET value = 99", "newer simtlab (schema 99, this one knows 3)"},
      {"DELETE FROM meta", "is a database, but not of simtlab sweep"},
      {"DROP TABLE meta", "is a database, but not of simtlab sweep"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sl_error err = {0};
    struct sl_record *record = open_record(state);
    perform(record, cases[i].change);
    sl_record_close(record);
    for (int writes = 0; writes < 2; writes++) {
      assert_int_equal(sl_record_open(&record, ((struct place *)*state)->path, writes, &err), SL_USAGE);
      if (strstr(err.text, cases[i].sentence) == NULL)
        fail_msg("%s", err.text);
      sl_record_close(record);
    }
    unlink(((struct place *)*state)->path);
  }
  FILE *file = fopen(((struct place *)*state)->path, "w");
  fputs("this is a text that is longer than the hundred bytes that the header of a database has, and so no database",
        file);
  fclose(file);
  struct sl_record *record;
  struct sl_error err = {0};
  assert_int_equal(sl_record_open(&record, ((struct place *)*state)->path, true, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "it is no database of simtlab sweep"));
  sl_record_close(record);
}

/* A database as the first schema had it, with a run. */
static const char first_schema[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "INSERT INTO meta VALUES('simtlab schema', 1);"
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
    "CREATE TABLE metric(name TEXT PRIMARY KEY, expression TEXT) WITHOUT ROWID;"
    "INSERT INTO run(hash, outcome, cycles) VALUES(x'00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',"
    " 'passed', 15);";

static void migrates_older_databases(void **state)
{
  sqlite3 *database;
  struct sl_record *record;
  struct sl_error err = {0};
  bool passed;
  assert_int_equal(sqlite3_open(((struct place *)*state)->path, &database), SQLITE_OK);
  assert_int_equal(sqlite3_exec(database, first_schema, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(database);
  for (int writes = 0; writes < 2; writes++) { /* a reader leaves it as it is */
    if (sl_record_open(&record, ((struct place *)*state)->path, writes, &err) != SL_OK)
      fail_msg("%s", err.text);
    assert_int_equal(state_of(record), SL_RECORDED_PASSED);
    assert_int_equal(sl_record_find_task(record, hash, "p", &passed, &err), SL_OK);
    assert_false(passed);
    assert_int_equal(number(record, "SELECT value FROM meta"), 1 + 2 * writes);
    sl_record_close(record);
  }
  record = open_record(state);
  perform(record, "UPDATE run SET hash = hash || x'00'");
  assert_int_equal(add(record, "passed", 5, "here", &err), SL_OK);
  assert_int_equal(number(record, "SELECT count(*) FROM run"), 2);
  assert_int_equal(sl_record_find_task(record, task, "p", &passed, &err), SL_OK);
  assert_true(passed);
  assert_int_equal(sl_record_find_task(record, task, "q", &passed, &err), SL_OK);
  assert_false(passed);
  sl_record_close(record);
}

/* The journal mode changes without SQLite's own waiting for locks. */
static void many_processes_create_a_database_at_once(void **state)
{
  enum { ROUNDS = 20, PROCESSES = 6 };
  const struct place *place = *state;
  char path[160];
  for (unsigned round = 0; round < ROUNDS; round++) {
    pid_t process[PROCESSES];
    int start[2], status;
    char byte;
    assert_int_equal(pipe(start), 0);
    for (unsigned i = 0; i < PROCESSES; i++) {
      process[i] = fork();
      assert_true(process[i] >= 0);
      if (process[i] > 0)
        continue;
      struct sl_error err = {0};
      struct sl_record *record = NULL;
      close(start[1]);
      const bool begins = read(start[0], &byte, 1) == 0; /* when all exist */
      const bool opened = begins && sl_record_open(&record, place->path, true, &err) == SL_OK;
      if (!opened)
        fprintf(stderr, "%s\n", err.text);
      sl_record_close(record);
      _exit(opened ? 0 : 1);
    }
    close(start[0]);
    close(start[1]);
    for (unsigned i = 0; i < PROCESSES; i++) {
      assert_int_equal(waitpid(process[i], &status, 0), process[i]);
      assert_int_equal(status, 0);
    }
    for (const char *const *end = (const char *const[]){"", "-wal", "-shm", NULL}; *end != NULL; end++) {
      sprintf(path, "%s%s", place->path, *end);
      unlink(path);
    }
  }
}

static void knows_network_file_systems(void **state)
{
  (void)state;
  assert_true(sl_is_network_file_system(0x6969));
  assert_true(sl_is_network_file_system(UINT64_C(0xffffffffff534d42))); /* statfs may extend the sign */
  assert_false(sl_is_network_file_system(0xef53));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hashes_as_the_standard),
      cmocka_unit_test(knows_network_file_systems),
      cmocka_unit_test_setup_teardown(records_a_run_once, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(many_processes_create_a_database_at_once, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(repeats_failed_runs_on_demand, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(frees_claims_of_dead_processes, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(migrates_older_databases, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(refuses_other_databases, make_folder, remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
