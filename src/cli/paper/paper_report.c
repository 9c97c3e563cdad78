/* Files of the report, the page, and the summary on the terminal. */
#include "cli/paper/paper_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help/provenance.h"
#include "observe/chart.h"
#include "observe/html.h"
#include "observe/output.h"

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { CELL = 256 };

/* Adds a cell to the row. */
static void put_cell(struct sl_sheet *sheet, const char *text, bool quoted)
{
  if (sheet->form == SL_SHEET_TEXT) {
    sl_table_cell(&sheet->table, "%s", text);
  } else if (sheet->form == SL_SHEET_PAGE) {
    fputs(sheet->begun ? "" : "<tr>", sheet->file);
    sl_html_element(sheet->file, "td", text);
  } else {
    fputs(sheet->begun ? "," : "", sheet->file);
    fprintf(sheet->file, quoted ? "\"%s\"" : "%s", text);
  }
  sheet->begun = true;
}

void sl_sheet_text(struct sl_sheet *sheet, const char *format, ...)
{
  char text[CELL];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  put_cell(sheet, text, true);
}

void sl_sheet_word(struct sl_sheet *sheet, const char *format, ...)
{
  char text[CELL];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  put_cell(sheet, text, false);
}

void sl_sheet_link(struct sl_sheet *sheet, const char *id, const char *text)
{
  fprintf(sheet->file, "<tr><td><a href=\"#%s\">", id);
  sl_html_text(sheet->file, text);
  fputs("</a></td>", sheet->file);
  sheet->begun = true;
}

void sl_sheet_count(struct sl_sheet *sheet, uint64_t count)
{
  char text[32];
  if (sheet->form == SL_SHEET_FILE)
    sl_sheet_word(sheet, "%" PRIu64, count);
  else
    put_cell(sheet, sl_grouped(count, text), false);
}

static void put_unknown(struct sl_sheet *sheet)
{
  if (sheet->form != SL_SHEET_PAGE) {
    put_cell(sheet, sheet->form == SL_SHEET_FILE ? "" : "-", false);
    return;
  }
  fprintf(sheet->file, "%s<td>&ndash;</td>", sheet->begun ? "" : "<tr>");
  sheet->begun = true;
}

void sl_sheet_number(struct sl_sheet *sheet, int decimals, double number)
{
  if (isnan(number))
    put_unknown(sheet);
  else if (sheet->form != SL_SHEET_FILE)
    sl_sheet_word(sheet, "%.*f", decimals, number);
  else if (sheet->digits < 0)
    sl_sheet_word(sheet, "%.*f", -sheet->digits, number);
  else
    sl_sheet_word(sheet, "%.*g", sheet->digits, number);
}

void sl_sheet_published(struct sl_sheet *sheet, double number)
{
  if (number > 0)
    sl_sheet_word(sheet, "%g", number);
  else
    put_unknown(sheet);
}

void sl_sheet_end_row(struct sl_sheet *sheet)
{
  if (sheet->form != SL_SHEET_TEXT)
    fputs(sheet->form == SL_SHEET_PAGE ? "</tr>\n" : "\n", sheet->file);
  sheet->begun = false;
}

void sl_sheet_begin_remark(const struct sl_sheet *sheet)
{
  fprintf(sheet->file, "<tr><td class=\"text soft\" colspan=\"%u\">", sheet->columns);
}

void sl_sheet_end_remark(const struct sl_sheet *sheet)
{
  fputs("</td></tr>\n", sheet->file);
}

static void put_table(FILE *f, const struct sl_paper_runs *runs, const struct sl_paper_table *table)
{
  struct sl_sheet sheet = {.form = SL_SHEET_PAGE, .file = f};
  while (table->titles[sheet.columns] != NULL)
    sheet.columns++;
  sl_html_begin_table(f, table->titles);
  table->rows(&sheet, runs);
  sl_html_end_table(f);
}

static void print_table(const struct sl_paper_runs *runs, const struct sl_paper_table *table)
{
  struct sl_sheet sheet = {.form = SL_SHEET_TEXT};
  sl_table_init(&sheet.table, table->titles);
  table->rows(&sheet, runs);
  sl_table_print(&sheet.table, stdout); /* main reports a failed write to standard output */
  sl_table_free(&sheet.table);
}

void sl_paper_config_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (const struct sl_paper_config *c = runs->configs; c < runs->configs + runs->paper->config_count; c++) {
    char set[CELL] = "none";
    for (size_t i = 0, length = 0; i < SL_PAPER_SETS && c->set[i] != NULL; i++)
      length += (size_t)snprintf(set + length, sizeof set - length, "%s%s", i > 0 ? ", " : "", c->set[i]);
    sl_sheet_text(sheet, "%s", c->name);
    fputs("<td class=\"text\">", sheet->file);
    sl_html_text(sheet->file, c->about);
    fputs("</td>", sheet->file);
    sl_sheet_text(sheet, "%s", c->preset);
    sl_sheet_text(sheet, "%s", set);
    sl_sheet_text(sheet, "%s", c->form);
    sl_sheet_end_row(sheet);
  }
}

/* ---- charts and page --------------------------------------------------------------------------------------------- */

struct sl_paper_chart *sl_paper_add_chart(struct sl_paper_charts *charts, unsigned section, const char *id,
                                          const char *title, const char *unit, const char *group_title)
{
  struct sl_paper_chart *chart = &charts->chart[charts->count++];
  chart->chart = (struct sl_chart){.id = id, .title = title, .unit = unit, .group_title = group_title};
  chart->section = section;
  return chart;
}

static void put_chart(FILE *f, const struct sl_paper_chart *chart, bool drawings)
{
  const struct sl_chart *c = &chart->chart;
  fputs("<figure>\n", f);
  sl_svg_chart(f, c);
  if (chart->caption != NULL)
    fprintf(f, "<figcaption>%s", chart->caption);
  else
    fprintf(f, "<figcaption>%s%s.", c->title, chart->of != NULL ? chart->of : "");
  fprintf(f, " Numbers: <a href=\"%s.csv\">%s.csv</a>", c->id, c->id);
  if (drawings)
    fprintf(f, "; drawing: <a href=\"%s.svg\">%s.svg</a>", c->id, c->id);
  fputc('.', f);
  if (c->limit > 0)
    fprintf(f, " Bars are cut at %.0f %%.", c->limit);
  if (!drawings && sl_chart_has_published(c))
    fputs(" As published: the paper's means.", f);
  fputs("</figcaption>\n</figure>\n", f);
}

static void put_section(FILE *f, const struct sl_paper_runs *runs, const struct sl_paper_section *section)
{
  if (section->heading != NULL)
    fprintf(f, "<h2>%s</h2>\n", section->heading);
  if (section->text != NULL)
    fprintf(f, "<p>%s</p>\n", section->text);
  if (section->table != NULL)
    put_table(f, runs, section->table);
  if (section->contents != NULL)
    section->contents(f, runs);
  if (section->notes != NULL)
    fprintf(f, "<p class=\"soft\">%s</p>\n", section->notes);
  for (size_t c = 0; section->charts != 0 && c < runs->charts->count; c++)
    if (runs->charts->chart[c].section == section->charts)
      put_chart(f, &runs->charts->chart[c], runs->report->drawings);
}

static void put_page(FILE *f, const struct sl_paper_runs *runs, const void *what)
{
  const struct sl_paper_report *report = runs->report;
  (void)what;
  sl_html_begin(f, report->title);
  fputs("<p>Reproduction of ", f);
  sl_html_text(f, runs->paper->title);
  report->introduce(f, runs);
  for (const struct sl_paper_section *s = report->sections;
       s->heading != NULL || s->text != NULL || s->charts != 0 || s->contents != NULL || s->table != NULL; s++)
    if (s->shown == NULL || s->shown(runs))
      put_section(f, runs, s);
  sl_provenance_html_end(f);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void put_csv(FILE *f, const struct sl_paper_runs *runs, const void *what)
{
  const struct sl_paper_table *table = what;
  struct sl_sheet sheet = {.form = SL_SHEET_FILE, .file = f, .digits = table->digits};
  fprintf(f, "%s\n", table->columns);
  table->rows(&sheet, runs);
}

static void put_numbers(FILE *f, const struct sl_paper_runs *runs, const void *chart)
{
  (void)runs;
  sl_chart_csv(chart, f);
}

static void put_drawing(FILE *f, const struct sl_paper_runs *runs, const void *chart)
{
  (void)runs;
  sl_svg_chart(f, chart);
}

/* Writes a file; `put` provides its contents. */
static enum sl_status save(const struct sl_paper_runs *runs, const char *name, const char *suffix,
                           void (*put)(FILE *f, const struct sl_paper_runs *runs, const void *what), const void *what,
                           struct sl_error *err)
{
  char path[SL_PATH], *text = NULL;
  size_t size = 0;
  struct sl_output output;
  snprintf(path, sizeof path, "%.3000s/%s%s", runs->folder, name, suffix);
  /* Writes through memory, so that a failed write reports its reason. */
  FILE *memory = open_memstream(&text, &size);
  if (memory != NULL)
    put(memory, runs, what);
  const bool complete = memory != NULL && !ferror(memory);
  if (memory == NULL || fclose(memory) != 0 || !complete) {
    free(text);
    return sl_no_memory(err, size);
  }
  enum sl_status code = sl_output_open(&output, path, err);
  if (code == SL_OK) {
    sl_output_write(&output, text, size);
    code = sl_output_close(&output, err);
  }
  free(text);
  return code;
}

static enum sl_status save_all(const struct sl_paper_runs *runs, struct sl_error *err)
{
  const struct sl_paper_report *report = runs->report;
  enum sl_status code = SL_OK;
  for (const struct sl_paper_file *file = report->files; file->name != NULL && code == SL_OK; file++)
    if (file->wanted == NULL || file->wanted(runs))
      code = save(runs, file->name, "", put_csv, file->table, err);
  for (size_t c = 0; c < runs->charts->count && code == SL_OK; c++) {
    const struct sl_chart *chart = &runs->charts->chart[c].chart;
    code = save(runs, chart->id, ".csv", put_numbers, chart, err);
    if (code == SL_OK && report->drawings)
      code = save(runs, chart->id, ".svg", put_drawing, chart, err);
  }
  return code == SL_OK ? save(runs, "index.html", "", put_page, NULL, err) : code;
}

enum sl_status sl_paper_write(struct sl_paper_runs *runs, struct sl_error *err)
{
  const struct sl_paper_report *report = runs->report;
  struct sl_paper_charts *charts = calloc(1, sizeof *charts);
  if (charts == NULL)
    return sl_no_memory(err, sizeof *charts);
  runs->charts = charts;
  report->draw(runs, charts);
  const enum sl_status code = save_all(runs, err);
  if (code == SL_OK && report->summary != NULL)
    print_table(runs, report->summary);
  if (code == SL_OK && report->print != NULL)
    report->print(runs);
  runs->charts = NULL;
  free(charts);
  return code;
}
