/* The program that the speed guard of PTX machines measures: MEASURE MACHINE FILE.launch performs a launch script and
 * prints the simulated cycles. Callgrind counts below timed_run, the simulation of grids. Lane functions are those of
 * the processor that callgrind emulates, AVX2 if the host has it. */
#include <inttypes.h>
#include <stdio.h>

#include "config/config.h"
#include "device/script.h"
#include "machine/sm7/sm7_engine.h"

/* Not inlined, so that callgrind finds it by name. */
__attribute__((noinline)) enum sl_status timed_run(void *context, const struct sl_ptx_launch *launch,
                                                   struct sl_ptx_counts *counts, struct sl_error *err);

enum sl_status timed_run(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                         struct sl_error *err)
{
  const struct sl_ptx_engine engine = sl_sm7_ptx_engine(context);
  const enum sl_status code = engine.run(engine.context, launch, counts, err);
  return code;
}

static enum sl_status perform(const struct sl_config *config, const char *path, struct sl_sm7_engine *engine,
                              struct sl_error *err)
{
  struct sl_ptx_engine runs = sl_sm7_ptx_engine(engine);
  const struct sl_gpu_options options = {.engine = &runs};
  const struct sl_script_observer none = {.context = NULL};
  struct sl_gpu *gpu = NULL;
  struct sl_script script;
  runs.run = timed_run;
  enum sl_status code = sl_script_load(&script, path, err);
  if (code != SL_OK)
    return code;
  code = sl_gpu_open(&gpu, config, &options, err);
  if (code == SL_OK)
    code = sl_script_perform(&script, gpu, NULL, &none, err);
  sl_gpu_close(gpu);
  sl_script_free(&script);
  return code;
}

static enum sl_status simulate(char **argv, uint64_t *cycles, struct sl_error *err)
{
  struct sl_config config;
  struct sl_sm7_engine engine = {0};
  enum sl_status code = sl_config_open(&config, argv[1], err);
  if (code != SL_OK)
    return code;
  code = sl_sm7_engine_open(&engine, config.spec, 1, err);
  if (code == SL_OK)
    code = perform(&config, argv[2], &engine, err);
  *cycles = engine.cycles;
  sl_sm7_engine_close(&engine);
  sl_config_close(&config);
  return code;
}

int main(int argc, char **argv)
{
  struct sl_error err = {0};
  uint64_t cycles = 0;
  if (argc != 3)
    return SL_USAGE;
  if (simulate(argv, &cycles, &err) != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    return (int)err.code;
  }
  printf("%" PRIu64 "\n", cycles);
  return 0;
}
