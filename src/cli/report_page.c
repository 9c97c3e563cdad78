#include "cli/report_page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/help/help.h"
#include "cli/session.h"
#include "lab/report/study_report.h"
#include "observe/chart.h"
#include "observe/html.h"
#include "observe/output.h"
#include "observe/terminal.h"

enum { CELL = 256, DIGITS = 9 };

struct page {
  struct sl_report_values values;
  const struct sl_study_report *report;
  struct sl_grid *grids; /* by table */
  bool *shown;
  const char *path;
};

/* What one file is written from. */
struct part {
  struct page *page;
  size_t table;
  struct sl_error *err;
};

static const char *field(const struct part *part, const char *name)
{
  return sl_texts_find(&part->page->report->tables[part->table].fields, name);
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* The text of a cell; a number has its decimals and unit, or in a file its significant digits only. */
static const char *cell_text(const struct sl_grid_cell *cell, bool file, int digits, char text[CELL])
{
  char number[40];
  const double tiny = cell->decimals >= 0 ? 0.5 * pow(10, -cell->decimals) : 0;
  const double value = !file && fabs(cell->number) < tiny ? 0 : cell->number; /* a rounded zero has no sign */
  if (cell->text != NULL)
    return cell->text;
  if (isnan(cell->number))
    snprintf(text, CELL, "%s", file ? "" : "-");
  else if (file && !cell->count)
    snprintf(text, CELL, "%.*g", digits, value);
  else if (cell->count && file)
    snprintf(text, CELL, "%.0f", value);
  else if (cell->count)
    snprintf(text, CELL, "%s%s", sl_grouped((uint64_t)llround(value), number), cell->unit);
  else if (cell->decimals < 0)
    snprintf(text, CELL, "%g%s", value, cell->unit);
  else
    snprintf(text, CELL, cell->sign && value != 0 ? "%+.*f%s" : "%.*f%s", cell->decimals, value, cell->unit);
  return text;
}

static const struct sl_grid_cell *cells_of(const struct sl_grid *grid, size_t row)
{
  return &grid->cells[row * grid->column_count];
}

/* ---- charts ------------------------------------------------------------------------------------------------------ */

/* The bars of a table: a group per row, named by its first cell, and a series per column of numbers. */
static struct sl_chart *chart_of(const struct part *part)
{
  const struct sl_grid *grid = &part->page->grids[part->table];
  const char *unit = field(part, "unit"), *limit = field(part, "limit");
  struct sl_chart *chart = calloc(1, sizeof *chart);
  if (chart == NULL)
    return NULL;
  chart->id = field(part, "name");
  chart->title = field(part, "chart");
  chart->unit = unit != NULL ? unit : "";
  chart->group_title = grid->columns[0].title;
  chart->mean_last = grid->total;
  chart->limit = limit != NULL ? strtod(limit, NULL) : 0;
  chart->group_count = grid->row_count < SL_CHART_GROUPS ? grid->row_count : SL_CHART_GROUPS;
  for (size_t c = 1; c < grid->column_count && chart->series_count < SL_CHART_SERIES; c++) {
    struct sl_chart_series *series = &chart->series[chart->series_count++];
    series->name = grid->columns[c].title;
    series->colour = grid->columns[c].colour;
    for (size_t r = 0; r < chart->group_count; r++) {
      const struct sl_grid_cell *cells = cells_of(grid, r);
      chart->groups[r] = cells[0].text;
      series->value[r] = isnan(cells[c].number) ? 0 : cells[c].number;
      series->published[r].known = grid->columns[c].published && !isnan(cells[c].published);
      series->published[r].value = cells[c].published;
    }
  }
  return chart;
}

static enum sl_status put_drawing(FILE *f, const struct part *part)
{
  struct sl_chart *chart = chart_of(part);
  if (chart == NULL)
    return sl_no_memory(part->err, sizeof *chart);
  sl_svg_chart(f, chart);
  free(chart);
  return SL_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void put_title(FILE *f, const struct sl_grid_column *column, const char *title, bool first)
{
  fprintf(f, strpbrk(title, column->bare ? "," : " ,(%") != NULL ? "%s\"%s\"" : "%s%s", first ? "" : ",", title);
}

static enum sl_status put_csv(FILE *f, const struct part *part)
{
  const struct sl_grid *grid = &part->page->grids[part->table];
  const char *digits = field(part, "digits");
  char text[CELL];
  bool first = true;
  if (field(part, "chart") != NULL) {
    struct sl_chart *chart = chart_of(part);
    if (chart == NULL)
      return sl_no_memory(part->err, sizeof *chart);
    sl_chart_csv(chart, f);
    free(chart);
    return SL_OK;
  }
  for (size_t c = 0; c < grid->column_count; c++)
    if (grid->columns[c].in_file) {
      put_title(f, &grid->columns[c], grid->columns[c].csv != NULL ? grid->columns[c].csv : grid->columns[c].title,
                first);
      first = false;
    }
  fputc('\n', f);
  for (size_t r = 0; r < grid->row_count; r++) {
    first = true;
    for (size_t c = 0; c < grid->column_count; c++) {
      if (!grid->columns[c].in_file)
        continue;
      const struct sl_grid_cell *cell = &cells_of(grid, r)[c];
      cell_text(cell, true, digits != NULL ? (int)strtol(digits, NULL, 10) : DIGITS, text);
      if (cell->text != NULL)
        put_title(f, &grid->columns[c], cell->text, first);
      else if (grid->columns[c].file_decimals >= 0 && !isnan(cell->number))
        fprintf(f, "%s%.*f", first ? "" : ",", grid->columns[c].file_decimals, cell->number);
      else
        fprintf(f, "%s%s", first ? "" : ",", text);
      first = false;
    }
    fputc('\n', f);
  }
  return SL_OK;
}

static void put_table(FILE *f, const struct sl_grid *grid)
{
  char text[CELL];
  fputs("<div class=\"wide\"><table class=\"figures\">\n<thead><tr>", f);
  for (size_t c = 0; c < grid->column_count; c++)
    if (grid->columns[c].in_page) {
      fputs("<th scope=\"col\">", f);
      sl_html_text(f, grid->columns[c].title);
      fputs("</th>", f);
    }
  fputs("</tr></thead>\n<tbody>\n", f);
  for (size_t r = 0; r < grid->row_count; r++) {
    fputs("<tr>", f);
    for (size_t c = 0; c < grid->column_count; c++) {
      const struct sl_grid_cell *cell = &cells_of(grid, r)[c];
      if (!grid->columns[c].in_page)
        continue;
      fputs(cell->text != NULL ? "<td class=\"text\">" : "<td>", f);
      const char *shown = cell_text(cell, false, 0, text);
      sl_html_text(f, shown[0] != '\0' ? shown : "-");
      fputs("</td>", f);
    }
    fputs("</tr>\n", f);
  }
  sl_html_end_table(f);
}

static bool print_table(const struct sl_grid *grid)
{
  const char *titles[SL_TABLE_COLUMNS + 1] = {NULL};
  char marked[SL_TABLE_COLUMNS][CELL], text[CELL];
  size_t columns = 0;
  struct sl_table table;
  for (size_t c = 0; c < grid->column_count && columns < SL_TABLE_COLUMNS; c++) {
    if (!grid->columns[c].in_text)
      continue;
    const bool number = grid->row_count > 0 && cells_of(grid, 0)[c].text == NULL;
    snprintf(marked[columns], CELL, "%s%s", number ? ">" : "", grid->columns[c].title);
    titles[columns] = marked[columns];
    columns++;
  }
  sl_table_init(&table, titles);
  for (size_t r = 0; r < grid->row_count; r++)
    for (size_t c = 0; c < grid->column_count; c++)
      if (grid->columns[c].in_text)
        sl_table_cell(&table, "%s", cell_text(&cells_of(grid, r)[c], false, 0, text));
  const bool printed = sl_table_print(&table, stdout); /* main reports a failed write to standard output */
  sl_table_free(&table);
  return printed;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

/* Writes a line of Markdown: `code`, **strong** and [text](address). */
static void put_inline(FILE *f, const char *text, size_t length)
{
  const char *end = text + length;
  bool strong = false, code = false;
  for (const char *at = text; at < end; at++) {
    const char *close = *at == '[' && !code ? strstr(at, "](") : NULL,
               *past = close != NULL ? strchr(close, ')') : NULL;
    char one[2] = {*at, '\0'};
    if (*at == '`') {
      fputs(code ? "</code>" : "<code>", f);
      code = !code;
    } else if (at[0] == '*' && at[1] == '*' && !code) {
      fputs(strong ? "</b>" : "<b>", f);
      strong = !strong;
      at++;
    } else if (past != NULL && past < end) {
      fputs("<a href=\"", f);
      char *address = strndup(close + 2, (size_t)(past - close - 2)),
           *words = strndup(at + 1, (size_t)(close - at - 1));
      sl_html_text(f, address != NULL ? address : "");
      fputs("\">", f);
      sl_html_text(f, words != NULL ? words : "");
      fputs("</a>", f);
      free(address);
      free(words);
      at = past;
    } else {
      sl_html_text(f, one);
    }
  }
  fputs(code ? "</code>" : "", f);
  fputs(strong ? "</b>" : "", f);
}

/* Paragraphs, which empty lines separate. */
static enum sl_status put_paragraphs(FILE *f, const struct part *part, const struct sl_texts *section, const char *name,
                                     const char *class)
{
  char *text = NULL;
  if (sl_texts_find(section, name) == NULL)
    return SL_OK;
  const enum sl_status code =
      sl_grid_text(&part->page->values, sl_texts_find(section, name), section->line, &text, part->err);
  for (const char *at = text; code == SL_OK && *at != '\0';) {
    const char *end = strstr(at, "\n\n");
    const size_t length = end != NULL ? (size_t)(end - at) : strlen(at);
    if (strspn(at, "\n") < length) {
      fprintf(f, "<p%s>", class);
      put_inline(f, at, length);
      fputs("</p>\n", f);
    }
    at += length + strspn(at + length, "\n");
  }
  free(text);
  return code;
}

static void put_figure(FILE *f, struct part *part)
{
  const char *caption = field(part, "caption"), *title = field(part, "chart"), *name = field(part, "name"),
             *limit = field(part, "limit");
  fputs("<figure>\n", f);
  put_drawing(f, part);
  fputs("<figcaption>", f);
  sl_html_text(f, caption != NULL ? caption : title);
  fprintf(f, " Numbers: <a href=\"%s.csv\">%s.csv</a>; drawing: <a href=\"%s.svg\">%s.svg</a>.", name, name, name,
          name);
  if (limit != NULL)
    fprintf(f, " Bars are cut at %s.", limit);
  fputs("</figcaption>\n<details><summary>Table</summary>\n", f);
  put_table(f, &part->page->grids[part->table]);
  fputs("</details>\n</figure>\n", f);
}

/* The table of a section, or those of its charts: a list of names. */
static enum sl_status put_named(FILE *f, struct part *part, const struct sl_texts *section, const char *kind)
{
  const char *names = sl_texts_find(section, kind);
  for (size_t length; names != NULL && *names != '\0'; names += length + strspn(names + length, ", ")) {
    const struct sl_study_report *report = part->page->report;
    length = strcspn(names, ", ");
    for (part->table = 0; part->table < report->table_count; part->table++) {
      const char *name = field(part, "name");
      if (strlen(name) == length && strncmp(name, names, length) == 0)
        break;
    }
    if (part->table == report->table_count || (strcmp(kind, "chart") == 0 && field(part, "chart") == NULL))
      return sl_fail(part->err, SL_USAGE, "%.250s:%zu: the report has no %s '%.*s'", part->page->values.study->origin,
                     section->line, kind, (int)length, names);
    if (!part->page->shown[part->table])
      continue;
    if (strcmp(kind, "chart") == 0)
      put_figure(f, part);
    else
      put_table(f, &part->page->grids[part->table]);
  }
  return SL_OK;
}

static enum sl_status put_page(FILE *f, const struct part *from)
{
  struct part part = *from;
  const struct sl_study_report *report = part.page->report;
  enum sl_status code = SL_OK;
  sl_html_begin(f, report->title != NULL ? report->title : part.page->values.study->name);
  const char *about = part.page->values.study->about;
  if (about != NULL) {
    fputs("<p>", f);
    put_inline(f, about, strlen(about));
    fputs("</p>\n", f);
  }
  for (size_t s = 0; s < report->section_count && code == SL_OK; s++) {
    const struct sl_texts *section = &report->sections[s];
    const char *heading = sl_texts_find(section, "heading");
    bool shown;
    code = sl_grid_shown(&part.page->values, section, &shown, part.err);
    if (code != SL_OK || !shown)
      continue;
    if (heading != NULL)
      sl_html_element(f, "h2", heading);
    code = put_paragraphs(f, &part, section, "text", "");
    if (code == SL_OK)
      code = put_named(f, &part, section, "table");
    if (code == SL_OK)
      code = put_paragraphs(f, &part, section, "notes", " class=\"soft\"");
    if (code == SL_OK)
      code = put_named(f, &part, section, "chart");
  }
  sl_provenance_html_end(f);
  return code;
}

/* ---- all files --------------------------------------------------------------------------------------------------- */

/* Writes a file beside the page, through memory, so that a failed write reports its reason. */
static enum sl_status save(struct page *page, size_t table, const char *suffix,
                           enum sl_status (*put)(FILE *f, const struct part *part), struct sl_error *err)
{
  const struct part part = {page, table, err};
  char path[SL_PATH], *text = NULL;
  size_t size = 0;
  struct sl_output output;
  const char *slash = strrchr(page->path, '/');
  snprintf(path, sizeof path, "%s", page->path);
  if (suffix != NULL)
    snprintf(path, sizeof path, "%.*s%.80s%s", slash != NULL ? (int)(slash - page->path + 1) : 0, page->path,
             field(&part, "name"), suffix);
  FILE *memory = open_memstream(&text, &size);
  enum sl_status code = memory != NULL ? put(memory, &part) : SL_OK;
  const bool complete = memory != NULL && !ferror(memory);
  if (memory == NULL || fclose(memory) != 0 || !complete)
    code = sl_no_memory(err, size);
  if (code == SL_OK)
    code = sl_output_open(&output, path, err);
  if (code == SL_OK) {
    sl_output_write(&output, text, size);
    code = sl_output_close(&output, err);
  }
  free(text);
  return code;
}

enum sl_status sl_make_folders(const char *page, struct sl_error *err)
{
  char path[SL_PATH];
  snprintf(path, sizeof path, "%s", page);
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
      return sl_fail(err, SL_USAGE, "%.500s: the folder cannot be made (%s)", path, strerror(errno));
    *slash = '/';
  }
  return SL_OK;
}

static enum sl_status write_files(struct page *page, struct sl_error *err)
{
  enum sl_status code = sl_make_folders(page->path, err);
  for (size_t t = 0; t < page->report->table_count && code == SL_OK; t++) {
    const struct part part = {page, t, err};
    if (!page->shown[t] || field(&part, "fail") != NULL)
      continue;
    code = save(page, t, ".csv", put_csv, err);
    if (code == SL_OK && field(&part, "chart") != NULL)
      code = save(page, t, ".svg", put_drawing, err);
  }
  return code == SL_OK ? save(page, 0, NULL, put_page, err) : code;
}

static enum sl_status print_all(struct page *page, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t t = 0; t < page->report->table_count && code == SL_OK; t++) {
    const struct part part = {page, t, err};
    if (page->shown[t] && field(&part, "print") != NULL)
      print_table(&page->grids[t]);
  }
  for (size_t s = 0; s < page->report->section_count && code == SL_OK; s++) {
    const struct sl_texts *section = &page->report->sections[s];
    const char *from = sl_texts_find(section, "text");
    char *text = NULL;
    bool shown = sl_texts_find(section, "print") != NULL && from != NULL;
    if (shown)
      code = sl_grid_shown(&page->values, section, &shown, err);
    if (code == SL_OK && shown)
      code = sl_grid_text(&page->values, from, section->line, &text, err);
    if (code == SL_OK && shown)
      sl_print(stdout, "%s\n", text);
    free(text);
  }
  return code;
}

/* A table that must have no rows. */
static enum sl_status check_table(const struct part *part)
{
  const struct sl_grid *grid = &part->page->grids[part->table];
  const char *fail = field(part, "fail"), *first = grid->row_count > 0 ? grid->cells[0].text : NULL;
  if (fail == NULL || grid->row_count == 0)
    return SL_OK;
  return sl_fail(part->err, SL_CHECK_FAILED, "%.250s:%zu: %.300s: %.200s%s", part->page->values.study->origin,
                 part->page->report->tables[part->table].line, fail, first != NULL ? first : "",
                 grid->row_count > 1 ? " and others" : "");
}

enum sl_status sl_report_page_write(const struct sl_study *study, struct sl_record *record, const char *path,
                                    struct sl_error *err)
{
  const struct sl_study_report *report = &study->report;
  struct page page = {.report = report,
                      .grids = calloc(report->table_count + 1, sizeof *page.grids),
                      .shown = calloc(report->table_count + 1, sizeof *page.shown),
                      .path = path};
  enum sl_status code = sl_report_values_open(&page.values, study, record, err);
  if (code == SL_OK && (page.grids == NULL || page.shown == NULL))
    code = sl_no_memory(err, report->table_count * sizeof *page.grids);
  for (size_t t = 0; t < report->table_count && code == SL_OK; t++) {
    code = sl_grid_shown(&page.values, &report->tables[t].fields, &page.shown[t], err);
    if (code == SL_OK && page.shown[t])
      code = sl_grid_make(&page.grids[t], &page.values, &report->tables[t], err);
    if (code == SL_OK && page.shown[t])
      code = check_table(&(const struct part){&page, t, err});
  }
  if (code == SL_OK)
    code = write_files(&page, err);
  if (code == SL_OK)
    code = print_all(&page, err);
  if (code == SL_OK)
    sl_print(stdout, "report: %s\n", path);
  for (size_t t = 0; page.grids != NULL && t < report->table_count; t++)
    sl_grid_free(&page.grids[t]);
  sl_report_values_close(&page.values);
  free(page.grids);
  free(page.shown);
  return code;
}
