#include "lab/sweep.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lab/process.h"
#include "observe/terminal.h"

enum { MOST_KILLS = 2, MOST_CLAIMED = 256, MOST_FINISHED = 4096, TICK_MILLISECONDS = 100 };

/* Seconds. A worker has the next run already while it executes a short one. It has quick ones for so long that it never
 * waits for this process, which claims and records them in groups. */
#define SHORT_RUN 1.0
#define QUEUED_SECONDS 0.1
#define CLAIMED_SECONDS 0.3
#define GATHERED_NANOSECONDS 12000000

enum run_state { RUN_PENDING, RUN_ACTIVE, RUN_OVER };

struct sweep {
  const struct sl_plan *plan;
  struct sl_record *record;
  const struct sl_sweep_options *options;
  struct sl_sweep_state *state;
  struct sl_worker_process *workers;
  unsigned worker_count;
  size_t *pending;                   /* a queue of run numbers */
  size_t first, claimed, last, room; /* of the queue; those before `claimed` are this process's */
  uint8_t *kills;                    /* by run */
  struct sl_memory_room memory;
  struct sl_counter_names names;
  double started;
};

/* ---- estimates --------------------------------------------------------------------------------------------------- */

enum sl_status sl_sweep_times_open(struct sl_sweep_times *times, const struct sl_plan *plan, struct sl_error *err)
{
  times->machines = plan->study->machines.count;
  const size_t count = times->machines * plan->study->program_count;
  times->seconds = malloc(count * sizeof *times->seconds);
  for (size_t i = 0; times->seconds != NULL && i < count; i++)
    times->seconds[i] = -2;
  return times->seconds != NULL ? SL_OK : sl_no_memory(err, count * sizeof *times->seconds);
}

double sl_sweep_time(struct sl_sweep_times *times, const struct sl_plan *plan, struct sl_record *record, size_t run)
{
  const struct sl_study_point point = sl_study_point(plan->study, plan->runs[run].point);
  double *seconds = &times->seconds[point.program * times->machines + point.machine];
  if (*seconds < -1)
    *seconds = record != NULL ? sl_record_seconds(record, sl_plan_program(plan, run), sl_plan_pipeline(plan, run)) : -1;
  return *seconds;
}

enum sl_status sl_sweep_find(const struct sl_plan *plan, struct sl_record *record, size_t run, bool any_build,
                             enum sl_recorded *state, struct sl_error *err)
{
  bool passed = false;
  enum sl_status code = sl_record_find(record, plan->runs[run].hash, state, err);
  if (code == SL_OK && any_build && *state == SL_RECORDED_NOT)
    code = sl_record_find_task(record, plan->runs[run].task, sl_plan_program(plan, run), &passed, err);
  if (passed)
    *state = SL_RECORDED_PASSED;
  return code;
}

enum sl_status sl_sweep_estimate(const struct sl_plan *plan, struct sl_record *record, bool again, bool any_build,
                                 struct sl_sweep_estimate *estimate, struct sl_error *err)
{
  struct sl_sweep_times times;
  *estimate = (struct sl_sweep_estimate){.runs = plan->count};
  enum sl_status code = sl_sweep_times_open(&times, plan, err);
  for (size_t i = 0; i < plan->count && code == SL_OK; i++) {
    enum sl_recorded state = SL_RECORDED_NOT;
    code = record != NULL ? sl_sweep_find(plan, record, i, any_build, &state, err) : SL_OK;
    if (state == SL_RECORDED_PASSED || (state == SL_RECORDED_FAILED && !again)) {
      estimate->recorded++;
    } else if (state == SL_RECORDED_CLAIM) {
      estimate->elsewhere++;
    } else {
      const double seconds = sl_sweep_time(&times, plan, record, i);
      estimate->to_run++;
      estimate->timed += seconds >= 0;
      estimate->seconds += seconds >= 0 ? seconds : 0;
    }
  }
  free(times.seconds);
  return code;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

void sl_sweep_note(struct sl_sweep_state *state, const struct sl_plan *plan, size_t run, const struct sl_merged *merged)
{
  char name[SL_SWEEP_NAME];
  sl_plan_describe(plan, run, name, sizeof name);
  state->done++;
  state->failed += !merged->passed;
  state->busy += merged->seconds;
  if (merged->seconds > state->slowest) {
    state->slowest = merged->seconds;
    strcpy(state->slowest_run, name);
  }
  if (!merged->passed && state->failure[0] == '\0')
    snprintf(state->failure, sizeof state->failure, "%s: %s", name, merged->message);
}

/* A finished run. result: NULL if it is in the spool. */
struct finished {
  size_t run;
  json_t *result;
};

/* Records a run from its file. Another sweep that starts may have merged it. */
static enum sl_status merge_file(struct sweep *sweep, size_t run, struct sl_merged *merged, struct sl_error *err)
{
  const char *hash = sweep->plan->runs[run].hash, *spool = sweep->options->spool;
  enum sl_recorded recorded = SL_RECORDED_NOT;
  enum sl_status code = sl_spool_merge(spool, hash, sweep->record, merged, err);
  if (code != SL_OK || !merged->missing)
    return code;
  code = sl_record_find(sweep->record, hash, &recorded, err);
  merged->passed = recorded == SL_RECORDED_PASSED;
  if (code == SL_OK && !merged->passed && recorded != SL_RECORDED_FAILED)
    code = sl_fail(err, SL_USAGE, "%.300s: the result of a run has disappeared", spool);
  return code;
}

/* Records finished runs in one transaction. If that fails, for example on a full disk, their results stay in files. */
static enum sl_status merge(struct sweep *sweep, struct finished *finished, size_t count, struct sl_error *err)
{
  const char *spool = sweep->options->spool;
  enum sl_status code = count > 0 ? sl_record_begin(sweep->record, err) : SL_OK;
  for (size_t i = 0; i < count && code == SL_OK; i++) {
    struct sl_merged merged = {0};
    code = finished[i].result != NULL ? sl_result_merge(finished[i].result, sweep->record, &merged, err)
                                      : merge_file(sweep, finished[i].run, &merged, err);
    if (code != SL_OK)
      break;
    sl_sweep_note(sweep->state, sweep->plan, finished[i].run, &merged);
    sl_memory_room_learn(&sweep->memory, finished[i].run, merged.megabytes);
  }
  if (count > 0) {
    const enum sl_status end = sl_record_commit(sweep->record, code == SL_OK ? err : NULL);
    code = code == SL_OK ? end : code;
  }
  for (size_t i = 0; i < count; i++)
    if (finished[i].result != NULL && code != SL_OK)
      sl_spool_write(spool, finished[i].result, false, NULL);
    else if (finished[i].result != NULL)
      json_decref(finished[i].result);
    else if (code == SL_OK)
      sl_spool_remove(spool, sweep->plan->runs[finished[i].run].hash);
  return code;
}

enum sl_status sl_sweep_end_run(const struct sl_plan *plan, const char *spool, size_t run, const char *outcome,
                                int status, const char *message, struct sl_error *err)
{
  struct sl_config config;
  enum sl_status code = sl_plan_config(plan, run, &config, err);
  if (code != SL_OK)
    return code;
  json_t *description = sl_plan_json(plan, run);
  json_t *result = sl_result_json(description, &config, sl_plan_program(plan, run), plan->build);
  sl_result_end(&result, outcome, status, message, 0);
  json_decref(description);
  sl_config_close(&config);
  return result != NULL ? sl_spool_write(spool, result, false, err) : sl_no_memory(err, 1);
}

/* Records that the worker ended during a run, with a status as of waitpid. */
static enum sl_status record_crash(struct sweep *sweep, size_t run, int status, struct sl_error *err)
{
  char message[200];
  const int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  if (WIFSIGNALED(status))
    snprintf(message, sizeof message, "signal %d (%s) ended the simulator%s", number, strsignal(number),
             number == SIGKILL ? " twice; the run may need more memory than the computer has" : "");
  else
    snprintf(message, sizeof message, "the simulator has ended with status %d", number);
  const enum sl_status code = sl_sweep_end_run(sweep->plan, sweep->options->spool, run, "crash", number, message, err);
  return code == SL_OK ? merge(sweep, &(struct finished){run, NULL}, 1, err) : code;
}

/* ---- the queue --------------------------------------------------------------------------------------------------- */

static void put_back(struct sweep *sweep, size_t run)
{
  sweep->pending[sweep->last++ % sweep->room] = run;
}

static size_t *place(struct sweep *sweep, size_t at)
{
  return &sweep->pending[at % sweep->room];
}

/* How many runs of the mean duration take so many seconds. */
static size_t runs_in(const struct sl_sweep_state *state, double seconds, size_t most)
{
  const double mean = state->done > 0 ? state->busy / (double)state->done : seconds;
  return mean * (double)most <= seconds ? most : mean < seconds ? (size_t)(seconds / mean) : 1;
}

static bool takes_less(const struct sl_sweep_state *state, double seconds)
{
  return state->done > 0 && state->busy / (double)state->done < seconds;
}

/* Claims the next runs that no other process has: one, or several short ones in one transaction. */
static enum sl_status claim_runs(struct sweep *sweep, struct sl_error *err)
{
  const size_t wanted = runs_in(sweep->state, CLAIMED_SECONDS, MOST_CLAIMED);
  size_t at = sweep->claimed;
  enum sl_status code = sl_record_begin(sweep->record, err);
  if (code != SL_OK)
    return code;
  for (; at < sweep->last && sweep->claimed - sweep->first < wanted && code == SL_OK; at++) {
    const size_t run = *place(sweep, at);
    bool claimed;
    code = sl_record_claim(sweep->record, sweep->plan->runs[run].hash, sweep->options->again, &claimed, err);
    if (claimed)
      *place(sweep, sweep->claimed++) = run;
    else
      sweep->state->elsewhere++;
  }
  /* Runs that others have leave a gap, which moves to the front. */
  const size_t gap = at - sweep->claimed;
  for (size_t i = sweep->claimed; gap > 0 && i-- > sweep->first;)
    *place(sweep, i + gap) = *place(sweep, i);
  sweep->first += gap;
  sweep->claimed = at;
  const enum sl_status end = sl_record_commit(sweep->record, code == SL_OK ? err : NULL);
  return code == SL_OK ? end : code;
}

/* The next run to start. False: there is none. */
static bool next_run(struct sweep *sweep, size_t *run, enum sl_status *code, struct sl_error *err)
{
  if (sweep->first == sweep->claimed && sweep->claimed < sweep->last)
    *code = claim_runs(sweep, err);
  if (*code != SL_OK || sweep->first == sweep->claimed)
    return false;
  *run = *place(sweep, sweep->first++);
  return true;
}

static enum sl_status fill_queue(struct sweep *sweep, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  sweep->room = sweep->plan->count + 1;
  sweep->pending = malloc(sweep->room * sizeof *sweep->pending);
  sweep->kills = calloc(sweep->room, 1);
  sweep->workers = calloc(sweep->options->jobs, sizeof *sweep->workers);
  if (sweep->pending == NULL || sweep->kills == NULL || sweep->workers == NULL)
    return sl_no_memory(err, sweep->room * sizeof *sweep->pending);
  if ((code = sl_record_begin(sweep->record, err)) != SL_OK) /* one lock instead of one for each run */
    return code;
  for (size_t i = 0; i < sweep->plan->count && code == SL_OK; i++) {
    enum sl_recorded state;
    code = sl_sweep_find(sweep->plan, sweep->record, i, sweep->options->any_build, &state, err);
    if (state == SL_RECORDED_PASSED || (state == SL_RECORDED_FAILED && !sweep->options->again))
      sweep->state->recorded++;
    else
      put_back(sweep, i);
  }
  const enum sl_status end = sl_record_commit(sweep->record, code == SL_OK ? err : NULL);
  return code == SL_OK ? end : code;
}

/* ---- workers ----------------------------------------------------------------------------------------------------- */

static enum sl_status send(struct sweep *sweep, struct sl_worker_process *worker, size_t run, struct sl_error *err)
{
  json_t *description = sl_plan_json(sweep->plan, run);
  char *line = description != NULL ? json_dumps(description, JSON_COMPACT) : NULL;
  json_decref(description);
  if (line == NULL)
    return sl_no_memory(err, 1);
  sl_worker_send(worker, line);
  free(line);
  worker->runs[worker->queued++] = run;
  sweep->state->running++;
  return SL_OK;
}

/* Gives each worker a run, and more if runs are short, as far as there is memory; starts workers that are missing. */
static enum sl_status feed(struct sweep *sweep, struct sl_error *err)
{
  const struct sl_sweep_state *state = sweep->state;
  const size_t queued = runs_in(state, QUEUED_SECONDS, SL_WORKER_QUEUE);
  const size_t depth = queued == 1 && takes_less(state, SHORT_RUN) ? 2 : queued;
  enum sl_status code = SL_OK;
  size_t run;
  sl_memory_room_look(&sweep->memory, sweep->workers, sweep->options->jobs);
  for (size_t level = 0; level < depth && code == SL_OK; level++)
    for (unsigned i = 0; i < sweep->options->jobs && code == SL_OK; i++) {
      struct sl_worker_process *worker = &sweep->workers[i];
      if (worker->queued != level)
        continue;
      if (!next_run(sweep, &run, &code, err))
        break;
      if (!sl_memory_room_take(&sweep->memory, worker, run, state->running == 0)) {
        sweep->first--;
        break;
      }
      if (worker->process == 0)
        code = sl_worker_start(worker, sweep->options->worker, err);
      if (code == SL_OK)
        code = send(sweep, worker, run, err);
    }
  return code;
}

/* The worker has ended: its first run is what ended it, and the others go to another worker. */
static enum sl_status bury(struct sweep *sweep, struct sl_worker_process *worker, struct sl_error *err)
{
  const unsigned queued = worker->queued;
  size_t runs[SL_WORKER_QUEUE];
  memcpy(runs, worker->runs, sizeof runs);
  kill(-worker->process, SIGKILL); /* a command that it has started */
  const int status = sl_worker_end(worker);
  sweep->state->running -= queued;
  sl_memory_room_give(&sweep->memory, worker);
  for (unsigned i = 1; i < queued; i++)
    put_back(sweep, runs[i]);
  if (queued == 0)
    return WIFSIGNALED(status) ? SL_OK : sl_fail(err, SL_USAGE, "a worker has ended (status %d)", WEXITSTATUS(status));
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL || ++sweep->kills[runs[0]] == MOST_KILLS)
    return record_crash(sweep, runs[0], status, err);
  put_back(sweep, runs[0]);
  return SL_OK;
}

/* Takes a line of a worker: its first run is done. */
static enum sl_status take_line(struct sweep *sweep, struct sl_worker_process *worker, const char *line,
                                struct finished *finished, struct sl_error *err)
{
  json_t *result = NULL;
  const char *hash = "";
  if (strncmp(line, "stop ", 5) == 0)
    return sl_fail(err, SL_USAGE, "%s", line + 5);
  if (strncmp(line, "data ", 5) == 0) {
    result = sl_result_take(line + 5, &sweep->names);
    hash = sl_run_text(json_object_get(result, "run"), "hash");
  } else if (strncmp(line, "done ", 5) == 0) {
    hash = line + 5;
  }
  if (worker->queued == 0 || strcmp(hash, sweep->plan->runs[worker->runs[0]].hash) != 0) {
    json_decref(result);
    return sl_fail(err, SL_INTERNAL, "a worker answers '%.200s'", line);
  }
  *finished = (struct finished){worker->runs[0], result};
  worker->queued--;
  memmove(worker->runs, worker->runs + 1, worker->queued * sizeof *worker->runs);
  sweep->state->running--;
  if (worker->queued == 0)
    sl_memory_room_give(&sweep->memory, worker);
  return SL_OK;
}

/* Reads the lines of a worker, and appends the runs that are done. */
static enum sl_status read_worker(struct sweep *sweep, struct sl_worker_process *worker, struct finished *done,
                                  size_t *count, bool *ended, struct sl_error *err)
{
  const char *line;
  enum sl_status code = SL_OK;
  *ended = !sl_worker_read(worker);
  while (code == SL_OK && (line = sl_worker_line(worker)) != NULL) {
    code = take_line(sweep, worker, line, &done[*count], err);
    *count += code == SL_OK;
  }
  return code;
}

static enum sl_status listen_to_workers(struct sweep *sweep, struct sl_error *err)
{
  struct pollfd files[SL_SWEEP_JOBS_MOST];
  struct sl_worker_process *of[SL_SWEEP_JOBS_MOST];
  struct finished done[MOST_FINISHED];
  size_t count = 0;
  nfds_t open = 0;
  enum sl_status code = SL_OK;
  for (unsigned i = 0; i < sweep->options->jobs; i++)
    if (sweep->workers[i].process != 0) {
      files[open] = (struct pollfd){.fd = sweep->workers[i].from, .events = POLLIN};
      of[open++] = &sweep->workers[i];
    }
  if (poll(files, open, TICK_MILLISECONDS) <= 0)
    return SL_OK;
  if (takes_less(sweep->state, SL_QUICK_RUN)) /* several are recorded at once */
    nanosleep(&(struct timespec){.tv_nsec = GATHERED_NANOSECONDS}, NULL);
  for (nfds_t i = 0; i < open && count + SL_WORKER_QUEUE <= MOST_FINISHED && code == SL_OK; i++) {
    bool ended = false;
    if (files[i].revents != 0)
      code = read_worker(sweep, of[i], done, &count, &ended, err);
    if (code == SL_OK && ended)
      code = bury(sweep, of[i], err);
  }
  struct sl_error second;
  const enum sl_status merged = merge(sweep, done, count, code == SL_OK ? err : &second);
  return code == SL_OK ? merged : code;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void update(struct sweep *sweep)
{
  struct sl_sweep_state *state = sweep->state;
  const uint64_t left = sweep->last - sweep->first + state->running;
  state->seconds = sl_seconds() - sweep->started;
  state->workers = 0;
  for (unsigned i = 0; i < sweep->options->jobs && sweep->workers != NULL; i++)
    state->workers += sweep->workers[i].queued > 0;
  state->remaining = state->done > 0 ? state->seconds / (double)state->done * (double)left : -1;
}

static enum sl_status perform(struct sweep *sweep, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  while (code == SL_OK) {
    code = feed(sweep, err);
    if (code != SL_OK || sweep->state->running == 0)
      return code;
    code = listen_to_workers(sweep, err);
    update(sweep);
    if (code == SL_OK && sweep->options->tick != NULL && !sweep->options->tick(sweep->options->context, sweep->state))
      code = SL_STOPPED;
  }
  return code;
}

enum sl_status sl_sweep(const struct sl_plan *plan, struct sl_record *record, const struct sl_sweep_options *options,
                        struct sl_sweep_state *state, struct sl_error *err)
{
  struct sweep sweep = {plan, record, options, state, .started = sl_seconds()};
  *state = (struct sl_sweep_state){.runs = plan->count, .remaining = -1};
  enum sl_status code = sl_spool_merge_all(options->spool, record, NULL, NULL, err);
  if (code == SL_OK)
    code = sl_memory_room_open(&sweep.memory, plan, record, options->megabytes, err);
  if (code == SL_OK)
    code = fill_queue(&sweep, err);
  if (code == SL_OK)
    code = perform(&sweep, err);
  for (unsigned i = 0; sweep.workers != NULL && i < options->jobs; i++)
    if (sweep.workers[i].process != 0) {
      if (sweep.workers[i].queued > 0) /* with the commands that it has started */
        kill(-sweep.workers[i].process, SIGKILL);
      sl_worker_end(&sweep.workers[i]);
    }
  update(&sweep);
  const enum sl_status released = sl_record_release(record, code == SL_OK ? err : NULL);
  free(sweep.workers);
  free(sweep.pending);
  free(sweep.kills);
  sl_memory_room_close(&sweep.memory);
  sl_counter_names_free(&sweep.names);
  return code == SL_OK ? released : code;
}
