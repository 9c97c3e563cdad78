/* Text summary of a run. */
#include <inttypes.h>

#include "observe/figures.h"
#include "observe/launch_table.h"
#include "observe/report.h"
#include "observe/sampled/sampled_report.h"
#include "observe/table.h"
#include "observe/terminal.h"
#include "observe/wrapped_text.h"

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
