/* A device without a host CPU: pauses, checkpoints, limits, and messages about programs that do not fit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

static void check(bool holds, const char *what)
{
  if (holds)
    return;
  fprintf(stderr, "FAILED: %s\n", what);
  exit(1);
}

static struct sl_device *device(const struct sl_config *config, const struct sl_program *program, bool fast,
                                uint64_t limit)
{
  struct sl_error err;
  struct sl_device *d = NULL;
  const struct sl_device_options options = {.fast = fast, .max_cycles = limit};
  if (sl_device_create(config, &options, &d, &err) != SL_OK ||
      sl_device_load(d, program, 1, (const char *const[]){"fib"}, &err) != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(1);
  }
  return d;
}

/* A run that is saved every few cycles and resumed on another device gives the same results. */
static void continue_elsewhere(const struct sl_config *config, const struct sl_program *program, bool fast,
                               const char *file)
{
  struct sl_error err = {0};
  struct sl_device *whole = device(config, program, fast, 0), *part = device(config, program, fast, 0);
  check(sl_device_run(whole, &err) == SL_OK, "the whole run ends");
  check(sl_device_run(whole, &err) == SL_OK, "and has ended");
  enum sl_status code;
  while ((code = sl_device_run_for(part, 777, &err)) == SL_PAUSED) {
    check(sl_device_save(part, file, &err) == SL_OK, "a checkpoint can be saved");
    sl_device_destroy(part);
    part = device(config, program, fast, 0);
    check(sl_device_restore(part, file, &err) == SL_OK, "and restored");
  }
  check(code == SL_OK, "the run in parts ends");
  const struct sl_result *a = sl_device_result(whole), *b = sl_device_result(part);
  check(a->launch_count == 1 && b->launch_count == 1, "there is one launch");
  check(memcmp(a->launches[0].counters, b->launches[0].counters, sizeof a->launches[0].counters) == 0,
        "all counters are the same");
  check(sl_device_memory_hash(whole) == sl_device_memory_hash(part), "memory is the same");
  sl_device_destroy(whole);
  sl_device_destroy(part);
  remove(file);
}

static void stop_at_a_limit(const struct sl_config *config, const struct sl_program *program)
{
  struct sl_error err = {0};
  struct sl_device *d = device(config, program, false, 1000);
  check(sl_device_run(d, &err) == SL_LIMIT, "the limit is reached");
  check(strstr(err.text, "the limit of 1000 cycles") != NULL, "and the message says so");
  check(sl_device_result(d)->launches[0].counters[0] == 1000, "after so many cycles");
  sl_device_destroy(d);
}

/* A program of the recorded runs, and a file for checkpoints. */
int main(int argc, char **argv)
{
  struct sl_error err;
  struct sl_config config;
  struct sl_program *program;
  if (argc < 3 || sl_config_open(&config, "simty", &err) != SL_OK || sl_program_load(argv[1], &program, &err) != SL_OK)
    return 2;
  continue_elsewhere(&config, program, false, argv[2]);
  continue_elsewhere(&config, program, true, argv[2]);
  stop_at_a_limit(&config, program);
  sl_program_free(program);
  sl_config_close(&config);
  return 0;
}
