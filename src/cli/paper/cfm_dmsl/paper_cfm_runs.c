/* Runs of the evaluation: reads the kept ones and simulates the others. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/locations.h"
#include "cli/paper/cfm_dmsl/paper_cfm.h"
#include "cli/paper/kept_run.h"

struct job {
  unsigned char config, kernel, point;
};

/* A reproduction in progress. */
struct progress {
  struct sl_cfm_runs *runs;
  struct job *jobs;
  uint64_t build;
  atomic_size_t reused;
  atomic_bool stop; /* a run could not be written; stop, because others would fail too */
  pthread_mutex_t mutex;
  struct sl_error failure; /* the first such error */
};

size_t sl_cfm_point_count(const struct sl_cfm_runs *runs, size_t kernel)
{
  size_t count = 0;
  while (sl_cfm_sweeps[kernel].points[count] != NULL)
    count++;
  return strcmp(runs->order->size, "small") == 0 ? sl_cfm_sweeps[kernel].small : count;
}

bool sl_cfm_has(const struct sl_cfm_runs *runs, size_t config, size_t kernel)
{
  return (sl_cfm_configs[config].kernels & runs->kernels) >> kernel & 1;
}

struct sl_cfm_point *sl_cfm_point(const struct sl_cfm_runs *runs, size_t config, size_t kernel, size_t point)
{
  return &runs->points[(config * SL_CFM_KERNELS + kernel) * SL_CFM_POINTS + point];
}

static uint64_t key_of(const struct sl_config *machine, const char *name)
{
  const struct sl_key *key = sl_key_find(machine->machine->keys, name);
  return key != NULL ? (uint64_t)sl_key_value(key, machine->spec) : 0;
}

double sl_cfm_peak(const struct sl_cfm_runs *runs, size_t config)
{
  const struct sl_config *machine = &runs->machines[config];
  return (double)(key_of(machine, "lanes") * key_of(machine, "cores"));
}

static void name_job(const void *context, size_t index, char *text, size_t size)
{
  const struct job *job = &((const struct progress *)context)->jobs[index];
  const struct sl_cfm_sweep *sweep = &sl_cfm_sweeps[job->kernel];
  snprintf(text, size, "%s/%s-%s", sl_cfm_configs[job->config].name, sweep->kernel, sweep->points[job->point]);
}

/* gcn_aggr cannot stream; it only uses hardware loops. */
static const char *form_of(const struct job *job)
{
  const char *form = sl_cfm_configs[job->config].form;
  return job->kernel == SL_GCN_AGGR && strcmp(form, "cfm-dmsl") == 0 ? "cfm" : form;
}

/* Keeps the end of the console output. */
static int put_byte(void *context, uint8_t byte)
{
  struct sl_cfm_point *point = context;
  if (point->output_length == sizeof point->output - 1) {
    point->output_length /= 2;
    memmove(point->output, point->output + sizeof point->output - 1 - point->output_length, point->output_length);
  }
  point->output[point->output_length++] = (char)byte;
  point->output[point->output_length] = '\0';
  return 0;
}

/* Parses the program's counts of its kernel region. */
static enum sl_status read_region(struct sl_cfm_point *point)
{
  const char *from = strstr(point->output, "kernel cycles ");
  char verdict[16] = "";
  if (from == NULL ||
      sscanf(from, "kernel cycles %" SCNu64 ", thread instructions %" SCNu64 ", flops %" SCNu64 ": %15s",
             &point->region.cycles, &point->region.thread_instrs, &point->region.flops, verdict) != 4 ||
      strcmp(verdict, "passed") != 0 || point->region.cycles == 0)
    return sl_fail(&point->error, SL_CHECK_FAILED,
                   "the program does not print its kernel's cycles, instructions and FLOPs and that it passed");
  return SL_OK;
}

static void take_result(struct sl_cfm_point *point, const struct sl_device *device, const struct sl_config *machine)
{
  const struct sl_result *result = sl_device_result(device);
  for (size_t i = 0; i < machine->machine->counters->count; i++)
    point->counters[i] = sl_counter_total(machine->machine, i, result->launches, result->launch_count);
  if (point->code == SL_OK && result->status != 0)
    point->code = sl_fail(&point->error, SL_CHECK_FAILED, "the program's own check failed (status %d)", result->status);
  if (point->code == SL_OK)
    point->code = read_region(point);
}

static void simulate(struct sl_cfm_point *point, const struct sl_config *machine, const struct sl_program *program,
                     const struct job *job, struct sl_running *running)
{
  const struct sl_cfm_sweep *sweep = &sl_cfm_sweeps[job->kernel];
  const char *const arguments[] = {sweep->kernel, sweep->points[job->point]};
  const struct sl_device_options options = {.console = {point, NULL, put_byte},
                                            .progress = sl_running_progress,
                                            .progress_context = running,
                                            .whole_program = true};
  struct sl_device *device = NULL;
  point->code = sl_device_create(machine, &options, &device, &point->error);
  if (point->code != SL_OK)
    return;
  point->code = sl_device_load(device, program, 2, arguments, &point->error);
  if (point->code == SL_OK) {
    point->code = sl_device_run(device, &point->error);
    take_result(point, device, machine);
  }
  sl_device_destroy(device);
}

static void stop(struct progress *progress, const struct sl_error *failure)
{
  pthread_mutex_lock(&progress->mutex);
  if (!atomic_exchange(&progress->stop, true))
    progress->failure = *failure;
  pthread_mutex_unlock(&progress->mutex);
}

static enum sl_status keep(const struct sl_cfm_point *point, const struct sl_run_key *key, const char *path,
                           struct sl_error *err)
{
  struct sl_saved_run saved = {.launches = 1};
  saved.region.cycles = point->region.cycles;
  saved.region.thread_instrs = point->region.thread_instrs;
  saved.region.flops = point->region.flops;
  memcpy(saved.counters, point->counters, sizeof saved.counters);
  return sl_saved_run_write(&saved, key, path, err);
}

static bool take_saved(struct sl_cfm_point *point, const struct sl_run_key *key, const char *path)
{
  struct sl_saved_run saved;
  if (!sl_kept_run_read(&saved, key, path) || saved.region.cycles == 0)
    return false;
  point->region.cycles = saved.region.cycles;
  point->region.thread_instrs = saved.region.thread_instrs;
  point->region.flops = saved.region.flops;
  memcpy(point->counters, saved.counters, sizeof point->counters);
  return true;
}

static void run_or_reuse(struct progress *progress, const struct job *job, const struct sl_program *program,
                         struct sl_running *running)
{
  const struct sl_cfm_runs *runs = progress->runs;
  const struct sl_cfm_sweep *sweep = &sl_cfm_sweeps[job->kernel];
  struct sl_cfm_point *point = sl_cfm_point(runs, job->config, job->kernel, job->point);
  const struct sl_run_key key = {SL_VERSION,
                                 progress->build,
                                 &runs->machines[job->config],
                                 sweep->kernel,
                                 sweep->points[job->point],
                                 form_of(job),
                                 sl_program_hash(program),
                                 NULL};
  struct sl_error failure = {0};
  char path[SL_PATH];
  snprintf(path, sizeof path, "%.3000s/runs/%s/%s-%s.json", runs->order->folder, sl_cfm_configs[job->config].name,
           sweep->kernel, sweep->points[job->point]);
  if (take_saved(point, &key, path)) {
    atomic_fetch_add(&progress->reused, 1);
    return;
  }
  simulate(point, key.config, program, job, running);
  if (point->code == SL_OK && keep(point, &key, path, &failure) != SL_OK)
    stop(progress, &failure);
}

static void run_job(void *context, size_t index, struct sl_running *running)
{
  struct progress *progress = context;
  const struct job *job = &progress->jobs[index];
  struct sl_cfm_point *point = sl_cfm_point(progress->runs, job->config, job->kernel, job->point);
  struct sl_program *program = NULL;
  char relative[64], path[SL_PATH];
  if (atomic_load(&progress->stop))
    return;
  snprintf(relative, sizeof relative, "bench-vortex/%s-%s.elf", sl_cfm_sweeps[job->kernel].kernel, form_of(job));
  point->code = sl_find_data(relative, path, &point->error);
  if (point->code == SL_OK)
    point->code = sl_program_load(path, &program, &point->error);
  if (point->code == SL_OK)
    run_or_reuse(progress, job, program, running);
  sl_program_free(program);
}

static enum sl_status open_machines(struct sl_cfm_runs *runs, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t c = 0; c < SL_CFM_CONFIGS && code == SL_OK; c++) {
    struct sl_machine_choice choice = {.machine = sl_cfm_configs[c].preset};
    for (size_t i = 0; i < SL_CFM_SETTINGS && sl_cfm_configs[c].set[i] != NULL; i++)
      choice.set.items[choice.set.count++] = sl_cfm_configs[c].set[i];
    code = sl_open_machine(&choice, &runs->machines[c], err);
  }
  return code;
}

static enum sl_status make_run_folders(const struct sl_cfm_runs *runs, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t c = 0; c < SL_CFM_CONFIGS && code == SL_OK; c++) {
    char path[SL_PATH];
    snprintf(path, sizeof path, "%.3000s/runs/%s", runs->order->folder, sl_cfm_configs[c].name);
    code = sl_paper_make_folders(path, err);
  }
  return code;
}

/* Longest runs first, so that no thread idles long at the end. */
static void list_jobs(struct progress *progress)
{
  struct sl_cfm_runs *runs = progress->runs;
  for (size_t p = SL_CFM_POINTS; p-- > 0;)
    for (size_t c = SL_CFM_CONFIGS; c-- > 0;)
      for (size_t k = SL_CFM_KERNELS; k-- > 0;)
        if (sl_cfm_has(runs, c, k) && p < sl_cfm_point_count(runs, k))
          progress->jobs[runs->count++] = (struct job){(unsigned char)c, (unsigned char)k, (unsigned char)p};
}

static enum sl_status do_jobs(struct progress *progress, struct sl_error *err)
{
  struct sl_cfm_runs *runs = progress->runs;
  list_jobs(progress);
  const struct sl_jobs jobs = {runs->count, name_job, run_job, progress, runs->order->quiet};
  pthread_mutex_init(&progress->mutex, NULL);
  enum sl_status code = sl_jobs_run(&jobs, runs->order->jobs, err);
  pthread_mutex_destroy(&progress->mutex);
  runs->reused = atomic_load(&progress->reused);
  if (code == SL_OK && atomic_load(&progress->stop)) {
    *err = progress->failure;
    code = err->code;
  }
  return code;
}

enum sl_status sl_cfm_run(struct sl_cfm_runs *runs, struct sl_error *err)
{
  const size_t most = (size_t)SL_CFM_CONFIGS * SL_CFM_KERNELS * SL_CFM_POINTS;
  struct progress progress = {.runs = runs, .jobs = calloc(most, sizeof *progress.jobs)};
  runs->points = calloc(most, sizeof *runs->points);
  enum sl_status code = SL_OK;
  if (runs->points == NULL || progress.jobs == NULL)
    code = sl_no_memory(err, most * sizeof *runs->points);
  if (code == SL_OK)
    code = open_machines(runs, err);
  if (code == SL_OK)
    code = sl_command_hash(&progress.build, err);
  if (code == SL_OK)
    code = make_run_folders(runs, err);
  if (code == SL_OK)
    code = do_jobs(&progress, err);
  free(progress.jobs);
  return code;
}

void sl_cfm_free(struct sl_cfm_runs *runs)
{
  for (size_t c = 0; c < SL_CFM_CONFIGS; c++)
    sl_config_close(&runs->machines[c]);
  free(runs->points);
}

enum sl_status sl_cfm_print_failures(const struct sl_cfm_runs *runs)
{
  enum sl_status worst = SL_OK;
  for (size_t c = 0; c < SL_CFM_CONFIGS; c++)
    for (size_t k = 0; k < SL_CFM_KERNELS; k++)
      for (size_t p = 0; p < SL_CFM_POINTS; p++) {
        const struct sl_cfm_point *point = sl_cfm_point(runs, c, k, p);
        if (point->code == SL_OK)
          continue;
        fprintf(stderr, "simtlab: %s %s on %s: %s\n", sl_cfm_sweeps[k].kernel, sl_cfm_sweeps[k].points[p],
                sl_cfm_configs[c].name, point->error.text);
        if (point->output_length > 0)
          fprintf(stderr, "%s's output ended with:\n%s\n", sl_cfm_sweeps[k].kernel, point->output);
        worst = point->code > worst ? point->code : worst;
      }
  return worst;
}
