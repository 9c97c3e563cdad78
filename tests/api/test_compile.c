/* Compilation through the public interface, which returns the tools' messages as text. */
#include <unistd.h>

#include "common.h"

static void write_file(const char *name, const char *text)
{
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static const char *runtime(void)
{
  static char path[600];
  snprintf(path, sizeof path, "%s/runtime", getenv("SOURCE"));
  return path;
}

static void a_program_is_compiled_and_runs(void **state)
{
  (void)state;
  static const char *const files[] = {"compiled.c", NULL}, *const flags[] = {"-DSTATUS=0", NULL};
  for (unsigned vortex = 0; vortex < 2; vortex++) {
    struct simtlab_error error = {0};
    char *log = NULL;
    write_file("compiled.c", "int main(void) { return STATUS; }\n");
    const struct simtlab_compile order = {
        .files = files, .output = "compiled.elf", .runtime = runtime(), .flags = flags, .vortex = vortex};
    if (simtlab_compile(&order, &log, &error) != SIMTLAB_OK)
      fail_msg("%s", error.text);
    assert_string_equal(log, "");
    free(log);
    simtlab_program *program = simtlab_program_load("compiled.elf", &error);
    simtlab_config *config = simtlab_config_open(vortex ? "vortex" : "simtight", &error);
    simtlab_device *device = simtlab_device_create(config, NULL, &error);
    assert_int_equal(simtlab_device_load(device, program, 0, NULL, &error), SIMTLAB_OK);
    assert_int_equal(simtlab_device_run(device, &error), SIMTLAB_OK);
    assert_int_equal(simtlab_device_exit_status(device), 0);
    simtlab_device_free(device);
    simtlab_config_free(config);
    simtlab_program_free(program);
    remove("compiled.elf");
  }
  remove("compiled.c");
}

static void functions_are_compiled_for_64_bit_words(void **state)
{
  (void)state;
  static const char *const files[] = {"wide.c", NULL};
  struct simtlab_error error = {0};
  char *log = NULL;
  if (system("command -v llc-19 >/dev/null") != 0)
    skip();
  write_file("wide.c", "int main(int argc, char **argv) { (void)argv; return argc - 1; }\n");
  const struct simtlab_compile order = {.files = files,
                                        .output = "wide.elf",
                                        .runtime = runtime(),
                                        .vortex64 = true,
                                        .allocation = "first-fit",
                                        .registers = 200,
                                        .banks = 8,
                                        .bank_map = "folded",
                                        .saved_registers = "40,48-95"};
  if (simtlab_compile(&order, &log, &error) != SIMTLAB_OK)
    fail_msg("%s", error.text);
  assert_string_equal(log, "");
  free(log);
  simtlab_program *program = simtlab_program_load("wide.elf", &error);
  simtlab_config *config = simtlab_config_open("vortex64", &error);
  simtlab_device *device = simtlab_device_create(config, NULL, &error);
  assert_int_equal(simtlab_device_load(device, program, 0, NULL, &error), SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "compiled for 200 registers"));
  simtlab_device_free(device);
  assert_int_equal(simtlab_config_set(config, "registers=200", &error), SIMTLAB_OK);
  device = simtlab_device_create(config, NULL, &error);
  assert_int_equal(simtlab_device_load(device, program, 0, NULL, &error), SIMTLAB_OK);
  assert_int_equal(simtlab_device_run(device, &error), SIMTLAB_OK);
  assert_int_equal(simtlab_device_exit_status(device), 0);
  simtlab_device_free(device);
  simtlab_config_free(config);
  simtlab_program_free(program);
  remove("wide.elf");
  remove("wide.c");
}

static void diagnostics_are_returned(void **state)
{
  (void)state;
  static const char *const files[] = {"wrong.c", NULL};
  struct simtlab_error error;
  char *log = NULL;
  write_file("wrong.c", "int main(\n");
  const struct simtlab_compile order = {.files = files, .output = "wrong.elf", .runtime = runtime()};
  assert_int_equal(simtlab_compile(&order, &log, &error), SIMTLAB_USAGE);
  assert_non_null(strstr(log, "wrong.c:1"));
  assert_non_null(strstr(error.text, "failed (exit status 1)"));
  assert_int_not_equal(access("wrong.elf", F_OK), 0);
  free(log);
  assert_int_equal(simtlab_compile(&order, NULL, &error), SIMTLAB_USAGE);
  remove("wrong.c");
}

static void invalid_requests_are_refused(void **state)
{
  (void)state;
  static const char *const none[] = {NULL}, *const missing[] = {"missing.c", NULL};
  const struct {
    struct simtlab_compile order;
    const char *says;
  } wrong[] = {
      {{.files = none, .output = "x.elf", .runtime = runtime()}, "no file to compile"},
      {{.files = missing, .output = "x.elf", .runtime = runtime()}, "missing.c: no such file"},
      {{.files = missing, .runtime = runtime()}, "compile->output is NULL"},
      {{.files = missing, .output = "x.elf", .runtime = runtime(), .dmsl = true}, "--dmsl is an extension of Vortex"},
      {{.files = missing, .output = "x.elf", .runtime = runtime(), .banks = 4},
       "--banks applies only to programs of 64-bit words"},
      {{.files = missing, .output = "x.elf", .runtime = runtime(), .vortex64 = true, .registers = 300},
       "--registers is 16 to 256, not '300'"},
      {{.files = missing, .output = "x.elf"}, "SIMTLAB_HOME"},
  };
  unsetenv("SIMTLAB_HOME");
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    struct simtlab_error error;
    assert_int_equal(simtlab_compile(&wrong[i].order, NULL, &error), SIMTLAB_USAGE);
    if (strstr(error.text, wrong[i].says) == NULL)
      fail_msg("'%s' does not say '%s'", error.text, wrong[i].says);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_program_is_compiled_and_runs),
      cmocka_unit_test(functions_are_compiled_for_64_bit_words),
      cmocka_unit_test(diagnostics_are_returned),
      cmocka_unit_test(invalid_requests_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
