/* Runs of a reproduction: reads the kept ones and simulates the others. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/jobs.h"
#include "cli/locations.h"
#include "cli/paper/kept_run.h"
#include "cli/paper/paper.h"
#include "observe/output.h"
#include "observe/terminal.h"

/* A reproduction in progress. */
struct progress {
  struct sl_paper_runs *runs;
  struct sl_bench_options options; /* common to all runs, except rv32e */
  uint64_t build;
  atomic_size_t reused;
  atomic_bool stop; /* a run could not be written; stop, because others would fail too */
  pthread_mutex_t mutex;
  struct sl_error failure; /* the first such error */
};

static const struct sl_paper_config *config_of(const struct sl_paper_runs *runs, size_t job)
{
  return &runs->paper->configs[job / runs->benchmark_count];
}

static void name_job(const void *context, size_t job, char *text, size_t size)
{
  const struct sl_paper_runs *runs = ((const struct progress *)context)->runs;
  snprintf(text, size, "%s/%s", config_of(runs, job)->name, runs->rows[job].benchmark->name);
}

enum sl_status sl_paper_make_folders(const char *path, struct sl_error *err)
{
  char part[SL_PATH];
  for (size_t i = 1; i <= strlen(path); i++) {
    if (path[i] != '/' && path[i] != '\0')
      continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
      return sl_fail(err, SL_USAGE, "%.500s: the folder cannot be made (%s)", part, strerror(errno));
  }
  return SL_OK;
}

static enum sl_status make_run_folders(const struct sl_paper_runs *runs, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t c = 0; c < runs->paper->config_count && code == SL_OK; c++) {
    char path[SL_PATH];
    snprintf(path, sizeof path, "%.3000s/runs/%s", runs->folder, runs->paper->configs[c].name);
    code = sl_paper_make_folders(path, err);
  }
  return code;
}

static size_t index_of_cycles(const struct sl_bench_row *row)
{
  size_t index = 0;
  sl_counter_find(row->config->machine, "cycles", &index);
  return index;
}

static void take_saved(struct sl_bench_row *row, const struct sl_saved_run *saved, bool sampled)
{
  row->sampled.settled = sampled;
  row->sampled.progress = saved->timed_part.executed;
  row->sampled.timed = saved->timed_part.timed;
  row->sampled.windows = saved->timed_part.windows;
  row->sampled.bar[index_of_cycles(row)] = saved->timed_part.bar;
  row->launches = (size_t)saved->launches;
  row->samples = saved->samples;
  memcpy(row->counters, saved->counters, sizeof row->counters);
}

static enum sl_status keep(const struct sl_bench_row *row, const struct sl_run_key *key, const char *path,
                           struct sl_error *err)
{
  const struct sl_sampled *s = &row->sampled;
  struct sl_saved_run saved = {.launches = row->launches,
                               .samples = row->samples,
                               .timed_part = {s->progress, s->timed, s->windows, s->bar[index_of_cycles(row)]}};
  memcpy(saved.counters, row->counters, sizeof saved.counters);
  return sl_saved_run_write(&saved, key, path, err);
}

static void stop(struct progress *progress, const struct sl_error *failure)
{
  pthread_mutex_lock(&progress->mutex);
  if (!atomic_exchange(&progress->stop, true))
    progress->failure = *failure;
  pthread_mutex_unlock(&progress->mutex);
}

static void run_or_reuse(struct progress *progress, size_t job, const struct sl_program *program,
                         struct sl_running *running)
{
  struct sl_bench_row *row = &progress->runs->rows[job];
  struct sl_bench_options options = progress->options;
  options.rv32e = config_of(progress->runs, job)->rv32e;
  const struct sl_run_key key = {SL_VERSION,
                                 progress->build,
                                 row->config,
                                 row->benchmark->name,
                                 options.size,
                                 options.rv32e ? "rv32e" : "rv32i",
                                 sl_program_hash(program),
                                 progress->runs->sample};
  struct sl_saved_run saved;
  struct sl_error failure = {0};
  char path[SL_PATH];
  snprintf(path, sizeof path, "%.3000s/runs/%s/%s.json", progress->runs->folder, config_of(progress->runs, job)->name,
           row->benchmark->name);
  if (sl_kept_run_read(&saved, &key, path)) {
    take_saved(row, &saved, key.sample != NULL);
    atomic_fetch_add(&progress->reused, 1);
    return;
  }
  sl_bench_run_program(row, program, &options, sl_running_progress, running);
  if (row->code == SL_OK && keep(row, &key, path, &failure) != SL_OK)
    stop(progress, &failure);
}

static void run_job(void *context, size_t job, struct sl_running *running)
{
  struct progress *progress = context;
  struct sl_bench_row *row = &progress->runs->rows[job];
  struct sl_program *program = NULL;
  if (atomic_load(&progress->stop))
    return;
  row->code = sl_bench_load(row->benchmark, row->config, config_of(progress->runs, job)->rv32e, &program, &row->error);
  if (row->code == SL_OK)
    run_or_reuse(progress, job, program, running);
  sl_program_free(program);
}

static enum sl_status open_machines(struct sl_paper_runs *runs, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t c = 0; c < runs->paper->config_count && code == SL_OK; c++) {
    const struct sl_paper_config *config = &runs->paper->configs[c];
    struct sl_machine_choice choice = {.machine = config->preset};
    for (size_t i = 0; i < sizeof config->set / sizeof config->set[0] && config->set[i] != NULL; i++)
      choice.set.items[choice.set.count++] = config->set[i];
    code = sl_bench_machines_open(&runs->machines[c], &choice, err);
    for (size_t b = 0; b < runs->benchmark_count && code == SL_OK; b++)
      runs->rows[c * runs->benchmark_count + b] = (struct sl_bench_row){
          .benchmark = runs->benchmarks[b], .config = sl_bench_machine(&runs->machines[c], runs->benchmarks[b])};
  }
  return code;
}

static enum sl_status allocate(struct sl_paper_runs *runs, struct sl_error *err)
{
  const size_t configs = runs->paper->config_count, jobs = configs * runs->benchmark_count;
  runs->machines = calloc(configs, sizeof *runs->machines);
  runs->rows = calloc(jobs, sizeof *runs->rows);
  return runs->machines != NULL && runs->rows != NULL ? SL_OK : sl_no_memory(err, jobs * sizeof *runs->rows);
}

static enum sl_status do_jobs(struct progress *progress, uint64_t threads, bool quiet, struct sl_error *err)
{
  struct sl_paper_runs *runs = progress->runs;
  const struct sl_jobs jobs = {runs->paper->config_count * runs->benchmark_count, name_job, run_job, progress, quiet};
  pthread_mutex_init(&progress->mutex, NULL);
  enum sl_status code = sl_jobs_run(&jobs, threads, err);
  pthread_mutex_destroy(&progress->mutex);
  runs->reused = atomic_load(&progress->reused);
  if (code == SL_OK && atomic_load(&progress->stop)) {
    *err = progress->failure;
    code = err->code;
  }
  return code;
}

enum sl_status sl_paper_run(struct sl_paper_runs *runs, uint64_t threads, bool quiet, struct sl_error *err)
{
  struct progress progress = {.runs = runs, .options = {.size = runs->size, .sampling = runs->sampling}};
  enum sl_status code = allocate(runs, err);
  if (code == SL_OK)
    code = open_machines(runs, err);
  if (code == SL_OK)
    code = sl_command_hash(&progress.build, err);
  if (code == SL_OK)
    code = make_run_folders(runs, err);
  return code == SL_OK ? do_jobs(&progress, threads, quiet, err) : code;
}

void sl_paper_free(struct sl_paper_runs *runs)
{
  for (size_t c = 0; runs->machines != NULL && c < runs->paper->config_count; c++)
    sl_bench_machines_close(&runs->machines[c]);
  free(runs->machines);
  free(runs->rows);
}

uint64_t sl_paper_counter(const struct sl_paper_runs *runs, size_t config, size_t benchmark, const char *name)
{
  const struct sl_bench_row *row = &runs->rows[config * runs->benchmark_count + benchmark];
  size_t i;
  return sl_counter_find(row->config->machine, name, &i) ? row->counters[i] : 0;
}

enum sl_status sl_paper_save(const char *folder, const char *name, void (*write)(FILE *file, const void *context),
                             const void *context, struct sl_error *err)
{
  char path[SL_PATH], *text = NULL;
  size_t size = 0;
  struct sl_output output;
  snprintf(path, sizeof path, "%.3000s/%s", folder, name);
  /* Writes through memory, so that a failed write reports its reason. */
  FILE *memory = open_memstream(&text, &size);
  if (memory != NULL)
    write(memory, context);
  const bool complete = memory != NULL && !ferror(memory);
  if (memory == NULL || fclose(memory) != 0 || !complete) {
    free(text);
    return sl_no_memory(err, size);
  }
  enum sl_status code = sl_output_open(&output, path, err);
  if (code == SL_OK) {
    sl_output_write(&output, text, size);
    code = sl_output_close(&output, err);
  }
  free(text);
  return code;
}

static enum sl_status run_and_report(struct sl_paper_runs *runs, const struct sl_paper_order *order,
                                     struct sl_error *err)
{
  const size_t count = runs->paper->config_count * runs->benchmark_count;
  enum sl_status code = sl_paper_run(runs, order->jobs, order->quiet, err);
  if (code != SL_OK)
    return code;
  const enum sl_status worst = sl_bench_print_failures(runs->rows, count);
  if (worst != SL_OK)
    return sl_fail(err, worst,
                   "no report is written, because it needs every run; those that passed are kept in %.300s/runs",
                   runs->folder);
  code = runs->paper->report(runs, err);
  if (code == SL_OK)
    sl_print(stdout, "runs: %zu simulated, %zu reused\nreport: %s/index.html\n", count - runs->reused, runs->reused,
             runs->folder);
  return code;
}

enum sl_status sl_paper_benchmarks(const struct sl_paper *paper, const struct sl_paper_order *order,
                                   struct sl_error *err)
{
  struct sl_paper_runs runs = {.paper = paper,
                               .folder = order->folder,
                               .size = order->size,
                               .sample = order->sample,
                               .sampling = order->sampling};
  enum sl_status code =
      sl_bench_choose(&sl_library_suite, order->only, false, runs.benchmarks, &runs.benchmark_count, err);
  if (code == SL_OK)
    code = run_and_report(&runs, order, err);
  sl_paper_free(&runs);
  return code;
}
