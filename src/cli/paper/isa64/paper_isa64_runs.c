/* Runs of the evaluation: reads the kept ones and simulates the others. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/locations.h"
#include "cli/paper/isa64/paper_isa64.h"
#include "cli/paper/kept_run.h"

/* A reproduction in progress. */
struct progress {
  struct sl_isa64_runs *runs;
  atomic_size_t reused;
  atomic_bool stop; /* a run could not be written; stop, because others would fail too */
  pthread_mutex_t mutex;
  struct sl_error failure; /* the first such error */
};

/* Sizes of the kernels of bench-vortex/, as their argument, for --size small and --size paper. */
static const struct sl_benchmark kernels[SL_ISA64_PARTS - SL_ISA64_KERNELS] = {
    {.name = "saxpy", .size = {"4", "44"}, .kernel = "saxpy"},
    {.name = "sgemv", .size = {"4", "44"}, .kernel = "sgemv"},
    {.name = "sgemm", .size = {"4", "24"}, .kernel = "sgemm"},
    {.name = "knn", .size = {"4", "44"}, .kernel = "knn"},
    {.name = "sfilter", .size = {"4", "24"}, .kernel = "sfilter"},
    {.name = "conv2d", .size = {"2", "2"}, .kernel = "conv2d"},
    {.name = "gcn_aggr", .size = {"cora", "cora"}, .kernel = "gcn_aggr"},
};

static void name_job(const void *context, size_t index, char *text, size_t size)
{
  snprintf(text, size, "%s", ((const struct progress *)context)->runs->runs[index].name);
}

static void simulate_bare(struct sl_isa64_run *run, const struct sl_config *machine,
                          const struct sl_isa64_program *program, struct sl_running *running)
{
  const char *const arguments[] = {program->name};
  const struct sl_device_options options = {
      .progress = sl_running_progress, .progress_context = running, .whole_program = true};
  struct sl_device *device = NULL;
  run->code = sl_device_create(machine, &options, &device, &run->error);
  if (run->code != SL_OK)
    return;
  run->code = sl_device_load(device, program->program, 1, arguments, &run->error);
  if (run->code == SL_OK) {
    sl_isa64_fill(device, program);
    run->code = sl_device_run(device, &run->error);
  }
  if (run->code == SL_OK)
    run->code = sl_isa64_check(device, program, &run->error);
  const struct sl_result *result = sl_device_result(device);
  for (size_t i = 0; i < machine->machine->counters->count; i++)
    run->counters[i] = sl_counter_total(machine->machine, i, result->launches, result->launch_count);
  sl_device_destroy(device);
}

static void simulate_kernel(struct sl_isa64_run *run, const struct sl_config *machine, const struct sl_program *program,
                            const char *size, struct sl_running *running)
{
  const struct sl_bench_options options = {.size = size};
  struct sl_bench_row *row = calloc(1, sizeof *row);
  if (row == NULL) {
    run->code = sl_no_memory(&run->error, sizeof *row);
    return;
  }
  row->benchmark = &kernels[run->part - SL_ISA64_KERNELS];
  row->config = machine;
  sl_bench_run_program(row, program, &options, sl_running_progress, running);
  run->code = row->code;
  run->error = row->error;
  memcpy(run->counters, row->counters, sizeof run->counters);
  if (run->code == SL_OK && row->launches == 0)
    run->code =
        sl_fail(&run->error, SL_CHECK_FAILED, "the program has not launched its kernel %s", row->benchmark->kernel);
  free(row);
}

static void stop(struct progress *progress, const struct sl_error *failure)
{
  pthread_mutex_lock(&progress->mutex);
  if (!atomic_exchange(&progress->stop, true))
    progress->failure = *failure;
  pthread_mutex_unlock(&progress->mutex);
}

static void run_or_reuse(struct progress *progress, struct sl_isa64_run *run, const struct sl_program *program,
                         struct sl_running *running)
{
  const struct sl_isa64_runs *runs = progress->runs;
  const struct sl_run_key key = {SL_VERSION,
                                 runs->build,
                                 &runs->machines[run->machine],
                                 run->name,
                                 runs->order->size,
                                 sl_isa(sl_program_isa(program))->name,
                                 sl_program_hash(program),
                                 NULL};
  struct sl_saved_run saved;
  struct sl_error failure = {0};
  char path[SL_PATH];
  snprintf(path, sizeof path, "%.3000s/runs/%s.json", runs->order->folder, run->name);
  if (sl_kept_run_read(&saved, &key, path)) {
    memcpy(run->counters, saved.counters, sizeof run->counters);
    atomic_fetch_add(&progress->reused, 1);
    return;
  }
  if (run->part < SL_ISA64_KERNELS)
    simulate_bare(run, key.config, &runs->programs[run->program], running);
  else
    simulate_kernel(run, key.config, program, runs->order->size, running);
  saved = (struct sl_saved_run){.launches = 1};
  memcpy(saved.counters, run->counters, sizeof saved.counters);
  if (run->code == SL_OK && sl_saved_run_write(&saved, &key, path, &failure) != SL_OK)
    stop(progress, &failure);
}

/* The kernel's plain variant for RV32, from the build. */
static void run_rv32(struct progress *progress, struct sl_isa64_run *run, struct sl_running *running)
{
  char relative[64], path[SL_PATH];
  struct sl_program *program = NULL;
  snprintf(relative, sizeof relative, "bench-vortex/%s-plain.elf", sl_isa64_parts[run->part]);
  run->code = sl_find_data(relative, path, &run->error);
  if (run->code == SL_OK)
    run->code = sl_program_load(path, &program, &run->error);
  if (run->code == SL_OK)
    run_or_reuse(progress, run, program, running);
  sl_program_free(program);
}

static void run_job(void *context, size_t index, struct sl_running *running)
{
  struct progress *progress = context;
  struct sl_isa64_run *run = &progress->runs->runs[index];
  if (atomic_load(&progress->stop))
    return;
  if (run->program == SL_ISA64_RV32_PROGRAM)
    run_rv32(progress, run, running);
  else
    run_or_reuse(progress, run, progress->runs->programs[run->program].program, running);
}

enum sl_status sl_isa64_run(struct sl_isa64_runs *runs, struct sl_error *err)
{
  struct progress progress = {.runs = runs};
  const struct sl_jobs jobs = {runs->count, name_job, run_job, &progress, runs->order->quiet};
  char folder[SL_PATH];
  snprintf(folder, sizeof folder, "%.3000s/runs", runs->order->folder);
  enum sl_status code = sl_paper_make_folders(folder, err);
  if (code != SL_OK)
    return code;
  pthread_mutex_init(&progress.mutex, NULL);
  code = sl_jobs_run(&jobs, runs->order->jobs, err);
  pthread_mutex_destroy(&progress.mutex);
  runs->reused = atomic_load(&progress.reused);
  if (code == SL_OK && atomic_load(&progress.stop)) {
    *err = progress.failure;
    code = err->code;
  }
  return code;
}

enum sl_status sl_isa64_print_failures(const struct sl_isa64_runs *runs)
{
  enum sl_status worst = SL_OK;
  for (const struct sl_isa64_run *run = runs->runs; run < runs->runs + runs->count; run++) {
    if (run->code != SL_OK)
      fprintf(stderr, "simtlab: %s on %s: %s\n", run->name, runs->machines[run->machine].name, run->error.text);
    worst = run->code > worst ? run->code : worst;
  }
  return worst;
}

void sl_isa64_free(struct sl_isa64_runs *runs)
{
  for (size_t m = 0; m < SL_ISA64_MACHINES; m++)
    sl_config_close(&runs->machines[m]);
  for (size_t p = 0; p < runs->program_count; p++)
    sl_program_free(runs->programs[p].program);
}

const struct sl_isa64_run *sl_isa64_find(const struct sl_isa64_runs *runs, const char *format, ...)
{
  char name[80];
  va_list list;
  va_start(list, format);
  vsnprintf(name, sizeof name, format, list);
  va_end(list);
  for (const struct sl_isa64_run *run = runs->runs; run < runs->runs + runs->count; run++)
    if (strcmp(run->name, name) == 0)
      return run;
  return NULL;
}

uint64_t sl_isa64_counter(const struct sl_isa64_runs *runs, const struct sl_isa64_run *run, const char *name)
{
  size_t i;
  return run != NULL && sl_counter_find(runs->machines[run->machine].machine, name, &i) ? run->counters[i] : 0;
}
