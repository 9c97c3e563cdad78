/* Results of the benchmark suite as a table and as JSON. */
#include <inttypes.h>
#include <math.h>

#include "cli/bench/bench.h"
#include "observe/json.h"
#include "observe/launch_table.h"
#include "observe/report.h"
#include "observe/sampled/sampled_report.h"
#include "observe/table.h"

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
