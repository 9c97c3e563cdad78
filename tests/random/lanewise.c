/* Scalar execution on a compressed register file only changes the simulator's speed: lanewise PROGRAM... on machines
 * with one. All counters of all launches, the residency of vector registers, the final memory and the outcome must be
 * the same. A program gets the argument "small", which benchmarks accept. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"

static const struct cnt_machine machines[] = {
    {"simtight-rfc", {NULL}, "rfc512"},
    {"simtight-rfc-pp", {NULL}, "rfcpp512"},
    {"simtight-rfc-pp-sb", {NULL}, "rfcppsb512"},
    {"simtight-rfc-pp-sb", {"registers.slots=256", "registers.free_ended=true"}, "the fewest slots"},
};

struct run {
  enum sl_status code;
  struct sl_error err;
  struct sl_device *device;
};

static struct run run_program(const struct sl_config *config, const struct sl_program *program, const char *path,
                              bool lanewise)
{
  const struct sl_device_options options = {.max_cycles = 100000000, .lanewise = lanewise};
  struct run run = {.code = SL_OK};
  run.code = sl_device_create(config, &options, &run.device, &run.err);
  if (run.code == SL_OK)
    run.code = sl_device_load(run.device, program, 2, (const char *const[]){path, "small"}, &run.err);
  if (run.code == SL_OK)
    run.code = sl_device_run(run.device, &run.err);
  return run;
}

static bool same_series(const struct sl_series *a, const struct sl_series *b)
{
  return a->period == b->period && a->count == b->count &&
         memcmp(a->value, b->value, a->count * sizeof a->value[0]) == 0;
}

/* The difference between two runs, or NULL. */
static const char *compare(const struct sl_config *config, const struct run *a, const struct run *b)
{
  const struct sl_result *x = sl_device_result(a->device), *y = sl_device_result(b->device);
  if (a->code != b->code || strcmp(a->err.text, b->err.text) != 0)
    return "how it ended";
  if (x->launch_count != y->launch_count || x->status != y->status)
    return "the number of launches, or the status";
  for (size_t l = 0; l < x->launch_count; l++)
    for (size_t i = 0; i < config->machine->counters->count; i++)
      if (x->launches[l].counters[i] != y->launches[l].counters[i])
        return config->machine->counters->counter[i].name;
  if (!same_series(config->machine->view.residency(sl_device_sm(a->device)),
                   config->machine->view.residency(sl_device_sm(b->device))))
    return "the residency of vector registers";
  if (sl_device_memory_hash(a->device) != sl_device_memory_hash(b->device))
    return "memory";
  return NULL;
}

static bool same_both_ways(const struct cnt_machine *machine, const char *path, struct sl_error *err)
{
  struct sl_config config = {0};
  struct sl_program *program = NULL;
  const char *different = "nothing could be compared";
  enum sl_status code = cnt_open(machine, &config, err);
  if (code == SL_OK && strstr(path, "_Float") != NULL)
    code = sl_config_set(&config, "fpu=true", err);
  if (code == SL_OK)
    code = sl_program_load(path, &program, err);
  if (code == SL_OK) {
    struct run once = run_program(&config, program, path, false), lanes = run_program(&config, program, path, true);
    different = compare(&config, &once, &lanes);
    sl_device_destroy(once.device);
    sl_device_destroy(lanes.device);
  }
  if (different != NULL)
    printf("%s on %s (%s): %s differs%s%s\n", path, machine->preset, machine->configuration, different,
           err->text[0] ? ": " : "", err->text);
  sl_program_free(program);
  sl_config_close(&config);
  return different == NULL;
}

int main(int argc, char **argv)
{
  unsigned different = 0;
  for (int i = 1; i < argc; i++)
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
      struct sl_error err = {0};
      different += !same_both_ways(&machines[m], argv[i], &err);
    }
  printf("%d programs on %zu machines, %u differ\n", argc - 1, sizeof machines / sizeof *machines, different);
  return different != 0 || argc < 2;
}
