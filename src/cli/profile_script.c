#include "cli/profile_script.h"

#include <stdlib.h>

#include "cli/help/provenance.h"

#include "cli/script_session.h"
#include "cli/session.h"
#include "observe/grids/grid_profile.h"
#include "observe/report.h"

static enum sl_status play(struct sl_script_session *session, const struct sl_profile_script *o,
                           const struct sl_grid_rows *rows, struct sl_output *output, struct sl_error *err)
{
  struct sl_error error = {0};
  struct sl_grid_profile profile;
  enum sl_status code = sl_script_play(session, err);
  const struct sl_grid_report run = sl_script_report(session);
  const enum sl_status made = sl_grid_profile_create(&profile, &run, rows, &error);
  code = sl_add_outcome(code, made, &error, err);
  if (made == SL_OK) {
    FILE *file = output->standard ? stderr : stdout;
    if (!o->quiet)
      code =
          sl_add_outcome(code, sl_grid_profile_print(&profile, o->lines, o->instructions, file, &error), &error, err);
    if (output->file != NULL)
      code = sl_add_outcome(code, sl_json_write(sl_with_provenance(sl_grid_profile_json(&profile)), output, &error),
                            &error, err);
    code = sl_add_outcome(code, sl_grid_profile_check(&profile, &error), &error, err);
  }
  sl_grid_profile_free(&profile);
  return code;
}

enum sl_status sl_profile_script(const char *path, const struct sl_profile_script *o, struct sl_error *err)
{
  struct sl_script_session session;
  struct sl_output output = {0};
  struct sl_grid_rows rows = {0};
  struct sl_probes probes = sl_grid_rows_probes(&rows);
  const struct sl_gpu_options options = {.limit = o->limit, .bounds.probes = &probes};
  enum sl_status code = sl_script_open(&session, path, o->choice, options, sl_is_standard(o->json), err);
  if (code == SL_OK && o->json != NULL)
    code = sl_output_open(&output, o->json, err);
  if (code == SL_OK)
    code = play(&session, o, &rows, &output, err);
  code = sl_finish_output(&output, code, err);
  sl_script_close(&session);
  free(rows.slots);
  return code;
}
