/* simtlab bench: runs the benchmark suite on one machine. */
#define _GNU_SOURCE /* syscall */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#endif

#include "base/arrays.h"
#include "base/types.h"
#include "cli/bench/bench.h"
#include "cli/help/help.h"
#include "cli/jobs.h"
#include "cli/session.h"
#include "func/jit/jit.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"

struct bench {
  struct sl_machine_choice choice;
  struct sl_bench_run run;
  const char *only, *json, *engine, *sample;
  uint64_t jobs;
  bool quiet, variants, speed;
  struct sl_bench_machines machines;
  struct sl_bench_row rows[SL_BENCHMARKS_MOST];
};

/* Host speed (simtlab bench --speed): timed simulation, and execution without timing by either engine. A figure is the
 * geometric mean over benchmarks of the best of several runs. */

/* Counts the host's user-mode instructions of the calling thread with the processor's performance counter
 * (perf_event_open). Virtual machines often have no such counter. */

struct sl_host_counter {
  int file; /* -1: not available */
};

#ifdef __linux__

/* Data layout for the read_format below. */
struct reading {
  uint64_t value, enabled, running;
};

/* Starts to count. The same thread must close the counter. */
static struct sl_host_counter host_counter_open(void)
{
  enum { THIS_THREAD = 0, ANY_PROCESSOR = -1, NO_GROUP = -1 };
  struct perf_event_attr event = {
      .type = PERF_TYPE_HARDWARE,
      .size = sizeof event,
      .config = PERF_COUNT_HW_INSTRUCTIONS,
      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  const long file = syscall(SYS_perf_event_open, &event, THIS_THREAD, ANY_PROCESSOR, NO_GROUP, PERF_FLAG_FD_CLOEXEC);
  return (struct sl_host_counter){(int)file};
}

static void host_counter_close(struct sl_host_counter *counter)
{
  if (counter->file >= 0)
    close(counter->file);
  counter->file = -1;
}

/* Reads the count so far. Returns false and leaves *instructions unchanged if there is no counter or the kernel
 * multiplexed it. */
static bool host_counter_read(const struct sl_host_counter *counter, uint64_t *instructions)
{
  struct reading now;
  if (counter->file < 0 || read(counter->file, &now, sizeof now) != (ssize_t)sizeof now)
    return false;
  if (now.value == 0 || now.running != now.enabled)
    return false;
  *instructions = now.value;
  return true;
}

#else

static struct sl_host_counter host_counter_open(void)
{
  return (struct sl_host_counter){-1};
}

static void host_counter_close(struct sl_host_counter *counter)
{
  (void)counter;
}

static bool host_counter_read(const struct sl_host_counter *counter, uint64_t *instructions)
{
  (void)counter;
  (void)instructions;
  return false;
}

#endif

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
  const struct sl_host_symbols *symbols; /* NULL: not sampled */
  struct sl_host_samples samples;
  bool sampling;
  struct sl_bench_row row; /* of the last run */
};

struct speed {
  struct choice chosen, sampled;
  struct sl_bench_machines machines[KINDS];
  struct figure figure[FIGURES];
  size_t machine_count, count; /* numbers of machines and figures */
  struct sl_host_symbols symbols;
};

static void name_figure(const void *context, size_t index, char *text, size_t size)
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
  struct sl_host_counter counter = host_counter_open();
  uint64_t instructions = 0;
  if (f->sampling)
    sl_host_samples_resume(&f->samples);
  sl_bench_run_program(&f->row, program, &options, sl_running_progress, running);
  const bool known = host_counter_read(&counter, &instructions);
  host_counter_close(&counter);
  if (f->sampling)
    sl_host_samples_pause(&f->samples, f->symbols);
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

static void run_figure(void *context, size_t index, struct sl_running *running)
{
  struct speed *speed = context;
  struct figure *f = &speed->figure[index];
  const double end = sl_seconds() + seconds_per_figure;
  f->sampling = f->symbols != NULL && sl_host_samples_open(&f->samples);
  do
    run_round(f, running);
  while (f->row.code == SL_OK && sl_seconds() < end);
  if (f->sampling)
    sl_host_samples_close(&f->samples);
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

/* Runs without timing execute code that has no symbols. */
static bool samples(const struct way *way)
{
  return !way->fast && !way->sampled;
}

/* Selects the machines and the benchmarks of each. */
static enum sl_status open_speed(struct speed *speed, const struct bench *bench, struct sl_error *err)
{
  enum sl_status code = choose(speed, bench->only, err);
  sl_host_symbols_open(&speed->symbols);
  const bool one = bench->choice.machine != NULL; /* else one machine of each pipeline */
  const size_t machines = one ? 1 : KINDS;
  for (size_t m = 0; m < machines && code == SL_OK; m++) {
    const struct sl_machine_choice choice = {.machine = kinds[m]};
    code = sl_bench_machines_open(&speed->machines[m], one ? &bench->choice : &choice, err);
    speed->machine_count = m + 1;
    for (size_t w = 0; w < WAYS && code == SL_OK; w++)
      if (can(&ways[w], &speed->machines[m]))
        speed->figure[speed->count++] =
            (struct figure){.way = &ways[w],
                            .chosen = ways[w].sampled ? &speed->sampled : &speed->chosen,
                            .machines = &speed->machines[m],
                            .machine = speed->machines[m].with[0].name,
                            .known = true,
                            .symbols = samples(&ways[w]) && speed->symbols.count > 0 ? &speed->symbols : NULL};
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

/* Samples of a figure; too few say nothing, and a full ring loses the latest. */
static uint64_t sampled_times(const struct figure *f)
{
  enum { FEW = 100 };
  uint64_t all = 0;
  for (unsigned s = 0; s < SL_SHARES; s++)
    all += f->samples.count[s];
  return all >= FEW && !f->samples.lost ? all : 0;
}

/* Where the host's time goes, for the figures that know it. */
static bool print_shares(const struct speed *speed, FILE *file)
{
  const char *titles[2 + SL_SHARES + 1] = {"% of host time", "run"};
  char title[SL_SHARES][16];
  bool any = false;
  for (unsigned s = 0; s < SL_SHARES; s++) {
    snprintf(title[s], sizeof title[s], ">%s", sl_host_share_names[s]);
    titles[2 + s] = title[s];
  }
  struct sl_table table;
  sl_table_init(&table, titles);
  for (const struct figure *f = speed->figure; f < speed->figure + speed->count; f++) {
    const uint64_t all = sampled_times(f);
    if (all == 0)
      continue;
    any = true;
    sl_table_cell(&table, "%s", f->machine);
    sl_table_cell(&table, "%s", f->way->name);
    for (unsigned s = 0; s < SL_SHARES; s++)
      sl_table_cell(&table, "%.1f", 100 * (double)f->samples.count[s] / (double)all);
  }
  const bool ok = !any || (fputc('\n', file) != EOF && sl_table_print(&table, file));
  sl_table_free(&table);
  return ok;
}

static json_t *shares_json(const struct figure *f)
{
  const uint64_t all = sampled_times(f);
  if (all == 0)
    return json_null();
  json_t *shares = json_object();
  for (unsigned s = 0; s < SL_SHARES; s++)
    sl_json_put(&shares, sl_host_share_names[s], json_real((double)f->samples.count[s] / (double)all));
  return shares;
}

static json_t *figure_json(const struct figure *f)
{
  json_t *programs = json_array();
  for (size_t i = 0; i < f->chosen->count; i++)
    sl_json_append(&programs, json_pack("{ss sf so}", "name", f->chosen->of[i]->name, "events_per_second", f->rate[i],
                                        "host_instructions_per_event", f->known ? json_real(f->each[i]) : json_null()));
  return json_pack("{ss ss ss ss sf so so so}", "machine", f->machine, "run", f->way->name, "events", f->way->events,
                   "size", f->way->size, "events_per_second", sl_geometric_mean(f->rate, f->chosen->count),
                   "host_instructions_per_event",
                   f->known ? json_real(sl_geometric_mean(f->each, f->chosen->count)) : json_null(), "shares",
                   shares_json(f), "benchmarks", programs);
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
  FILE *const file = json->standard ? stderr : stdout; /* main reports a failed write to standard output */
  print(speed, file);
  print_shares(speed, file);
  for (size_t i = 0; i < speed->count; i++) {
    const enum sl_status code = sl_bench_print_failures(&speed->figure[i].row, 1);
    worst = code > worst ? code : worst;
  }
  if (json->file == NULL)
    return worst;
  const enum sl_status code = sl_json_write(sl_with_provenance(speed_json(speed)), json, err);
  return code == SL_OK ? worst : code;
}

static enum sl_status measure(struct speed *speed, const struct bench *bench, struct sl_error *err)
{
  const struct sl_jobs jobs = {speed->count, name_figure, run_figure, speed, bench->quiet};
  struct sl_output json = {0};
  enum sl_status code = bench->json != NULL ? sl_output_open(&json, bench->json, err) : SL_OK;
  if (code != SL_OK)
    return code;
  const bool named = bench->json != NULL && !json.standard;
  code = sl_jobs_run(&jobs, 1, err);
  if (code == SL_OK)
    code = write_results(speed, &json, err);
  code = sl_finish_output(&json, code, err);
  if (code == SL_OK && named)
    printf("results: %s\n", bench->json);
  return code;
}

/* Measures the machines in turn and prints the table. */
static enum sl_status bench_speed(const struct bench *bench, struct sl_error *err)
{
  struct speed *speed = calloc(1, sizeof *speed);
  if (speed == NULL)
    return sl_no_memory(err, sizeof *speed);
  enum sl_status code = open_speed(speed, bench, err);
  if (code == SL_OK)
    code = measure(speed, bench, err);
  for (size_t m = 0; m < speed->machine_count; m++)
    sl_bench_machines_close(&speed->machines[m]);
  sl_host_symbols_close(&speed->symbols);
  free(speed);
  return code;
}

static void name_job(const void *context, size_t index, char *text, size_t size)
{
  const struct bench *bench = context;
  snprintf(text, size, "%s", bench->rows[index].benchmark->name);
}

static void run_job(void *context, size_t index, struct sl_running *running)
{
  struct bench *bench = context;
  struct sl_bench_row *row = &bench->rows[index];
  struct sl_program *program = NULL;
  row->code = sl_bench_load(row->benchmark, row->config, bench->run.options.rv32e, &program, &row->error);
  if (row->code == SL_OK)
    sl_bench_run_program(row, program, &bench->run.options, sl_running_progress, running);
  sl_program_free(program);
}

static enum sl_status choose_rows(struct bench *bench, struct sl_error *err)
{
  const struct sl_benchmark *chosen[SL_BENCHMARKS_MOST];
  const struct sl_config *config = &bench->machines.with[0];
  enum sl_status code =
      sl_bench_choose(sl_bench_suite_of(config), bench->only, bench->variants, chosen, &bench->run.count, err);
  if (code == SL_OK && bench->run.options.sampling.wanted && config->machine->sampling.drain == NULL &&
      !config->machine->sampling.launches)
    return sl_fail(err, SL_USAGE, "launches on %s cannot be timed in part yet. Leave out --sample",
                   config->machine->name);
  if (code == SL_OK)
    code = sl_bench_keep_possible(config, bench->only != NULL, chosen, &bench->run.count, err);
  for (size_t i = 0; code == SL_OK && i < bench->run.count; i++)
    bench->rows[i] =
        (struct sl_bench_row){.benchmark = chosen[i], .config = sl_bench_machine(&bench->machines, chosen[i])};
  return code;
}

/* Prints the table and then the errors. */
static enum sl_status print_results(const struct bench *bench, bool to_stdout)
{
  sl_bench_print(&bench->run, to_stdout ? stdout : stderr); /* main reports a failed write to standard output */
  return sl_bench_print_failures(bench->rows, bench->run.count);
}

static enum sl_status run_suite(struct bench *bench, struct sl_error *err)
{
  const struct sl_jobs jobs = {bench->run.count, name_job, run_job, bench, bench->quiet};
  struct sl_output json = {0};
  enum sl_status worst = SL_OK, code = bench->json != NULL ? sl_output_open(&json, bench->json, err) : SL_OK;
  if (code != SL_OK)
    return code;
  const bool to_stdout = !json.standard;
  code = sl_jobs_run(&jobs, bench->jobs, err);
  if (code == SL_OK)
    worst = print_results(bench, to_stdout);
  if (code == SL_OK && bench->json != NULL)
    code = sl_json_write(sl_with_provenance(sl_bench_json(&bench->run)), &json, err);
  code = sl_finish_output(&json, code, err);
  if (code == SL_OK && bench->json != NULL && to_stdout)
    sl_print(stdout, "results: %s\n", bench->json);
  return code == SL_OK ? worst : code;
}

static enum sl_status run_bench(struct bench *bench, struct sl_error *err)
{
  enum sl_status code = sl_bench_check_size(bench->run.options.size, err);
  if (code == SL_OK)
    code = sl_bench_machines_open(&bench->machines, &bench->choice, err);
  if (code == SL_OK)
    code = choose_rows(bench, err);
  if (code == SL_OK)
    code = run_suite(bench, err);
  sl_bench_machines_close(&bench->machines);
  return code;
}

/* --speed measures the host; the options that select other runs do not apply. */
static enum sl_status run_speed(const struct bench *bench, struct sl_error *err)
{
  const struct sl_bench_options *o = &bench->run.options;
  if (o->size != NULL || o->fast || o->rv32e || o->whole_program || o->max_cycles > 0 || o->threads > 0 ||
      bench->engine != NULL || bench->sample != NULL || bench->variants || bench->jobs > 0)
    return sl_fail(err, SL_USAGE, "--speed goes with --machine, --set, --only, --json and --quiet alone");
  if (bench->choice.machine == NULL && bench->choice.set.count > 0)
    return sl_fail(err, SL_USAGE, "--speed with --set needs the --machine whose keys they are");
  return bench_speed(bench, err);
}

static enum sl_status run_suite_or_speed(struct bench *bench, struct sl_error *err)
{
  if (bench->speed)
    return run_speed(bench, err);
  struct sl_bench_options *o = &bench->run.options;
  o->size = o->size != NULL ? o->size : "small";
  o->hashes = bench->json != NULL;
  bench->choice.machine = bench->choice.machine != NULL ? bench->choice.machine : "simtight";
  bench->jobs = bench->jobs > 0 ? bench->jobs : 1;
  return run_bench(bench, err);
}

static enum sl_status bench_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct bench *bench = sl_sparse(1, sizeof *bench); /* it has room for every benchmark of every machine */
  if (bench == NULL)
    return sl_no_memory(err, sizeof *bench);
  bench->run.rows = bench->rows;
  struct sl_bench_options *o = &bench->run.options;
  const struct sl_option options[] = {
      SL_MACHINE_OPTION(bench->choice),
      SL_SET_OPTION(bench->choice),
      {'z', "size", SL_OPTION_TEXT, "small|paper", "problem sizes [small]", &o->size},
      {'o', "only", SL_OPTION_TEXT, "NAME,...", "only these benchmarks", &bench->only},
      {0, "variants", SL_OPTION_FLAG, NULL, "also the variants, NAME-variant", &bench->variants},
      {'j', "jobs", SL_OPTION_NUMBER, "N", "benchmarks run in parallel [1]", &bench->jobs},
      {0, "whole-program", SL_OPTION_FLAG, NULL, "also measure main, if the program runs entirely on the GPU",
       &o->whole_program},
      {'e', "rv32e", SL_OPTION_FLAG, NULL, "programs compiled for 16 registers", &o->rv32e},
      {'f', "fast", SL_OPTION_FLAG, NULL, "functional results only, no timing", &o->fast},
      SL_ENGINE_OPTION(bench->engine),
      {0, "sample", SL_OPTION_TEXT, "PLAN", "time samples only: U,W,K[,SEED] or auto[,SEED]", &bench->sample},
      {'c', "max-cycles", SL_OPTION_NUMBER, "N", "stop each run after N cycles", &o->max_cycles},
      SL_THREADS_OPTION(o->threads),
      {0, "speed", SL_OPTION_FLAG, NULL, "how fast this computer simulates, per machine and engine", &bench->speed},
      {0, "json", SL_OPTION_OUTPUT, "FILE", "write results as JSON (- is standard output)", &bench->json},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress display", &bench->quiet},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code == SL_OK && operands.count > 0)
    code = sl_fail(err, SL_USAGE, "'%.80s' is no option; --only %.80s runs one benchmark", operands.items[0],
                   operands.items[0]);
  if (code == SL_OK)
    code = sl_choose_engine(bench->engine, o->fast, &o->mode, err);
  if (code == SL_OK && bench->sample != NULL)
    code = sl_choose_sampling(&o->sampling, bench->sample, err);
  if (code == SL_OK && !operands.help)
    code = run_suite_or_speed(bench, err);
  sl_sparse_free(bench, 1, sizeof *bench);
  return code;
}

const struct sl_command sl_bench_command = {
    .name = "bench",
    .operands = "[OPTION]...",
    .summary = "Run the benchmark suite",
    .details = "The sixteen benchmarks follow SIMTight's published suite; variants implement the same computations in "
               "another way.\n"
               "On Vortex the kernels of bench-vortex/ follow, in the variants that the machine can run. If a\n"
               "machine lacks a feature (FPU, atomics, local memory), the benchmarks that need it run with it\n"
               "added; the machine's name then says so. Speeds are of simulating the SM.\n",
    .run = bench_command,
};
