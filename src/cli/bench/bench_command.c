/* simtlab bench: runs the benchmark suite on one machine. */
#include "cli/bench/bench.h"
#include "cli/bench/speed.h"
#include "cli/help/provenance.h"

#include <stdlib.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/run/sampling_option.h"
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
  if (code == SL_OK && bench->run.options.sampling.wanted && config->machine->sampling.drain == NULL)
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
  if (bench->json == NULL)
    return code == SL_OK ? worst : code;
  if (code == SL_OK)
    code = sl_json_write(sl_with_provenance(sl_bench_json(&bench->run)), &json, err);
  enum sl_status closed = sl_output_close(&json, code == SL_OK ? err : NULL);
  code = code == SL_OK ? closed : code;
  if (code == SL_OK && to_stdout)
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
  return sl_bench_speed(&(struct sl_speed_request){.choice = bench->choice.machine != NULL ? &bench->choice : NULL,
                                                   .only = bench->only,
                                                   .json = bench->json,
                                                   .quiet = bench->quiet},
                        err);
}

static enum sl_status run_suite_or_speed(struct bench *bench, struct sl_error *err)
{
  if (bench->speed)
    return run_speed(bench, err);
  struct sl_bench_options *o = &bench->run.options;
  o->size = o->size != NULL ? o->size : "small";
  bench->choice.machine = bench->choice.machine != NULL ? bench->choice.machine : "simtight";
  bench->jobs = bench->jobs > 0 ? bench->jobs : 1;
  return run_bench(bench, err);
}

static enum sl_status bench_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct bench *bench = calloc(1, sizeof *bench);
  if (bench == NULL)
    return sl_no_memory(err, sizeof *bench);
  *bench = (struct bench){.run = {.rows = bench->rows}};
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
  free(bench);
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
