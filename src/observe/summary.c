/* The summary of a run for people. */
#include <inttypes.h>

#include "observe/figures.h"
#include "observe/report.h"
#include "observe/table.h"

/* Programs with many launches get their first ones and the total. */
enum { MOST_ROWS = 12 };

/* What follows launch and kernel. */
struct column {
  const char *title;
  bool known;
  char text[32];
};

enum { COLUMNS = 7 };

static struct column number(const char *title, struct sl_known value)
{
  struct column column = {.title = title, .known = value.known};
  sl_grouped(value.value, column.text);
  return column;
}

static void columns_of(const struct sl_figures *figures, struct column columns[COLUMNS])
{
  columns[0] = number(">cycles", (struct sl_known){figures->cycles, true});
  columns[1] = number(">warp instrs", figures->warp_instructions);
  columns[2] = number(">thread instrs", (struct sl_known){figures->thread_instructions, true});
  columns[3] = (struct column){.title = ">IPC", .known = true};
  snprintf(columns[3].text, sizeof columns[3].text, "%.2f", figures->ipc);
  columns[4] = number(">DRAM beats", figures->dram_beats);
  columns[5] = number(">DRAM lines", figures->dram_lines);
  columns[6] = number(">retries", figures->retries);
}

static void begin_table(struct sl_table *table, const struct sl_figures *figures)
{
  const char *titles[COLUMNS + 3] = {">launch", "kernel"};
  struct column columns[COLUMNS];
  size_t n = 2;
  columns_of(figures, columns);
  for (size_t i = 0; i < COLUMNS; i++)
    if (columns[i].known)
      titles[n++] = columns[i].title;
  sl_table_init(table, titles);
}

static void add_row(struct sl_table *table, const char *launch, const char *function, const struct sl_figures *figures)
{
  struct column columns[COLUMNS];
  columns_of(figures, columns);
  sl_table_cell(table, "%s", launch);
  sl_table_cell(table, "%s", function);
  for (size_t i = 0; i < COLUMNS; i++)
    if (columns[i].known)
      sl_table_cell(table, "%s", columns[i].text);
}

static void print_launches(const struct sl_report *report, const struct sl_result *result, FILE *file)
{
  const struct sl_machine *machine = report->config->machine;
  const struct sl_figures total = sl_figures_of(machine, result->launches, result->launch_count);
  struct sl_table table;
  begin_table(&table, &total);
  for (size_t i = 0; i < result->launch_count && i < MOST_ROWS; i++) {
    struct sl_figures figures = sl_figures_of(machine, &result->launches[i], 1);
    struct sl_location at = sl_program_locate(report->program, result->launches[i].entry);
    char number[24], entry[16];
    snprintf(number, sizeof number, "%zu", i);
    snprintf(entry, sizeof entry, "0x%08" PRIx32, result->launches[i].entry);
    add_row(&table, number, at.function != NULL ? at.function : entry, &figures);
  }
  char shown[48];
  if (result->launch_count > MOST_ROWS)
    snprintf(shown, sizeof shown, "all %zu launches", result->launch_count);
  else
    snprintf(shown, sizeof shown, "%s", "");
  add_row(&table, "total", shown, &total);
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void print_slots(const struct sl_machine *machine, const struct sl_result *result, FILE *file)
{
  const uint64_t all = sl_role_total(machine, SL_COUNTER_CAUSE, result->launches, result->launch_count).value;
  if (all == 0)
    return;
  fprintf(file, "issue slots:");
  const char *separator = " ";
  for (size_t i = 0; i < machine->counters->count; i++) {
    const struct sl_counter *counter = &machine->counters->counter[i];
    const uint64_t slots = sl_counter_total(machine, i, result->launches, result->launch_count);
    if (counter->role != SL_COUNTER_CAUSE || slots == 0)
      continue;
    fprintf(file, "%s%s %.1f %%", separator, counter->cause, 100 * (double)slots / (double)all);
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
  print_launches(report, result, file);
  print_slots(report->config->machine, result, file);
  print_speed(report, result, file);
}
