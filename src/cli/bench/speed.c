#include "cli/bench/speed.h"

#include <stdlib.h>
#include <time.h>

#include "cli/bench/host_counter.h"
#include "cli/help/provenance.h"
#include "cli/jobs.h"
#include "func/jit/jit.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/table.h"

/* A program runs repeatedly for this many seconds and the best run counts; 20 figures take about 25 seconds. */
static const double seconds_per_figure = 1.0;

/* Measurements: the event that is counted, and a problem size with enough events. */
static const struct way {
  const char *name, *events, *size;
  bool fast, sampled;
  enum sl_execution_mode mode;
} ways[] = {
    {"timed", "cycles", "small", false, false, SL_MODE_EMITTED},
    {"sampled", "cycles", "paper", false, true, SL_MODE_EMITTED},
    {"instructions", "thread instrs", "paper", true, false, SL_MODE_INSTRUCTIONS},
    {"blocks", "thread instrs", "paper", true, false, SL_MODE_BLOCKS},
    {"emitted", "thread instrs", "paper", true, false, SL_MODE_EMITTED},
};

/* Long enough for sampling. */
static const char longest[] = "BitonicSortLarge,MatMul,Scan";

static const char *const kinds[] = {"simtight", "simtight-rfc-pp", "simty-plus", "vortex", "sm7"};

enum { WAYS = sizeof ways / sizeof ways[0], KINDS = sizeof kinds / sizeof kinds[0], FIGURES = WAYS * KINDS };

/* Benchmarks in suite order. */
struct choice {
  const struct sl_benchmark *of[SL_BENCHMARKS_MOST];
  size_t count;
};

/* One machine in one measurement. */
struct figure {
  const struct way *way;
  const struct choice *chosen;
  const struct sl_bench_machines *machines;
  const char *machine;
  double rate[SL_BENCHMARKS_MOST]; /* events per second of each benchmark */
  double each[SL_BENCHMARKS_MOST]; /* host instructions per event, if known for all runs */
  bool known;
  struct sl_bench_row row; /* of the last run */
};

struct speed {
  struct choice chosen, sampled;
  struct sl_bench_machines machines[KINDS];
  struct figure figure[FIGURES];
  size_t machine_count, count; /* numbers of machines and figures */
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void name_job(const void *context, size_t index, char *text, size_t size)
{
  const struct figure *f = &((const struct speed *)context)->figure[index];
  snprintf(text, size, "%s %s", f->machine, f->way->name);
}

/* Runs a benchmark once and keeps the best of all runs. The counter includes work outside the SM: device creation,
 * loading, host program. */
static void run_once(struct figure *f, size_t i, const struct sl_program *program, struct sl_running *running)
{
  const struct sl_bench_options options = {.size = f->way->size,
                                           .fast = f->way->fast,
                                           .mode = f->way->mode,
                                           .threads = 1,
                                           .sampling = {.wanted = f->way->sampled, .plan = {.seed = 1}}};
  struct sl_host_counter counter = sl_host_counter_open();
  uint64_t instructions = 0;
  sl_bench_run_program(&f->row, program, &options, sl_running_progress, running);
  const bool known = sl_host_counter_read(&counter, &instructions);
  sl_host_counter_close(&counter);
  const uint64_t events = f->way->fast ? f->row.figures.thread_instructions : f->row.figures.cycles;
  if (f->row.code != SL_OK || events == 0)
    return;
  const double rate = sl_rate(events, f->row.sm_seconds), each = (double)instructions / (double)events;
  f->known = f->known && known;
  f->rate[i] = rate > f->rate[i] ? rate : f->rate[i];
  f->each[i] = f->each[i] == 0 || each < f->each[i] ? each : f->each[i];
}

static void run_round(struct figure *f, struct sl_running *running)
{
  for (size_t i = 0; i < f->chosen->count && f->row.code == SL_OK; i++) {
    const struct sl_benchmark *benchmark = f->chosen->of[i];
    struct sl_program *program = NULL;
    f->row = (struct sl_bench_row){.benchmark = benchmark, .config = sl_bench_machine(f->machines, benchmark)};
    f->row.code = sl_bench_load(benchmark, f->row.config, false, &program, &f->row.error);
    if (f->row.code == SL_OK)
      run_once(f, i, program, running);
    sl_program_free(program);
  }
}

static void run_job(void *context, size_t index, struct sl_running *running)
{
  struct speed *speed = context;
  struct figure *f = &speed->figure[index];
  const double end = now() + seconds_per_figure;
  do
    run_round(f, running);
  while (f->row.code == SL_OK && now() < end);
}

/* The requested benchmarks, or those that every machine runs unchanged; for sampling, the longest of them. */
static enum sl_status choose(struct speed *speed, const char *only, struct sl_error *err)
{
  struct choice *all = &speed->chosen, *some = &speed->sampled;
  enum sl_status code = sl_bench_choose(&sl_library_suite, only, false, all->of, &all->count, err);
  if (code == SL_OK)
    code = sl_bench_choose(&sl_library_suite, only != NULL ? only : longest, false, some->of, &some->count, err);
  if (code != SL_OK || only != NULL)
    return code;
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++)
    if (all->of[i]->wants == 0)
      all->of[kept++] = all->of[i];
  all->count = kept;
  return SL_OK;
}

static bool can(const struct way *way, const struct sl_bench_machines *machines)
{
  const struct sl_config *config = &machines->with[0];
  const struct sl_machine_sampling *s = &config->machine->sampling;
  if (way->sampled)
    return s->drain != NULL && (s->refuses == NULL || s->refuses(config->spec) == NULL);
  return !way->fast || way->mode != SL_MODE_EMITTED || sl_jit_here();
}

/* Selects the machines and the benchmarks of each. */
static enum sl_status open_speed(struct speed *speed, const struct sl_speed_request *request, struct sl_error *err)
{
  enum sl_status code = choose(speed, request->only, err);
  const size_t machines = request->choice != NULL ? 1 : KINDS;
  for (size_t m = 0; m < machines && code == SL_OK; m++) {
    const struct sl_machine_choice choice = {.machine = kinds[m]};
    code = sl_bench_machines_open(&speed->machines[m], request->choice != NULL ? request->choice : &choice, err);
    speed->machine_count = m + 1;
    for (size_t w = 0; w < WAYS && code == SL_OK; w++)
      if (can(&ways[w], &speed->machines[m]))
        speed->figure[speed->count++] = (struct figure){.way = &ways[w],
                                                        .chosen = ways[w].sampled ? &speed->sampled : &speed->chosen,
                                                        .machines = &speed->machines[m],
                                                        .machine = speed->machines[m].with[0].name,
                                                        .known = true};
  }
  return code;
}

static bool any_known(const struct speed *speed)
{
  bool known = false;
  for (size_t i = 0; i < speed->count; i++)
    known |= speed->figure[i].known;
  return known;
}

/* Instructions per event are a column if the host counts them. */
static bool print(const struct speed *speed, FILE *file)
{
  const bool known = any_known(speed);
  const char *const titles[] = {"machine", "run", ">M events/s", "events", known ? ">host instrs/event" : NULL, NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (const struct figure *f = speed->figure; f < speed->figure + speed->count; f++) {
    sl_table_cell(&table, "%s", f->machine);
    sl_table_cell(&table, "%s", f->way->name);
    sl_table_cell(&table, "%.2f", 1e-6 * sl_geometric_mean(f->rate, f->chosen->count));
    sl_table_cell(&table, "%s", f->way->events);
    if (known && f->known)
      sl_table_cell(&table, "%.2f", sl_geometric_mean(f->each, f->chosen->count));
    else if (known)
      sl_table_cell(&table, "-");
  }
  const bool ok = sl_table_print(&table, file);
  sl_table_free(&table);
  return ok;
}

static json_t *figure_json(const struct figure *f)
{
  json_t *programs = json_array();
  for (size_t i = 0; i < f->chosen->count; i++)
    sl_json_append(&programs, json_pack("{ss sf so}", "name", f->chosen->of[i]->name, "events_per_second", f->rate[i],
                                        "host_instructions_per_event", f->known ? json_real(f->each[i]) : json_null()));
  return json_pack(
      "{ss ss ss ss sf so so}", "machine", f->machine, "run", f->way->name, "events", f->way->events, "size",
      f->way->size, "events_per_second", sl_geometric_mean(f->rate, f->chosen->count), "host_instructions_per_event",
      f->known ? json_real(sl_geometric_mean(f->each, f->chosen->count)) : json_null(), "benchmarks", programs);
}

static json_t *speed_json(const struct speed *speed)
{
  json_t *machines = json_object(), *figures = json_array();
  for (size_t m = 0; m < speed->machine_count; m++)
    sl_json_put(&machines, speed->machines[m].with[0].name, sl_config_json(&speed->machines[m].with[0]));
  for (size_t i = 0; i < speed->count; i++)
    sl_json_append(&figures, figure_json(&speed->figure[i]));
  return json_pack("{si ss so so}", "schema", 1, "simtlab", SL_VERSION, "machines", machines, "speeds", figures);
}

static enum sl_status write_results(const struct speed *speed, struct sl_output *json, struct sl_error *err)
{
  enum sl_status worst = SL_OK;
  print(speed, json->standard ? stderr : stdout); /* main reports a failed write to standard output */
  for (size_t i = 0; i < speed->count; i++) {
    const enum sl_status code = sl_bench_print_failures(&speed->figure[i].row, 1);
    worst = code > worst ? code : worst;
  }
  if (json->file == NULL)
    return worst;
  const enum sl_status code = sl_json_write(sl_with_provenance(speed_json(speed)), json, err);
  return code == SL_OK ? worst : code;
}

static enum sl_status measure(struct speed *speed, const struct sl_speed_request *request, struct sl_error *err)
{
  const struct sl_jobs jobs = {speed->count, name_job, run_job, speed, request->quiet};
  struct sl_output json = {0};
  enum sl_status code = request->json != NULL ? sl_output_open(&json, request->json, err) : SL_OK;
  if (code != SL_OK)
    return code;
  const bool named = request->json != NULL && !json.standard;
  code = sl_jobs_run(&jobs, 1, err);
  if (code == SL_OK)
    code = write_results(speed, &json, err);
  const enum sl_status closed = request->json != NULL ? sl_output_close(&json, code == SL_OK ? err : NULL) : SL_OK;
  if (code == SL_OK && closed == SL_OK && named)
    printf("results: %s\n", request->json);
  return code == SL_OK ? closed : code;
}

enum sl_status sl_bench_speed(const struct sl_speed_request *request, struct sl_error *err)
{
  struct speed *speed = calloc(1, sizeof *speed);
  if (speed == NULL)
    return sl_no_memory(err, sizeof *speed);
  enum sl_status code = open_speed(speed, request, err);
  if (code == SL_OK)
    code = measure(speed, request, err);
  for (size_t m = 0; m < speed->machine_count; m++)
    sl_bench_machines_close(&speed->machines[m]);
  free(speed);
  return code;
}
