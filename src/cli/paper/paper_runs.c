/* Runs of a reproduction: reads the kept ones and simulates the others. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "cli/paper/paper_report.h"
#include "observe/terminal.h"

/* ---- parallel jobs ----------------------------------------------------------------------------------------------- */

struct progress {
  struct sl_paper_runs *runs;
  const struct sl_paper_jobs *jobs;
  atomic_bool stop; /* a job failed; the others would fail, too */
  pthread_mutex_t mutex;
  struct sl_error failure; /* the first one */
};

static void name_job(const void *context, size_t job, char *text, size_t size)
{
  const struct progress *progress = context;
  progress->jobs->name(progress->runs, job, text, size);
}

static void run_job(void *context, size_t job, struct sl_running *running)
{
  struct progress *progress = context;
  struct sl_error failure = {0};
  if (atomic_load(&progress->stop) || progress->jobs->run(progress->runs, job, running, &failure) == SL_OK)
    return;
  pthread_mutex_lock(&progress->mutex);
  if (!atomic_exchange(&progress->stop, true))
    progress->failure = failure;
  pthread_mutex_unlock(&progress->mutex);
}

enum sl_status sl_paper_do(struct sl_paper_runs *runs, const struct sl_paper_jobs *jobs, struct sl_error *err)
{
  struct progress progress = {.runs = runs, .jobs = jobs};
  const struct sl_jobs parallel = {jobs->count, name_job, run_job, &progress, runs->order->quiet};
  pthread_mutex_init(&progress.mutex, NULL);
  enum sl_status code = sl_jobs_run(&parallel, runs->order->jobs, err);
  pthread_mutex_destroy(&progress.mutex);
  if (code == SL_OK && atomic_load(&progress.stop)) {
    *err = progress.failure;
    code = err->code;
  }
  return code;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

enum sl_status sl_paper_make_folder(const struct sl_paper_runs *runs, const char *name, struct sl_error *err)
{
  char path[SL_PATH];
  snprintf(path, sizeof path, "%.3000s/%.500s", runs->folder, name);
  for (char *end = path; *end != '\0';) {
    end += 1 + strcspn(end + 1, "/");
    const char separator = *end;
    *end = '\0';
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
      return sl_fail(err, SL_USAGE, "%.500s: the folder cannot be made (%s)", path, strerror(errno));
    *end = separator;
  }
  return SL_OK;
}

uint64_t sl_paper_hash_file(const char *path, uint64_t seed)
{
  uint64_t hash = seed;
  char buffer[16384];
  size_t length;
  FILE *file = fopen(path, "r");
  while (file != NULL && (length = fread(buffer, 1, sizeof buffer, file)) > 0)
    hash = XXH3_64bits_withSeed(buffer, length, hash);
  if (file != NULL)
    fclose(file);
  return hash;
}

/* ---- one run ----------------------------------------------------------------------------------------------------- */

static const char *benchmark_of(const struct sl_paper_run *run)
{
  const char *slash = strchr(run->name, '/');
  return run->benchmark != NULL ? run->benchmark : slash != NULL ? slash + 1 : run->name;
}

static size_t index_of_cycles(const struct sl_paper_run *run)
{
  size_t index = 0;
  sl_counter_find(run->machine->machine, "cycles", &index);
  return index;
}

static void take_row(struct sl_paper_run *run, const struct sl_bench_row *row)
{
  const struct sl_sampled *s = &row->sampled;
  run->result = (struct sl_saved_run){.launches = row->launches,
                                      .samples = row->samples,
                                      .timed_part = {s->progress, s->timed, s->windows, s->bar[index_of_cycles(run)]}};
  memcpy(run->result.counters, row->counters, sizeof row->counters);
}

enum sl_status sl_paper_run_benchmark(const struct sl_paper_runs *runs, struct sl_paper_run *run,
                                      const struct sl_program *program, struct sl_running *running,
                                      struct sl_error *err)
{
  const struct sl_bench_options options = {
      .size = runs->order->size, .sampling = runs->order->sampling, .whole_program = runs->paper->whole_program};
  struct sl_bench_row *row = calloc(1, sizeof *row);
  if (row == NULL)
    return sl_no_memory(err, sizeof *row);
  row->benchmark = &run->what;
  row->config = run->machine;
  sl_bench_run_program(row, program, &options, sl_running_progress, running);
  take_row(run, row);
  enum sl_status code = row->code;
  *err = row->error;
  if (code == SL_OK && runs->paper->check != NULL)
    code = runs->paper->check(run, row, err);
  if (code != SL_OK && row->output.length > 0)
    run->output = strdup(row->output.text);
  free(row);
  return code;
}

static enum sl_status load(const struct sl_paper_runs *runs, struct sl_paper_run *run, struct sl_program **program,
                           struct sl_error *err)
{
  char path[SL_PATH];
  enum sl_status code = SL_OK;
  if (strncmp(run->program, "programs/", strlen("programs/")) == 0)
    snprintf(path, sizeof path, "%.3000s/%s", runs->folder, run->program);
  else
    code = sl_find_data(run->program, path, err);
  if (code == SL_OK)
    code = sl_program_load(path, program, err);
  if (code == SL_OK)
    run->hash = sl_program_hash(*program);
  return code;
}

static bool read_kept(struct sl_paper_run *run, const struct sl_run_key *key, const char *path)
{
  const bool read = sl_saved_run_read(&run->result, key, path);
  if (run->result.changed)
    fprintf(stderr,
            "simtlab: %s: the record has been changed since it was written (its checksum is another); the run "
            "is made again\n",
            path);
  return read;
}

/* A failed run is recorded in its place. An error is returned only if the run cannot be kept. */
static enum sl_status run_or_reuse(struct sl_paper_runs *runs, struct sl_paper_run *run,
                                   const struct sl_program *program, struct sl_running *running, struct sl_error *err)
{
  const struct sl_paper *paper = runs->paper;
  const struct sl_run_key key = {SL_VERSION,
                                 runs->build,
                                 run->machine,
                                 benchmark_of(run),
                                 run->argument != NULL ? run->argument : runs->order->size,
                                 run->isa != NULL ? run->isa : sl_isa(sl_program_isa(program))->name,
                                 run->hash,
                                 runs->order->sample};
  char path[SL_PATH];
  snprintf(path, sizeof path, "%.3000s/runs/%s.json", runs->folder, run->name);
  run->reused = read_kept(run, &key, path);
  if (run->reused)
    return SL_OK;
  run->result = (struct sl_saved_run){.launches = 1};
  run->code =
      (paper->simulate != NULL ? paper->simulate : sl_paper_run_benchmark)(runs, run, program, running, &run->error);
  return run->code == SL_OK ? sl_saved_run_write(&run->result, &key, path, err) : SL_OK;
}

/* ---- all runs ---------------------------------------------------------------------------------------------------- */

struct sl_paper_run *sl_paper_plan(struct sl_paper_runs *runs, size_t place, size_t config, const char *name, ...)
{
  struct sl_paper_run *run = &runs->runs[place];
  va_list list;
  va_start(list, name);
  vsnprintf(run->name, sizeof run->name, name, list);
  va_end(list);
  run->planned = true;
  run->config = &runs->configs[config];
  run->machine = &runs->machines[config].with[0];
  runs->count++;
  return run;
}

/* The planned run of a job: first those of the last points of all sweeps, which take longest, so that no thread idles
 * long at the end. */
static struct sl_paper_run *run_of(const struct sl_paper_runs *runs, size_t job)
{
  const size_t points = runs->paper->points > 0 ? runs->paper->points : 1;
  for (size_t point = points; point-- > 0;)
    for (size_t place = point; place < runs->paper->places; place += points)
      if (runs->runs[place].planned && job-- == 0)
        return &runs->runs[place];
  return NULL;
}

static void name_run(const struct sl_paper_runs *runs, size_t job, char *text, size_t size)
{
  snprintf(text, size, "%s", run_of(runs, job)->name);
}

static enum sl_status do_run(struct sl_paper_runs *runs, size_t job, struct sl_running *running, struct sl_error *err)
{
  struct sl_paper_run *run = run_of(runs, job);
  struct sl_program *program = NULL;
  enum sl_status code = SL_OK;
  run->code = runs->paper->load != NULL ? runs->paper->load(runs, run, &program, &run->error)
                                        : load(runs, run, &program, &run->error);
  if (run->code == SL_OK)
    code = run_or_reuse(runs, run, program, running, err);
  sl_program_free(program);
  return code;
}

static enum sl_status make_run_folders(const struct sl_paper_runs *runs, struct sl_error *err)
{
  enum sl_status code = sl_paper_make_folder(runs, "runs", err);
  const struct sl_paper_config *last = NULL;
  for (const struct sl_paper_run *run = runs->runs; run < runs->runs + runs->paper->places && code == SL_OK; run++) {
    char name[80];
    if (!run->planned || run->config == last || strchr(run->name, '/') == NULL)
      continue;
    last = run->config;
    snprintf(name, sizeof name, "runs/%s", last->name);
    code = sl_paper_make_folder(runs, name, err);
  }
  return code;
}

static enum sl_status open_machine(struct sl_paper_runs *runs, size_t config, struct sl_error *err)
{
  const struct sl_paper_config *c = &runs->configs[config];
  struct sl_machine_choice choice = {.machine = c->preset};
  for (size_t i = 0; i < SL_PAPER_SETS && c->set[i] != NULL; i++)
    choice.set.items[choice.set.count++] = c->set[i];
  return sl_open_machine(&choice, &runs->machines[config].with[0], err);
}

/* Parses the list "NAME,NAME" of --only; NULL: all. */
static enum sl_status choose(struct sl_paper_runs *runs, struct sl_error *err)
{
  const char *names[SL_PAPER_CHOICES], *list = runs->order->only;
  bool any = list == NULL;
  size_t count = 0;
  for (; (names[count] = runs->paper->choice(count)) != NULL; count++)
    runs->chosen[count] = list == NULL;
  while (list != NULL && *list != '\0') {
    const size_t length = strcspn(list, ",");
    char word[80];
    size_t i = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 79 ? length : 79), list);
    while (i < count && strcmp(names[i], word) != 0)
      i++;
    if (i == count)
      return sl_unknown(err, "benchmark", word, names, count);
    runs->chosen[i] = any = true;
    list += length + (list[length] == ',');
  }
  return any ? SL_OK : sl_fail(err, SL_USAGE, "--only names no benchmark");
}

static enum sl_status begin(struct sl_paper_runs *runs, struct sl_error *err)
{
  const struct sl_paper *paper = runs->paper;
  runs->machines = calloc(paper->config_count, sizeof *runs->machines);
  runs->runs = calloc(paper->places, sizeof *runs->runs);
  runs->state = calloc(1, paper->state + 1);
  if (runs->machines == NULL || runs->runs == NULL || runs->state == NULL)
    return sl_no_memory(err, paper->places * sizeof *runs->runs);
  runs->configs = paper->configs;
  enum sl_status code = paper->choice != NULL ? choose(runs, err) : SL_OK;
  for (size_t c = 0; c < paper->config_count && code == SL_OK; c++)
    code = open_machine(runs, c, err);
  if (code == SL_OK)
    code = paper->plan(runs, err);
  if (code == SL_OK)
    code = sl_command_hash(&runs->build, err);
  if (code == SL_OK)
    code = make_run_folders(runs, err);
  return code == SL_OK && paper->prepare != NULL ? paper->prepare(runs, err) : code;
}

static enum sl_status simulate(struct sl_paper_runs *runs, struct sl_error *err)
{
  const struct sl_paper_jobs jobs = {runs->count, name_run, do_run};
  const enum sl_status code = sl_paper_do(runs, &jobs, err);
  for (const struct sl_paper_run *run = runs->runs; run < runs->runs + runs->paper->places; run++)
    runs->reused += run->reused;
  if (code == SL_OK && runs->paper->compare != NULL)
    runs->paper->compare(runs);
  return code;
}

/* Prints the errors of failed runs to standard error; returns the worst code. */
static enum sl_status print_failures(const struct sl_paper_runs *runs)
{
  enum sl_status worst = SL_OK;
  for (const struct sl_paper_run *run = runs->runs; run < runs->runs + runs->paper->places; run++) {
    if (run->code == SL_OK)
      continue;
    sl_print(stderr, "simtlab: %s%s%s on %s: %s\n", benchmark_of(run), run->argument != NULL ? " " : "",
             run->argument != NULL ? run->argument : "", run->config->name, run->error.text);
    if (run->output != NULL)
      sl_print(stderr, "%s's output ended with:\n%s\n", benchmark_of(run), run->output);
    worst = run->code > worst ? run->code : worst;
  }
  return worst;
}

static enum sl_status run_and_report(struct sl_paper_runs *runs, struct sl_error *err)
{
  enum sl_status code = begin(runs, err);
  if (code == SL_OK)
    code = simulate(runs, err);
  if (code != SL_OK)
    return code;
  const enum sl_status worst = print_failures(runs);
  if (worst != SL_OK)
    return sl_fail(err, worst,
                   "no report is written, because it needs every run; those that passed are kept in %.300s/runs",
                   runs->folder);
  code = sl_paper_write(runs, err);
  if (code == SL_OK)
    sl_print(stdout, "runs: %zu simulated, %zu reused\nreport: %s/index.html\n", runs->count - runs->reused,
             runs->reused, runs->folder);
  return code;
}

enum sl_status sl_paper_reproduce(const struct sl_paper *paper, const struct sl_paper_report *report,
                                  const struct sl_paper_order *order, struct sl_error *err)
{
  struct sl_paper_runs runs = {.paper = paper,
                               .report = report,
                               .order = order,
                               .folder = order->folder,
                               .small = strcmp(order->size, "small") == 0};
  const enum sl_status code = run_and_report(&runs, err);
  for (size_t c = 0; runs.machines != NULL && c < paper->config_count; c++)
    sl_bench_machines_close(&runs.machines[c]);
  for (size_t r = 0; runs.runs != NULL && r < paper->places; r++)
    free(runs.runs[r].output);
  free(runs.machines);
  free(runs.runs);
  free(runs.state);
  return code;
}

uint64_t sl_paper_counter(const struct sl_paper_run *run, const char *name)
{
  size_t i;
  return run != NULL && run->planned && sl_counter_find(run->machine->machine, name, &i) ? run->result.counters[i] : 0;
}

double sl_paper_quotient(double a, double b)
{
  return b > 0 ? a / b : 0;
}
