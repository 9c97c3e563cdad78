#include "cli/run/run_script.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/session.h"
#include "gpu/grids.h"
#include "machine/sm7/sm7.h"
#include "observe/grids/grid_report.h"
#include "observe/json.h"
#include "observe/report.h"

enum { MOST_REGISTERS = 255 }; /* of a thread, in SM 7.0's instructions */

struct script_run {
  const struct sl_script_options *options;
  struct sl_config config;
  struct sl_ptx_script script;
  struct sl_grids grids;
  struct sl_output console, stats;
  struct sl_interruption interruption;
  json_t *sums;
};

bool sl_is_script(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot != NULL && strcmp(dot, ".launch") == 0;
}

static void summed(void *context, const char *buffer, uint64_t sum)
{
  struct script_run *r = context;
  sl_output_print(&r->console, "sum %s %016" PRIx64 "\n", buffer, sum);
  if (r->sums != NULL && json_object_get(r->sums, buffer) == NULL)
    sl_json_put(&r->sums, buffer, json_array());
  json_t *sums = json_object_get(r->sums, buffer);
  if (sums != NULL)
    json_array_append_new(sums, json_sprintf("%016" PRIx64, sum));
}

static bool goes_on(void *context)
{
  struct script_run *r = context;
  return !sl_interrupted(&r->interruption);
}

/* Without timing a machine is not needed, and of sm7's keys those matter that change values. */
static enum sl_status choose_machine(struct script_run *r, struct sl_error *err)
{
  struct sl_machine_choice choice = *r->options->choice;
  const struct sl_machine_choice named = {.machine = choice.machine};
  for (size_t i = 0; i < choice.set.count && r->options->fast; i++)
    if (strncmp(choice.set.items[i], "fma=", 4) != 0)
      return sl_fail(err, SL_USAGE,
                     "'%.100s' is none of fma=fused and fma=unfused, the keys that matter without timing",
                     choice.set.items[i]);
  if (r->options->fast) {
    const enum sl_status code = sl_open_machine(&named, &r->config, err);
    if (code != SL_OK)
      return code;
    if (r->config.machine != &sl_sm7)
      choice.machine = sl_sm7.name;
    sl_config_close(&r->config);
  }
  return sl_open_machine(&choice, &r->config, err);
}

static enum sl_status prepare(struct script_run *r, const char *path, struct sl_error *err)
{
  const struct sl_script_options *o = r->options;
  const struct sl_grids_options options = {.fast = o->fast,
                                           .registers = (uint32_t)o->registers,
                                           .bounds = {.limit = o->limit, .goes_on = goes_on, .context = r}};
  enum sl_status code = choose_machine(r, err);
  if (code != SL_OK) {
    r->config = (struct sl_config){0};
    return code;
  }
  code = sl_grids_open(&r->grids, &r->config, &options, err);
  if (code == SL_OK)
    code = sl_ptx_script_load(&r->script, path, err);
  if (code == SL_OK && o->stats != NULL)
    code = sl_output_open(&r->stats, o->stats, err);
  if (code == SL_OK)
    code = sl_output_open(&r->console, "-", err);
  return code;
}

static enum sl_status play(struct script_run *r, const char *path, struct sl_error *err)
{
  const struct sl_ptx_options semantics = sl_grids_semantics(&r->grids);
  const struct sl_ptx_engine engine = sl_grids_engine(&r->grids);
  const struct sl_ptx_listener listener = {.summed = summed, .context = r};
  const double start = sl_seconds();
  struct sl_error outcome = {0}, writing = {0};
  r->sums = json_object();
  sl_interruption_begin(&r->interruption);
  enum sl_status code = outcome.code = sl_ptx_play(&r->script, &semantics, &engine, &listener, &outcome);
  if (r->interruption.seen != 0)
    code = outcome.code = sl_interrupted_status(&r->interruption, &outcome,
                                                "%s was interrupted; its figures are of what ran until then", path);
  *err = outcome;
  const struct sl_grid_report report = {.version = SL_VERSION,
                                        .grids = &r->grids,
                                        .file = path,
                                        .module = r->script.module,
                                        .sums = r->sums,
                                        .error = &outcome,
                                        .seconds = sl_seconds() - start};
  code = sl_finish_output(&r->console, code, err);
  if (!r->options->quiet)
    sl_grid_report_print(&report, stderr);
  if (r->stats.file != NULL)
    code = sl_add_outcome(code, sl_json_write(sl_grid_report_json(&report), &r->stats, &writing), &writing, err);
  json_decref(r->sums);
  return code;
}

enum sl_status sl_run_script(const char *path, const struct sl_script_options *o, struct sl_error *err)
{
  struct script_run run = {.options = o, .interruption.file = -1};
  if (o->others)
    return sl_fail(err, SL_USAGE,
                   "of the options of run only --machine, --set, --fast, --max-cycles, --regs, --stats and --quiet are "
                   "for launch descriptions");
  if (o->registers > MOST_REGISTERS)
    return sl_fail(err, SL_USAGE, "--regs %" PRIu64 ": a thread has %d registers at most", o->registers,
                   MOST_REGISTERS);
  enum sl_status code = prepare(&run, path, err);
  if (code == SL_OK)
    code = play(&run, path, err);
  code = sl_finish_output(&run.stats, code, err);
  sl_interruption_end(&run.interruption);
  sl_grids_close(&run.grids);
  sl_ptx_script_free(&run.script);
  sl_config_close(&run.config);
  return code;
}
