/* simtlab check: data races and other defects of kernels. */
#include <string.h>
#include <unistd.h>

#include "cli/check_host.h"
#include "cli/check_result.h"
#include "cli/cuda/cuda_build.h"
#include "cli/help/provenance.h"
#include "cli/host_program.h"
#include "cli/options.h"
#include "cli/run/launches.h"
#include "cli/session.h"
#include "observe/check/check.h"
#include "observe/report.h"

static const char standard_machine[] = "simtight";

struct check_options {
  struct sl_machine_choice choice;
  const char *json, *suppress, *build;
  struct sl_list launches;
  uint64_t max_cycles, schedules;
  uint64_t schedule; /* that runs: a seed, 0 for the usual order */
  bool timed, strict, lock_step, equal, strict_barriers, leaks, no_uninitialised, quiet;
};

static enum sl_status check_grids(const struct check_options *o, struct sl_check *check, const char *path,
                                  struct sl_error *err)
{
  struct sl_script_session session;
  struct sl_probes probes = sl_check_probes(check);
  struct sl_gpu_fault fault = {.kind = SL_GPU_FAULT_NONE};
  const struct sl_gpu_options options = {
      .fast = !o->timed, .limit = o->max_cycles, .checked = true, .bounds = {.probes = &probes, .order = o->schedule}};
  enum sl_status code = sl_script_open(&session, path, &o->choice, options, sl_is_standard(o->json), err);
  if (code == SL_OK) {
    if (o->schedule != 0)
      session.console.file = NULL;
    code = sl_script_play(&session, err);
    if (session.gpu != NULL)
      fault = sl_gpu_last_fault(session.gpu);
    code = sl_check_run_ended(check, &fault, code, err);
  }
  sl_script_close(&session);
  return code;
}

/* Runs the kernels of --launch. */
static enum sl_status run_launches(struct sl_session *session, const struct check_options *o, struct sl_error *err)
{
  const struct sl_list no_dumps = {0};
  struct sl_launches launches = {0};
  struct sl_error outcome = {.code = SL_OK};
  enum sl_status code = sl_launches_plan(&launches, &o->launches, &no_dumps, session->device, session->program, err);
  if (code == SL_OK) {
    outcome.code = sl_launches_run(&launches, session->device, &outcome);
    code = sl_session_end(session, &outcome, err);
  }
  sl_launches_free(&launches);
  return code;
}

/* Runs the program or, if there are any, the launches of a script or of options. */
static enum sl_status run(struct sl_session *session, const struct check_options *o, struct sl_check *check,
                          const struct sl_operands *operands, const struct sl_script *script, struct sl_error *err)
{
  struct sl_error outcome = {.code = SL_OK};
  const struct sl_device_options options = {
      .probes = sl_check_probes(check), .max_cycles = o->max_cycles, .fast = !o->timed, .order = o->schedule};
  const bool whole = script == NULL && o->launches.count == 0;
  if ((whole ? sl_session_load(session, options, operands, err) : sl_session_add(session, options, err)) != SL_OK)
    return err->code;
  if (o->schedule != 0)
    session->console.file = NULL;
  if (whole)
    return sl_session_run(session, &outcome, err);
  if (script == NULL)
    return run_launches(session, o, err);
  outcome.code = sl_session_play(session, script, &outcome);
  return sl_session_end(session, &outcome, err);
}

static enum sl_status check_program(const struct check_options *o, struct sl_check *check,
                                    const struct sl_operands *operands, const struct sl_script *script,
                                    struct sl_error *err)
{
  struct sl_session session;
  enum sl_status code =
      sl_session_open(&session, &o->choice, script != NULL ? script->module : operands->items[0], o->quiet, err);
  session.console_aside = sl_is_standard(o->json);
  if (code == SL_OK) {
    const struct sl_soc soc = session.config.machine->soc(session.config.spec);
    sl_check_program(check, session.program, &soc);
    code = run(&session, o, check, operands, script, err);
    code = sl_check_device_ended(check, session.device, code, err);
  }
  sl_session_close(&session);
  return code;
}

static enum sl_status check_any(const struct check_options *o, struct sl_check *check,
                                const struct sl_operands *operands, struct sl_error *err)
{
  struct sl_script script;
  if (!sl_is_script(operands->items[0]))
    return check_program(o, check, operands, NULL, err);
  if (operands->count > 1)
    return sl_fail(err, SL_USAGE, "'%.100s' is an extra operand: a launch script takes no arguments",
                   operands->items[1]);
  enum sl_status code = sl_script_load(&script, operands->items[0], err);
  if (code != SL_OK)
    return code;
  code = script.elf ? check_program(o, check, operands, &script, err) : check_grids(o, check, operands->items[0], err);
  sl_script_free(&script);
  return code;
}

/* Checks a run in the usual order of warps and blocks, and one in the order of each seed. */
static enum sl_status check_schedules(struct check_options *o, struct sl_check *check,
                                      const struct sl_operands *operands, struct sl_error *err)
{
  struct sl_error file_error = {.code = SL_OK};
  enum sl_status code = SL_OK;
  for (o->schedule = 0; o->schedule <= o->schedules && (code == SL_OK || code == SL_FAULT); o->schedule++) {
    sl_check_begin_schedule(check, o->schedule);
    code = check_any(o, check, operands, err);
  }
  if (o->json != NULL && sl_json_save(sl_check_json(check, operands->items[0]), o->json, &file_error) != SL_OK)
    return sl_add_outcome(code, file_error.code, &file_error, err);
  return sl_check_result(check, operands->items[0], o->quiet, code, err);
}

/* Options of a host program's run. The choice of lanes and single keys are of the others. `program`: the file, if it
 * has been built; else NULL. */
static enum sl_status check_host(const struct check_options *o, const char *program, const struct sl_operands *operands,
                                 struct sl_error *err)
{
  const struct sl_check_host host = {.machine = o->choice.machine != standard_machine ? o->choice.machine : NULL,
                                     .program = program,
                                     .json = o->json,
                                     .suppress = o->suppress,
                                     .schedules = o->schedules,
                                     .max_cycles = o->max_cycles,
                                     .timed = o->timed,
                                     .leaks = o->leaks,
                                     .no_uninitialised = o->no_uninitialised,
                                     .equal = o->equal,
                                     .strict_barriers = o->strict_barriers,
                                     .quiet = o->quiet};
  if (o->strict || o->lock_step || o->choice.set.count > 0 || o->launches.count > 0)
    return sl_fail(err, SL_USAGE, "--strict-lanes, --lock-step, --set and --launch are not for programs of the host");
  return sl_check_host(&host, operands, err);
}

static enum sl_status check_source(const struct check_options *o, const struct sl_operands *operands,
                                   struct sl_error *err)
{
  char program[SL_CUDA_PROGRAM];
  int file;
  enum sl_status code = sl_cuda_build(operands->items[0], o->build, true, program, &file, err);
  if (code == SL_OK)
    code = check_host(o, program, operands, err);
  if (file >= 0)
    close(file);
  return code;
}

static enum sl_status check_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct check_options o = {.choice.machine = standard_machine};
  const struct sl_option options[] = {
      SL_MACHINE_OPTION(o.choice),
      SL_SET_OPTION(o.choice),
      {'j', "json", SL_OPTION_OUTPUT, "FILE", "also write the findings as JSON (-: standard output)", &o.json},
      {0, "suppress", SL_OPTION_TEXT, "FILE", "leave out findings that match a pattern in FILE", &o.suppress},
      {0, "strict-lanes", SL_OPTION_FLAG, NULL, "no lane follows another of its warp without a sync", &o.strict},
      {0, "lock-step", SL_OPTION_FLAG, NULL, "lanes are in lock step [except PTX for sm_70 and later]", &o.lock_step},
      {0, "equal-stores", SL_OPTION_FLAG, NULL, "also report stores of equal values", &o.equal},
      {0, "strict-barriers", SL_OPTION_FLAG, NULL, "threads that have ended are missing at barriers",
       &o.strict_barriers},
      {0, "no-uninitialised", SL_OPTION_FLAG, NULL, "no reads of memory that nothing has written", &o.no_uninitialised},
      {0, "leaks", SL_OPTION_FLAG, NULL, "report buffers that are not freed", &o.leaks},
      {'B', "build", SL_OPTION_TEXT, "WORDS", "further words of simtlab cuda, for PROGRAM.cu", &o.build},
      {0, "launch", SL_OPTION_LIST, "LAUNCH", "run a kernel, as simtlab run --launch does", &o.launches},
      {'n', "schedules", SL_OPTION_NUMBER, "N", "also try N other orders of warps and blocks", &o.schedules},
      {'t', "timed", SL_OPTION_FLAG, NULL, "run with timing [--fast]", &o.timed},
      {'c', "max-cycles", SL_OPTION_NUMBER, "N", "stop after N cycles (exit status 4)", &o.max_cycles},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress, nothing if there are no findings", &o.quiet},
      {0},
  };
  struct sl_operands operands;
  struct sl_check *check = NULL;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count == 0)
    return sl_fail(err, SL_USAGE,
                   "which program? simtlab check PROGRAM.elf, PROGRAM.c, PROGRAM.cu, X.launch or a host program");
  if (o.strict && o.lock_step)
    return sl_fail(err, SL_USAGE, "--strict-lanes and --lock-step exclude each other");
  if (o.timed && o.schedules > 0)
    return sl_fail(err, SL_USAGE, "--schedules needs an execution without timing: leave --timed out");
  if (sl_is_cuda_source(operands.items[0]))
    return check_source(&o, &operands, err);
  if (o.build != NULL)
    return sl_fail(err, SL_USAGE, "--build is for PROGRAM.cu; %.200s is no CUDA source", operands.items[0]);
  if (sl_is_host_program(operands.items[0]))
    return check_host(&o, NULL, &operands, err);
  if (o.launches.count > 0 && (operands.count > 1 || sl_is_script(operands.items[0])))
    return sl_fail(err, SL_USAGE, "--launch runs kernels of an ELF file, which takes no arguments then");
  const struct sl_check_options choice = {.lanes = o.strict      ? SL_CHECK_STRICT
                                                   : o.lock_step ? SL_CHECK_LOCK_STEP
                                                                 : SL_CHECK_BY_TARGET,
                                          .no_uninitialised = o.no_uninitialised,
                                          .equal_stores = o.equal,
                                          .strict_barriers = o.strict_barriers,
                                          .leaks = o.leaks,
                                          .suppress = o.suppress};
  code = sl_check_open(&check, &choice, err);
  if (code == SL_OK)
    code = check_schedules(&o, check, &operands, err);
  sl_check_close(check);
  return code;
}

const struct sl_command sl_check_command = {
    .name = "check",
    .operands = "[OPTION]... PROGRAM [ARGUMENT]...",
    .summary = "Find data races and other defects of kernels",
    .details = "Reports races in shared and global memory between lanes, warps and blocks, stray\n"
               "accesses, reads of memory that nothing has written, and barriers that not all\n"
               "threads reach, each with both source lines: docs/how-to/checking.md. PROGRAM is\n"
               "an ELF file for a machine, a C source that is compiled for it, a launch script, a\n"
               "host program for CUDA or OpenCL, or a CUDA source that is built as one.\n"
               "Exit status: 0 no findings, 1 findings.\n",
    .run = check_command,
};
