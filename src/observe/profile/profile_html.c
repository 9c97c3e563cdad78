/* The profile as one HTML file: totals, registers over time, sortable tables of source lines and instructions. */
#include <inttypes.h>

#include "observe/html.h"
#include "observe/launch_table.h"
#include "observe/profile/profile_advice.h"
#include "observe/profile/profile_bars.h"
#include "observe/profile/profile_columns.h"
#include "observe/profile/profile_html_source.h"
#include "observe/profile/profile_roofline.h"
#include "observe/report.h"
#include "observe/table.h"

static void titles(const struct sl_profile_report *report, const char *const *first, FILE *file)
{
  fprintf(file, "<thead><tr>");
  for (size_t i = 0; first[i] != NULL; i++)
    fprintf(file, "<th>%s</th>", first[i]);
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    if (column->title != NULL && sl_column_has_figures(column, report))
      fprintf(file, "<th title=\"%s\">%s</th>", column->meaning, column->title);
  }
  fprintf(file, "</tr></thead>\n");
}

static void number_cell(const struct sl_profile_report *report, const struct sl_profile_column *column,
                        const struct sl_profile_sum *sum, FILE *file)
{
  char text[32];
  double figure;
  if (!sl_column_figure(column, report, sum, &figure))
    fprintf(file, "<td class=\"number faint\" data-v=\"-1\">-</td>");
  else if (column->form == SL_COLUMN_COUNT)
    fprintf(file, "<td class=\"number\" data-v=\"%" PRIu64 "\">%s</td>", column->part(sum),
            sl_grouped(column->part(sum), text));
  else
    fprintf(file, "<td class=\"number\" data-v=\"%.6f\">%.*f</td>", figure, column->digits, figure);
}

/* The cell sorts by the share of the first piece. */
static void bar_cell(const struct sl_profile_report *report, const struct sl_profile_column *column,
                     const struct sl_profile_sum *sum, FILE *file)
{
  if (column->form == SL_COLUMN_STALL_REASONS) {
    fprintf(file, "<td data-v=\"%.6f\">", sl_ratio(column->part(sum), column->whole(report, sum)));
    sl_profile_stall_reasons_bar(report, &sum->row, SL_BAR_FIRST, file);
  } else {
    const uint64_t *counts = column->kinds(sum), all = counts[SL_UNIFORM] + counts[SL_AFFINE] + counts[SL_GENERAL];
    fprintf(file, "<td data-v=\"%.6f\">", all > 0 ? sl_ratio(counts[SL_UNIFORM], all) : -1.0);
    sl_profile_regularity_bar(counts, SL_BAR_FIRST, file);
  }
  fprintf(file, "</td>");
}

static void figures(const struct sl_profile_report *report, const struct sl_profile_sum *sum, FILE *file)
{
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    if (column->title == NULL || !sl_column_has_figures(column, report))
      continue;
    if (column->form == SL_COLUMN_STALL_REASONS || column->form == SL_COLUMN_REGULARITY)
      bar_cell(report, column, sum, file);
    else
      number_cell(report, column, sum, file);
  }
}

static void place_cell(const struct sl_location *at, size_t line, FILE *file)
{
  char name[SL_LINE_NAME];
  fprintf(file, "<td><a href=\"#l%zu\">", line);
  sl_html_text(file, sl_profile_line_name(at, name));
  fprintf(file, "</a></td>");
}

static void lines_table(const struct sl_profile_report *report, FILE *file)
{
  static const char *const first[] = {"source line", NULL};
  fprintf(file, "<h2>Source lines</h2>\n<div class=\"wide\"><table class=\"sortable\">");
  titles(report, first, file);
  fprintf(file, "<tbody>\n");
  for (size_t i = 0; i < report->line_count; i++) {
    const struct sl_profile_line *line = report->hottest[i];
    fprintf(file, "<tr>");
    place_cell(&line->at, (size_t)(line - report->lines), file);
    figures(report, &line->sum, file);
    fprintf(file, "</tr>\n");
  }
  fprintf(file, "</tbody></table></div>\n");
}

static void insns_table(const struct sl_profile_report *report, FILE *file)
{
  static const char *const first[] = {"address", "instruction", "function", "source line", NULL};
  fprintf(file, "<h2>Instructions</h2>\n<div class=\"wide\"><table class=\"sortable\">");
  titles(report, first, file);
  fprintf(file, "<tbody>\n");
  for (size_t i = 0; i < report->insn_count; i++) {
    const struct sl_profile_insn *insn = &report->insns[i];
    char text[SL_INSN_TEXT];
    fprintf(file, "<tr><td class=\"code\" data-v=\"%" PRIu32 "\">%08" PRIx32 "</td><td class=\"code\">", insn->pc,
            insn->pc);
    sl_html_text(file, sl_profile_insn_text(insn, text));
    fprintf(file, "</td><td>");
    sl_html_text(file, insn->at.function != NULL ? insn->at.function : "");
    fprintf(file, "</td>");
    place_cell(&insn->at, insn->line, file);
    figures(report, &insn->sum, file);
    fprintf(file, "</tr>\n");
  }
  fprintf(file, "</tbody></table></div>\n");
}

static void summary_row(const char *title, const char *unit, double value, int digits, FILE *file)
{
  char text[32];
  if (digits > 0)
    snprintf(text, sizeof text, "%.*f", digits, value);
  else
    sl_grouped((uint64_t)value, text);
  fprintf(file, "<tr><th>%s</th><td class=\"number\">%s</td><td>%s</td></tr>\n", title, text, unit);
}

/* For several launches: cycles of each. */
static void launches(const struct sl_profile_report *report, FILE *file)
{
  const struct sl_profile_run *run = &report->run;
  struct sl_launch_column columns[SL_LAUNCH_COLUMNS];
  sl_launch_columns(&report->figures, columns);
  if (report->launch_count < 2)
    return;
  fprintf(file, "<div class=\"wide\"><table class=\"sortable\"><thead><tr><th>launch</th><th>kernel</th>");
  for (size_t i = 0; i < SL_LAUNCH_COLUMNS; i++)
    if (columns[i].known)
      fprintf(file, "<th>%s</th>", columns[i].title + 1);
  fprintf(file, "</tr></thead><tbody>\n");
  for (size_t k = 0; k < report->launch_count; k++) {
    const struct sl_launch *launch = &report->launches[k];
    const struct sl_figures figures_of = sl_figures_of(run->config->machine, launch, 1);
    char name[SL_KERNEL_TEXT];
    sl_launch_columns(&figures_of, columns);
    fprintf(file, "<tr><td class=\"number\">%zu</td><td>", launch->number);
    sl_html_text(file, sl_kernel_name(run->program, launch->entry, name));
    fprintf(file, "</td>");
    for (size_t i = 0; i < SL_LAUNCH_COLUMNS; i++)
      if (columns[i].known)
        fprintf(file, "<td class=\"number\">%s</td>", columns[i].text);
    fprintf(file, "</tr>\n");
  }
  fprintf(file, "</tbody></table></div>\n");
}

static void advice(const struct sl_profile_report *report, FILE *file)
{
  struct sl_advice_item item[SL_ADVICE_MOST];
  const size_t count = sl_profile_advice(report, item);
  if (count == 0)
    return;
  fprintf(file, "<h2>Advice</h2>\n<ol>\n");
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "<li>");
    sl_html_text(file, item[i].text);
    fprintf(file, " (%s).</li>\n", item[i].rule);
  }
  fprintf(file, "</ol>\n");
}

static void summary(const struct sl_profile_report *report, FILE *file)
{
  const struct sl_profile_run *run = &report->run;
  const struct sl_profile_sum *total = &report->total;
  char cycles[32], attributed[32];
  fprintf(file, "<p>Outcome: %s. %zu launch%s of kernels, %s cycles; the rows below have %s, each once.</p>\n",
          sl_outcome(run->error->code, run->result->status), report->launch_count,
          report->launch_count == 1 ? "" : "es", sl_grouped(report->figures.cycles, cycles),
          sl_grouped(total->cycles, attributed));
  if (run->error->code != SL_OK) {
    fprintf(file, "<p>");
    sl_html_text(file, run->error->text);
    fprintf(file, "</p>\n");
  }
  fprintf(file, "<div class=\"wide\"><table>\n");
  summary_row("thread instructions per cycle", "", report->figures.ipc, 2, file);
  summary_row("warp instructions", "", (double)total->issues, 0, file);
  summary_row("active lanes", "per warp instruction", sl_ratio(total->row.active_lanes, total->issues), 1, file);
  if (sl_profile_has(report, SL_PROFILE_SCALAR))
    summary_row("in the scalar pipeline", "%", sl_percent(total->row.scalar_issues, total->issues), 1, file);
  fprintf(file, "<tr><th>where the cycles went</th><td colspan=\"2\" class=\"text\">");
  sl_profile_stall_reasons_bar(report, &total->row, SL_BAR_ALL, file);
  fprintf(file, "</td></tr>\n");
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    if (column->form != SL_COLUMN_REGULARITY || !sl_profile_has(report, column->needs))
      continue;
    fprintf(file, "<tr><th>%s</th><td colspan=\"2\" class=\"text\">", column->title);
    sl_profile_regularity_bar(column->kinds(total), SL_BAR_ALL, file);
    fprintf(file, "</td></tr>\n");
  }
  fprintf(file, "</table></div>\n");
}

static void key(const struct sl_profile_report *report, FILE *file)
{
  const struct sl_stall_reasons *causes = sl_profile_stall_reasons(report);
  if (sl_profile_has(report, SL_PROFILE_REGULARITY)) {
    fprintf(file, "<p class=\"key\">Operands and results:");
    for (size_t i = 0; i < SL_REGULARITY_COUNT; i++)
      fprintf(file, "<i class=\"r%zu\"></i>%s", i, sl_regularity_names[i]);
    fprintf(file, "</p>\n");
  }
  fprintf(file, "<p class=\"key\">Cycles:");
  for (size_t i = 0; i < causes->count; i++)
    if (report->total.row.cycles[i] > 0)
      fprintf(file, "<i class=\"k%u\"></i><span title=\"%s\">%s</span>", (unsigned)causes->cause[i].kind,
              causes->cause[i].meaning, causes->cause[i].name);
  fprintf(file, "</p>\n");
}

enum sl_status sl_profile_html(const struct sl_profile_report *report, FILE *file, struct sl_error *err)
{
  char title[600];
  snprintf(title, sizeof title, "Profile of %.400s on %s", sl_program_name(report->run.program),
           report->run.config->name);
  sl_html_begin(file, title);
  summary(report, file);
  if (report->run.occupancies != NULL)
    sl_occupancy_html(report->run.occupancies, report->run.program, file);
  launches(report, file);
  advice(report, file);
  enum sl_status code = sl_roofline_html(report, file, err);
  key(report, file);
  if (report->run.launches != NULL)
    sl_residency_html(report->run.launches, report->run.config, report->run.program, file);
  lines_table(report, file);
  if (code == SL_OK)
    code = sl_profile_html_source(report, file, err);
  insns_table(report, file);
  sl_html_end(file, report->run.origin);
  return code;
}
