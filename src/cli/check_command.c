/* simtlab check: data races and other defects of kernels. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cuda/cuda.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/run/run.h"
#include "cli/session.h"
#include "compiler/cc/tools.h"
#include "observe/check/check.h"
#include "observe/report.h"
#include "observe/terminal.h"

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

enum { FINDINGS = 119 /* the exit status that the runtimes give a program with findings */ };

/* ---- programs of the host: the findings of several runs ---------------------------------------------------------- */

static bool is_same_member(const json_t *a, const json_t *b, const char *name)
{
  return json_equal(json_object_get(a, name), json_object_get(b, name)) != 0;
}

/* Two runs may see one finding at other threads and addresses: its kind, kernel and lines tell which it is. */
static bool is_same(const json_t *a, const json_t *b)
{
  const json_t *one = json_object_get(a, "accesses"), *two = json_object_get(b, "accesses");
  if (!is_same_member(a, b, "kind") || !is_same_member(a, b, "kernel") || json_array_size(one) != json_array_size(two))
    return false;
  if (json_array_size(one) == 0)
    return is_same_member(a, b, "text");
  for (size_t i = 0; i < json_array_size(one); i++) {
    size_t k = 0;
    while (k < json_array_size(two) && !(is_same_member(json_array_get(one, i), json_array_get(two, k), "file") &&
                                         is_same_member(json_array_get(one, i), json_array_get(two, k), "line")))
      k++;
    if (k == json_array_size(two))
      return false;
  }
  return true;
}

/* Adds the findings of a run to those before. */
static void merge(json_t *all, const json_t *run)
{
  json_t *list = json_object_get(all, "list");
  const json_t *more = json_object_get(run, "list");
  json_int_t findings = json_integer_value(json_object_get(all, "findings"));
  for (size_t i = 0; i < json_array_size(more); i++) {
    json_t *finding = json_array_get(more, i), *before = NULL;
    for (size_t k = 0; k < json_array_size(list) && before == NULL; k++)
      if (is_same(json_array_get(list, k), finding))
        before = json_array_get(list, k);
    const json_int_t count = json_integer_value(json_object_get(finding, "count"));
    if (before != NULL)
      json_object_set_new(before, "count", json_integer(json_integer_value(json_object_get(before, "count")) + count));
    else {
      json_array_append(list, finding);
      findings += json_is_false(json_object_get(finding, "suppressed"));
    }
  }
  json_object_set_new(all, "findings", json_integer(findings));
}

/* The file of one run, which is deleted. */
static void take_file(const char *path, json_t **all)
{
  json_t *run = json_load_file(path, 0, NULL);
  unlink(path);
  if (*all == NULL) {
    *all = run;
    return;
  }
  merge(*all, run);
  json_decref(run);
}

/* ---- programs of the host: runs ---------------------------------------------------------------------------------- */

static enum sl_status run_seeds(const struct check_options *o, const char *program, const struct sl_operands *operands,
                                const char *file, json_t **all, unsigned *found, struct sl_error *err)
{
  for (uint64_t seed = 0; seed <= o->schedules; seed++) {
    int status;
    sl_host_command_number("CHECK_SCHEDULE", seed);
    if (sl_host_command_run(program, operands, seed > 0, &status, err) != SL_OK)
      return err->code;
    if (file != NULL)
      take_file(file, all);
    if (status != 0 && status != FINDINGS)
      return sl_fail(err, SL_CHECK_FAILED, "%.300s: exit status %d", operands->items[0], status);
    *found += status == FINDINGS;
  }
  return SL_OK;
}

/* Runs with a file for each, and writes that of all. */
static enum sl_status run_with_file(const struct check_options *o, const char *program,
                                    const struct sl_operands *operands, unsigned *found, struct sl_error *err)
{
  char folder[4096], file[4096 + 16];
  json_t *all = NULL;
  struct sl_error saving = {.code = SL_OK};
  if (sl_make_folder(folder, sizeof folder, err) != SL_OK)
    return err->code;
  snprintf(file, sizeof file, "%s/run.json", folder);
  sl_host_command_set("CHECK_JSON", file);
  enum sl_status code = run_seeds(o, program, operands, file, &all, found, err);
  rmdir(folder);
  if (all != NULL && sl_json_save(all, o->json, &saving) != SL_OK && code == SL_OK) {
    *err = saving;
    return saving.code;
  }
  return code;
}

/* Runs a program of the host with the runtimes' checker, once and in the order of each seed. SL_CHECK_FAILED: it has
 * findings, or fails itself. `built`: the file to run if it comes of a source here; NULL: the operand. */
static enum sl_status check_host(const struct check_options *o, const char *built, const struct sl_operands *operands,
                                 struct sl_error *err)
{
  unsigned found = 0;
  const char *program = built != NULL ? built : operands->items[0];
  const char *machine = o->choice.machine != standard_machine ? o->choice.machine : NULL;
  const bool several = o->json != NULL && o->schedules > 0;
  if (o->strict || o->lock_step || o->choice.set.count > 0 || o->launches.count > 0)
    return sl_fail(err, SL_USAGE, "--strict-lanes, --lock-step, --set and --launch are not for programs of the host");
  if (sl_host_command_prepare(program, machine, err) != SL_OK)
    return err->code;
  sl_host_command_set("MODE", o->timed ? "timed" : "fast");
  sl_host_command_number("CHECK", o->leaks ? 2 : 1);
  sl_host_command_number("CHECK_EXIT", FINDINGS);
  sl_host_command_set("CHECK_EQUAL", o->equal ? "1" : NULL);
  if (built != NULL)
    sl_host_command_set("CHECK_CHECKABLE", "1");
  sl_host_command_set("CHECK_NO_UNINITIALISED", o->no_uninitialised ? "1" : NULL);
  sl_host_command_set("CHECK_BARRIERS", o->strict_barriers ? "1" : NULL);
  sl_host_command_set("CHECK_JSON", several ? NULL : o->json);
  sl_host_command_set("CHECK_SUPPRESS", o->suppress);
  if (o->max_cycles > 0)
    sl_host_command_number("MAX_CYCLES", o->max_cycles);
  const enum sl_status code = several ? run_with_file(o, program, operands, &found, err)
                                      : run_seeds(o, program, operands, NULL, NULL, &found, err);
  if (code != SL_OK)
    return code;
  if (found > 0)
    return sl_fail(err, SL_CHECK_FAILED, "%.300s: findings in %u of %" PRIu64 " run%s", operands->items[0], found,
                   o->schedules + 1, o->schedules > 0 ? "s" : "");
  if (!o->quiet)
    sl_print(stderr, "no findings\n");
  return SL_OK;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static enum sl_status check_source(const struct check_options *o, const struct sl_operands *operands,
                                   struct sl_error *err)
{
  char program[SL_CUDA_PATH];
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
