/* simtlab silicon: compares a machine with a real GPU. */
#include <stdio.h>
#include <string.h>

#include "cli/help/provenance.h"
#include "cli/jobs.h"
#include "cli/locations.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/silicon/silicon.h"
#include "device/script_player.h"
#include "machine/sm7/sm7.h"
#include "observe/output.h"
#include "observe/report.h"

static void name_run(const void *context, size_t index, char *text, size_t size)
{
  const struct sl_silicon *s = context;
  snprintf(text, size, "%s", s->runs[index].name);
}

static enum sl_status play(const struct sl_silicon *s, struct sl_silicon_run *run, struct sl_running *running)
{
  const struct sl_gpu_options options = {.progress = sl_running_progress, .context = running};
  const struct sl_script_observer silent = {0};
  char relative[256], path[SL_PATH];
  struct sl_gpu *gpu = NULL;
  struct sl_script script;
  snprintf(relative, sizeof relative, "bench-v100/%.200s.launch", run->name);
  enum sl_status code = sl_find_data(relative, path, &run->error);
  if (code == SL_OK)
    code = sl_script_load(&script, path, &run->error);
  if (code != SL_OK)
    return code;
  code = sl_gpu_open(&gpu, s->config, &options, &run->error);
  if (code == SL_OK)
    code = sl_script_perform(&script, gpu, NULL, &silent, &run->error);
  for (size_t i = 0; code == SL_OK && i < s->config->machine->counters->count; i++)
    run->counters[i] = sl_gpu_total(gpu, i);
  sl_gpu_close(gpu);
  sl_script_free(&script);
  return code;
}

static void run_run(void *context, size_t index, struct sl_running *running)
{
  struct sl_silicon *s = context;
  s->runs[index].code = play(s, &s->runs[index], running);
}

struct order {
  const char *only, *json, *energy;
  uint64_t jobs;
  bool brief, list, quiet;
};

/* SL_CHECK_FAILED: a kernel did not end. */
static enum sl_status worst_of(const struct sl_silicon *s, struct sl_error *err)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->kernels[i].failed)
      return sl_fail(err, SL_CHECK_FAILED, "a kernel did not end: %.100s", s->kernels[i].name);
  return SL_OK;
}

static enum sl_status run_all(struct sl_silicon *s, const struct order *order, struct sl_error *err)
{
  const struct sl_jobs jobs = {s->run_count, name_run, run_run, s, order->quiet};
  struct sl_output json = {0};
  enum sl_status code = order->json != NULL ? sl_output_open(&json, order->json, err) : SL_OK;
  if (code != SL_OK)
    return code;
  code = sl_jobs_run(&jobs, order->jobs, err);
  if (code == SL_OK) {
    sl_silicon_compare(s);
    sl_silicon_print(s, order->brief, json.standard ? stderr : stdout); /* main reports a failed write */
  }
  if (code == SL_OK && order->json != NULL)
    code = sl_json_write(sl_with_provenance(sl_silicon_json(s)), &json, err);
  code = sl_finish_output(&json, code, err);
  return code == SL_OK ? worst_of(s, err) : code;
}

static enum sl_status compare(struct sl_silicon *s, const struct order *order, struct sl_error *err)
{
  if (s->config->machine != &sl_sm7)
    return sl_fail(err, SL_USAGE, "the kernels are PTX, which %.60s does not run; use a machine such as v100",
                   s->config->name);
  enum sl_status code = sl_energy_set_open(&s->energies, order->energy, err);
  if (code == SL_OK)
    code = sl_silicon_load(s, order->only, err);
  for (size_t i = 0; i < s->count && order->list; i++)
    printf("%s\n", s->kernels[i].name);
  return code != SL_OK || order->list ? code : run_all(s, order, err);
}

static enum sl_status silicon_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct order order = {.jobs = sl_processors(), .energy = "v100-sass"};
  struct sl_machine_choice choice = {.machine = "v100"};
  const struct sl_option options[] = {
      {'m', "machine", SL_OPTION_TEXT, "NAME|FILE", "preset (simtlab machines) or YAML file [v100]", &choice.machine},
      SL_SET_OPTION(choice),
      {'o', "only", SL_OPTION_TEXT, "GLOB", "only kernels whose name matches, such as 'backprop*'", &order.only},
      {0, "energy", SL_OPTION_TEXT, "SET|FILE", "energies for watts (simtlab run --energy) [v100-sass]", &order.energy},
      {'l', "list", SL_OPTION_FLAG, NULL, "print the kernels' names and run none", &order.list},
      {'b', "brief", SL_OPTION_FLAG, NULL, "print cycles and watts but not the other counters", &order.brief},
      {'j', "jobs", SL_OPTION_NUMBER, "N", "kernels run in parallel [all processors]", &order.jobs},
      {0, "json", SL_OPTION_OUTPUT, "FILE", "write the comparison as JSON (- is standard output)", &order.json},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress line", &order.quiet},
      {0},
  };
  struct sl_operands operands;
  struct sl_config config = {0};
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 0)
    return sl_fail(err, SL_USAGE, "unexpected '%.80s'; choose kernels with --only", operands.items[0]);
  code = sl_open_machine(&choice, &config, err);
  struct sl_silicon silicon = {.config = &config};
  if (code == SL_OK)
    code = compare(&silicon, &order, err);
  sl_silicon_free(&silicon);
  sl_config_close(&config);
  return code;
}

const struct sl_command sl_silicon_command = {
    .name = "silicon",
    .operands = "[OPTION]...",
    .summary = "Compare a machine with a real V100, kernel by kernel",
    .details = "Runs the kernels of bench-v100/ and prints cycles, watts and counters beside those of the hardware. A\n"
               "kernel whose sectors of L2 or reads of DRAM differ by more than 3 % is not the same kernel.\n"
               "The exit status is 0 if all kernels end, whatever the errors are.\n",
    .run = silicon_command,
};
