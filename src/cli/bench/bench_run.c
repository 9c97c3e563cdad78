/* Running one benchmark on one machine. */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/locations.h"
#include "observe/launch_choice.h"

/* Cycles between two samples of the vector registers in use, in the hardware. */
enum { SAMPLE_PERIOD = 2049 };

enum sl_status sl_bench_machines_open(struct sl_bench_machines *machines, const struct sl_machine_choice *choice,
                                      struct sl_error *err)
{
  enum sl_status code = sl_open_machine(choice, &machines->plain, err);
  if (code == SL_OK)
    code = sl_open_machine(choice, &machines->with_fpu, err);
  if (code != SL_OK)
    return code;
  /* Machines without such a key are as they are. */
  const struct sl_key *fpu = sl_key_find(machines->plain.machine->keys, "fpu");
  if (fpu == NULL || sl_key_value(fpu, machines->plain.spec) != 0)
    return SL_OK;
  size_t length = strnlen(machines->with_fpu.name, sizeof machines->with_fpu.name - 4);
  memcpy(machines->with_fpu.name + length, "-fp", 4);
  code = sl_config_set(&machines->with_fpu, "fpu=true", err);
  return code == SL_OK ? sl_config_check(&machines->with_fpu, err) : code;
}

void sl_bench_machines_close(struct sl_bench_machines *machines)
{
  sl_config_close(&machines->plain);
  sl_config_close(&machines->with_fpu);
}

const struct sl_config *sl_bench_machine(const struct sl_bench_machines *machines, const struct sl_benchmark *benchmark)
{
  return benchmark->needs_fpu ? &machines->with_fpu : &machines->plain;
}

enum sl_status sl_bench_check_size(const char *size, struct sl_error *err)
{
  if (strcmp(size, "small") == 0 || strcmp(size, "paper") == 0)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "--size is small or paper, not '%.80s'", size);
}

enum sl_status sl_bench_load(const struct sl_benchmark *benchmark, bool rv32e, struct sl_program **program,
                             struct sl_error *err)
{
  char relative[64], path[SL_PATH];
  const struct sl_bench_suite *suite = sl_bench_suite_with(benchmark);
  if (rv32e && suite != &sl_library_suite)
    return sl_fail(err, SL_USAGE, "%s is not compiled for 16 registers; leave out --rv32e", benchmark->name);
  snprintf(relative, sizeof relative, "%s%s/%s.elf", suite->folder, rv32e ? "-rv32e" : "", benchmark->name);
  enum sl_status code = sl_find_data(relative, path, err);
  return code == SL_OK ? sl_program_load(path, program, err) : code;
}

/* Keeps the end of the output for the message about a benchmark that fails. */
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
    fprintf(stderr, "simtlab: %s on %s: %s\n", row->benchmark->name, row->config->name, row->error.text);
    if (row->output_length > 0)
      fprintf(stderr, "%s's output ended with:\n%s\n", row->benchmark->name, row->output);
    worst = row->code > worst ? row->code : worst;
  }
  return worst;
}
