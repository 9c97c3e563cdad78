#include "observe/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "observe/figures.h"
#include "observe/json.h"
#include "observe/terminal.h"

static void print_slots(const struct sl_machine *machine, const struct sl_result *result, FILE *file)
{
  const uint64_t all = sl_role_total(machine, SL_COUNTER_STALL_REASON, result->launches, result->launch_count).value;
  if (all == 0)
    return;
  struct sl_list_line line;
  sl_list_begin(&line, file, 2, "issue slots:");
  for (size_t i = 0; i < machine->counters->count; i++) {
    const struct sl_counter *counter = &machine->counters->counter[i];
    const uint64_t slots = sl_counter_total(machine, i, result->launches, result->launch_count);
    if (counter->role != SL_COUNTER_STALL_REASON || slots == 0)
      continue;
    sl_list_item(&line, "%s %.1f %%", counter->cause, 100 * (double)slots / (double)all);
  }
  sl_list_end(&line);
}

static void print_speed(const struct sl_report *report, const struct sl_result *result, FILE *file)
{
  struct sl_figures total = sl_figures_of(report->config->machine, result->launches, result->launch_count);
  const double seconds = sl_launch_seconds(result->launches, result->launch_count);
  if (report->fast)
    fprintf(file, "host: %.1f M thread instructions/s", 1e-6 * sl_rate(total.thread_instructions, seconds));
  else
    fprintf(file, "host: %.2f M cycles/s", 1e-6 * sl_rate(total.cycles, seconds));
  fprintf(file, " (%.3f s simulating the kernels, %.3f s in all)\n", seconds, result->host_seconds);
}

static void print_skipped(const struct sl_machine *machine, const struct sl_result *result, FILE *file)
{
  const struct sl_figures figures = sl_figures_of(machine, &result->skipped, 1);
  char text[32];
  sl_grouped(figures.thread_instructions, text);
  if (result->skipped_begin)
    sl_print(
        file,
        "skipped: %zu launch%s and the begin of the next, without timing and in no figure below: %s thread instrs, "
        "%.3f s\n",
        result->skipped_count, result->skipped_count == 1 ? "" : "es", text, result->skipped.host_seconds);
  else
    sl_print(file, "skipped: the first %zu launch%s, without timing and in no figure below: %s thread instrs, %.3f s\n",
             result->skipped_count, result->skipped_count == 1 ? "" : "es", text, result->skipped.host_seconds);
}

void sl_report_energy(const struct sl_report *report, FILE *file)
{
  const struct sl_result *result = sl_device_result(report->device);
  struct sl_energy energy;
  if (report->energy == NULL || result->launch_count == 0)
    return;
  sl_energy_of_launches(&energy, report->energy, report->config, result->launches, result->launch_count);
  sl_energy_print(&energy, file);
}

void sl_report_print(const struct sl_report *report, FILE *file)
{
  const struct sl_result *result = sl_device_result(report->device);
  sl_print_lines(file, 2, "%s on %s%s: %s", sl_program_name(report->program), report->config->name,
                 report->fast ? ", without timing" : "", sl_outcome(report->error->code, result->status));
  if (result->skipped_count > 0 || result->skipped_begin)
    print_skipped(report->config->machine, result, file);
  if (result->launch_count == 0) {
    fputs(result->skipped_count > 0 ? "no kernel was timed\n" : "no kernel was launched\n", file);
    return;
  }
  sl_launches_print(report->config->machine, report->program, result->launches, result->launch_count, file);
  if (result->sampled.settled)
    sl_sampled_print(report->config->machine, &result->sampled,
                     sl_figures_of(report->config->machine, result->launches, result->launch_count).cycles, file);
  print_slots(report->config->machine, result, file);
  sl_report_energy(report, file);
  print_speed(report, result, file);
}

static size_t index_of(const struct sl_machine *machine, enum sl_counter_role role)
{
  size_t i = 0;
  while (machine->counters->counter[i].role != role)
    i++;
  return i;
}

static size_t index_of_cycles(const struct sl_machine *machine)
{
  return index_of(machine, SL_COUNTER_CYCLES);
}

static double percent(double part, uint64_t whole)
{
  return whole > 0 ? 100 * part / (double)whole : 0;
}

static bool exact(const struct sl_sampled *s)
{
  return s->kernels == 0 && s->untimed_begins == 0 && s->untimed_launches == 0;
}

void sl_sampled_print(const struct sl_machine *machine, const struct sl_sampled *s, uint64_t cycles, FILE *file)
{
  const size_t index = index_of_cycles(machine);
  char text[32], bar[32];
  if (exact(s)) {
    fputs("sampled: nothing was skipped, so cycles are exact\n", file);
    return;
  }
  fprintf(file, "sampled: cycles and timing counters are estimates, %.1f %% timed, %" PRIu64 " windows\n",
          percent((double)s->timed, s->progress), s->windows);
  if (s->untimed_begins > 0)
    fprintf(file, "launches timed that began after what was not: %" PRIu64 "\n", s->untimed_begins);
  if (s->untimed_launches > 0)
    fprintf(file, "launches left out: %" PRIu64 "\n", s->untimed_launches);
  if (isfinite(s->bar[index]))
    sl_print(file, "cycles: %s +- %s (%.2f %%), 95 %% confidence interval\n", sl_grouped(cycles, text),
             sl_grouped((uint64_t)llround(s->bar[index]), bar), percent(s->bar[index], cycles));
  else
    sl_print(file, "cycles: %s, without confidence interval: a kernel has less than %d windows%s\n",
             sl_grouped(cycles, text), SL_WINDOWS_MIN,
             s->untimed_launches > 0 ? ", or too few launches were timed" : "");
  if (s->kernels > 0)
    sl_print(file, "distance from a skip: windows of %u of %u kernels change with it%s\n", s->drifting, s->kernels,
             s->drifting > 0 ? "; a longer W would help" : "");
}

static json_t *bar_json(double bar)
{
  return isfinite(bar) ? json_real(bar) : json_null();
}

double sl_sampled_percent(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles)
{
  return percent(sampled->bar[index_of_cycles(machine)], cycles);
}

json_t *sl_sampled_json(const struct sl_machine *machine, const struct sl_sampled *s, uint64_t total)
{
  const size_t index = index_of_cycles(machine);
  json_t *cycles = json_object(), *bars = json_object(), *json = json_object();
  SL_JSON_ADD(&cycles, {"value", sl_json_count(total)}, {"bar", bar_json(s->bar[index])},
              {"percent", bar_json(percent(s->bar[index], total))});
  for (size_t i = 0; i < machine->counters->count; i++)
    sl_json_put(&bars, machine->counters->counter[i].name, bar_json(s->bar[i]));
  SL_JSON_ADD(&json, {"version", json_integer(1)}, {"estimated", json_boolean(!exact(s))},
              {"measure", json_string(machine->counters->counter[index_of(machine, machine->sampling.progress)].name)},
              {"executed", sl_json_count(s->progress)}, {"timed", sl_json_count(s->timed)},
              {"windows", sl_json_count(s->windows)}, {"untimed_launches", sl_json_count(s->untimed_launches)},
              {"untimed_begins", sl_json_count(s->untimed_begins)}, {"kernels", json_integer(s->kernels)},
              {"drifting_kernels", json_integer(s->drifting)}, {"cycles", cycles}, {"bars", bars});
  return json;
}

/* Of many launches the table shows only the first ones and the total. */
enum { MOST_ROWS = 12 };

static struct sl_launch_column number(const char *title, struct sl_known value)
{
  struct sl_launch_column column = {.title = title, .known = value.known};
  sl_grouped(value.value, column.text);
  return column;
}

void sl_launch_columns(const struct sl_figures *figures, struct sl_launch_column columns[SL_LAUNCH_COLUMNS])
{
  const bool timed = figures->cycles > 0;
  columns[0] = number(">cycles", (struct sl_known){figures->cycles, timed});
  columns[1] = number(">warp instrs", figures->warp_instructions);
  columns[2] = number(">thread instrs", (struct sl_known){figures->thread_instructions, true});
  columns[3] = (struct sl_launch_column){.title = ">IPC", .known = timed};
  snprintf(columns[3].text, sizeof columns[3].text, "%.2f", figures->ipc);
  columns[4] = number(">DRAM beats", figures->dram_beats);
  columns[5] = number(">DRAM lines", figures->dram_lines);
  columns[6] = number(">retries", figures->retries);
  for (size_t i = 4; i < SL_LAUNCH_COLUMNS; i++)
    columns[i].known &= timed;
}

SL_HOLDS(SL_TABLE_COLUMNS, SL_LAUNCH_COLUMNS + 2, "columns of launches, behind their number and kernel");

static void begin_table(struct sl_table *table, const struct sl_figures *figures)
{
  const char *titles[SL_LAUNCH_COLUMNS + 3] = {">launch", "kernel"};
  struct sl_launch_column columns[SL_LAUNCH_COLUMNS];
  size_t n = 2;
  sl_launch_columns(figures, columns);
  for (size_t i = 0; i < SL_LAUNCH_COLUMNS; i++)
    if (columns[i].known)
      titles[n++] = columns[i].title;
  sl_table_init(table, titles);
}

static void add_row(struct sl_table *table, const char *launch, const char *function, const struct sl_figures *figures)
{
  struct sl_launch_column columns[SL_LAUNCH_COLUMNS];
  sl_launch_columns(figures, columns);
  sl_table_cell(table, "%s", launch);
  sl_table_cell(table, "%s", function);
  for (size_t i = 0; i < SL_LAUNCH_COLUMNS; i++)
    if (columns[i].known)
      sl_table_cell(table, "%s", columns[i].text);
}

void sl_launches_print(const struct sl_machine *machine, const struct sl_program *program,
                       const struct sl_launch *launches, size_t count, FILE *file)
{
  const struct sl_figures total = sl_figures_of(machine, launches, count);
  struct sl_table table;
  begin_table(&table, &total);
  for (size_t i = 0; i < count && i < MOST_ROWS; i++) {
    const struct sl_figures figures = sl_figures_of(machine, &launches[i], 1);
    char number[24], entry[SL_KERNEL_TEXT];
    snprintf(number, sizeof number, "%zu", launches[i].number);
    add_row(&table, number, sl_kernel_name(program, launches[i].entry, entry), &figures);
  }
  char shown[48];
  if (count > MOST_ROWS)
    snprintf(shown, sizeof shown, "all %zu launches", count);
  else
    snprintf(shown, sizeof shown, "%s", "");
  add_row(&table, "total", shown, &total);
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static struct sl_kernel_sum *find(struct sl_kernel_sums *sums, const char *name)
{
  for (size_t i = 0; i < sums->count; i++)
    if (strncmp(sums->kernel[i].name, name, SL_KERNEL_SUM_NAME - 1) == 0)
      return &sums->kernel[i];
  if (sums->count == SL_KERNEL_SUMS) {
    struct sl_kernel_sum *last = &sums->kernel[SL_KERNEL_SUMS - 1];
    snprintf(last->name, sizeof last->name, "others");
    return last;
  }
  struct sl_kernel_sum *new = &sums->kernel[sums->count++];
  *new = (struct sl_kernel_sum){0};
  snprintf(new->name, sizeof new->name, "%.*s", SL_KERNEL_SUM_NAME - 1, name);
  return new;
}

void sl_kernel_sums_add(struct sl_kernel_sums *sums, const struct sl_machine *machine, const char *kernel,
                        const struct sl_launch *launch)
{
  const struct sl_figures figures = sl_figures_of(machine, launch, 1);
  struct sl_kernel_sum *sum = find(sums, kernel);
  sum->launches++;
  sum->cycles += figures.cycles;
  sum->thread_instructions += figures.thread_instructions;
}

void sl_kernel_sums(struct sl_kernel_sums *sums, const struct sl_machine *machine, const struct sl_program *program,
                    const struct sl_launch *launches, size_t count)
{
  sums->count = 0;
  for (size_t i = 0; i < count; i++) {
    char text[SL_KERNEL_TEXT];
    sl_kernel_sums_add(sums, machine, sl_kernel_name(program, launches[i].entry, text), &launches[i]);
  }
}

json_t *sl_kernel_sums_json(const struct sl_kernel_sums *sums)
{
  json_t *json = json_array();
  for (size_t i = 0; i < sums->count && json != NULL; i++) {
    const struct sl_kernel_sum *sum = &sums->kernel[i];
    json_t *kernel = SL_JSON({"kernel", sl_json_text(sum->name)}, {"launches", sl_json_count(sum->launches)},
                             {"cycles", sum->cycles > 0 ? sl_json_count(sum->cycles) : json_null()},
                             {"thread_instrs", sl_json_count(sum->thread_instructions)});
    sl_json_append(&json, kernel);
  }
  return json;
}
