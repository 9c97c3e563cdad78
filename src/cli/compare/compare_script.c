#include "cli/compare/compare_script.h"

#include <stdlib.h>

#include "device/script_player.h"
#include "machine/sm7/sm7.h"

enum sl_status sl_compare_script_check(const struct sl_compare_row *row, struct sl_error *err)
{
  if (row->config.machine == &sl_sm7)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "%.200s is for machines that run PTX, which %.200s does not; sm7 and sm7-4 do",
                 row->file, row->name);
}

static void take_launches(struct sl_compare_row *row, const struct sl_gpu *gpu)
{
  const struct sl_machine *machine = row->config.machine;
  const size_t count = sl_gpu_record_count(gpu);
  struct sl_launch *launches = calloc(count + 1, sizeof *launches);
  if (launches == NULL) {
    row->code = sl_no_memory(&row->error, (count + 1) * sizeof *launches);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    launches[i] = sl_gpu_record(gpu, i)->launch;
    sl_kernel_sums_add(&row->kernels, machine, sl_gpu_record(gpu, i)->kernel, &launches[i]);
  }
  for (size_t i = 0; i < machine->counters->count; i++)
    row->counters[i] = sl_gpu_total(gpu, i);
  row->launches = count;
  if (count > 0) {
    row->cycles = sl_role_total(machine, SL_COUNTER_CYCLES, launches, count);
    row->warp_instructions = sl_role_total(machine, SL_COUNTER_WARP_INSTRUCTIONS, launches, count);
    row->thread_instructions = sl_role_total(machine, SL_COUNTER_THREAD_INSTRUCTIONS, launches, count);
    row->transactions = sl_role_total(machine, SL_COUNTER_TRANSACTIONS, launches, count);
  }
  free(launches);
}

void sl_compare_script(struct sl_compare_row *row, uint64_t limit, struct sl_running *running)
{
  const struct sl_gpu_options options = {.limit = limit, .progress = sl_running_progress, .context = running};
  const struct sl_script_observer none = {.context = NULL};
  struct sl_gpu *gpu = NULL;
  struct sl_script script;
  row->code = sl_script_load(&script, row->file, &row->error);
  if (row->code != SL_OK)
    return;
  row->code = sl_gpu_open(&gpu, &row->config, &options, &row->error);
  if (row->code == SL_OK) {
    row->code = sl_script_perform(&script, gpu, NULL, &none, &row->error);
    take_launches(row, gpu);
  }
  sl_gpu_close(gpu);
  sl_script_free(&script);
}
