#include "cli/compare/compare_script.h"

#include <stdlib.h>

#include "gpu/grids.h"
#include "machine/sm7/sm7.h"

struct script_job {
  struct sl_grids grids;
  struct sl_running *running;
};

enum sl_status sl_compare_script_check(const struct sl_compare_row *row, struct sl_error *err)
{
  if (row->config.machine == &sl_sm7)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "%.200s is for machines that run PTX, which %.200s does not; sm7 and sm7-4 do",
                 row->file, row->name);
}

static bool goes_on(void *context)
{
  struct script_job *job = context;
  const struct sl_sm7_engine *engine = &job->grids.engine;
  return sl_running_progress(job->running, engine->cycles + engine->gpu->cycle);
}

static void take_launches(struct sl_compare_row *row, const struct sl_grids *grids)
{
  const struct sl_machine *machine = row->config.machine;
  struct sl_launch *launches = calloc(grids->count + 1, sizeof *launches);
  if (launches == NULL) {
    row->code = sl_no_memory(&row->error, (grids->count + 1) * sizeof *launches);
    return;
  }
  for (size_t i = 0; i < grids->count; i++) {
    launches[i] = grids->launch[i].launch;
    sl_kernel_sums_add(&row->kernels, machine, grids->launch[i].kernel, &launches[i]);
  }
  for (size_t i = 0; i < machine->counters->count; i++)
    row->counters[i] = sl_grids_total(grids, i);
  row->launches = grids->count;
  if (grids->count > 0) {
    row->cycles = sl_role_total(machine, SL_COUNTER_CYCLES, launches, grids->count);
    row->warp_instructions = sl_role_total(machine, SL_COUNTER_WARP_INSTRUCTIONS, launches, grids->count);
    row->thread_instructions = sl_role_total(machine, SL_COUNTER_THREAD_INSTRUCTIONS, launches, grids->count);
    row->transactions = sl_role_total(machine, SL_COUNTER_TRANSACTIONS, launches, grids->count);
  }
  free(launches);
}

void sl_compare_script(struct sl_compare_row *row, uint64_t limit, struct sl_running *running)
{
  struct script_job job = {.running = running};
  struct sl_ptx_script script;
  const struct sl_grids_options options = {.bounds = {.limit = limit, .goes_on = goes_on, .context = &job}};
  row->code = sl_ptx_script_load(&script, row->file, &row->error);
  if (row->code != SL_OK)
    return;
  row->code = sl_grids_open(&job.grids, &row->config, &options, &row->error);
  if (row->code == SL_OK) {
    const struct sl_ptx_options semantics = sl_grids_semantics(&job.grids);
    const struct sl_ptx_engine engine = sl_grids_engine(&job.grids);
    const struct sl_ptx_observer observer = {.context = &job};
    row->code = sl_ptx_play(&script, &semantics, &engine, &observer, &row->error);
    take_launches(row, &job.grids);
  }
  sl_grids_close(&job.grids);
  sl_ptx_script_free(&script);
}
