/* Runs stored in files: the same key returns the counters; any other key or a damaged file returns nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "observe/saved_run.h"

struct fixture {
  char folder[128], path[160];
  struct sl_config config;
  struct sl_run_key key;
  struct sl_saved_run run;
};

static int set_up(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  const char *tmp = getenv("TMPDIR");
  struct sl_error err;
  assert_non_null(f);
  snprintf(f->folder, sizeof f->folder, "%s/simtlab-XXXXXX", tmp != NULL && strlen(tmp) < 80 ? tmp : "/tmp");
  assert_non_null(mkdtemp(f->folder));
  snprintf(f->path, sizeof f->path, "%s/run.json", f->folder);
  assert_int_equal(sl_config_open(&f->config, "simtight", &err), SL_OK);
  f->key = (struct sl_run_key){"1.0", 1, &f->config, "VecAdd", "small", "rv32i", UINT64_MAX, NULL};
  f->run = (struct sl_saved_run){.launches = 3, .samples = 7, .region = {11, 12, 13}};
  for (size_t i = 0; i < f->config.machine->counters->count; i++)
    f->run.counters[i] = 1000 + i;
  assert_int_equal(sl_saved_run_write(&f->run, &f->key, f->path, &err), SL_OK);
  *state = f;
  return 0;
}

static int tear_down(void **state)
{
  struct fixture *f = *state;
  char command[192];
  snprintf(command, sizeof command, "rm -r '%s'", f->folder);
  assert_int_equal(system(command), 0);
  sl_config_close(&f->config);
  free(f);
  return 0;
}

static bool reads(const struct fixture *f, const struct sl_run_key *key)
{
  struct sl_saved_run run;
  return sl_saved_run_read(&run, key, f->path);
}

static void the_same_key_returns_the_run(void **state)
{
  const struct fixture *f = *state;
  struct sl_saved_run run;
  assert_true(sl_saved_run_read(&run, &f->key, f->path));
  assert_memory_equal(&run, &f->run, sizeof run);
}

static void another_key_returns_nothing(void **state)
{
  const struct fixture *f = *state;
  struct sl_config slow;
  struct sl_error err;
  assert_int_equal(sl_config_open(&slow, "simtight", &err), SL_OK);
  assert_int_equal(sl_config_set(&slow, "dram.latency=31", &err), SL_OK);
  struct sl_run_key keys[7];
  for (size_t i = 0; i < 7; i++)
    keys[i] = f->key;
  keys[0].version = "1.1";
  keys[1].build = 2;
  keys[2].config = &slow;
  keys[3].benchmark = "VecGCD";
  keys[4].size = "paper";
  keys[5].isa = "rv32e";
  keys[6].program = 5;
  for (size_t i = 0; i < 7; i++)
    assert_false(reads(f, &keys[i]));
  assert_true(reads(f, &f->key));
  sl_config_close(&slow);
}

static void a_damaged_file_returns_nothing(void **state)
{
  const struct fixture *f = *state;
  assert_int_equal(truncate(f->path, 300), 0);
  assert_false(reads(f, &f->key));
  assert_int_equal(truncate(f->path, 0), 0);
  assert_false(reads(f, &f->key));
  assert_int_equal(unlink(f->path), 0);
  assert_false(reads(f, &f->key));
}

/* Changed by another program: another count, or another layout. */
static void a_changed_file_is_detected(void **state)
{
  const struct fixture *f = *state;
  struct sl_saved_run run;
  json_t *root = json_load_file(f->path, 0, NULL);
  assert_non_null(root);
  assert_int_equal(json_dump_file(root, f->path, JSON_INDENT(7)), 0);
  assert_true(sl_saved_run_read(&run, &f->key, f->path));
  assert_false(run.changed);
  json_t *cycles = json_object_get(json_object_get(root, "counters"), "cycles");
  assert_int_equal(json_integer_set(cycles, json_integer_value(cycles) + 1), 0);
  assert_int_equal(json_dump_file(root, f->path, 0), 0);
  json_decref(root);
  assert_false(sl_saved_run_read(&run, &f->key, f->path));
  assert_true(run.changed);
}

static void a_file_without_a_counter_returns_nothing(void **state)
{
  const struct fixture *f = *state;
  json_t *root = json_load_file(f->path, 0, NULL);
  assert_non_null(root);
  assert_int_equal(json_object_del(json_object_get(root, "counters"), "cycles"), 0);
  assert_int_equal(json_dump_file(root, f->path, 0), 0);
  json_decref(root);
  assert_false(reads(f, &f->key));
}

static void a_truncated_file_is_refused(void **state)
{
  const struct fixture *f = *state;
  struct sl_error err;
  assert_int_equal(truncate(f->path, 100), 0);
  assert_false(reads(f, &f->key));
  assert_int_equal(sl_saved_run_write(&f->run, &f->key, f->path, &err), SL_OK);
  assert_true(reads(f, &f->key));
}

static void a_full_disk_is_an_error(void **state)
{
  const struct fixture *f = *state;
  struct sl_error err;
  assert_int_equal(unlink(f->path), 0);
  assert_int_equal(symlink("/dev/full", f->path), 0);
  assert_int_equal(sl_saved_run_write(&f->run, &f->key, f->path, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "No space left on device"));
  assert_false(reads(f, &f->key));
}

static void a_sampled_run_is_keyed_by_its_plan(void **state)
{
  struct fixture *f = *state;
  struct sl_saved_run run;
  struct sl_error err;
  f->key.sample = "200,500,2000";
  assert_false(sl_saved_run_read(&run, &f->key, f->path)); /* it was timed completely */
  f->run.timed_part = (struct sl_saved_samples){100, 40, 5, 12.5};
  assert_int_equal(sl_saved_run_write(&f->run, &f->key, f->path, &err), SL_OK);
  assert_true(sl_saved_run_read(&run, &f->key, f->path));
  assert_int_equal(run.timed_part.executed, 100);
  assert_int_equal(run.timed_part.timed, 40);
  assert_int_equal(run.timed_part.windows, 5);
  assert_true(run.timed_part.bar == 12.5);
  f->run.timed_part.bar = INFINITY; /* unknown */
  assert_int_equal(sl_saved_run_write(&f->run, &f->key, f->path, &err), SL_OK);
  assert_true(sl_saved_run_read(&run, &f->key, f->path));
  assert_true(isinf(run.timed_part.bar));
  f->key.sample = "auto";
  assert_false(sl_saved_run_read(&run, &f->key, f->path));
  f->key.sample = NULL;
  assert_false(sl_saved_run_read(&run, &f->key, f->path));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_same_key_returns_the_run, set_up, tear_down),
      cmocka_unit_test_setup_teardown(another_key_returns_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_damaged_file_returns_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_changed_file_is_detected, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_file_without_a_counter_returns_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_truncated_file_is_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_full_disk_is_an_error, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_sampled_run_is_keyed_by_its_plan, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
