/* simtlab run: runs one program on one machine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help/help.h"
#include "cli/run/run.h"
#include "cli/session.h"
#include "config/config.h"
#include "device/engine/launch_sampling.h"
#include "device/engine/sampled_launches.h"
#include "device/script.h"
#include "observe/commits.h"
#include "observe/json.h"
#include "observe/report.h"

struct run_options {
  struct sl_machine_choice choice;
  bool fast, quiet, check;
  enum sl_execution_mode mode;
  const char *engine, *forward, *sample;
  struct sl_fast_forward forwarding;
  struct sl_sampling_choice sampling;
  const char *stats, *energy, *commits, *window, *warps;
  uint64_t max_cycles, threads, registers;
  struct sl_list launches, dumps;
  struct sl_counting counting;
  struct sl_checkpoint_options checkpoints;
};

struct run {
  struct run_options options;
  struct sl_session session;
  struct sl_output stats;
  struct sl_trace_file commits;
  struct sl_commits trace;
  struct sl_launches launches;
  struct sl_energy_set energy;
  struct sl_script script; /* for kernels in machine code */
  struct sl_check *check;  /* NULL: not wanted */
};

/* Checkpoints of a launch script. Cycles are counted over all launches. Without timing the unit is warp instructions,
 * and a checkpoint is saved at the end of a block's time slice. */

struct sl_script_checkpoints {
  const struct sl_checkpoint_options *options;
  struct sl_script_session *session;
  struct sl_script_moment moment;
  struct sl_script_restored restored;
  const struct sl_ptx_under_way *launch; /* set while a checkpoint is saved */
  struct sl_savings *savings;
  struct sl_error failure; /* error of saving; code SL_OK: none */
};

static enum sl_status save(void *context, const char *path, struct sl_error *err)
{
  struct sl_script_checkpoints *c = context;
  struct sl_script_moment moment = c->moment;
  moment.text = json_dumps(c->session->sums, JSON_COMPACT);
  if (moment.text == NULL)
    return sl_no_memory(err, sizeof moment);
  const enum sl_status code = sl_script_save(&moment, c->launch, path, err);
  free(moment.text);
  return code;
}

/* The checksums so far are part of the statistics. */
static enum sl_status go_on(struct sl_script_checkpoints *c, struct sl_error *err)
{
  const enum sl_status code = sl_script_restore(&c->restored, &c->moment, c->options->restore, err);
  if (code != SL_OK)
    return code;
  json_t *sums = json_loads(c->moment.text, 0, NULL);
  if (!json_is_object(sums)) {
    json_decref(sums);
    return sl_fail(err, SL_USAGE, "%.500s: the checkpoint cannot be used: it is damaged", c->options->restore);
  }
  json_decref(c->session->sums);
  c->session->sums = sums;
  return SL_OK;
}

static enum sl_status begun(void *context, struct sl_script_player *player, struct sl_error *err)
{
  struct sl_script_checkpoints *c = context;
  c->moment.player = player;
  c->moment.gpu = c->session->gpu;
  return c->options->restore != NULL ? go_on(c, err) : SL_OK;
}

static bool reached(void *context, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next)
{
  struct sl_script_checkpoints *c = ((struct sl_script_session *)context)->keeper;
  const struct sl_saver saver = {.save = save, .context = c};
  enum sl_status code = SL_OK;
  c->launch = launch;
  if (c->savings == NULL)
    code = sl_savings_open(&c->savings, c->options, c->session->path, &saver, now, &c->failure);
  if (code == SL_OK)
    code = sl_savings_due(c->savings, now, &c->failure);
  *next = code == SL_OK ? sl_savings_next(c->savings) : UINT64_MAX;
  return code == SL_OK;
}

/* Call after a session is opened and before it is played. */
static enum sl_status script_checkpoints_open(struct sl_script_checkpoints *c, struct sl_script_session *session,
                                              const struct sl_checkpoint_options *options, struct sl_error *err)
{
  *c = (struct sl_script_checkpoints){.options = options, .session = session};
  if (!sl_wants_checkpoints(options))
    return SL_OK;
  session->keeper = c;
  session->begun = begun;
  session->options.bounds.reached = reached;
  return sl_script_hash(&session->script, session->options.registers, &c->moment.program, err);
}

/* Outcome of playing, combined with errors of saving. */
static enum sl_status script_checkpoints_outcome(const struct sl_script_checkpoints *c, enum sl_status code,
                                                 struct sl_error *err)
{
  if (c->failure.code != SL_OK)
    *err = c->failure;
  else if (code == SL_OK && c->savings != NULL)
    return sl_savings_ended(c->savings, sl_gpu_elapsed(c->session->gpu), err);
  else
    return code;
  return err->code;
}

static void script_checkpoints_close(struct sl_script_checkpoints *c)
{
  sl_script_restored_free(&c->restored);
  sl_savings_close(c->savings);
  free(c->moment.text);
}

/* simtlab run X.launch: runs a launch script of PTX kernels, with or without timing. */

enum { MOST_REGISTERS = 255 }; /* registers per thread that an SM 7.0 instruction can address */

static enum sl_status play(struct sl_script_session *session, struct run *run, struct sl_error *err)
{
  const struct run_options *o = &run->options;
  struct sl_error writing = {0};
  struct sl_script_checkpoints checkpoints;
  enum sl_status code = script_checkpoints_open(&checkpoints, session, &o->checkpoints, err);
  if (code == SL_OK)
    code = script_checkpoints_outcome(&checkpoints, sl_script_play(session, err), err);
  script_checkpoints_close(&checkpoints);
  struct sl_grid_report report = sl_script_report(session);
  report.energy = o->energy != NULL ? &run->energy : NULL;
  if (!o->quiet)
    sl_grid_report_print(&report, stderr);
  else
    sl_grid_report_energy(&report, stderr);
  if (run->stats.file != NULL)
    code = sl_add_outcome(code, sl_json_write(sl_with_provenance(sl_grid_report_json(&report)), &run->stats, &writing),
                          &writing, err);
  return code;
}

/* Runs the script: checksums go to standard output, counts to standard error. */
static enum sl_status run_script(struct run *run, const char *path, struct sl_error *err)
{
  const struct run_options *o = &run->options;
  struct sl_script_session session;
  struct sl_probes probes = {.wanted = 0};
  if (o->check && sl_check_open(&run->check, &(struct sl_check_options){.suppress = NULL}, err) != SL_OK)
    return err->code;
  if (o->check)
    probes = sl_check_probes(run->check);
  const struct sl_gpu_options options = {.fast = o->fast,
                                         .threads = o->threads < UINT16_MAX ? (unsigned)o->threads : UINT16_MAX,
                                         .registers = (uint32_t)o->registers,
                                         .limit = o->max_cycles,
                                         .checked = o->check,
                                         .bounds.probes = o->check ? &probes : NULL,
                                         .sampling = o->sampling,
                                         .first_launches = o->sampling.wanted ? SL_LAUNCHES_FIRST : 0};
  if (o->commits || o->window || o->warps || o->engine || o->forward || o->launches.count || o->dumps.count ||
      o->counting.whole_program || o->counting.region)
    return sl_fail(err, SL_USAGE,
                   "of the options of run, launch scripts take only --machine, --set, --fast, --max-cycles, --threads, "
                   "--regs, --sample, --stats, --energy, --quiet and those of checkpoints");
  if (o->fast && o->sample != NULL)
    return sl_fail(err, SL_USAGE, "--sample chooses what is timed; leave out --fast");
  if (o->registers > MOST_REGISTERS)
    return sl_fail(err, SL_USAGE, "--regs %" PRIu64 ": a thread has %d registers at most", o->registers,
                   MOST_REGISTERS);
  if (sl_checkpoints_check(&o->checkpoints, err) != SL_OK || sl_checkpoints_of_launches(&o->checkpoints, err) != SL_OK)
    return err->code;
  enum sl_status code = sl_script_open(&session, path, &o->choice, options, sl_is_standard(o->stats), err);
  if (code == SL_OK && o->stats != NULL)
    code = sl_output_open(&run->stats, o->stats, err);
  if (code == SL_OK)
    code = play(&session, run, err);
  if (run->check != NULL && session.gpu != NULL) {
    const struct sl_gpu_fault fault = sl_gpu_last_fault(session.gpu);
    code = sl_check_run_ended(run->check, &fault, code, err);
    code = sl_check_result(run->check, path, o->quiet, code, err);
  }
  sl_check_close(run->check);
  code = sl_finish_output(&run->stats, code, err);
  sl_script_close(&session);
  return code;
}

/* Opens output files before the simulation, so a wrong path does not waste a run. */
static enum sl_status open_outputs(struct run *run, struct sl_error *err)
{
  const struct run_options *o = &run->options;
  const struct sl_origin origin = sl_provenance_text();
  struct sl_commit_choice choice;
  enum sl_status code = sl_commit_choose(&choice, o->window, o->warps, err);
  if (code == SL_OK && o->stats != NULL)
    code = sl_output_open(&run->stats, o->stats, err);
  if (code == SL_OK && o->commits != NULL) {
    code = sl_trace_file_open(&run->commits, o->commits, err);
    if (code == SL_OK)
      sl_commits_begin(&run->trace, &run->commits, &choice, origin.text);
  }
  return code;
}

/* A dump is "NAME=FILE". */
static bool dumps_to_standard(const struct sl_list *dumps)
{
  bool any = false;
  for (size_t i = 0; i < dumps->count; i++) {
    const char *equals = strchr(dumps->items[i], '=');
    any |= equals != NULL && sl_is_standard(equals + 1);
  }
  return any;
}

static enum sl_status begin_check(struct run *run, struct sl_error *err)
{
  const struct sl_config *c = &run->session.config;
  const struct sl_soc soc = c->machine->soc(c->spec);
  const enum sl_status code = sl_check_open(&run->check, &(struct sl_check_options){.suppress = NULL}, err);
  if (code == SL_OK)
    sl_check_program(run->check, run->session.program, &soc);
  return code;
}

/* Elsewhere parts of a launch belong to kernels of a host program. */
static enum sl_status check_sampled_script(const struct sl_session *session, const struct run_options *o,
                                           struct sl_error *err)
{
  if (o->sampling.wanted && !session->config.machine->sampling.launches)
    return sl_fail(err, SL_USAGE, "%s: launch scripts of machine code are sampled only on sm7; leave out --sample",
                   session->config.name);
  return sl_sampled_check(session->device, err);
}

static enum sl_status prepare(struct run *run, const struct sl_operands *operands, struct sl_error *err)
{
  const struct run_options *o = &run->options;
  struct sl_device_options options = {
      .probes = {.wanted = o->commits != NULL ? SL_PROBE_EXECUTED : 0,
                 .tell = sl_commits_write,
                 .context = &run->trace},
      .whole_program = o->counting.whole_program,
      .region = o->counting.region,
      .fast = o->fast,
      .forward = o->forwarding,
      .mode = o->mode,
      .sampling = o->sampling,
      .threads = o->threads,
      .max_cycles = o->max_cycles,
  };
  const char *program = run->script.elf ? run->script.module : operands->items[0];
  enum sl_status code = sl_session_open(&run->session, &o->choice, program, o->quiet, err);
  run->session.console_aside = sl_is_standard(o->stats) || sl_is_standard(o->commits) || dumps_to_standard(&o->dumps);
  if (code == SL_OK && o->check && (code = begin_check(run, err)) == SL_OK)
    options.probes = sl_check_probes(run->check);
  if (code == SL_OK && run->script.elf) {
    code = sl_session_add(&run->session, options, err);
    if (code == SL_OK)
      code = check_sampled_script(&run->session, o, err);
  } else if (code == SL_OK && o->launches.count > 0) {
    code = sl_session_add(&run->session, options, err);
    if (code == SL_OK)
      code = sl_launches_plan(&run->launches, &o->launches, &o->dumps, run->session.device, run->session.program, err);
  } else if (code == SL_OK)
    code = sl_session_load(&run->session, options, operands, err);
  if (code == SL_OK && o->checkpoints.restore != NULL)
    code = sl_device_restore(run->session.device, o->checkpoints.restore, err);
  return code == SL_OK ? open_outputs(run, err) : code;
}

static json_t *report_json(const struct sl_report *report)
{
  const struct sl_result *result = sl_device_result(report->device);
  json_t *json = sl_report_json(report);
  if (result->sampled.settled)
    sl_json_put(&json, "sampled",
                sl_sampled_json(report->config->machine, &result->sampled,
                                sl_figures_of(report->config->machine, result->launches, result->launch_count).cycles));
  if (report->energy != NULL) {
    struct sl_energy energy;
    sl_energy_of_launches(&energy, report->energy, report->config, result->launches, result->launch_count);
    sl_json_put(&json, "energy", sl_energy_json(&energy));
  }
  return json;
}

static enum sl_status simulate(struct run *run, struct sl_error *err)
{
  struct sl_error outcome = {0}, writing = {0};
  enum sl_status code;
  if (run->script.elf) {
    outcome.code = sl_session_play(&run->session, &run->script, &outcome);
    sl_sampled_settle(run->session.device);
    code = sl_session_end(&run->session, &outcome, err);
  } else if (run->options.launches.count > 0) {
    outcome.code = sl_launches_run(&run->launches, run->session.device, &outcome);
    code = sl_session_end(&run->session, &outcome, err);
    code = sl_add_outcome(code, sl_launches_dump(&run->launches, &run->options.dumps, run->session.device, &writing),
                          &writing, err);
  } else if (sl_wants_checkpoints(&run->options.checkpoints)) {
    outcome.code = sl_run_with_checkpoints(&run->options.checkpoints, run->session.device,
                                           sl_program_name(run->session.program), &outcome);
    code = sl_session_end(&run->session, &outcome, err);
  } else
    code = sl_session_run(&run->session, &outcome, err);
  const struct sl_report report = {.version = SL_VERSION,
                                   .config = &run->session.config,
                                   .program = run->session.program,
                                   .device = run->session.device,
                                   .fast = run->options.fast,
                                   .energy = run->options.energy != NULL ? &run->energy : NULL,
                                   .error = &outcome};
  if (!run->options.quiet)
    sl_report_print(&report, stderr);
  else
    sl_report_energy(&report, stderr);
  if (run->options.stats != NULL)
    code = sl_add_outcome(code, sl_json_write(sl_with_provenance(report_json(&report)), &run->stats, &writing),
                          &writing, err);
  return code;
}

/* After a fault or a limit the trace is still complete: it has every executed instruction. */
static enum sl_status finish_trace(struct run *run, enum sl_status code, struct sl_error *err)
{
  struct sl_error closing = {0};
  if (run->commits.output.file == NULL)
    return code;
  if (code >= SL_INTERRUPTED && !run->commits.output.standard) {
    sl_trace_file_drop(&run->commits);
    return code;
  }
  sl_commits_end(&run->trace);
  return sl_add_outcome(code, sl_trace_file_close(&run->commits, &closing), &closing, err);
}

static enum sl_status run_program(struct run *run, const struct sl_operands *operands, struct sl_error *err)
{
  enum sl_status code = prepare(run, operands, err);
  if (code == SL_OK)
    code = simulate(run, err);
  if (run->check != NULL && run->session.device != NULL) {
    sl_check_device_ended(run->check, run->session.device, code, err);
    code = sl_check_result(run->check, sl_program_name(run->session.program), run->options.quiet, code, err);
  }
  sl_check_close(run->check);
  code = sl_finish_output(&run->stats, code, err);
  code = finish_trace(run, code, err);
  sl_launches_free(&run->launches);
  sl_script_free(&run->script);
  sl_session_close(&run->session);
  return code;
}

static enum sl_status choose_energy(struct run *run, struct sl_error *err)
{
  if (run->options.fast)
    return sl_fail(err, SL_USAGE, "--energy needs the counters of a timed run: leave out --fast");
  return sl_energy_set_open(&run->energy, run->options.energy, err);
}

static enum sl_status choose_forward(struct run_options *o, struct sl_error *err)
{
  o->forwarding.wanted = true;
  if (!sl_choose_place(&o->forwarding.to, o->forward))
    return sl_fail(err, SL_USAGE, "--fast-forward takes kernel=NAME, launch=NUMBER or instructions=NUMBER, not '%.80s'",
                   o->forward);
  if (o->launches.count > 0 || sl_wants_checkpoints(&o->checkpoints))
    return sl_fail(err, SL_USAGE, "--fast-forward is for whole runs of a host program: leave out %s",
                   o->launches.count > 0 ? "--launch" : "checkpoints");
  return SL_OK;
}

/* A launch script itself states the kind of its kernels. */
static enum sl_status open_script(struct run *run, const struct sl_operands *operands, struct sl_error *err)
{
  const struct run_options *o = &run->options;
  if (operands->count > 1)
    return sl_fail(err, SL_USAGE, "'%.100s' is an extra operand: a launch script takes no arguments",
                   operands->items[1]);
  const enum sl_status code = sl_script_load(&run->script, operands->items[0], err);
  if (code != SL_OK || !run->script.elf)
    return code;
  if (o->launches.count == 0 && o->dumps.count == 0 && o->forward == NULL && !sl_wants_checkpoints(&o->checkpoints) &&
      o->registers == 0)
    return SL_OK;
  sl_script_free(&run->script);
  return sl_fail(err, SL_USAGE,
                 "--launch, --dump, --fast-forward, --regs and checkpoints are not for launch scripts of machine code");
}

static enum sl_status choose_sampling(struct run_options *o, struct sl_error *err)
{
  const enum sl_status code = sl_choose_sampling(&o->sampling, o->sample, err);
  if (code == SL_OK && (o->launches.count > 0 || sl_wants_checkpoints(&o->checkpoints) || o->energy != NULL))
    return sl_fail(err, SL_USAGE,
                   "--sample is for whole runs of a host program, and its counts are estimates: "
                   "leave out %s",
                   o->launches.count > 0 ? "--launch"
                   : o->energy != NULL   ? "--energy"
                                         : "checkpoints");
  return code;
}

static enum sl_status run_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct run run = {.options.choice.machine = "simtight"};
  struct run_options *o = &run.options;
  const struct sl_option options[] = {
      SL_MACHINE_OPTION(o->choice),
      SL_SET_OPTION(o->choice),
      {'f', "fast", SL_OPTION_FLAG, NULL, "functional results only, no timing", &o->fast},
      SL_ENGINE_OPTION(o->engine),
      {0, "fast-forward", SL_OPTION_TEXT, "WHERE", "no timing before kernel=NAME|launch=N|instructions=N", &o->forward},
      {0, "sample", SL_OPTION_TEXT, "PLAN", "time samples only: U,W,K[,SEED] or auto[,SEED]", &o->sample},
      {'S', "stats", SL_OPTION_OUTPUT, "FILE", "write statistics as JSON (- is standard output)", &o->stats},
      {0, "energy", SL_OPTION_TEXT, "SET|FILE", "multiply counts by the energies of a set", &o->energy},
      {'c', "max-cycles", SL_OPTION_NUMBER, "N", "stop after N cycles (exit status 4)", &o->max_cycles},
      SL_THREADS_OPTION(o->threads),
      {0, "regs", SL_OPTION_NUMBER, "N", "registers per thread of PTX, for occupancy", &o->registers},
      {'t', "trace-commits", SL_OPTION_OUTPUT, "FILE", "write a line per warp instruction (.zst: packed)", &o->commits},
      {0, "trace-window", SL_OPTION_TEXT, "FROM:TO", "only cycles FROM to TO of each launch", &o->window},
      {0, "trace-warps", SL_OPTION_TEXT, "WARPS", "only these warps, for example 0,3,8-11", &o->warps},
      {0, "check", SL_OPTION_FLAG, NULL, "report defects of kernels, as simtlab check does", &o->check},
      SL_CHECKPOINT_OPTIONS(o->checkpoints),
      SL_WHOLE_OPTION(o->counting),
      SL_REGION_OPTION(o->counting),
      {0, "launch", SL_OPTION_LIST, "LAUNCH", "run a kernel: kernel=NAME,grid=XxY,block=XxY [,shared=BYTES][,args=A:B]",
       &o->launches},
      {0, "dump", SL_OPTION_OUTPUTS, "NAME=FILE", "write a buffer of a launch at the end (-: words)", &o->dumps},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no summary, no progress", &o->quiet},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (sl_choose_engine(o->engine, o->fast, &o->mode, err) != SL_OK)
    return err->code;
  if (o->forward != NULL && choose_forward(o, err) != SL_OK)
    return err->code;
  if (o->sample != NULL && choose_sampling(o, err) != SL_OK)
    return err->code;
  if (o->energy != NULL && choose_energy(&run, err) != SL_OK)
    return err->code;
  if (operands.count == 0)
    return sl_fail(err, SL_USAGE, "which program? simtlab run [OPTION]... PROGRAM.elf; simtlab cc makes one");
  if (sl_is_script(operands.items[0]) && (code = open_script(&run, &operands, err)) != SL_OK)
    return code;
  if (run.script.module[0] != '\0' && !run.script.elf) {
    sl_script_free(&run.script);
    return run_script(&run, operands.items[0], err);
  }
  if (o->registers > 0)
    return sl_fail(err, SL_USAGE, "--regs is for launch scripts; the machine defines the registers of a program");
  if (o->launches.count > 0 && operands.count > 1)
    return sl_fail(err, SL_USAGE,
                   "'%.100s' is for the host program, which --launch does not run; a kernel's arguments are in args=",
                   operands.items[1]);
  if (o->launches.count == 0 && o->dumps.count > 0)
    return sl_fail(err, SL_USAGE, "--dump writes a buffer of a launch: give --launch too");
  if (o->launches.count > 0 && sl_wants_checkpoints(&o->checkpoints))
    return sl_fail(err, SL_USAGE,
                   "checkpoints are for programs that run, and --launch runs a kernel without a program");
  if (sl_checkpoints_check(&o->checkpoints, err) != SL_OK)
    return err->code;
  if (o->check && o->commits != NULL)
    return sl_fail(err, SL_USAGE, "--check and --trace-commits both observe the run: leave one out");
  if (o->commits == NULL && (o->window != NULL || o->warps != NULL))
    return sl_fail(err, SL_USAGE, "--trace-window and --trace-warps select lines of a trace: give --trace-commits too");
  return run_program(&run, &operands, err);
}

const struct sl_command sl_run_command = {
    .name = "run",
    .operands = "[OPTION]... PROGRAM [ARGUMENT]...",
    .summary = "Run a program on a machine",
    .details = "PROGRAM is an ELF file, or a C source that is compiled for the machine. Its console is standard\n"
               "output, or standard error if a FILE is -. Its arguments that begin with - come after --.\n"
               "--launch runs kernels instead; an argument is a number, zero(BYTES), iota(WORDS), file(PATH),\n"
               "NAME=one of these, or a NAME. X.launch launches PTX kernels (docs/how-to/ptx.md): -m sm7, or --fast.\n",
    .run = run_command,
};
