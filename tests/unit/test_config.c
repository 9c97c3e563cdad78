/* Configurations: presets, YAML files, --set, and messages with file, line and nearest key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/config.h"

static uint32_t value(const struct sl_config *config, const char *name)
{
  const struct sl_key *key = sl_key_find(config->machine->keys, name);
  assert_non_null(key);
  return sl_key_value(key, config->spec);
}

static enum sl_status parse(struct sl_config *config, const char *text, struct sl_error *err)
{
  return sl_config_parse(config, "dir/mine.yaml", text, strlen(text), err);
}

static void opens_every_preset(void **state)
{
  (void)state;
  assert_true(sl_preset_count() >= 2);
  for (size_t i = 0; i < sl_preset_count(); i++) {
    struct sl_config config;
    struct sl_error err = {0};
    if (sl_config_open(&config, sl_preset_name(i), &err) != SL_OK)
      fail_msg("%s", err.text);
    assert_int_equal(sl_config_check(&config, &err), SL_OK);
    assert_string_equal(config.name, sl_preset_name(i));
    assert_true(config.summary[0] != '\0');
    sl_config_close(&config);
  }
}

static void presets_differ_in_the_fpu(void **state)
{
  (void)state;
  struct sl_config plain, fp;
  assert_int_equal(sl_config_open(&plain, "simtight", NULL), SL_OK);
  assert_int_equal(sl_config_open(&fp, "simtight-fp", NULL), SL_OK);
  assert_ptr_equal(plain.machine, fp.machine);
  assert_int_equal(value(&plain, "fpu"), 0);
  assert_int_equal(value(&fp, "fpu"), 1);
  assert_int_equal(value(&fp, "lanes"), 32);
  sl_config_close(&plain);
  sl_config_close(&fp);
}

static void nesting_and_dots_mean_the_same(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "machine: simtight\nkeys:\n  dram:\n    latency: 40\n  lanes: 16\n",
      "machine: simtight\nkeys: {dram.latency: 40, lanes: 0x10}\n",
      "keys: {lanes: 16, dram: {latency: 40}}\nmachine: simtight\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    struct sl_config config;
    assert_int_equal(parse(&config, texts[i], NULL), SL_OK);
    assert_string_equal(config.name, "mine");
    assert_int_equal(value(&config, "dram.latency"), 40);
    assert_int_equal(value(&config, "lanes"), 16);
    assert_int_equal(value(&config, "warps"), 64);
    sl_config_close(&config);
  }
}

static void starts_from_a_base(void **state)
{
  (void)state;
  struct sl_config config;
  assert_int_equal(parse(&config, "base: simtight-fp\nsummary: mine\nkeys:\n  warps: 8\n", NULL), SL_OK);
  assert_string_equal(config.summary, "mine");
  assert_int_equal(value(&config, "fpu"), 1);
  assert_int_equal(value(&config, "warps"), 8);
  sl_config_close(&config);
}

static void refuse(const char *text, const char *sentence)
{
  struct sl_config config;
  struct sl_error err = {0};
  assert_int_equal(parse(&config, text, &err), SL_USAGE);
  assert_null(config.spec);
  if (strstr(err.text, sentence) == NULL)
    fail_msg("'%s' does not say '%s'", err.text, sentence);
}

static void names_line_and_nearest_key(void **state)
{
  (void)state;
  refuse("machine: simtight\nkeys:\n  lanes: 16\n  wraps: 8\n",
         "dir/mine.yaml:4: unknown key 'wraps'; did you mean 'warps'?");
  refuse("machine: simtight\nkeys:\n  dram:\n    latencey: 3\n",
         "dir/mine.yaml:4: unknown key 'dram.latencey'; did you mean 'dram.latency'?");
  refuse("machine: simtight\nkeys: {lanes: 33}\n", "dir/mine.yaml:2: key 'lanes' cannot be '33'");
  refuse("machine: simtight\nlanes: 16\n", "dir/mine.yaml:2: unknown name 'lanes'; it is a key");
  refuse("machine: simtigth\n", "dir/mine.yaml:1: no pipeline named 'simtigth'; did you mean 'simtight'?");
  refuse("base: simtigth\n", "did you mean 'simtight'?");
}

static void refuses_other_shapes(void **state)
{
  (void)state;
  refuse("", "neither 'machine: PIPELINE' nor 'base: MACHINE'");
  refuse("keys: {}\n", "neither 'machine: PIPELINE' nor 'base: MACHINE'");
  refuse("[1, 2]\n", "dir/mine.yaml:1: a configuration is a mapping");
  refuse("machine: simtight\nkeys:\n  lanes: [16]\n", "dir/mine.yaml:3: a list");
  refuse("machine: &a simtight\nsummary: *a\n", "dir/mine.yaml:2: an alias");
  refuse("machine: simtight\nmachine: simtight\n",
         "dir/mine.yaml:2: 'machine' is given twice; the first time is line 1");
  refuse("machine: simtight\nkeys:\n  lanes: 16\n  warps: {\n", "not valid YAML");
  refuse("machine: simtight\n---\nmachine: simtight\n", "a second document");
  refuse("machine: \"sim\\0tight\"\n", "zero byte");
  refuse("\xff\xfe\xff", "not valid YAML");
}

/* The parser bounds nesting depth (recursion) and the length of names. */
static void survives_deep_nesting(void **state)
{
  (void)state;
  enum { DEPTH = 2000 };
  char *text = calloc(2, 3 * DEPTH + 1);
  assert_non_null(text);
  for (size_t i = 0; i < DEPTH; i++)
    memcpy(text + 3 * i, "{a:", 3);
  refuse(text, "dir/mine.yaml:1: ");
  free(text);
}

static void survives_changed_bytes(void **state)
{
  (void)state;
  static const char text[] = "machine: simtight\nsummary: \"s\"\nkeys:\n  lanes: 16 # c\n  dram: {latency: 40}\n";
  for (size_t i = 0; i < sizeof text - 1; i++)
    for (unsigned byte = 0; byte < 256; byte++) {
      char changed[sizeof text];
      struct sl_config config;
      struct sl_error err = {0};
      memcpy(changed, text, sizeof text);
      changed[i] = (char)byte;
      if (sl_config_parse(&config, "x.yaml", changed, sizeof text - 1, &err) == SL_OK)
        sl_config_close(&config);
      else
        assert_true(err.text[0] != '\0');
    }
}

static void sets_keys(void **state)
{
  (void)state;
  struct sl_config config;
  struct sl_error err = {0};
  assert_int_equal(sl_config_open(&config, "simtight", &err), SL_OK);
  assert_int_equal(sl_config_set(&config, "lanes=8", &err), SL_OK);
  assert_int_equal(value(&config, "lanes"), 8);
  assert_int_equal(sl_config_set(&config, "lanes", &err), SL_USAGE);
  assert_non_null(strstr(err.text, "KEY=VALUE"));
  assert_int_equal(sl_config_set(&config, "=8", &err), SL_USAGE);
  assert_int_equal(sl_config_set(&config, "lanes=", &err), SL_USAGE);
  assert_int_equal(sl_config_set(&config, "lanez=8", &err), SL_USAGE);
  assert_non_null(strstr(err.text, "did you mean 'lanes'?"));
  sl_config_close(&config);
}

static void reads_files(void **state)
{
  (void)state;
  char path[] = "/tmp/simtlab-test-XXXXXX"; /* a name with a '/' is a file name */
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  assert_non_null(file);
  fputs("base: simtight\nkeys: {warps: 4}\n", file);
  fclose(file);
  struct sl_config config;
  struct sl_error err = {0};
  assert_int_equal(sl_config_open(&config, path, &err), SL_OK);
  assert_int_equal(value(&config, "warps"), 4);
  sl_config_close(&config);
  remove(path);
  assert_int_equal(sl_config_open(&config, path, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "cannot be opened"));
  assert_int_equal(sl_config_open(&config, "/tmp/", &err), SL_USAGE);
  assert_int_equal(sl_config_open(&config, "simtigt", &err), SL_USAGE);
  assert_non_null(strstr(err.text, "did you mean 'simtight'?"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(opens_every_preset),
      cmocka_unit_test(presets_differ_in_the_fpu),
      cmocka_unit_test(nesting_and_dots_mean_the_same),
      cmocka_unit_test(starts_from_a_base),
      cmocka_unit_test(names_line_and_nearest_key),
      cmocka_unit_test(refuses_other_shapes),
      cmocka_unit_test(survives_deep_nesting),
      cmocka_unit_test(survives_changed_bytes),
      cmocka_unit_test(sets_keys),
      cmocka_unit_test(reads_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
