/* The profile as one HTML file: totals, registers over time, sortable tables of source lines and instructions. */
#include <inttypes.h>
#include <string.h>

#include "observe/html.h"
#include "observe/profile/profile.h"
#include "observe/report.h"
#include "observe/terminal.h"
#include "program/program.h"

/* Stacked bars of shares in the profile's HTML, with all shares as a tooltip. Colours are those of the palette ('k'
 * stall reasons, 'r' regularity). */

/* Numbers next to a bar. */
enum sl_bar_numbers {
  SL_BAR_FIRST, /* the share of the first piece */
  SL_BAR_ALL    /* all shares, with their names */
};

/* A piece of a bar: name, amount and colour. */
struct piece {
  uint64_t value;
  const char *name;
  char palette;
  unsigned colour;
};

static void put_numbers(const struct piece *pieces, size_t count, uint64_t sum, enum sl_bar_numbers numbers, FILE *file)
{
  const char *separator = " ";
  if (numbers == SL_BAR_FIRST && sum > 0)
    fprintf(file, "<span class=\"part\">%.0f %%</span>", sl_percent(pieces[0].value, sum));
  for (size_t i = 0; i < count && numbers == SL_BAR_ALL; i++)
    if (pieces[i].value > 0) {
      fprintf(file, "%s%s %.1f&nbsp;%%", separator, pieces[i].name, sl_percent(pieces[i].value, sum));
      separator = ", ";
    }
}

static void bar(const struct piece *pieces, size_t count, enum sl_bar_numbers numbers, FILE *file)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += pieces[i].value;
  fprintf(file, "<span class=\"bar\" title=\"");
  const char *separator = "";
  for (size_t i = 0; i < count; i++)
    if (pieces[i].value > 0) {
      char text[32];
      fprintf(file, "%s%s %.1f %% (%s)", separator, pieces[i].name, sl_percent(pieces[i].value, sum),
              sl_grouped(pieces[i].value, text));
      separator = ", ";
    }
  fprintf(file, "%s\">", sum == 0 ? "none" : "");
  for (size_t i = 0; i < count; i++)
    if (pieces[i].value > 0)
      fprintf(file, "<i class=\"%c%u\" style=\"width:%.2f%%\"></i>", pieces[i].palette, pieces[i].colour,
              sl_percent(pieces[i].value, sum));
  fprintf(file, "</span>");
  put_numbers(pieces, count, sum, numbers, file);
}

static void profile_stall_reasons_bar(const struct sl_profile_report *report, const struct sl_profile_row *row,
                                      enum sl_bar_numbers numbers, FILE *file)
{
  const struct sl_stall_reasons *causes = sl_profile_stall_reasons(report);
  struct piece pieces[SL_MAX_STALL_REASONS];
  for (size_t i = 0; i < causes->count; i++)
    pieces[i] = (struct piece){row->cycles[i], causes->cause[i].name, 'k', causes->cause[i].kind};
  bar(pieces, causes->count, numbers, file);
}

static void profile_regularity_bar(const uint64_t counts[SL_REGULARITY_COUNT], enum sl_bar_numbers numbers, FILE *file)
{
  struct piece pieces[SL_REGULARITY_COUNT];
  for (unsigned i = 0; i < SL_REGULARITY_COUNT; i++)
    pieces[i] = (struct piece){counts[i], sl_regularity_names[i], 'r', i};
  bar(pieces, SL_REGULARITY_COUNT, numbers, file);
}

/* Annotated source in the profile's HTML: the text of each file, with the disassembly below its lines. A line's element
 * has the id "l" and its index. */

/* Source lines shown before and after a line with instructions. */
enum { CONTEXT = 3 };

/* Keeps text readable on the strongest colour. */
#define STRONGEST 0.55

static bool same_file(const struct sl_profile_line *a, const struct sl_profile_line *b)
{
  return a->at.file == b->at.file || (a->at.file != NULL && b->at.file != NULL && strcmp(a->at.file, b->at.file) == 0);
}

/* Begins a row, whose colour intensity is its share of the hottest line's cycles. */
static void begin_row(const struct sl_profile_report *report, const struct sl_profile_sum *sum, FILE *file)
{
  fprintf(file, " class=\"heat\" style=\"--h:%.3f\"><td class=\"number\">",
          STRONGEST * sl_ratio(sum->cycles, report->hottest[0]->sum.cycles));
}

static void shares(const struct sl_profile_report *report, const struct sl_profile_sum *sum, FILE *file)
{
  char text[32];
  fprintf(file, "</td><td class=\"number\" title=\"%s cycles\">%.1f %%</td><td>", sl_grouped(sum->cycles, text),
          sl_percent(sum->cycles, report->total.cycles));
  profile_stall_reasons_bar(report, &sum->row, SL_BAR_FIRST, file);
  if (sl_profile_has(report, SL_PROFILE_REGULARITY)) {
    fprintf(file, "</td><td>");
    profile_regularity_bar(sum->row.operands, SL_BAR_FIRST, file);
  }
  fprintf(file, "</td><td class=\"code\">");
}

static void insn_row(const struct sl_profile_report *report, const struct sl_profile_insn *insn, FILE *file)
{
  char text[SL_INSN_TEXT], issues[32];
  fprintf(file, "<tr");
  begin_row(report, &insn->sum, file);
  shares(report, &insn->sum, file);
  fprintf(file, "<span class=\"faint\" title=\"%s issues\">    %08" PRIx32 "  </span>",
          sl_grouped(insn->sum.issues, issues), insn->pc);
  sl_html_text(file, sl_profile_insn_text(insn, text));
  fprintf(file, "</td></tr>\n");
}

/* Writes a line with instructions. If its text is missing, the name takes its place. */
static void line_rows(const struct sl_profile_report *report, const struct sl_profile_line *line, const char *text,
                      FILE *file)
{
  char name[SL_LINE_NAME];
  fprintf(file, "<tr id=\"l%zu\"", (size_t)(line - report->lines));
  begin_row(report, &line->sum, file);
  if (line->at.file != NULL)
    fprintf(file, "%u", line->at.line);
  shares(report, &line->sum, file);
  fprintf(file, "<b>");
  sl_html_text(file, text != NULL ? text : sl_profile_line_name(&line->at, name));
  fprintf(file, "</b></td></tr>\n");
  for (size_t i = 0; i < line->count; i++)
    insn_row(report, line->by_address[i], file);
}

/* Number of cells between a line's number and its text: shares of cycles, stall reasons and, on some machines,
 * operands. */
static unsigned middle(const struct sl_profile_report *report)
{
  return sl_profile_has(report, SL_PROFILE_REGULARITY) ? 3 : 2;
}

static void plain_rows(const struct sl_profile_report *report, const struct sl_source *source, unsigned first,
                       unsigned end, FILE *file)
{
  for (unsigned n = first; n < end && sl_source_line(source, n) != NULL; n++) {
    fprintf(file, "<tr class=\"faint\"><td class=\"number\">%u</td><td colspan=\"%u\"></td><td class=\"code\">", n,
            middle(report));
    sl_html_text(file, sl_source_line(source, n));
    fprintf(file, "</td></tr>\n");
  }
}

/* Writes the lines between two lines with instructions; of a long gap only the ends. `after` is 0 before the first
 * line; `before` is the file's last line plus 1 after the last. */
static void between(const struct sl_profile_report *report, const struct sl_source *source, unsigned after,
                    unsigned before, FILE *file)
{
  const bool first = after == 0, last = before > source->count;
  const unsigned begin = after + 1, left = first ? 0 : CONTEXT, right = last ? 0 : CONTEXT;
  if (begin >= before || source->count == 0)
    return;
  if (before - begin <= left + right + 1 && !(first && last)) {
    plain_rows(report, source, begin, before, file);
    return;
  }
  plain_rows(report, source, begin, begin + left, file);
  if (!first && !last)
    fprintf(file, "<tr class=\"faint\"><td class=\"number\">...</td><td colspan=\"%u\"></td></tr>\n",
            middle(report) + 1);
  plain_rows(report, source, before - right, before, file);
}

/* Writes the file of report->lines[first], whose lines are consecutive. */
static enum sl_status source_file(const struct sl_profile_report *report, size_t first, bool open, FILE *file,
                                  struct sl_error *err)
{
  struct sl_source source = {0};
  const struct sl_profile_line *line = &report->lines[first];
  const char *name = line->at.file;
  enum sl_status code = name != NULL ? sl_source_read(&source, name, err) : SL_OK;
  size_t end = first;
  uint64_t cycles = 0;
  while (end < report->line_count && same_file(line, &report->lines[end]))
    cycles += report->lines[end++].sum.cycles;
  fprintf(file, "<details%s><summary><code>", open ? " open" : "");
  sl_html_text(file, name != NULL ? name : "no source file known");
  fprintf(file,
          "</code> %.1f %% of the cycles%s</summary>\n<div class=\"wide\"><table><thead><tr><th>line</th>"
          "<th>cycles</th><th>where they went</th>%s<th>source</th></tr></thead><tbody>\n",
          sl_percent(cycles, report->total.cycles), name != NULL && source.count == 0 ? "; cannot be read" : "",
          sl_profile_has(report, SL_PROFILE_REGULARITY) ? "<th>operands</th>" : "");
  unsigned after = 0;
  for (size_t i = first; i < end; i++) {
    between(report, &source, after, report->lines[i].at.line, file);
    after = report->lines[i].at.line;
    line_rows(report, &report->lines[i], sl_source_line(&source, after), file);
  }
  between(report, &source, after, (unsigned)source.count + 1, file);
  fprintf(file, "</tbody></table></div></details>\n");
  sl_source_free(&source);
  return code;
}

/* Returns the index of the first line of its file; report->line_count if a hotter line has already shown the file. */
static size_t file_to_show(const struct sl_profile_report *report, size_t rank)
{
  const struct sl_profile_line *line = report->hottest[rank];
  for (size_t i = 0; i < rank; i++)
    if (same_file(report->hottest[i], line))
      return report->line_count;
  while (line > report->lines && same_file(line - 1, line))
    line--;
  return (size_t)(line - report->lines);
}

static enum sl_status profile_html_source(const struct sl_profile_report *report, FILE *file, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  fprintf(file, "<h2>Annotated source</h2>\n<p>A stronger colour means more of the cycles. Files with the "
                "hottest lines come first; source lines without instructions appear only near others.</p>\n");
  for (size_t i = 0; i < report->line_count && code == SL_OK; i++) {
    const size_t first = file_to_show(report, i);
    if (first < report->line_count)
      code = source_file(report, first, i == 0, file, err);
  }
  return code;
}

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
    profile_stall_reasons_bar(report, &sum->row, SL_BAR_FIRST, file);
  } else {
    const uint64_t *counts = column->kinds(sum), all = counts[SL_UNIFORM] + counts[SL_AFFINE] + counts[SL_GENERAL];
    fprintf(file, "<td data-v=\"%.6f\">", all > 0 ? sl_ratio(counts[SL_UNIFORM], all) : -1.0);
    profile_regularity_bar(counts, SL_BAR_FIRST, file);
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
  profile_stall_reasons_bar(report, &total->row, SL_BAR_ALL, file);
  fprintf(file, "</td></tr>\n");
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    if (column->form != SL_COLUMN_REGULARITY || !sl_profile_has(report, column->needs))
      continue;
    fprintf(file, "<tr><th>%s</th><td colspan=\"2\" class=\"text\">", column->title);
    profile_regularity_bar(column->kinds(total), SL_BAR_ALL, file);
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
    code = profile_html_source(report, file, err);
  insns_table(report, file);
  sl_html_end(file, report->run.origin);
  return code;
}
