/* simtlab bench: the benchmark suite on one machine. */
#include "cli/bench.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/parallel.h"
#include "cli/paths.h"
#include "observe/progress.h"
#include "observe/report.h"

struct bench {
  struct sl_machine_choice choice;
  struct sl_bench_run run;
  const char *only, *json;
  uint64_t jobs, max_cycles;
  bool quiet;
  struct sl_config config, with_fpu;
  struct sl_bench_row rows[SL_BENCHMARKS];
  pthread_mutex_t mutex; /* of what follows */
  struct sl_progress progress;
  uint64_t cycles[SL_BENCHMARKS];
  bool running[SL_BENCHMARKS];
  size_t done;
};

/* A job's view while it runs. */
struct job {
  struct bench *bench;
  struct sl_bench_row *row;
  size_t index;
};

static void draw(struct bench *bench)
{
  char line[160];
  uint64_t cycles = 0;
  for (size_t i = 0; i < bench->run.count; i++)
    cycles += bench->cycles[i];
  int n = snprintf(line, sizeof line, "%zu of %zu done, %.1f M cycles; running", bench->done, bench->run.count,
                   1e-6 * (double)cycles);
  for (size_t i = 0; i < bench->run.count; i++)
    if (bench->running[i] && n > 0 && (size_t)n < sizeof line)
      n += snprintf(line + n, sizeof line - (size_t)n, " %s", bench->rows[i].benchmark->name);
  sl_progress_draw(&bench->progress, line);
}

static bool show_progress(void *context, uint64_t cycles)
{
  struct job *job = context;
  struct bench *bench = job->bench;
  pthread_mutex_lock(&bench->mutex);
  bench->cycles[job->index] = cycles;
  if (sl_progress_due(&bench->progress))
    draw(bench);
  pthread_mutex_unlock(&bench->mutex);
  return true;
}

/* Keeps the end of the output for the message about a benchmark that fails. */
static int put_byte(void *context, uint8_t byte)
{
  struct sl_bench_row *row = ((struct job *)context)->row;
  if (row->output_length == sizeof row->output - 1) {
    row->output_length /= 2;
    memmove(row->output, row->output + sizeof row->output - 1 - row->output_length, row->output_length);
  }
  row->output[row->output_length++] = (char)byte;
  row->output[row->output_length] = '\0';
  return 0;
}

static void take_result(struct sl_bench_row *row, const struct sl_device *device)
{
  const struct sl_result *result = sl_device_result(device);
  row->figures = sl_figures_of(row->config->machine, result->launches, result->launch_count);
  row->launches = result->launch_count;
  row->sm_seconds = result->sm_host_seconds;
  row->total_seconds = result->host_seconds;
  row->memory_hash = sl_device_memory_hash(device);
  if (row->code == SL_OK && result->status != 0)
    row->code = sl_fail(&row->error, SL_CHECK_FAILED, "the program's own check failed (status %d)", result->status);
}

static void run_on_device(struct job *job, struct sl_device *device, const struct sl_program *program)
{
  struct sl_bench_row *row = job->row;
  const char *const arguments[] = {row->benchmark->name, job->bench->run.size};
  row->code = sl_device_load(device, program, 2, arguments, &row->error);
  if (row->code != SL_OK)
    return;
  row->code = sl_device_run(device, &row->error);
  take_result(row, device);
}

static void run_row(struct job *job)
{
  struct sl_bench_row *row = job->row;
  const struct sl_device_options options = {
      .console = {job, NULL, put_byte},
      .progress = show_progress,
      .progress_context = job,
      .fast = job->bench->run.fast,
      .max_cycles = job->bench->max_cycles,
  };
  char relative[64], path[SL_PATH];
  struct sl_program *program = NULL;
  struct sl_device *device = NULL;
  snprintf(relative, sizeof relative, "bench/%s.elf", row->benchmark->name);
  row->code = sl_find_data(relative, path, &row->error);
  if (row->code == SL_OK)
    row->code = sl_program_load(path, &program, &row->error);
  if (row->code == SL_OK)
    row->code = sl_device_create(row->config, &options, &device, &row->error);
  if (row->code == SL_OK) {
    run_on_device(job, device, program);
    sl_device_destroy(device);
  }
  sl_program_free(program);
}

static void run_job(void *context, size_t index)
{
  struct bench *bench = context;
  struct job job = {bench, &bench->rows[index], index};
  pthread_mutex_lock(&bench->mutex);
  bench->running[index] = true;
  pthread_mutex_unlock(&bench->mutex);
  run_row(&job);
  pthread_mutex_lock(&bench->mutex);
  bench->running[index] = false;
  bench->done++;
  pthread_mutex_unlock(&bench->mutex);
}

/* The machine for benchmarks that need an FPU: the same one, with it. Machines without such a key are as they are. */
static enum sl_code open_machines(struct bench *bench, struct sl_error *err)
{
  enum sl_code code = sl_open_machine(&bench->choice, &bench->config, err);
  if (code == SL_OK)
    code = sl_open_machine(&bench->choice, &bench->with_fpu, err);
  if (code != SL_OK)
    return code;
  const struct sl_key *fpu = sl_key_find(bench->config.machine->keys, "fpu");
  if (fpu == NULL || sl_key_value(fpu, bench->config.spec) != 0)
    return SL_OK;
  size_t length = strnlen(bench->with_fpu.name, sizeof bench->with_fpu.name - 4);
  memcpy(bench->with_fpu.name + length, "-fp", 4);
  code = sl_config_set(&bench->with_fpu, "fpu=true", err);
  return code == SL_OK ? sl_config_check(&bench->with_fpu, err) : code;
}

static enum sl_code add_row(struct bench *bench, const struct sl_benchmark *benchmark)
{
  bench->rows[bench->run.count++] =
      (struct sl_bench_row){.benchmark = benchmark, .config = benchmark->needs_fpu ? &bench->with_fpu : &bench->config};
  return SL_OK;
}

static const struct sl_benchmark *find_benchmark(const char *name, size_t length)
{
  for (size_t i = 0; i < SL_BENCHMARKS; i++)
    if (strlen(sl_benchmarks[i].name) == length && strncmp(sl_benchmarks[i].name, name, length) == 0)
      return &sl_benchmarks[i];
  return NULL;
}

static enum sl_code unknown_benchmark(const char *name, size_t length, struct sl_error *err)
{
  const char *names[SL_BENCHMARKS];
  char word[80];
  for (size_t i = 0; i < SL_BENCHMARKS; i++)
    names[i] = sl_benchmarks[i].name;
  snprintf(word, sizeof word, "%.*s", (int)(length < 79 ? length : 79), name);
  return sl_unknown(err, "benchmark", word, names, SL_BENCHMARKS);
}

/* Rows for all benchmarks, or for those of a list "NAME,NAME", each once. */
static enum sl_code choose_rows(struct bench *bench, struct sl_error *err)
{
  bool chosen[SL_BENCHMARKS] = {false};
  for (const char *name = bench->only; name != NULL && *name != '\0';) {
    size_t length = strcspn(name, ",");
    const struct sl_benchmark *benchmark = find_benchmark(name, length);
    if (benchmark == NULL)
      return unknown_benchmark(name, length, err);
    chosen[benchmark - sl_benchmarks] = true;
    name += length + (name[length] == ',');
  }
  for (size_t i = 0; i < SL_BENCHMARKS; i++)
    if (bench->only == NULL || chosen[i])
      add_row(bench, &sl_benchmarks[i]);
  if (bench->run.count == 0)
    return sl_fail(err, SL_USAGE, "--only names no benchmark");
  return SL_OK;
}

/* What went wrong, after the table, and the worst of it as the outcome. */
static enum sl_code print_failures(const struct bench *bench)
{
  enum sl_code worst = SL_OK;
  for (size_t i = 0; i < bench->run.count; i++) {
    const struct sl_bench_row *row = &bench->rows[i];
    if (row->code == SL_OK)
      continue;
    fprintf(stderr, "simtlab: %s: %s\n", row->benchmark->name, row->error.text);
    if (row->output_length > 0)
      fprintf(stderr, "%s's output ended with:\n%s\n", row->benchmark->name, row->output);
    worst = row->code > worst ? row->code : worst;
  }
  return worst;
}

static enum sl_code run_suite(struct bench *bench, struct sl_error *err)
{
  struct sl_output json = {0};
  enum sl_code code = bench->json != NULL ? sl_output_open(&json, bench->json, err) : SL_OK;
  if (code != SL_OK)
    return code;
  pthread_mutex_init(&bench->mutex, NULL);
  sl_progress_init(&bench->progress, stderr, bench->quiet);
  sl_parallel(bench->jobs, bench->run.count, run_job, bench);
  sl_progress_hide(&bench->progress);
  pthread_mutex_destroy(&bench->mutex);
  bool to_stdout = bench->json != NULL && json.standard;
  sl_bench_print(&bench->run, to_stdout ? stderr : stdout); /* main tells about a failure of standard output */
  enum sl_code worst = print_failures(bench);
  if (bench->json == NULL)
    return worst;
  code = sl_json_write(sl_bench_json(&bench->run), &json, err);
  enum sl_code closed = sl_output_close(&json, code == SL_OK ? err : NULL);
  code = code == SL_OK ? closed : code;
  if (code == SL_OK && !to_stdout)
    printf("results: %s\n", bench->json);
  return code == SL_OK ? worst : code;
}

static enum sl_code bench_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct bench *bench = calloc(1, sizeof *bench);
  if (bench == NULL)
    return sl_no_memory(err, sizeof *bench);
  *bench = (struct bench){.choice.machine = "simtight", .run = {.size = "small", .rows = bench->rows}, .jobs = 1};
  const struct sl_option options[] = {
      SL_MACHINE_OPTION(bench->choice),
      SL_SET_OPTION(bench->choice),
      {'z', "size", SL_OPTION_TEXT, "small|paper", "problem sizes [small]", &bench->run.size},
      {'o', "only", SL_OPTION_TEXT, "NAME,...", "only these benchmarks", &bench->only},
      {'j', "jobs", SL_OPTION_NUMBER, "N", "benchmarks side by side [1]", &bench->jobs},
      {'f', "fast", SL_OPTION_FLAG, NULL, "same semantics, no timing", &bench->run.fast},
      {'c', "max-cycles", SL_OPTION_NUMBER, "N", "stop each after N cycles", &bench->max_cycles},
      {0, "json", SL_OPTION_TEXT, "FILE", "write results as JSON (- is standard output)", &bench->json},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress display", &bench->quiet},
      {0},
  };
  struct sl_operands operands;
  enum sl_code code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code == SL_OK && !operands.help) {
    if (operands.count > 0)
      code = sl_fail(err, SL_USAGE, "'%.80s' is no option; --only %.80s runs one benchmark", operands.items[0],
                     operands.items[0]);
    else if (strcmp(bench->run.size, "small") != 0 && strcmp(bench->run.size, "paper") != 0)
      code = sl_fail(err, SL_USAGE, "--size is small or paper, not '%.80s'", bench->run.size);
    if (code == SL_OK)
      code = choose_rows(bench, err);
    if (code == SL_OK)
      code = open_machines(bench, err);
    if (code == SL_OK)
      code = run_suite(bench, err);
    sl_config_close(&bench->config);
    sl_config_close(&bench->with_fpu);
  }
  free(bench);
  return code;
}

const struct sl_command sl_bench_command = {
    .name = "bench",
    .operands = "[OPTION]...",
    .summary = "Run the benchmark suite",
    .details = "The float benchmarks run on the same machine with its FPU on. Speeds are of simulating the SM.\n",
    .run = bench_command,
};
