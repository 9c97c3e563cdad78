#include "cli/bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"
#include "device/gpu.h"
#include "observe/figures.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"

/* Cycles between two samples of the vector registers in use, as in the hardware. */
enum { SAMPLE_PERIOD = 2049 };

/* Changes the key if the machine has it, and appends the change to the machine's name. */
static enum sl_status add(struct sl_config *config, const char *setting, const char *suffix, struct sl_error *err)
{
  char name[32];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
  const struct sl_key *key = sl_key_find(config->machine->keys, name);
  if (key == NULL)
    return SL_OK;
  const uint64_t before = sl_key_value(key, config->spec);
  const enum sl_status code = sl_config_set(config, setting, err);
  if (code != SL_OK || sl_key_value(key, config->spec) == before)
    return code;
  const size_t length = strnlen(config->name, sizeof config->name - 1 - strlen(suffix));
  memcpy(config->name + length, suffix, strlen(suffix) + 1);
  return sl_config_check(config, err);
}

enum sl_status sl_bench_machines_open(struct sl_bench_machines *machines, const struct sl_machine_choice *choice,
                                      struct sl_error *err)
{
  static const struct {
    const char *setting, *suffix;
  } wanted[] = {{"fpu=true", "-fp"}, {"atomics=true", "-atomics"}, {"lmem.storage=0", "-lmem"}};
  enum sl_status code = SL_OK;
  for (unsigned wants = 0; code == SL_OK && wants < SL_BENCH_WANTS; wants++) {
    code = sl_open_machine(choice, &machines->with[wants], err);
    for (unsigned i = 0; code == SL_OK && i < sizeof wanted / sizeof wanted[0]; i++)
      if (wants >> i & 1)
        code = add(&machines->with[wants], wanted[i].setting, wanted[i].suffix, err);
    if (code != SL_OK && wants > 0)
      sl_error_prefix(err, "the benchmarks do not run on %s: ", choice->machine);
  }
  return code;
}

void sl_bench_machines_close(struct sl_bench_machines *machines)
{
  for (unsigned wants = 0; wants < SL_BENCH_WANTS; wants++)
    sl_config_close(&machines->with[wants]);
}

const struct sl_config *sl_bench_machine(const struct sl_bench_machines *machines, const struct sl_benchmark *benchmark)
{
  return &machines->with[benchmark->wants];
}

enum sl_status sl_bench_check_size(const char *size, struct sl_error *err)
{
  if (strcmp(size, "small") == 0 || strcmp(size, "paper") == 0)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "--size is small or paper, not '%.80s'", size);
}

static void take_counters(struct sl_bench_row *row, const struct sl_launch *launches, size_t count)
{
  const struct sl_machine *machine = row->config->machine;
  for (size_t i = 0; i < machine->counters->count; i++)
    row->counters[i] = sl_counter_total(machine, i, launches, count);
  for (size_t i = 0; i < count; i++)
    row->samples += sl_figures_of(machine, &launches[i], 1).cycles / SAMPLE_PERIOD;
  row->figures = sl_figures_of(machine, launches, count);
  row->sm_seconds = sl_launch_seconds(launches, count);
  row->launches = count;
}

static void take_result(struct sl_bench_row *row, const struct sl_device *device, const struct sl_program *program,
                        const struct sl_bench_options *options)
{
  const struct sl_result *result = sl_device_result(device);
  const struct sl_launch_choice choice = {options->whole_program ? NULL : row->benchmark->kernel, SL_EVERY_LAUNCH};
  size_t count;
  struct sl_launch *launches = sl_choose_launches(&choice, program, result, &count);
  if (launches == NULL)
    row->code = sl_no_memory(&row->error, sizeof *launches);
  else
    take_counters(row, launches, count);
  free(launches);
  sl_kernel_sums(&row->kernels, row->config->machine, program, result->launches, result->launch_count);
  row->total_seconds = result->host_seconds;
  row->sampled = result->sampled;
  row->memory_hash = options->hashes ? sl_device_memory_hash(device) : 0;
  if (row->code == SL_OK && result->status != 0)
    row->code = sl_fail(&row->error, SL_CHECK_FAILED, "the program's own check failed (status %d)", result->status);
}

void sl_bench_run_program(struct sl_bench_row *row, const struct sl_program *program,
                          const struct sl_bench_options *options, bool (*progress)(void *context, uint64_t cycles),
                          void *context)
{
  const char *const size = row->benchmark->size[strcmp(options->size, "paper") == 0];
  const char *const arguments[] = {row->benchmark->name, size != NULL ? size : options->size};
  const struct sl_device_options device_options = {
      .console = {&row->output, NULL, sl_console_tail_put},
      .progress = progress,
      .progress_context = context,
      .whole_program = options->whole_program,
      .fast = options->fast,
      .mode = options->mode,
      .sampling = options->sampling,
      .threads = options->threads,
      .max_cycles = options->max_cycles,
  };
  const struct sl_gpu_options hosts = {.machine_code = true, .hosted = &device_options};
  struct sl_gpu *gpu;
  row->code = sl_gpu_open(&gpu, row->config, &hosts, &row->error);
  if (row->code != SL_OK) {
    sl_gpu_close(gpu);
    return;
  }
  struct sl_device *device = sl_gpu_device(gpu);
  row->code = sl_device_load(device, program, 2, arguments, &row->error);
  if (row->code == SL_OK) {
    row->code = sl_device_run(device, &row->error);
    take_result(row, device, program, options);
  }
  sl_gpu_close(gpu);
}

enum sl_status sl_bench_print_failures(const struct sl_bench_row *rows, size_t count)
{
  enum sl_status worst = SL_OK;
  for (const struct sl_bench_row *row = rows; row < rows + count; row++) {
    if (row->code == SL_OK)
      continue;
    sl_print(stderr, "simtlab: %s on %s: %s\n", row->benchmark->name, row->config->name, row->error.text);
    if (row->output.length > 0)
      sl_print(stderr, "%s's output ended with:\n%s\n", row->benchmark->name, row->output.text);
    worst = row->code > worst ? row->code : worst;
  }
  return worst;
}

/* The variants of each kernel. Sizes are items per hardware thread: a small one, and the last of the paper's sweep. */
#define PLAIN_FORMS(name_, small, paper)                                                                               \
  {.name = name_ "-plain", .size = {small, paper}, .kernel = name_},                                                   \
      {.name = name_ "-unroll4", .size = {small, paper}, .kernel = name_},                                             \
      {.name = name_ "-unroll8", .size = {small, paper}, .kernel = name_},                                             \
  {                                                                                                                    \
    .name = name_ "-cfm", .size = {small, paper}, .needs = "loops.count", .kernel = name_                              \
  }
#define ALL_FORMS(name_, small, paper)                                                                                 \
  PLAIN_FORMS(name_, small, paper),                                                                                    \
  {                                                                                                                    \
    .name = name_ "-cfm-dmsl", .size = {small, paper}, .needs = "streams.count", .kernel = name_                       \
  }

/* A library benchmark and its variant. */
#define BOTH(name_, wants_)                                                                                            \
  {.name = name_, .wants = wants_},                                                                                    \
  {                                                                                                                    \
    .name = name_ "-variant", .wants = wants_, .variant = true                                                         \
  }

/* The kernel library, then benchmarks of machines that also schedule work by thread: Vortex has all variants; machines
 * that schedule blocks in hardware have the plain variant. */
static const struct sl_benchmark benchmarks[] = {
    BOTH("VecAdd", 0),
    BOTH("Histogram", SL_WANTS_ATOMICS),
    BOTH("Reduce", 0),
    BOTH("Scan", SL_WANTS_LOCAL_MEMORY),
    BOTH("Transpose", SL_WANTS_LOCAL_MEMORY),
    BOTH("MatVecMul", 0),
    BOTH("MatMul", SL_WANTS_LOCAL_MEMORY),
    BOTH("BitonicSortSmall", SL_WANTS_LOCAL_MEMORY),
    BOTH("BitonicSortLarge", SL_WANTS_LOCAL_MEMORY),
    BOTH("SparseMatVecMul", 0),
    BOTH("BlockedStencil", 0),
    BOTH("StripedStencil", 0),
    BOTH("VecGCD", 0),
    BOTH("MotionEst", SL_WANTS_LOCAL_MEMORY),
    BOTH("BitonicSortLarge_Float", SL_WANTS_FPU | SL_WANTS_LOCAL_MEMORY),
    BOTH("MatMul_Float", SL_WANTS_FPU | SL_WANTS_LOCAL_MEMORY),
    ALL_FORMS("saxpy", "4", "184"),
    ALL_FORMS("sgemv", "4", "184"),
    ALL_FORMS("sgemm", "4", "48"),
    ALL_FORMS("knn", "4", "184"),
    ALL_FORMS("sfilter", "4", "48"),
    ALL_FORMS("conv2d", "2", "24"),
    PLAIN_FORMS("gcn_aggr", "cora", "pubmed"),
};

const struct sl_bench_suite sl_library_suite = {benchmarks, SL_LIBRARY};
const struct sl_bench_suite sl_every_suite = {benchmarks, sizeof benchmarks / sizeof benchmarks[0]};

static bool is_vortex(const struct sl_config *config)
{
  return config->machine->soc(config->spec).launches == SL_LAUNCH_PROGRAM;
}

static bool deals_blocks(const struct sl_config *config)
{
  return config->machine->soc(config->spec).launches == SL_LAUNCH_GRID;
}

const struct sl_bench_suite *sl_bench_suite_of(const struct sl_config *config)
{
  return is_vortex(config) || deals_blocks(config) ? &sl_every_suite : &sl_library_suite;
}

enum sl_status sl_bench_load(const struct sl_benchmark *benchmark, const struct sl_config *config, bool rv32e,
                             struct sl_program **program, struct sl_error *err)
{
  char relative[64], path[SL_PATH];
  const char *folder = "bench";
  if (rv32e && (is_vortex(config) || deals_blocks(config)))
    return sl_fail(err, SL_USAGE, "%s is not compiled for 16 registers of %s; leave out --rv32e", benchmark->name,
                   config->name);
  if (is_vortex(config))
    folder = benchmark < benchmarks + SL_LIBRARY ? "bench-on-vortex" : "bench-vortex";
  else if (deals_blocks(config))
    folder = "bench-on-sm7";
  else if (rv32e)
    folder = "bench-rv32e";
  snprintf(relative, sizeof relative, "%s/%s.elf", folder, benchmark->name);
  enum sl_status code = sl_find_data(relative, path, err);
  return code == SL_OK ? sl_program_load(path, program, err) : code;
}

static const struct sl_benchmark *find(const struct sl_bench_suite *suite, const char *name, size_t length)
{
  for (size_t i = 0; i < suite->count; i++)
    if (strlen(suite->benchmark[i].name) == length && strncmp(suite->benchmark[i].name, name, length) == 0)
      return &suite->benchmark[i];
  return NULL;
}

static enum sl_status unknown(const struct sl_bench_suite *suite, const char *name, size_t length, struct sl_error *err)
{
  const char *names[SL_BENCHMARKS_MOST];
  char word[80];
  for (size_t i = 0; i < suite->count; i++)
    names[i] = suite->benchmark[i].name;
  snprintf(word, sizeof word, "%.*s", (int)(length < 79 ? length : 79), name);
  return sl_unknown(err, "benchmark", word, names, suite->count);
}

enum sl_status sl_bench_choose(const struct sl_bench_suite *suite, const char *list, bool variants,
                               const struct sl_benchmark *chosen[SL_BENCHMARKS_MOST], size_t *count,
                               struct sl_error *err)
{
  bool wanted[SL_BENCHMARKS_MOST] = {false};
  for (const char *name = list; name != NULL && *name != '\0';) {
    size_t length = strcspn(name, ",");
    const struct sl_benchmark *benchmark = find(suite, name, length);
    if (benchmark == NULL)
      return unknown(suite, name, length, err);
    wanted[benchmark - suite->benchmark] = true;
    name += length + (name[length] == ',');
  }
  *count = 0;
  for (size_t i = 0; i < suite->count; i++)
    if (wanted[i] || (list == NULL && (variants || !suite->benchmark[i].variant)))
      chosen[(*count)++] = &suite->benchmark[i];
  return *count > 0 ? SL_OK : sl_fail(err, SL_USAGE, "--only names no benchmark");
}

static bool is_compiled(const struct sl_config *config, const struct sl_benchmark *benchmark)
{
  const char *form = benchmark < benchmarks + SL_LIBRARY ? NULL : strrchr(benchmark->name, '-');
  return !deals_blocks(config) || form == NULL || strcmp(form, "-plain") == 0;
}

enum sl_status sl_bench_keep_possible(const struct sl_config *config, bool named, const struct sl_benchmark **chosen,
                                      size_t *count, struct sl_error *err)
{
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    const char *needs = chosen[i]->needs;
    uint32_t value;
    const bool compiled = is_compiled(config, chosen[i]);
    if (!compiled && named)
      return sl_fail(err, SL_USAGE, "%s is a variant for Vortex machines; on %s there is %s-plain", chosen[i]->name,
                     config->name, chosen[i]->kernel);
    if (compiled && (needs == NULL || (sl_config_value(config, needs, &value) && value != 0)))
      chosen[kept++] = chosen[i];
    else if (!compiled)
      continue;
    else if (named)
      return sl_fail(err, SL_USAGE, "%s needs what %s does not have: set %s, or take a preset that has it",
                     chosen[i]->name, config->name, needs);
  }
  *count = kept;
  return SL_OK;
}

/* Simulation speed: cycles per second or, without timing, thread instructions per second. */
static double row_speed(const struct sl_bench_run *run, const struct sl_bench_row *row)
{
  return sl_rate(run->options.fast ? row->figures.thread_instructions : row->figures.cycles, row->sm_seconds);
}

/* Geometric mean over the rows that ended; 0 if there is none. */
static double mean_speed(const struct sl_bench_run *run)
{
  double speed[SL_BENCHMARKS_MOST];
  size_t n = 0;
  for (size_t i = 0; i < run->count; i++) {
    speed[n] = row_speed(run, &run->rows[i]);
    n += speed[n] > 0;
  }
  return sl_geometric_mean(speed, n);
}

static const char *check_word(enum sl_status code)
{
  switch (code) {
  case SL_OK: return "ok";
  case SL_CHECK_FAILED: return "WRONG";
  case SL_FAULT: return "FAULT";
  case SL_LIMIT: return "LIMIT";
  default: return "ERROR";
  }
}

/* Launch columns that some row has. */
static unsigned known_columns(const struct sl_bench_run *run)
{
  unsigned known = 0;
  for (size_t i = 0; i < run->count; i++) {
    struct sl_launch_column columns[SL_LAUNCH_COLUMNS];
    sl_launch_columns(&run->rows[i].figures, columns);
    for (unsigned c = 0; c < SL_LAUNCH_COLUMNS; c++)
      known |= columns[c].known ? 1u << c : 0;
  }
  return known;
}

/* Half of the 95 % confidence interval of cycles; - if it is unknown. */
static void add_bar(struct sl_table *table, const struct sl_bench_row *row)
{
  const double bar = sl_sampled_percent(row->config->machine, &row->sampled, row->figures.cycles);
  if (row->sampled.settled && isfinite(bar))
    sl_table_cell(table, "%.2f", bar);
  else
    sl_table_cell(table, "-");
}

static void add_row(struct sl_table *table, const struct sl_bench_run *run, const struct sl_bench_row *row,
                    unsigned known)
{
  struct sl_launch_column columns[SL_LAUNCH_COLUMNS];
  sl_launch_columns(&row->figures, columns);
  sl_table_cell(table, "%s", row->benchmark->name);
  sl_table_cell(table, "%s", row->config->name);
  sl_table_cell(table, "%s", check_word(row->code));
  sl_table_tone(table, row->code == SL_OK ? SL_TONE_GOOD : SL_TONE_BAD);
  for (unsigned c = 0; c < SL_LAUNCH_COLUMNS; c++)
    if (known >> c & 1)
      sl_table_cell(table, "%s", columns[c].known ? columns[c].text : "-");
  if (run->options.sampling.wanted)
    add_bar(table, row);
  sl_table_cell(table, "%.2f", 1e-6 * row_speed(run, row));
}

/* Columns that do not apply to the machine or mode are omitted. */
bool sl_bench_print(const struct sl_bench_run *run, FILE *file)
{
  const unsigned known = known_columns(run);
  const char *titles[SL_LAUNCH_COLUMNS + 6] = {run->options.rv32e ? "benchmark (RV32E)" : "benchmark", "machine",
                                               "check"};
  struct sl_launch_column columns[SL_LAUNCH_COLUMNS];
  size_t n = 3;
  sl_launch_columns(&(struct sl_figures){0}, columns);
  for (unsigned c = 0; c < SL_LAUNCH_COLUMNS; c++)
    if (known >> c & 1)
      titles[n++] = columns[c].title;
  if (run->options.sampling.wanted)
    titles[n++] = ">+- %";
  titles[n] = run->options.fast ? ">M instrs/s" : ">M cycles/s";
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < run->count; i++)
    add_row(&table, run, &run->rows[i], known);
  sl_table_cell(&table, "geometric mean");
  for (size_t c = 1; c + 1 < table.columns; c++)
    sl_table_cell(&table, "%s", "");
  sl_table_cell(&table, "%.2f", 1e-6 * mean_speed(run));
  bool ok = sl_table_print(&table, file);
  sl_table_free(&table);
  return ok;
}

static json_t *row_json(const struct sl_bench_run *run, const struct sl_bench_row *row)
{
  const struct sl_figures *figures = &row->figures;
  json_t *json =
      json_pack("{ss ss ss sb ss sI sI sI sf so so so sf sf sf sf}", "name", row->benchmark->name, "size",
                run->options.size, "machine", row->config->name, "ok", row->code == SL_OK, "outcome",
                sl_outcome(row->code, 0), "launches", (json_int_t)row->launches, "cycles", (json_int_t)figures->cycles,
                "thread_instrs", (json_int_t)figures->thread_instructions, "ipc", figures->ipc, "dram_beats",
                sl_json_known(figures->dram_beats), "retries", sl_json_known(figures->retries), "memory_hash",
                json_sprintf("0x%016" PRIx64, row->memory_hash), "host_seconds", row->sm_seconds, "total_seconds",
                row->total_seconds, "cycles_per_second", sl_rate(figures->cycles, row->sm_seconds),
                "thread_instrs_per_second", sl_rate(figures->thread_instructions, row->sm_seconds));
  if (json != NULL)
    json_object_set_new(json, "kernels", sl_kernel_sums_json(&row->kernels));
  if (json != NULL && row->sampled.settled)
    json_object_set_new(json, "sampled", sl_sampled_json(row->config->machine, &row->sampled, figures->cycles));
  if (json != NULL && row->code != SL_OK)
    json_object_set_new(json, "message", json_string(row->error.text));
  return json;
}

static json_t *machines_json(const struct sl_bench_run *run)
{
  json_t *json = json_object();
  for (size_t i = 0; i < run->count; i++)
    if (json_object_get(json, run->rows[i].config->name) == NULL)
      json_object_set_new(json, run->rows[i].config->name, sl_config_json(run->rows[i].config));
  return json;
}

json_t *sl_bench_json(const struct sl_bench_run *run)
{
  json_t *rows = json_array();
  for (size_t i = 0; i < run->count; i++)
    if (json_array_append_new(rows, row_json(run, &run->rows[i])) != 0) {
      json_decref(rows);
      return NULL;
    }
  return json_pack("{si ss ss ss ss so so s{sf}}", "schema", 1, "simtlab", SL_VERSION, "mode",
                   run->options.sampling.wanted ? "sampled"
                   : run->options.fast          ? "fast"
                                                : "cycle",
                   "size", run->options.size, "isa", run->options.rv32e ? "rv32e" : "rv32i", "machines",
                   machines_json(run), "benchmarks", rows, "geometric_mean",
                   run->options.fast ? "thread_instrs_per_second" : "cycles_per_second", mean_speed(run));
}
