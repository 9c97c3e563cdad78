/* Divergent branches of a Vortex warp that one lane decides: a warning names the line, also after a checkpoint;
 * compiler marks prevent it. */
#include <unistd.h>

#include "common.h"

static const char source[] = "#include \"simt.h\"\n"
                             "SIMT_KERNEL(triangle, (int *, a))\n"
                             "{\n"
                             "  int sum = 0;\n"
                             "  for (unsigned j = 0; j < threadIdx.x; j++)\n"
                             "    sum += a[j] & j;\n"
                             "  a[threadIdx.x + 64] = sum;\n"
                             "}\n"
                             "int main(void)\n"
                             "{\n"
                             "  int *const a = simt_alloc(128 * sizeof *a);\n"
                             "  return simt_launch(triangle, dim3(1), dim3(64), .a = a);\n"
                             "}\n";

static simtlab_program *compiled(bool auto_marks)
{
  char runtime[600], tool[600];
  struct simtlab_error error = {0};
  static const char *const files[] = {"triangle.c", NULL};
  snprintf(runtime, sizeof runtime, "%s/runtime", getenv("SOURCE"));
  snprintf(tool, sizeof tool, "%s/simtlab-marks", getenv("BUILD"));
  if (auto_marks && access(tool, X_OK) != 0)
    skip();
  FILE *file = fopen("triangle.c", "w");
  assert_non_null(file);
  fputs(source, file);
  fclose(file);
  const struct simtlab_compile order = {.files = files,
                                        .output = "triangle.elf",
                                        .runtime = runtime,
                                        .vortex = true,
                                        .auto_marks = auto_marks,
                                        .marks_tool = tool};
  if (simtlab_compile(&order, NULL, &error) != SIMTLAB_OK)
    fail_msg("%s", error.text);
  simtlab_program *program = simtlab_program_load("triangle.elf", &error);
  assert_non_null(program);
  remove("triangle.c");
  remove("triangle.elf");
  return program;
}

static simtlab_device *loaded(const simtlab_config *config, const simtlab_program *program)
{
  simtlab_device *device = simtlab_device_create(config, NULL, NULL);
  assert_int_equal(simtlab_device_load(device, program, 0, NULL, NULL), SIMTLAB_OK);
  return device;
}

static void the_warning_names_the_line_and_survives_a_checkpoint(void **state)
{
  (void)state;
  char text[600], again[600];
  simtlab_config *config = simtlab_config_open("vortex", NULL);
  simtlab_program *program = compiled(false);
  simtlab_device *device = loaded(config, program);
  assert_false(simtlab_device_warning(device, text, sizeof text));
  while (!simtlab_device_warning(device, text, sizeof text))
    assert_int_equal(simtlab_device_run_for(device, 100, NULL), SIMTLAB_PAUSED);
  assert_non_null(strstr(text, "(triangle.c:5): lanes of a warp diverged at this branch"));
  assert_int_equal(simtlab_device_save(device, "triangle.checkpoint", NULL), SIMTLAB_OK);
  simtlab_device_free(device);
  device = loaded(config, program);
  assert_int_equal(simtlab_device_restore(device, "triangle.checkpoint", NULL), SIMTLAB_OK);
  assert_true(simtlab_device_warning(device, again, sizeof again));
  assert_string_equal(again, text);
  remove("triangle.checkpoint");
  simtlab_device_free(device);
  simtlab_program_free(program);
  simtlab_config_free(config);
}

static void compiler_marks_prevent_the_warning(void **state)
{
  (void)state;
  char text[600];
  simtlab_program *program = compiled(true);
  simtlab_config *config = simtlab_config_open("vortex", NULL);
  simtlab_device *device = loaded(config, program);
  assert_int_equal(simtlab_device_run(device, NULL), SIMTLAB_OK);
  assert_false(simtlab_device_warning(device, text, sizeof text));
  simtlab_device_free(device);
  simtlab_program_free(program);
  simtlab_config_free(config);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_warning_names_the_line_and_survives_a_checkpoint),
      cmocka_unit_test(compiler_marks_prevent_the_warning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
