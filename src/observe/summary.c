/* The summary of a run for people. */
#include <inttypes.h>

#include "observe/figures.h"
#include "observe/report.h"
#include "observe/table.h"

/* Programs with many launches get their first ones and the total. */
enum { MOST_ROWS = 12 };

/* A machine with caches counts warp instructions and what goes to DRAM; the others beats of DRAM and retries. */
static bool has_caches(const struct sl_machine *machine)
{
  size_t i;
  return sl_counter_find(machine, "dram.reads", &i);
}

static uint64_t count_of(const struct sl_machine *machine, const char *name, const struct sl_launch *launch)
{
  size_t i;
  return sl_counter_find(machine, name, &i) ? launch->counters[i] : 0;
}

/* Such machines have no host CPU, so that a program is one launch. Cycles that issue are counted on every core. */
static void print_cached_launch(const struct sl_report *report, const struct sl_launch *launch, FILE *file)
{
  static const char *const titles[] = {"kernel", ">cycles",  ">warp instrs", ">thread instrs",
                                       ">IPC",   ">issuing", ">DRAM lines",  NULL};
  const struct sl_machine *machine = report->config->machine;
  const struct sl_figures figures = sl_figures_of(machine, launch, 1);
  const struct sl_location at = sl_program_locate(report->program, launch->entry);
  const uint64_t slots = figures.cycles * machine->soc(report->config->spec).cores;
  char text[32], entry[16];
  struct sl_table table;
  sl_table_init(&table, titles);
  snprintf(entry, sizeof entry, "0x%08" PRIx32, launch->entry);
  sl_table_cell(&table, "%s", at.function != NULL ? at.function : entry);
  sl_table_cell(&table, "%s", sl_grouped(figures.cycles, text));
  sl_table_cell(&table, "%s", sl_grouped(count_of(machine, "warp_instrs", launch), text));
  sl_table_cell(&table, "%s", sl_grouped(figures.thread_instructions, text));
  sl_table_cell(&table, "%.2f", figures.ipc);
  sl_table_cell(&table, "%.1f %%",
                slots > 0 ? 100 * (double)count_of(machine, "cycles.issued", launch) / (double)slots : 0.0);
  const uint64_t lines = count_of(machine, "dram.reads", launch) + count_of(machine, "dram.writes", launch);
  sl_table_cell(&table, "%s", sl_grouped(lines, text));
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void add_row(struct sl_table *table, const char *launch, const char *function, const struct sl_figures *figures)
{
  char text[32];
  sl_table_cell(table, "%s", launch);
  sl_table_cell(table, "%s", function);
  sl_table_cell(table, "%s", sl_grouped(figures->cycles, text));
  sl_table_cell(table, "%s", sl_grouped(figures->thread_instructions, text));
  sl_table_cell(table, "%.2f", figures->ipc);
  sl_table_cell(table, "%s", sl_grouped(figures->dram_beats, text));
  sl_table_cell(table, "%s", sl_grouped(figures->retries, text));
}

static void print_launches(const struct sl_report *report, const struct sl_result *result, FILE *file)
{
  static const char *const titles[] = {">launch", "kernel",      ">cycles",  ">thread instrs",
                                       ">IPC",    ">DRAM beats", ">retries", NULL};
  const struct sl_machine *machine = report->config->machine;
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < result->launch_count && i < MOST_ROWS; i++) {
    struct sl_figures figures = sl_figures_of(machine, &result->launches[i], 1);
    struct sl_location at = sl_program_locate(report->program, result->launches[i].entry);
    char number[24], entry[16];
    snprintf(number, sizeof number, "%zu", i);
    snprintf(entry, sizeof entry, "0x%08" PRIx32, result->launches[i].entry);
    add_row(&table, number, at.function != NULL ? at.function : entry, &figures);
  }
  struct sl_figures total = sl_figures_of(machine, result->launches, result->launch_count);
  char shown[48];
  if (result->launch_count > MOST_ROWS)
    snprintf(shown, sizeof shown, "all %zu launches", result->launch_count);
  else
    snprintf(shown, sizeof shown, "%s", "");
  add_row(&table, "total", shown, &total);
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static uint64_t slots_in_all(const struct sl_machine *machine, const struct sl_result *result)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < machine->counters->count; i++)
    if (sl_counter_slot(&machine->counters->counter[i]) != NULL)
      sum += sl_counter_total(machine, i, result->launches, result->launch_count);
  return sum;
}

static void print_slots(const struct sl_machine *machine, const struct sl_result *result, FILE *file)
{
  uint64_t all = slots_in_all(machine, result);
  if (all == 0)
    return;
  fprintf(file, "issue slots:");
  const char *separator = " ";
  for (size_t i = 0; i < machine->counters->count; i++) {
    uint64_t slots = sl_counter_total(machine, i, result->launches, result->launch_count);
    const char *name = sl_counter_slot(&machine->counters->counter[i]);
    if (name == NULL || slots == 0)
      continue;
    fprintf(file, "%s%s %.1f %%", separator, name, 100 * (double)slots / (double)all);
    separator = ", ";
  }
  fprintf(file, "\n");
}

static void print_speed(const struct sl_report *report, const struct sl_result *result, FILE *file)
{
  struct sl_figures total = sl_figures_of(report->config->machine, result->launches, result->launch_count);
  double seconds = result->sm_host_seconds;
  if (report->fast)
    fprintf(file, "host: %.1f M thread instructions/s", 1e-6 * sl_rate(total.thread_instructions, seconds));
  else
    fprintf(file, "host: %.2f M cycles/s", 1e-6 * sl_rate(total.cycles, seconds));
  fprintf(file, " (%.3f s simulating the SM, %.3f s in all)\n", seconds, result->host_seconds);
}

void sl_report_print(const struct sl_report *report, FILE *file)
{
  const struct sl_result *result = sl_device_result(report->device);
  fprintf(file, "%s on %s%s: %s\n", sl_program_name(report->program), report->config->name,
          report->fast ? ", without timing" : "", sl_outcome(report->error->code, result->status));
  if (result->launch_count == 0) {
    fprintf(file, "no kernel was launched\n");
    return;
  }
  if (has_caches(report->config->machine))
    print_cached_launch(report, &result->launches[0], file);
  else
    print_launches(report, result, file);
  print_slots(report->config->machine, result, file);
  print_speed(report, result, file);
}
