#include "cli/run/run_script.h"
#include "cli/help/provenance.h"

#include <inttypes.h>

#include "cli/run/script_checkpoints.h"
#include "cli/session.h"
#include "observe/report.h"

enum { MOST_REGISTERS = 255 }; /* registers per thread that an SM 7.0 instruction can address */

static enum sl_status play(struct sl_script_session *session, const struct sl_script_options *o,
                           struct sl_output *stats, struct sl_error *err)
{
  struct sl_error writing = {0};
  struct sl_script_checkpoints checkpoints;
  enum sl_status code = sl_script_checkpoints_open(&checkpoints, session, o->checkpoints, err);
  if (code == SL_OK)
    code = sl_script_checkpoints_outcome(&checkpoints, sl_script_play(session, err), err);
  sl_script_checkpoints_close(&checkpoints);
  struct sl_grid_report report = sl_script_report(session);
  report.energy = o->energy;
  if (!o->quiet)
    sl_grid_report_print(&report, stderr);
  else
    sl_grid_report_energy(&report, stderr);
  if (stats->file != NULL)
    code = sl_add_outcome(code, sl_json_write(sl_with_provenance(sl_grid_report_json(&report)), stats, &writing),
                          &writing, err);
  return code;
}

enum sl_status sl_run_script(const char *path, const struct sl_script_options *o, struct sl_error *err)
{
  struct sl_script_session session;
  struct sl_output stats = {0};
  const struct sl_gpu_options options = {.fast = o->fast,
                                         .threads = o->threads < UINT16_MAX ? (unsigned)o->threads : UINT16_MAX,
                                         .registers = (uint32_t)o->registers,
                                         .limit = o->limit};
  if (o->others)
    return sl_fail(err, SL_USAGE,
                   "of the options of run, launch scripts take only --machine, --set, --fast, --max-cycles, --threads, "
                   "--regs, --stats, "
                   "--energy, --quiet and those of checkpoints");
  if (o->registers > MOST_REGISTERS)
    return sl_fail(err, SL_USAGE, "--regs %" PRIu64 ": a thread has %d registers at most", o->registers,
                   MOST_REGISTERS);
  if (sl_checkpoints_check(o->checkpoints, err) != SL_OK || sl_checkpoints_of_launches(o->checkpoints, err) != SL_OK)
    return err->code;
  enum sl_status code = sl_script_open(&session, path, o->choice, options, sl_is_standard(o->stats), err);
  if (code == SL_OK && o->stats != NULL)
    code = sl_output_open(&stats, o->stats, err);
  if (code == SL_OK)
    code = play(&session, o, &stats, err);
  code = sl_finish_output(&stats, code, err);
  sl_script_close(&session);
  return code;
}
