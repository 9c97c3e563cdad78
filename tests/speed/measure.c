/* The program that the speed guards measure: MEASURE MACHINE PROGRAM [ARGUMENT]... simulates a program of one launch
 * with the portable lane functions, whose instructions do not depend on the processor, and prints the simulated cycles.
 * Everything that simulates the SM, and nothing else, happens below sl_engine_run, which callgrind counts. */
#include <inttypes.h>
#include <stdio.h>

#include "gpu/device.h"

static enum sl_status simulate(int argc, char **argv, uint64_t *cycles, struct sl_error *err)
{
  const struct sl_device_options options = {.portable_lanes = true, .whole_program = true};
  struct sl_config config;
  struct sl_program *program = NULL;
  struct sl_device *device = NULL;
  enum sl_status code = sl_config_open(&config, argv[1], err);
  if (code != SL_OK)
    return code;
  code = sl_program_load(argv[2], &program, err);
  if (code == SL_OK)
    code = sl_device_create(&config, &options, &device, err);
  if (code == SL_OK)
    code = sl_device_load(device, program, argc - 2, (const char *const *)argv + 2, err);
  if (code == SL_OK)
    code = sl_device_run(device, err);
  if (code == SL_OK && (sl_device_result(device)->launch_count != 1 || sl_device_result(device)->status != 0))
    code = sl_fail(err, SL_CHECK_FAILED, "%s: the kernel did not succeed", argv[2]);
  if (code == SL_OK)
    *cycles = config.machine->view.elapsed(sl_device_sm(device));
  sl_device_destroy(device);
  sl_program_free(program);
  sl_config_close(&config);
  return code;
}

int main(int argc, char **argv)
{
  struct sl_error err = {0};
  uint64_t cycles = 0;
  if (argc < 3)
    return SL_USAGE;
  if (simulate(argc, argv, &cycles, &err) != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    return (int)err.code;
  }
  printf("%" PRIu64 "\n", cycles);
  return 0;
}
