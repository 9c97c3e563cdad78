/* simtlab silicon: compares a machine with a real GPU. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/help/help.h"
#include "cli/jobs.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/silicon/silicon.h"
#include "device/script.h"
#include "machine/sm7/sm7_gpu.h"
#include "observe/json.h"
#include "observe/output.h"
#include "observe/report.h"
#include "observe/terminal.h"

/* ---- report ------------------------------------------------------------------------------------------------------ */

static enum sl_tone tone_of(double error, double bound)
{
  return fabs(error) <= bound ? SL_TONE_GOOD : SL_TONE_BAD;
}

static void put_error(struct sl_table *table, double model, double silicon, double bound)
{
  const double error = sl_silicon_error(model, silicon);
  if (silicon > 0)
    sl_table_cell(table, "%+.1f", error);
  else
    sl_table_cell(table, "%s", "");
  sl_table_tone(table, silicon <= 0 ? SL_TONE_PLAIN : tone_of(error, bound));
}

static void put_figure(struct sl_table *table, double model, double silicon, double bound)
{
  char text[32];
  sl_table_cell(table, "%s", sl_grouped((uint64_t)(model + 0.5), text));
  sl_table_cell(table, "%s", sl_grouped((uint64_t)(silicon + 0.5), text));
  put_error(table, model, silicon, bound);
}

static void print_cycles(const struct sl_silicon *s, FILE *file)
{
  enum { BAR = 12 };
  static const char *const titles[] = {"kernel", ">cycles", ">silicon", ">%", "counters", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < s->count; i++) {
    const struct sl_silicon_kernel *k = &s->kernels[i];
    if (k->failed)
      continue;
    sl_table_cell(&table, "%s", k->name);
    put_figure(&table, k->model[SL_SILICON_CYCLES], k->silicon[SL_SILICON_CYCLES], BAR);
    sl_table_cell(&table, "%s", k->same ? "same" : "not the same kernel");
    sl_table_tone(&table, k->same ? SL_TONE_GOOD : SL_TONE_BAD);
  }
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void print_watts(const struct sl_silicon *s, FILE *file)
{
  enum { BAR = 10 };
  static const char *const titles[] = {"kernel", ">watts", ">silicon", ">%", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < s->count; i++) {
    const struct sl_silicon_kernel *k = &s->kernels[i];
    if (k->failed)
      continue;
    sl_table_cell(&table, "%s", k->name);
    sl_table_cell(&table, "%.1f", k->watts);
    sl_table_cell(&table, "%.1f", k->silicon_watts);
    put_error(&table, k->watts, k->silicon_watts, BAR);
  }
  sl_print(file, "\n");
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void print_counters(const struct sl_silicon *s, FILE *file)
{
  static const char *const titles[] = {"kernel", "counter", ">model", ">silicon", ">%", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < s->count; i++)
    for (unsigned f = SL_SILICON_CYCLES + 1; f < SL_SILICON_FIGURES && !s->kernels[i].failed; f++) {
      const struct sl_silicon_kernel *k = &s->kernels[i];
      if (k->model[f] < 0.5 && k->silicon[f] < 0.5)
        continue;
      sl_table_cell(&table, "%s", k->name);
      sl_table_cell(&table, "%s", sl_silicon_figures[f].name);
      put_figure(&table, k->model[f], k->silicon[f], SL_SILICON_SAME);
    }
  sl_print(file, "\n");
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void print_errors(const struct sl_silicon_errors *same, const struct sl_silicon_errors *all, const char *of,
                         FILE *file)
{
  sl_print_lines(
      file, 2,
      "%s: mean error %.1f %%, median %.1f %%, of the %zu kernels that are the same; of all %zu mean %.1f %%, "
      "median %.1f %%",
      of, same->mean, same->median, same->count, all->count, all->mean, all->median);
}

/* Prints cycles and, unless brief, all figures. */
/* Prints cycles and, unless brief, all figures. */
static void silicon_print(const struct sl_silicon *s, bool brief, FILE *file)
{
  print_cycles(s, file);
  print_watts(s, file);
  if (!brief)
    print_counters(s, file);
  for (size_t i = 0; i < s->run_count; i++)
    if (s->runs[i].code != SL_OK)
      sl_print(file, "%s: %s\n", s->runs[i].name, s->runs[i].error.text);
  sl_print(file, "\n");
  sl_print_lines(file, 2,
                 "%s against a Quadro V100. A kernel is the same if its sectors of L2 and reads of DRAM are within "
                 "%d %%.",
                 s->config->name, SL_SILICON_SAME);
  print_errors(&s->cycles, &s->cycles_of_all, "cycles", file);
  print_errors(&s->watts, &s->watts_of_all, "watts", file);
}

static json_t *error_json(double model, double silicon)
{
  return SL_JSON({"model", json_real(model)}, {"silicon", json_real(silicon)},
                 {"error_percent", silicon > 0 ? json_real(sl_silicon_error(model, silicon)) : json_null()});
}

static json_t *kernel_json(const struct sl_silicon_kernel *k)
{
  json_t *figures = json_object();
  for (unsigned f = 0; f < SL_SILICON_FIGURES && !k->failed; f++)
    sl_json_put(&figures, sl_silicon_figures[f].name, error_json(k->model[f], k->silicon[f]));
  if (!k->failed)
    sl_json_put(&figures, "watts", error_json(k->watts, k->silicon_watts));
  json_t *json = SL_JSON({"name", json_string(k->name)}, {"suite", json_string(k->suite)},
                         {"same", json_boolean(k->same)}, {"figures", figures});
  for (size_t i = 0; i < k->count; i++)
    if (k->runs[i].code != SL_OK) {
      sl_json_put(&json, "message", sl_json_text(k->runs[i].error.text));
      break;
    }
  return json;
}

static json_t *errors_json(const struct sl_silicon_errors *e)
{
  return SL_JSON({"kernels", json_integer((json_int_t)e->count)}, {"mean", json_real(e->mean)},
                 {"median", json_real(e->median)});
}

static json_t *silicon_json(const struct sl_silicon *s)
{
  json_t *kernels = json_array();
  for (size_t i = 0; i < s->count; i++)
    sl_json_append(&kernels, kernel_json(&s->kernels[i]));
  json_t *same = SL_JSON({"cycles", errors_json(&s->cycles)}, {"watts", errors_json(&s->watts)});
  json_t *all = SL_JSON({"cycles", errors_json(&s->cycles_of_all)}, {"watts", errors_json(&s->watts_of_all)});
  return SL_JSON({"schema", json_integer(1)}, {"simtlab", json_string(SL_VERSION)},
                 {"machine", sl_config_json(s->config)}, {"energy", sl_json_text(s->energies.name)},
                 {"gpu", json_deep_copy(json_object_get(s->record, "gpu"))},
                 {"source", json_deep_copy(json_object_get(s->record, "source"))}, {"kernels", kernels},
                 {"error_percent_of_same", same}, {"error_percent_of_all", all});
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* The jobs: a comparison, of the machine as it is or without a mechanism. */
struct comparison {
  struct sl_silicon *silicon;
  const char *without; /* NULL: as it is */
};

static void name_run(const void *context, size_t index, char *text, size_t size)
{
  const struct comparison *c = context;
  snprintf(text, size, "%s%s%s", c->silicon->runs[index].name, c->without != NULL ? " without " : "",
           c->without != NULL ? c->without : "");
}

static enum sl_status find_script(const struct sl_silicon_run *run, char path[SL_PATH], struct sl_error *err)
{
  char relative[256];
  snprintf(relative, sizeof relative, "bench-v100/%.200s.launch", run->name);
  return sl_find_data(relative, path, err);
}

static enum sl_status play(const struct sl_silicon *s, struct sl_silicon_run *run, struct sl_running *running)
{
  const struct sl_gpu_options options = {.progress = sl_running_progress, .context = running};
  const struct sl_script_observer silent = {0};
  char path[SL_PATH];
  struct sl_gpu *gpu = NULL;
  struct sl_script script;
  enum sl_status code = find_script(run, path, &run->error);
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
  const struct comparison *c = context;
  struct sl_silicon_run *run = &c->silicon->runs[index];
  run->code = play(c->silicon, run, running);
}

struct order {
  const char *only, *json, *energy;
  uint64_t jobs;
  bool brief, list, quiet, mechanisms;
};

/* SL_CHECK_FAILED: a kernel did not end. */
static enum sl_status worst_of(const struct sl_silicon *s, struct sl_error *err)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->kernels[i].failed)
      return sl_fail(err, SL_CHECK_FAILED, "a kernel did not end: %.100s", s->kernels[i].name);
  return SL_OK;
}

/* Runs the kernels and compares them. */
static enum sl_status run_comparison(struct sl_silicon *silicon, const char *without, const struct order *order,
                                     struct sl_error *err)
{
  struct comparison c = {silicon, without};
  const struct sl_jobs jobs = {silicon->run_count, name_run, run_run, &c, order->quiet};
  const enum sl_status code = sl_jobs_run(&jobs, order->jobs, err);
  if (code == SL_OK)
    sl_silicon_compare(silicon);
  return code;
}

/* Prints each row when its runs have ended, because all rows take hours. main reports a failed write. */
static enum sl_status run_mechanisms(struct sl_silicon_mechanisms *m, const struct order *order, FILE *file,
                                     struct sl_error *err)
{
  enum sl_status code = SL_OK;
  sl_silicon_mechanisms_title(m, file);
  for (size_t i = 0; i < m->count && code == SL_OK; i++) {
    code = run_comparison(&m->mechanism[i].silicon, m->mechanism[i].name, order, err);
    if (code == SL_OK)
      sl_silicon_mechanism_print(m, i, file);
    fflush(file);
  }
  sl_print(file, "\n");
  if (code == SL_OK)
    sl_print_lines(file, 2,
                   "Errors of cycles, of all kernels that ended. A mechanism is off if its keys have their defaults.");
  return code;
}

static json_t *json_of(const struct sl_silicon *with, const struct sl_silicon_mechanisms *m)
{
  json_t *json = silicon_json(with);
  if (m->count > 0)
    sl_json_put(&json, "mechanisms", sl_silicon_mechanisms_json(m));
  return json;
}

static enum sl_status run_all(struct sl_silicon *with, struct sl_silicon_mechanisms *m, const struct order *order,
                              struct sl_error *err)
{
  struct sl_output json = {0};
  enum sl_status code = order->json != NULL ? sl_output_open(&json, order->json, err) : SL_OK;
  if (code != SL_OK)
    return code;
  FILE *const file = json.standard ? stderr : stdout;
  code = run_comparison(with, NULL, order, err);
  if (code == SL_OK)
    silicon_print(with, order->brief, file);
  if (code == SL_OK && order->mechanisms)
    code = run_mechanisms(m, order, file, err);
  if (code == SL_OK && order->json != NULL)
    code = sl_json_write(sl_with_provenance(json_of(with, m)), &json, err);
  code = sl_finish_output(&json, code, err);
  for (size_t i = 0; i < m->count && code == SL_OK; i++)
    code = worst_of(&m->mechanism[i].silicon, err);
  return code == SL_OK ? worst_of(with, err) : code;
}

static enum sl_status compare(struct sl_silicon *s, const struct sl_machine_choice *choice, const struct order *order,
                              struct sl_error *err)
{
  struct sl_silicon_mechanisms mechanisms = {0};
  char path[SL_PATH];
  if (s->config->machine != &sl_sm7)
    return sl_fail(err, SL_USAGE, "the kernels are PTX, which %.60s does not run; use a machine such as v100",
                   s->config->name);
  enum sl_status code = sl_energy_set_open(&s->energies, order->energy, err);
  if (code == SL_OK)
    code = sl_silicon_load(s, order->only == NULL && order->list ? "*" : order->only, err);
  for (size_t i = 0; i < s->count && order->list; i++)
    printf("%s\n", s->kernels[i].name);
  for (size_t i = 0; i < s->run_count && code == SL_OK && !order->list; i++)
    code = find_script(&s->runs[i], path, err);
  if (code == SL_OK && order->mechanisms && !order->list)
    code = sl_silicon_mechanisms_load(&mechanisms, s, choice, order->only, err);
  if (code == SL_OK && !order->list)
    code = run_all(s, &mechanisms, order, err);
  sl_silicon_mechanisms_free(&mechanisms);
  return code;
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
      {0, "mechanisms", SL_OPTION_FLAG, NULL, "also run without each mechanism of the machine, one at a time",
       &order.mechanisms},
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
    code = compare(&silicon, &choice, &order, err);
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
               "cudaTensorCoreGemm_k1 takes ten minutes and runs only with --only.\n"
               "The exit status is 0 if all kernels end, whatever the errors are.\n",
    .run = silicon_command,
};
