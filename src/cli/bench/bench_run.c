/* Runs one benchmark on one machine. */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "observe/launch_choice.h"
#include "observe/terminal.h"

/* Cycles between two samples of the vector registers in use, as in the hardware. */
enum { SAMPLE_PERIOD = 2049 };

/* Changes the key if the machine has it, and appends the change to the machine's name. */
static enum sl_status add(struct sl_config *config, const char *setting, const char *suffix, struct sl_error *err)
{
  char name[32];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
  const struct sl_key *key = sl_key_find(config->machine->keys, name);
  if (key == NULL)
    return SL_OK;
  const uint64_t before = sl_key_value(key, config->spec);
  const enum sl_status code = sl_config_set(config, setting, err);
  if (code != SL_OK || sl_key_value(key, config->spec) == before)
    return code;
  const size_t length = strnlen(config->name, sizeof config->name - 1 - strlen(suffix));
  memcpy(config->name + length, suffix, strlen(suffix) + 1);
  return sl_config_check(config, err);
}

enum sl_status sl_bench_machines_open(struct sl_bench_machines *machines, const struct sl_machine_choice *choice,
                                      struct sl_error *err)
{
  static const struct {
    const char *setting, *suffix;
  } wanted[] = {{"fpu=true", "-fp"}, {"atomics=true", "-atomics"}, {"lmem.storage=0", "-lmem"}};
  enum sl_status code = SL_OK;
  for (unsigned wants = 0; code == SL_OK && wants < SL_BENCH_WANTS; wants++) {
    code = sl_open_machine(choice, &machines->with[wants], err);
    for (unsigned i = 0; code == SL_OK && i < sizeof wanted / sizeof wanted[0]; i++)
      if (wants >> i & 1)
        code = add(&machines->with[wants], wanted[i].setting, wanted[i].suffix, err);
    if (code != SL_OK && wants > 0)
      sl_error_prefix(err, "the benchmarks do not run on %s: ", choice->machine);
  }
  return code;
}

void sl_bench_machines_close(struct sl_bench_machines *machines)
{
  for (unsigned wants = 0; wants < SL_BENCH_WANTS; wants++)
    sl_config_close(&machines->with[wants]);
}

const struct sl_config *sl_bench_machine(const struct sl_bench_machines *machines, const struct sl_benchmark *benchmark)
{
  return &machines->with[benchmark->wants];
}

enum sl_status sl_bench_check_size(const char *size, struct sl_error *err)
{
  if (strcmp(size, "small") == 0 || strcmp(size, "paper") == 0)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "--size is small or paper, not '%.80s'", size);
}

/* Keeps the end of the console output for error messages. */
static int put_byte(void *context, uint8_t byte)
{
  struct sl_bench_row *row = context;
  if (row->output_length == sizeof row->output - 1) {
    row->output_length /= 2;
    memmove(row->output, row->output + sizeof row->output - 1 - row->output_length, row->output_length);
  }
  row->output[row->output_length++] = (char)byte;
  row->output[row->output_length] = '\0';
  return 0;
}

static void take_counters(struct sl_bench_row *row, const struct sl_launch *launches, size_t count)
{
  const struct sl_machine *machine = row->config->machine;
  for (size_t i = 0; i < machine->counters->count; i++)
    row->counters[i] = sl_counter_total(machine, i, launches, count);
  for (size_t i = 0; i < count; i++)
    row->samples += sl_figures_of(machine, &launches[i], 1).cycles / SAMPLE_PERIOD;
  row->figures = sl_figures_of(machine, launches, count);
  row->sm_seconds = sl_launch_seconds(launches, count);
  row->launches = count;
}

static void take_result(struct sl_bench_row *row, const struct sl_device *device, const struct sl_program *program,
                        bool whole)
{
  const struct sl_result *result = sl_device_result(device);
  const struct sl_launch_choice choice = {whole ? NULL : row->benchmark->kernel, SL_EVERY_LAUNCH};
  size_t count;
  struct sl_launch *launches = sl_choose_launches(&choice, program, result, &count);
  if (launches == NULL)
    row->code = sl_no_memory(&row->error, sizeof *launches);
  else
    take_counters(row, launches, count);
  free(launches);
  sl_kernel_sums(&row->kernels, row->config->machine, program, result->launches, result->launch_count);
  row->total_seconds = result->host_seconds;
  row->sampled = result->sampled;
  row->memory_hash = sl_device_memory_hash(device);
  if (row->code == SL_OK && result->status != 0)
    row->code = sl_fail(&row->error, SL_CHECK_FAILED, "the program's own check failed (status %d)", result->status);
}

void sl_bench_run_program(struct sl_bench_row *row, const struct sl_program *program,
                          const struct sl_bench_options *options, bool (*progress)(void *context, uint64_t cycles),
                          void *context)
{
  const char *const size = row->benchmark->size[strcmp(options->size, "paper") == 0];
  const char *const arguments[] = {row->benchmark->name, size != NULL ? size : options->size};
  const struct sl_device_options device_options = {
      .console = {row, NULL, put_byte},
      .progress = progress,
      .progress_context = context,
      .whole_program = options->whole_program,
      .fast = options->fast,
      .mode = options->mode,
      .sampling = options->sampling,
      .threads = options->threads,
      .max_cycles = options->max_cycles,
  };
  struct sl_device *device = NULL;
  row->code = sl_device_create(row->config, &device_options, &device, &row->error);
  if (row->code != SL_OK)
    return;
  row->code = sl_device_load(device, program, 2, arguments, &row->error);
  if (row->code == SL_OK) {
    row->code = sl_device_run(device, &row->error);
    take_result(row, device, program, options->whole_program);
  }
  sl_device_destroy(device);
}

enum sl_status sl_bench_print_failures(const struct sl_bench_row *rows, size_t count)
{
  enum sl_status worst = SL_OK;
  for (const struct sl_bench_row *row = rows; row < rows + count; row++) {
    if (row->code == SL_OK)
      continue;
    sl_print(stderr, "simtlab: %s on %s: %s\n", row->benchmark->name, row->config->name, row->error.text);
    if (row->output_length > 0)
      sl_print(stderr, "%s's output ended with:\n%s\n", row->benchmark->name, row->output);
    worst = row->code > worst ? row->code : worst;
  }
  return worst;
}
