#include "observe/profile/profile_html_source.h"

#include <inttypes.h>
#include <string.h>

#include "observe/html.h"
#include "observe/profile/profile_bars.h"
#include "observe/profile/profile_columns.h"
#include "observe/table.h"
#include "program/source.h"

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
  sl_profile_stall_reasons_bar(report, &sum->row, SL_BAR_FIRST, file);
  if (sl_profile_has(report, SL_PROFILE_REGULARITY)) {
    fprintf(file, "</td><td>");
    sl_profile_regularity_bar(sum->row.operands, SL_BAR_FIRST, file);
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

enum sl_status sl_profile_html_source(const struct sl_profile_report *report, FILE *file, struct sl_error *err)
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
