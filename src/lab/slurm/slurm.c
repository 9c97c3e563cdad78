#include "lab/slurm/slurm.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "observe/json.h"
#include "observe/terminal.h"

enum { MOST_ATTEMPTS = 3, LOST_LOOKS = 2, QUIET_LOOKS = 60, REFUSED_LOOKS = 5, MANY_TASKS = 100, LINE = 1200 };

/* Seconds: of a chunk, of a run whose time is unknown, added to a limit. */
#define CHUNK_SECONDS 60.0
#define UNKNOWN_SECONDS 10.0
#define LIMIT_MARGIN 60.0
#define LIMIT_FACTOR 3.0

enum run_state { RUN_ELSEWHERE, RUN_PENDING, RUN_SUBMITTED, RUN_OVER };

struct cluster_run {
  uint8_t state, attempts;
  uint32_t chunk; /* most runs in its chunk; 0: any number */
};

struct cluster {
  const struct sl_plan *plan;
  struct sl_record *record;
  const struct sl_slurm_options *options;
  struct sl_sweep_state *state;
  struct sl_sweep_times times;
  struct cluster_run *runs;
  const struct sl_plan_run **by_hash; /* in the order of their hashes */
  struct sl_slurm_job jobs[SL_SLURM_JOBS];
  unsigned job_count, quiet; /* looks since a run has ended */
  size_t most_tasks;         /* of a job; halved when the cluster refuses one */
  unsigned refused;          /* looks until the next attempt after that */
  char refusal[400];
  char command[SL_SPOOL_PATH];
  double started, ended; /* when the sweep has started, when a run has ended last */
};

/* ---- runs by hash ------------------------------------------------------------------------------------------------ */

static int compare_hashes(const void *a, const void *b)
{
  const struct sl_plan_run *const *x = a, *const *y = b;
  return strcmp((*x)->hash, (*y)->hash);
}

/* SIZE_MAX: the study has no such run. */
static size_t find_run(const struct cluster *c, const char *hash)
{
  size_t low = 0, high = c->plan->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const int order = strcmp(c->by_hash[middle]->hash, hash);
    if (order == 0)
      return (size_t)(c->by_hash[middle] - c->plan->runs);
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return SIZE_MAX;
}

static void merged_run(void *context, const char *hash, const struct sl_merged *merged)
{
  struct cluster *c = context;
  const size_t run = find_run(c, hash);
  if (run == SIZE_MAX || c->runs[run].state == RUN_OVER)
    return;
  c->state->running -= c->runs[run].state == RUN_SUBMITTED;
  c->runs[run].state = RUN_OVER;
  c->quiet = 0;
  c->ended = sl_seconds();
  sl_sweep_note(c->state, c->plan, run, merged);
}

/* ---- submission -------------------------------------------------------------------------------------------------- */

static void submitted(struct cluster *c, size_t run)
{
  c->state->running += c->runs[run].state != RUN_SUBMITTED;
  c->runs[run].state = RUN_SUBMITTED;
}

/* Takes the pending runs from *next on that make up a chunk. */
static enum sl_status take_chunk(struct cluster *c, size_t *next, struct sl_slurm_task *task, struct sl_error *err)
{
  double seconds = 0;
  size_t most = SIZE_MAX, room = 0;
  *task = (struct sl_slurm_task){0};
  for (; *next < c->plan->count; ++*next) {
    const struct cluster_run *run = &c->runs[*next];
    if (run->state != RUN_PENDING)
      continue;
    const double known = sl_sweep_time(&c->times, c->plan, c->record, *next),
                 own = known >= 0 ? known : UNKNOWN_SECONDS;
    most = run->chunk > 0 && run->chunk < most ? run->chunk : most;
    if (task->count > 0 && (seconds + own > CHUNK_SECONDS || task->count >= most))
      break;
    if (task->count == room) {
      size_t *larger = realloc(task->runs, (room = 2 * room + 16) * sizeof *larger);
      if (larger == NULL)
        return sl_no_memory(err, room * sizeof *larger);
      task->runs = larger;
    }
    task->runs[task->count++] = *next;
    seconds += own;
  }
  task->limit = LIMIT_FACTOR * seconds + LIMIT_MARGIN;
  return SL_OK;
}

static enum sl_status write_task(const struct cluster *c, const struct sl_slurm_job *job, size_t number,
                                 struct sl_error *err)
{
  const struct sl_slurm_task *task = &job->tasks[number];
  json_t **runs = calloc(task->count, sizeof *runs);
  enum sl_status code = runs != NULL ? SL_OK : sl_no_memory(err, task->count * sizeof *runs);
  for (size_t i = 0; code == SL_OK && i < task->count; i++)
    if ((runs[i] = sl_plan_json(c->plan, task->runs[i])) == NULL)
      code = sl_no_memory(err, 1);
  if (code == SL_OK)
    code = sl_slurm_write_task(job, number, runs, err);
  for (size_t i = 0; runs != NULL && i < task->count; i++)
    json_decref(runs[i]);
  free(runs);
  return code;
}

/* Submits pending runs as one job, from *next on. */
static enum sl_status submit_job(struct cluster *c, size_t *next, size_t most, struct sl_error *err)
{
  if (c->job_count == SL_SLURM_JOBS)
    return sl_fail(err, SL_USAGE, "a sweep has at most %d jobs of Slurm", SL_SLURM_JOBS);
  struct sl_slurm_job *job = &c->jobs[c->job_count++];
  double longest = 0;
  *job = (struct sl_slurm_job){.tasks = calloc(most, sizeof *job->tasks)};
  enum sl_status code = job->tasks != NULL ? SL_OK : sl_no_memory(err, most * sizeof *job->tasks);
  while (code == SL_OK && job->count < most) {
    struct sl_slurm_task *task = &job->tasks[job->count];
    code = take_chunk(c, next, task, err);
    if (task->count == 0) {
      free(task->runs);
      break;
    }
    job->count++;
    longest = task->limit > longest ? task->limit : longest;
  }
  if (code == SL_OK)
    code = sl_slurm_make_folder(job, c->options->spool, err);
  for (size_t i = 0; i < job->count && code == SL_OK; i++)
    code = write_task(c, job, i, err);
  if (code == SL_OK)
    code = sl_slurm_write_script(job, c->options->spool, c->command, err);
  if (code == SL_OK)
    code = sl_slurm_submit(job, c->options->partition, longest, err);
  for (size_t i = 0; i < job->count && code == SL_OK; i++)
    for (size_t k = 0; k < job->tasks[i].count; k++)
      submitted(c, job->tasks[i].runs[k]);
  if (code == SL_OK)
    return SL_OK;
  if (job->folder[0] != '\0')
    sl_slurm_remove(job->folder);
  if (code == SL_PAUSED) /* a limit of the queue: smaller jobs, later */
    c->most_tasks = (job->count + 1) / 2;
  sl_slurm_job_free(job);
  c->job_count--;
  return code;
}

static bool any_pending(const struct cluster *c, size_t *first)
{
  while (*first < c->plan->count && c->runs[*first].state != RUN_PENDING)
    ++*first;
  return *first < c->plan->count;
}

static enum sl_status submit(struct cluster *c, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  size_t next = 0;
  if (!any_pending(c, &next) || (c->refused > 0 && --c->refused > 0))
    return SL_OK;
  if (c->most_tasks == 0)
    c->most_tasks = sl_slurm_most_tasks();
  c->refusal[0] = '\0';
  while (code == SL_OK && any_pending(c, &next))
    code = submit_job(c, &next, c->most_tasks, err);
  if (code != SL_PAUSED)
    return code;
  c->refused = REFUSED_LOOKS;
  snprintf(c->refusal, sizeof c->refusal, "%.399s", err->text);
  return SL_OK;
}

/* ---- tasks that are over ----------------------------------------------------------------------------------------- */

/* The runs of a task that have no result move to the front; returns their number. */
static size_t missing_runs(const struct cluster *c, struct sl_slurm_task *task)
{
  size_t missing = 0;
  for (size_t i = 0; i < task->count; i++)
    if (c->runs[task->runs[i]].state == RUN_SUBMITTED &&
        !sl_spool_has(c->options->spool, c->plan->runs[task->runs[i]].hash))
      task->runs[missing++] = task->runs[i];
  return missing;
}

static void retry(struct cluster *c, size_t run)
{
  c->runs[run].state = RUN_PENDING;
  c->state->running--;
}

static enum sl_status end_run(const struct cluster *c, size_t run, const char *outcome, int status, const char *message,
                              struct sl_error *err)
{
  return sl_sweep_end_run(c->plan, c->options->spool, run, outcome, status, message, err);
}

/* A worker that cannot go on has said why in its last line. */
static enum sl_status stopped(const struct sl_slurm_job *job, size_t number, int status, const char *host,
                              struct sl_error *err)
{
  char line[LINE], last[LINE] = "";
  FILE *log = sl_slurm_open(job->folder, number, ".log");
  while (log != NULL && fgets(line, sizeof line, log) != NULL)
    strcpy(last, line);
  if (log != NULL)
    fclose(log);
  last[strcspn(last, "\n")] = '\0';
  if (strncmp(last, "stop ", 5) == 0)
    return sl_fail(err, SL_USAGE, "%.900s", last + 5);
  return sl_fail(err, SL_USAGE, "a worker on %.80s has ended with status %d: %.600s", host, status, last);
}

/* A task has met its limit: it goes in halves, and a single run has no result but this. */
static enum sl_status out_of_time(struct cluster *c, const struct sl_slurm_task *task, size_t missing,
                                  struct sl_error *err)
{
  char message[100];
  if (missing > 1) {
    for (size_t i = 0; i < missing; i++) {
      c->runs[task->runs[i]].chunk = (uint32_t)((missing + 1) / 2);
      retry(c, task->runs[i]);
    }
    return SL_OK;
  }
  snprintf(message, sizeof message, "the run took more than its limit of %.0f s", task->limit);
  return end_run(c, task->runs[0], "time-out", 124, message, err);
}

/* The first run without a result is what ended the worker. */
static enum sl_status crashed(struct cluster *c, const struct sl_slurm_task *task, size_t missing, int number,
                              const char *host, struct sl_error *err)
{
  char message[200];
  snprintf(message, sizeof message, "signal %d (%s) ended the simulator on %.60s", number, strsignal(number), host);
  for (size_t i = 1; i < missing; i++)
    retry(c, task->runs[i]);
  return end_run(c, task->runs[0], "crash", number, message, err);
}

static enum sl_status lost(struct cluster *c, const struct sl_slurm_task *task, size_t missing, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < missing && code == SL_OK; i++)
    if (++c->runs[task->runs[i]].attempts < MOST_ATTEMPTS)
      retry(c, task->runs[i]);
    else
      code = end_run(c, task->runs[i], "crash", 1, "its task of Slurm ended three times without a result", err);
  return code;
}

/* Looks whether a task is over, and if so at its runs without results. */
static enum sl_status look_at_task(struct cluster *c, const struct sl_slurm_job *job, size_t number,
                                   struct sl_error *err)
{
  struct sl_slurm_task *task = &job->tasks[number];
  char host[100] = "a node";
  int status = 0;
  FILE *end = sl_slurm_open(job->folder, number, ".end");
  if (end == NULL && task->absent < LOST_LOOKS)
    return SL_OK;
  if (end != NULL && fscanf(end, "%d %99s", &status, host) < 1)
    status = -1;
  const bool known = end != NULL && status >= 0;
  if (end != NULL)
    fclose(end);
  task->over = true;
  const size_t missing = missing_runs(c, task);
  if (missing == 0)
    return SL_OK;
  if (!known || status == 0)
    return lost(c, task, missing, err);
  if (status == 124 || status == 128 + SIGKILL)
    return out_of_time(c, task, missing, err);
  return status > 128 ? crashed(c, task, missing, status - 128, host, err) : stopped(job, number, status, host, err);
}

static bool is_over(const struct sl_slurm_job *job)
{
  for (size_t i = 0; i < job->count; i++)
    if (!job->tasks[i].over)
      return false;
  return true;
}

static enum sl_status look_at_jobs(struct cluster *c, size_t *open_tasks, char *answer, size_t size,
                                   struct sl_error *err)
{
  enum sl_status code = SL_OK;
  *open_tasks = 0;
  for (unsigned i = 0; i < c->job_count && code == SL_OK;) {
    struct sl_slurm_job *job = &c->jobs[i];
    sl_slurm_look(job, answer, size);
    for (size_t k = 0; k < job->count && code == SL_OK; k++) {
      if (!job->tasks[k].over)
        code = look_at_task(c, job, k, err);
      *open_tasks += !job->tasks[k].over;
    }
    if (code == SL_OK && is_over(job)) {
      sl_slurm_remove(job->folder);
      sl_slurm_job_free(job);
      *job = c->jobs[--c->job_count];
    } else {
      i++;
    }
  }
  return code;
}

/* ---- earlier jobs ------------------------------------------------------------------------------------------------ */

/* Reads the runs of a task; those of another study are not in the plan. */
static enum sl_status read_task(struct cluster *c, struct sl_slurm_task *task, FILE *file, struct sl_error *err)
{
  char *line = NULL;
  size_t size = 0;
  enum sl_status code = SL_OK;
  while (code == SL_OK && getline(&line, &size, file) > 0) {
    json_error_t ignored;
    json_t *run = json_loads(line, 0, &ignored);
    const size_t number = find_run(c, sl_run_text(run, "hash"));
    json_decref(run);
    if (number == SIZE_MAX)
      continue;
    size_t *larger = realloc(task->runs, (task->count + 1) * sizeof *larger);
    if (larger == NULL) {
      code = sl_no_memory(err, (task->count + 1) * sizeof *larger);
      break;
    }
    task->runs = larger;
    task->runs[task->count++] = number;
  }
  free(line);
  return code;
}

/* Takes over the job of a folder, if it has runs of this study. */
static enum sl_status adopt(void *context, const char *folder, struct sl_error *err)
{
  struct cluster *c = context;
  struct sl_slurm_job job = {.tasks = calloc(SL_SLURM_TASKS, sizeof *job.tasks)};
  enum sl_status code = job.tasks != NULL ? SL_OK : sl_no_memory(err, SL_SLURM_TASKS * sizeof *job.tasks);
  size_t runs = 0, pending = 0;
  FILE *file;
  snprintf(job.folder, sizeof job.folder, "%s", folder);
  while (code == SL_OK && job.count < SL_SLURM_TASKS && (file = sl_slurm_open(folder, job.count, "")) != NULL) {
    struct sl_slurm_task *task = &job.tasks[job.count];
    code = read_task(c, task, file, err);
    fclose(file);
    runs += task->count;
    for (size_t k = 0; k < task->count; k++)
      pending += c->runs[task->runs[k]].state == RUN_PENDING;
    if ((file = sl_slurm_open(folder, job.count++, ".limit")) != NULL) {
      if (fscanf(file, "%lf", &task->limit) != 1)
        task->limit = 0;
      fclose(file);
    }
  }
  if (code == SL_OK && runs > 0)
    code = sl_slurm_find(&job, err);
  /* Without a job, a sweep that has ended has left it: its runs are claimed by this one, and start again. */
  if (code == SL_OK && pending > 0 && job.number[0] == '\0')
    sl_slurm_remove(folder);
  const bool ours = code == SL_OK && runs > 0 && job.number[0] != '\0' && c->job_count < SL_SLURM_JOBS;
  if (!ours) {
    sl_slurm_job_free(&job);
    return code;
  }
  for (size_t i = 0; i < job.count; i++)
    for (size_t k = 0; k < job.tasks[i].count; k++)
      if (c->runs[job.tasks[i].runs[k]].state == RUN_PENDING)
        submitted(c, job.tasks[i].runs[k]);
  c->jobs[c->job_count++] = job;
  return SL_OK;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Claims the runs that are not recorded, so that no other sweep starts them. */
static enum sl_status choose_runs(struct cluster *c, struct sl_error *err)
{
  enum sl_status code = sl_record_begin(c->record, err);
  if (code != SL_OK)
    return code;
  for (size_t i = 0; i < c->plan->count && code == SL_OK; i++) {
    enum sl_recorded recorded;
    bool claimed;
    code = sl_sweep_find(c->plan, c->record, i, c->options->any_build, &recorded, err);
    if (code == SL_OK && (recorded == SL_RECORDED_PASSED || (recorded == SL_RECORDED_FAILED && !c->options->again))) {
      c->state->recorded++;
      c->runs[i].state = RUN_OVER;
      continue;
    }
    if (code == SL_OK)
      code = sl_record_claim(c->record, c->plan->runs[i].hash, c->options->again, &claimed, err);
    if (code == SL_OK) {
      c->runs[i].state = claimed ? RUN_PENDING : RUN_ELSEWHERE;
      c->state->elsewhere += !claimed;
    }
  }
  const enum sl_status end = sl_record_commit(c->record, code == SL_OK ? err : NULL);
  return code == SL_OK ? end : code;
}

/* The nodes' copy of the simulator, named by its hash. */
static enum sl_status copy_command(struct cluster *c, struct sl_error *err)
{
  char bytes[1 << 16];
  struct sl_whole_file copy;
  snprintf(c->command, sizeof c->command, "%.4000s/simtlab.%.16s", c->options->spool, c->plan->build->hash);
  if (access(c->command, X_OK) == 0)
    return SL_OK;
  FILE *own = fopen(c->options->command, "rbe");
  if (own == NULL)
    return sl_fail(err, SL_USAGE, "%.300s: cannot be read", c->options->command);
  enum sl_status code = sl_whole_file_open(&copy, c->command, err);
  if (code == SL_OK) {
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, own)) > 0;)
      fwrite(bytes, 1, size, copy.file);
    fchmod(fileno(copy.file), 0755);
    code = sl_whole_file_close(&copy, true, err);
  }
  fclose(own);
  return code;
}

/* Waits until the next look, with ticks. */
static bool wait_for_look(const struct cluster *c, double seconds)
{
  const double end = sl_seconds() + seconds;
  do {
    if (c->options->tick != NULL && !c->options->tick(c->options->context, c->state))
      return false;
    const double left = end - sl_seconds();
    const struct timespec pause = {.tv_nsec = (long)(1e9 * (left < 0.1 ? left > 0 ? left : 0 : 0.1))};
    nanosleep(&pause, NULL);
  } while (sl_seconds() < end);
  return true;
}

static void warn(struct cluster *c, const char *answer)
{
  char complaint[600], sentence[1000];
  if (++c->quiet % QUIET_LOOKS != 0 || c->options->warn == NULL)
    return;
  sl_slurm_complaint(complaint, sizeof complaint);
  const bool held = complaint[0] == '\0' && strstr(answer, "held") != NULL;
  snprintf(sentence, sizeof sentence, "no run has ended for %.0f s: %.900s%s%.*s", sl_seconds() - c->ended,
           complaint[0] != '\0'    ? complaint
           : c->refusal[0] != '\0' ? c->refusal
           : answer[0] != '\0'     ? answer
                                   : "squeue names no task",
           held ? "; release it with scontrol release " : "", held ? (int)strcspn(answer, " ") : 0, answer);
  c->options->warn(c->options->context, sentence);
}

static enum sl_status perform(struct cluster *c, struct sl_error *err)
{
  char answer[300] = "";
  size_t open_tasks = 0;
  for (;;) {
    enum sl_status code = sl_spool_merge_all(c->options->spool, c->record, merged_run, c, err);
    if (code == SL_OK)
      code = submit(c, err);
    if (code == SL_OK)
      code = look_at_jobs(c, &open_tasks, answer, sizeof answer, err);
    c->state->seconds = sl_seconds() - c->started;
    c->state->workers = (unsigned)open_tasks;
    c->state->remaining =
        c->state->done > 0 ? c->state->seconds / (double)c->state->done * (double)c->state->running : -1;
    size_t first = 0;
    if (code != SL_OK || (c->state->running == 0 && !any_pending(c, &first) && c->job_count == 0))
      return code;
    warn(c, answer);
    if (!wait_for_look(c, c->options->poll * (open_tasks >= MANY_TASKS ? 5 : 1)))
      return SL_STOPPED;
  }
}

static enum sl_status count_folder(void *context, const char *folder, struct sl_error *err)
{
  (void)folder;
  (void)err;
  ++*(unsigned *)context;
  return SL_OK;
}

enum sl_status sl_slurm_sweep(const struct sl_plan *plan, struct sl_record *record,
                              const struct sl_slurm_options *options, struct sl_sweep_state *state,
                              struct sl_error *err)
{
  *state = (struct sl_sweep_state){.runs = plan->count, .remaining = -1};
  struct cluster *c = calloc(1, sizeof *c);
  if (c == NULL)
    return sl_no_memory(err, sizeof *c);
  *c = (struct cluster){.plan = plan, .record = record, .options = options, .state = state, .started = sl_seconds()};
  c->ended = c->started;
  c->runs = calloc(plan->count + 1, sizeof *c->runs);
  c->by_hash = malloc((plan->count + 1) * sizeof *c->by_hash);
  enum sl_status code =
      c->runs != NULL && c->by_hash != NULL ? SL_OK : sl_no_memory(err, plan->count * sizeof *c->runs);
  for (size_t i = 0; code == SL_OK && i < plan->count; i++)
    c->by_hash[i] = &plan->runs[i];
  if (code == SL_OK) {
    qsort(c->by_hash, plan->count, sizeof *c->by_hash, compare_hashes);
    code = sl_sweep_times_open(&c->times, plan, err);
  }
  if (code == SL_OK)
    code = sl_spool_merge_all(options->spool, record, NULL, NULL, err);
  if (code == SL_OK)
    code = choose_runs(c, err);
  if (code == SL_OK)
    code = copy_command(c, err);
  if (code == SL_OK)
    code = sl_slurm_each(options->spool, adopt, c, err);
  if (code == SL_OK)
    code = perform(c, err);
  unsigned folders = 0;
  if (code == SL_OK && sl_slurm_each(options->spool, count_folder, &folders, err) == SL_OK && folders == 0)
    unlink(c->command); /* no job of another study needs it */
  const enum sl_status released = sl_record_release(record, code == SL_OK ? err : NULL);
  for (unsigned i = 0; i < c->job_count; i++)
    sl_slurm_job_free(&c->jobs[i]);
  free(c->times.seconds);
  free(c->by_hash);
  free(c->runs);
  free(c);
  return code == SL_OK ? released : code;
}

static enum sl_status cancel_folder(void *context, const char *folder, struct sl_error *err)
{
  (void)err;
  *(unsigned *)context += sl_slurm_cancel_job(folder);
  sl_slurm_remove(folder);
  return SL_OK;
}

enum sl_status sl_slurm_cancel(const char *spool, unsigned *jobs, struct sl_error *err)
{
  *jobs = 0;
  return sl_slurm_each(spool, cancel_folder, jobs, err);
}
