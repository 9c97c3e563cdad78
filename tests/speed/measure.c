/* The program that the speed guards measure. MEASURE MACHINE [--fast|--emitted] PROGRAM [ARGUMENT]... simulates a
 * program of one launch and prints the simulated cycles, or the instructions of warps in functional mode. It uses the
 * portable lane functions, whose instructions do not depend on the processor, or with --emitted AVX2 JIT code from the
 * first execution on. Callgrind counts below sl_engine_run, which contains exactly the simulation of the SM. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "func/jit/jit.h"

static enum sl_status simulate(const char *machine, const struct sl_device_options *options, int argc, char **argv,
                               uint64_t *cycles, struct sl_error *err)
{
  struct sl_config config;
  struct sl_program *program = NULL;
  struct sl_device *device = NULL;
  enum sl_status code = sl_config_open(&config, machine, err);
  if (code != SL_OK)
    return code;
  code = sl_program_load(argv[0], &program, err);
  if (code == SL_OK)
    code = sl_device_create(&config, options, &device, err);
  if (code == SL_OK)
    code = sl_device_load(device, program, argc, (const char *const *)argv, err);
  if (code == SL_OK)
    code = sl_device_run(device, err);
  if (code == SL_OK && (sl_device_result(device)->launch_count != 1 || sl_device_result(device)->status != 0))
    code = sl_fail(err, SL_CHECK_FAILED, "%s: the kernel did not succeed", argv[0]);
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
  const bool fast = argc > 2 && strcmp(argv[2], "--fast") == 0, emitted = argc > 2 && strcmp(argv[2], "--emitted") == 0;
  const struct sl_device_options options = {.portable_lanes = !emitted,
                                            .whole_program = true,
                                            .fast = fast || emitted,
                                            .mode = emitted ? SL_MODE_EAGER_AVX2 : SL_MODE_EMITTED};
  const int program = 2 + options.fast;
  if (argc <= program)
    return SL_USAGE;
  if (emitted && !sl_jit_here())
    return 77;
  if (simulate(argv[1], &options, argc - program, argv + program, &cycles, &err) != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    return (int)err.code;
  }
  printf("%" PRIu64 "\n", cycles);
  return 0;
}
