/* The program that the speed guard measures: MEASURE PROGRAM.elf simulates it with the portable lane functions, whose
 * instructions do not depend on the processor, and prints the simulated cycles. Everything that simulates the SM, and
 * nothing else, happens below sl_measured_run, which callgrind counts. */
#include <inttypes.h>
#include <stdio.h>

#include "gpu/device.h"

static const struct sl_machine *measured;
static uint64_t cycles;

enum sl_sm_state sl_measured_run(struct sl_sm *sm, uint64_t most, bool fast);

__attribute__((noinline, used)) enum sl_sm_state sl_measured_run(struct sl_sm *sm, uint64_t most, bool fast)
{
  const uint64_t before = measured->view.elapsed(sm);
  const enum sl_sm_state state = measured->life.run(sm, most, fast);
  cycles += measured->view.elapsed(sm) - before;
  return state;
}

static enum sl_code simulate(const char *path, struct sl_error *err)
{
  const struct sl_device_options options = {.portable_lanes = true};
  struct sl_config config;
  struct sl_program *program = NULL;
  struct sl_device *device = NULL;
  enum sl_code code = sl_config_open(&config, "simtight", err);
  if (code != SL_OK)
    return code;
  struct sl_machine machine = *config.machine;
  measured = config.machine;
  machine.life.run = sl_measured_run;
  config.machine = &machine;
  code = sl_program_load(path, &program, err);
  if (code == SL_OK)
    code = sl_device_create(&config, &options, &device, err);
  if (code == SL_OK)
    code = sl_device_load(device, program, 1, &path, err);
  if (code == SL_OK)
    code = sl_device_run(device, err);
  if (code == SL_OK && (sl_device_result(device)->launch_count != 1 || sl_device_result(device)->status != 0))
    code = sl_fail(err, SL_CHECK_FAILED, "%s: the kernel did not succeed", path);
  sl_device_destroy(device);
  sl_program_free(program);
  sl_config_close(&config);
  return code;
}

int main(int argc, char **argv)
{
  struct sl_error err = {0};
  if (argc != 2)
    return SL_USAGE;
  if (simulate(argv[1], &err) != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    return (int)err.code;
  }
  printf("%" PRIu64 "\n", cycles);
  return 0;
}
