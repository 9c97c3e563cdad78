#include "observe/grids/grid_report.h"

#include <inttypes.h>

#include "observe/json.h"
#include "observe/report.h"
#include "observe/table.h"

static void name_limits(unsigned limited, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (unsigned bit = 1; bit < 1u << SL_SM7_LIMITS; bit *= 2)
    if ((limited & bit) && used < size) {
      const int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", sl_sm7_limit_name(bit));
      used += n > 0 ? (size_t)n : 0;
    }
}

static uint64_t of_role(const struct sl_gpu *gpu, const struct sl_launch *launch, enum sl_counter_role role)
{
  return sl_role_total(sl_gpu_config(gpu)->machine, role, launch, 1).value;
}

void sl_grid_launches_print(const struct sl_gpu *gpu, FILE *file)
{
  static const char *const titles[] = {"kernel",  ">cycles",         ">warp instrs", ">thread instrs",
                                       ">blocks", ">per SM at most", "by",           NULL};
  const bool fast = sl_gpu_fast(gpu);
  struct sl_table table;
  size_t blocks = 0;
  sl_counter_find(sl_gpu_config(gpu)->machine, "blocks", &blocks);
  sl_table_init(&table, titles);
  for (size_t i = 0; i < sl_gpu_record_count(gpu); i++) {
    const struct sl_gpu_record *l = sl_gpu_record(gpu, i);
    char limits[80];
    name_limits(l->limits, limits, sizeof limits);
    sl_table_cell(&table, "%s", l->kernel);
    if (fast)
      sl_table_cell(&table, "%s", "-");
    else
      sl_table_cell(&table, "%" PRIu64, of_role(gpu, &l->launch, SL_COUNTER_CYCLES));
    sl_table_cell(&table, "%" PRIu64, of_role(gpu, &l->launch, SL_COUNTER_WARP_INSTRUCTIONS));
    sl_table_cell(&table, "%" PRIu64, of_role(gpu, &l->launch, SL_COUNTER_THREAD_INSTRUCTIONS));
    sl_table_cell(&table, "%" PRIu64, l->launch.counters[blocks]);
    sl_table_cell(&table, "%u", l->fits);
    sl_table_cell(&table, "%s", limits);
  }
  sl_table_print(&table, file);
  sl_table_free(&table);
}

/* Prints the non-zero counters; issue slots also as a share of all slots. */
static void print_counters(const struct sl_gpu *gpu, FILE *file)
{
  static const char *const titles[] = {"counter", ">value", ">%", NULL};
  const struct sl_counters *counters = sl_gpu_config(gpu)->machine->counters;
  struct sl_table table;
  uint64_t slots = 0;
  for (size_t i = 0; i < counters->count; i++)
    slots += counters->counter[i].role == SL_COUNTER_STALL_REASON ? sl_gpu_total(gpu, i) : 0;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < counters->count; i++) {
    const struct sl_counter *c = &counters->counter[i];
    const uint64_t value = sl_gpu_total(gpu, i);
    if (value == 0)
      continue;
    sl_table_cell(&table, "%s", c->name);
    sl_table_cell(&table, "%" PRIu64, value);
    if (c->role == SL_COUNTER_STALL_REASON)
      sl_table_cell(&table, "%.1f", 100 * (double)value / (double)slots);
    else
      sl_table_cell(&table, "%s", "");
  }
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static uint64_t sum_of_role(const struct sl_gpu *gpu, enum sl_counter_role role)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < sl_gpu_record_count(gpu); i++)
    sum += of_role(gpu, &sl_gpu_record(gpu, i)->launch, role);
  return sum;
}

static void energy_of(const struct sl_grid_report *report, struct sl_energy *energy)
{
  uint64_t counters[SL_MAX_COUNTERS];
  for (size_t i = 0; i < sl_gpu_config(report->gpu)->machine->counters->count; i++)
    counters[i] = sl_gpu_total(report->gpu, i);
  sl_energy_of(energy, report->energy, sl_gpu_config(report->gpu), counters);
}

void sl_grid_report_energy(const struct sl_grid_report *report, FILE *file)
{
  struct sl_energy energy;
  if (report->energy == NULL || sl_gpu_record_count(report->gpu) == 0)
    return;
  energy_of(report, &energy);
  sl_energy_print(&energy, file);
}

static json_t *energy_json(const struct sl_grid_report *report)
{
  struct sl_energy energy;
  energy_of(report, &energy);
  return sl_energy_json(&energy);
}

void sl_grid_report_print(const struct sl_grid_report *report, FILE *file)
{
  const struct sl_gpu *gpu = report->gpu;
  const double seconds = sl_gpu_seconds(gpu);
  if (sl_gpu_record_count(gpu) == 0) {
    fprintf(file, "no kernel was launched\n");
    return;
  }
  sl_grid_launches_print(gpu, file);
  if (!sl_gpu_fast(gpu))
    print_counters(gpu, file);
  sl_grid_report_energy(report, file);
  fprintf(file, "host: %.1f M thread instrs/s",
          1e-6 * sl_rate(sum_of_role(gpu, SL_COUNTER_THREAD_INSTRUCTIONS), seconds));
  if (!sl_gpu_fast(gpu))
    fprintf(file, ", %.2f M cycles/s", 1e-6 * sl_rate(sum_of_role(gpu, SL_COUNTER_CYCLES), seconds));
  fprintf(file, " (%.3f s simulating the kernels)\n", seconds);
}

static json_t *extent_json(const uint32_t extent[3])
{
  json_t *json = json_array();
  for (unsigned i = 0; i < 3; i++)
    sl_json_append(&json, sl_json_count(extent[i]));
  return json;
}

static json_t *limits_json(unsigned limited)
{
  json_t *json = json_array();
  for (unsigned bit = 1; bit < 1u << SL_SM7_LIMITS; bit *= 2)
    if (limited & bit)
      sl_json_append(&json, json_string(sl_sm7_limit_name(bit)));
  return json;
}

/* Counters of one launch; NULL: of all. Without timing only those with a functional value. */
static json_t *counters_json(const struct sl_gpu *gpu, const struct sl_launch *launch)
{
  const struct sl_counters *counters = sl_gpu_config(gpu)->machine->counters;
  json_t *json = json_object();
  for (size_t i = 0; i < counters->count; i++) {
    const uint64_t value = launch != NULL ? launch->counters[i] : sl_gpu_total(gpu, i);
    if (value > 0 || !sl_gpu_fast(gpu))
      sl_json_put(&json, counters->counter[i].name, sl_counter_json(&counters->counter[i], value));
  }
  return json;
}

static json_t *launch_json(const struct sl_gpu *gpu, const struct sl_gpu_record *l)
{
  json_t *json = json_object();
  sl_json_put(&json, "entry", sl_json_hex(l->launch.entry, 8));
  sl_json_put(&json, "function", sl_json_text(l->kernel));
  sl_json_put(&json, "grid", extent_json(l->grid));
  sl_json_put(&json, "block", extent_json(l->block));
  sl_json_put(&json, "warps_per_block", sl_json_count(l->launch.warps_per_block));
  sl_json_put(&json, "registers", sl_json_count(l->registers));
  sl_json_put(&json, "shared_bytes", sl_json_count(l->shared_bytes));
  sl_json_put(&json, "blocks_per_sm", sl_json_count(l->fits));
  sl_json_put(&json, "limited_by", limits_json(l->limits));
  sl_json_put(&json, "resident", sl_json_count(l->resident));
  sl_json_put(&json, "succeeded", json_boolean(l->launch.succeeded));
  sl_json_put(&json, "counters", counters_json(gpu, &l->launch));
  return json;
}

static json_t *totals_json(const struct sl_gpu *gpu)
{
  const uint64_t threads = sum_of_role(gpu, SL_COUNTER_THREAD_INSTRUCTIONS);
  const uint64_t cycles = sum_of_role(gpu, SL_COUNTER_CYCLES);
  json_t *json = json_object();
  sl_json_put(&json, "launches", sl_json_count(sl_gpu_record_count(gpu)));
  sl_json_put(&json, "counters", counters_json(gpu, NULL));
  sl_json_put(&json, "ipc", json_real(cycles > 0 ? (double)threads / (double)cycles : 0));
  return json;
}

static json_t *host_json(const struct sl_grid_report *report)
{
  const double seconds = sl_gpu_seconds(report->gpu);
  json_t *json = json_object();
  sl_json_put(&json, "seconds", json_real(report->seconds));
  sl_json_put(&json, "kernel_seconds", json_real(seconds));
  sl_json_put(&json, "cycles_per_second", json_real(sl_rate(sum_of_role(report->gpu, SL_COUNTER_CYCLES), seconds)));
  return json;
}

json_t *sl_grid_report_json(const struct sl_grid_report *report)
{
  const struct sl_gpu *gpu = report->gpu;
  const struct sl_error *error = report->error;
  json_t *json = json_object(), *program = json_object(), *launches = json_array();
  sl_json_put(&program, "file", sl_json_text(report->file));
  sl_json_put(&program, "module", sl_json_text(report->module));
  for (size_t i = 0; i < sl_gpu_record_count(gpu); i++)
    sl_json_append(&launches, launch_json(gpu, sl_gpu_record(gpu, i)));
  sl_json_put(&json, "schema", json_integer(1));
  sl_json_put(&json, "simtlab", json_string(report->version));
  sl_json_put(&json, "machine", sl_config_json(sl_gpu_config(gpu)));
  sl_json_put(&json, "program", program);
  sl_json_put(&json, "mode", json_string(sl_gpu_fast(gpu) ? "fast" : "cycle"));
  sl_json_put(&json, "outcome", json_string(sl_outcome(error->code, 0)));
  if (error->code != SL_OK)
    sl_json_put(&json, "message", sl_json_text(error->text));
  sl_json_put(&json, "status", error->code <= SL_CHECK_FAILED ? json_integer(error->code) : json_null());
  sl_json_put(&json, "launches", launches);
  sl_json_put(&json, "totals", totals_json(gpu));
  if (report->energy != NULL)
    sl_json_put(&json, "energy", energy_json(report));
  sl_json_put(&json, "sums", json_deep_copy(report->sums));
  sl_json_put(&json, "host", host_json(report));
  return json;
}
