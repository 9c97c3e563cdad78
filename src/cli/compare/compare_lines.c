#include "cli/compare_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/html.h"
#include "observe/json.h"
#include "observe/table.h"
#include "program/source.h"

enum sl_status sl_compare_lines_take(struct sl_compare_lines *lines, const struct sl_profile_report *report,
                                     struct sl_error *err)
{
  const size_t count = report->line_count;
  *lines = (struct sl_compare_lines){.line = calloc(count > 0 ? count : 1, sizeof *lines->line),
                                     .cores = sl_profile_cores(report)};
  if (lines->line == NULL)
    return sl_no_memory(err, count * sizeof *lines->line);
  for (; lines->count < count; lines->count++)
    lines->line[lines->count] =
        (struct sl_compare_line){report->lines[lines->count].at, report->lines[lines->count].sum.cycles};
  return SL_OK;
}

void sl_compare_lines_free(struct sl_compare_lines *lines)
{
  free(lines->line);
  *lines = (struct sl_compare_lines){0};
}

/* ---- lines of several runs ----------------------------------------------------------------------------------------
 */

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* Also of files that are both not to be read. */
static bool same_text(const struct sl_location *a, const struct sl_location *b)
{
  struct sl_source first = {0}, second = {0};
  bool same = false;
  if (sl_source_read(&first, a->file, NULL) == SL_OK && sl_source_read(&second, b->file, NULL) == SL_OK) {
    const char *x = sl_source_line(&first, a->line), *y = sl_source_line(&second, b->line);
    same = x != NULL && y != NULL ? strcmp(x, y) == 0 : x == y;
  }
  sl_source_free(&first);
  sl_source_free(&second);
  return same;
}

static bool same_line(const struct sl_location *a, const struct sl_location *b)
{
  if (a->file == NULL || b->file == NULL)
    return a->file == b->file &&
           strcmp(a->function != NULL ? a->function : "", b->function != NULL ? b->function : "") == 0;
  if (a->line != b->line || strcmp(base_name(a->file), base_name(b->file)) != 0)
    return false;
  return strcmp(a->file, b->file) == 0 || same_text(a, b);
}

static void add_run(struct sl_line_changes *changes, size_t run, const struct sl_compare_lines *lines)
{
  for (size_t i = 0; i < lines->count; i++) {
    size_t at = 0;
    while (at < changes->count && !same_line(&changes->line[at].at, &lines->line[i].at))
      at++;
    if (at == changes->count)
      changes->line[changes->count++].at = lines->line[i].at;
    changes->line[at].cycles[run] += (double)lines->line[i].cycles / lines->cores;
  }
}

/* Of runs without lines the cycles stay 0, which is no change. */
static double greatest(const struct sl_line_change *line, const bool *known, size_t runs)
{
  double most = 0;
  for (size_t r = 1; r < runs; r++)
    if (known[0] && known[r])
      most = fmax(most, fabs(line->cycles[r] - line->cycles[0]));
  return most;
}

struct ranked {
  double change;
  struct sl_line_change line;
};

static int compare_ranked(const void *a, const void *b)
{
  const struct ranked *x = a, *y = b;
  if (x->change < y->change || x->change > y->change)
    return x->change < y->change ? 1 : -1;
  return (x->line.cycles[0] < y->line.cycles[0]) - (x->line.cycles[0] > y->line.cycles[0]);
}

static void know(const struct sl_comparison *c, bool known[SL_COMPARE_MOST])
{
  for (size_t r = 0; r < c->count; r++)
    known[r] = c->rows[r].lines.line != NULL;
}

static enum sl_status sort(struct sl_line_changes *changes, const struct sl_comparison *c, struct sl_error *err)
{
  bool known[SL_COMPARE_MOST];
  struct ranked *ranked = calloc(changes->count + 1, sizeof *ranked);
  if (ranked == NULL)
    return sl_no_memory(err, changes->count * sizeof *ranked);
  know(c, known);
  for (size_t i = 0; i < changes->count; i++)
    ranked[i] = (struct ranked){greatest(&changes->line[i], known, c->count), changes->line[i]};
  qsort(ranked, changes->count, sizeof *ranked, compare_ranked);
  for (size_t i = 0; i < changes->count; i++)
    changes->line[i] = ranked[i].line;
  free(ranked);
  return SL_OK;
}

enum sl_status sl_line_changes_create(struct sl_line_changes *changes, const struct sl_comparison *c,
                                      struct sl_error *err)
{
  size_t most = 1;
  for (size_t r = 0; r < c->count; r++)
    most += c->rows[r].lines.count;
  *changes = (struct sl_line_changes){.line = calloc(most, sizeof *changes->line)};
  if (changes->line == NULL)
    return sl_no_memory(err, most * sizeof *changes->line);
  for (size_t r = 0; r < c->count; r++)
    add_run(changes, r, &c->rows[r].lines);
  const enum sl_status code = sort(changes, c, err);
  if (code != SL_OK)
    sl_line_changes_free(changes);
  return code;
}

void sl_line_changes_free(struct sl_line_changes *changes)
{
  free(changes->line);
  *changes = (struct sl_line_changes){0};
}

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

/* Counts with their sign. */
struct number {
  char text[40];
};

static const char *count_text(double cycles, struct number *number)
{
  char digits[32];
  snprintf(number->text, sizeof number->text, "%s", sl_grouped((uint64_t)llround(cycles), digits));
  return number->text;
}

static const char *change_text(double change, struct number *number)
{
  char digits[32];
  const long long rounded = llround(change);
  snprintf(number->text, sizeof number->text, "%s%s",
           rounded > 0   ? "+"
           : rounded < 0 ? "-"
                         : "",
           sl_grouped((uint64_t)llabs(rounded), digits));
  return number->text;
}

static void add_row(struct sl_table *table, const char *name, double before, double after)
{
  struct number text;
  sl_table_cell(table, "%.36s", name);
  sl_table_cell(table, "%s", count_text(before, &text));
  sl_table_cell(table, "%s", count_text(after, &text));
  sl_table_cell(table, "%s", change_text(after - before, &text));
}

static void name_run(const struct sl_comparison *c, size_t run, FILE *file)
{
  fprintf(file, "%s%s%s", c->programs > 1 ? c->rows[run].file : "", c->programs > 1 ? " on " : "", c->rows[run].name);
}

static double change(const struct sl_line_change *line, size_t run)
{
  return fabs(line->cycles[run] - line->cycles[0]);
}

/* The next of those that are not shown; it is small work to look at all of them again for each. */
static size_t next_line(const struct sl_line_changes *changes, const bool *shown, size_t run)
{
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < changes->count; i++)
    if (!shown[i] && (best == SIZE_MAX || change(&changes->line[i], run) > change(&changes->line[best], run)))
      best = i;
  return best;
}

static void print_run(const struct sl_comparison *c, const struct sl_line_changes *changes, bool *shown, size_t run,
                      size_t most, FILE *file)
{
  static const char *const titles[] = {"line", ">before", ">after", ">change", NULL};
  struct sl_table table;
  double before = 0, after = 0, others_before = 0, others_after = 0;
  memset(shown, 0, changes->count * sizeof *shown);
  fprintf(file, "\ncycles of source lines, from ");
  name_run(c, 0, file);
  fprintf(file, " to ");
  name_run(c, run, file);
  fprintf(file, ":\n");
  sl_table_init(&table, titles);
  for (size_t n = 0; n < changes->count && n < most; n++) {
    char name[SL_LINE_NAME];
    const size_t i = next_line(changes, shown, run);
    const struct sl_line_change *line = &changes->line[i];
    shown[i] = true;
    add_row(&table, sl_profile_line_name(&line->at, name), line->cycles[0], line->cycles[run]);
  }
  for (size_t i = 0; i < changes->count; i++) {
    before += changes->line[i].cycles[0];
    after += changes->line[i].cycles[run];
    others_before += shown[i] ? 0 : changes->line[i].cycles[0];
    others_after += shown[i] ? 0 : changes->line[i].cycles[run];
  }
  if (changes->count > most)
    add_row(&table, "other lines", others_before, others_after);
  add_row(&table, "all", before, after);
  sl_table_print(&table, file);
  sl_table_free(&table);
}

enum sl_status sl_line_changes_print(const struct sl_comparison *c, size_t most, FILE *file, struct sl_error *err)
{
  struct sl_line_changes changes;
  bool known[SL_COMPARE_MOST];
  enum sl_status code = sl_line_changes_create(&changes, c, err);
  if (code != SL_OK)
    return code;
  bool *shown = calloc(changes.count + 1, sizeof *shown);
  know(c, known);
  if (shown == NULL)
    code = sl_no_memory(err, changes.count * sizeof *shown);
  for (size_t r = 1; r < c->count && code == SL_OK && known[0]; r++)
    if (known[r])
      print_run(c, &changes, shown, r, most, file);
  free(shown);
  sl_line_changes_free(&changes);
  return code;
}

/* ---- page ---------------------------------------------------------------------------------------------------------
 */

static void put_title(const struct sl_comparison *c, size_t run, const char *what, FILE *f)
{
  fprintf(f, "<th>%s", what);
  if (c->programs > 1) {
    sl_html_text(f, c->rows[run].file);
    fputs(" on ", f);
  }
  sl_html_text(f, c->rows[run].name);
  fputs("</th>", f);
}

static void put_cells(const struct sl_comparison *c, const struct sl_line_change *line, const bool *known, FILE *f)
{
  struct number text;
  for (size_t r = 0; r < c->count; r++)
    if (known[r])
      fprintf(f, "<td class=\"number\" data-v=\"%.3f\">%s</td>", line->cycles[r], count_text(line->cycles[r], &text));
  for (size_t r = 1; r < c->count && known[0]; r++)
    if (known[r])
      fprintf(f, "<td class=\"number\" data-v=\"%.3f\">%s</td>", line->cycles[r] - line->cycles[0],
              change_text(line->cycles[r] - line->cycles[0], &text));
}

enum sl_status sl_line_changes_html(const struct sl_comparison *c, FILE *f, struct sl_error *err)
{
  struct sl_line_changes changes;
  bool known[SL_COMPARE_MOST];
  const enum sl_status code = sl_line_changes_create(&changes, c, err);
  if (code != SL_OK)
    return code;
  know(c, known);
  if (changes.count > 0) {
    fputs("<h2>Cycles of source lines</h2>\n<p>The greatest change first. Of a machine of several cores, the mean over "
          "them.</p>\n<div class=\"wide\"><table class=\"sortable\"><thead><tr><th>source line</th>",
          f);
    for (size_t r = 0; r < c->count; r++)
      if (known[r])
        put_title(c, r, "", f);
    for (size_t r = 1; r < c->count && known[0]; r++)
      if (known[r])
        put_title(c, r, "change to ", f);
    fputs("</tr></thead><tbody>\n", f);
  }
  for (size_t i = 0; i < changes.count; i++) {
    char name[SL_LINE_NAME];
    fputs("<tr><td>", f);
    sl_html_text(f, sl_profile_line_name(&changes.line[i].at, name));
    fputs("</td>", f);
    put_cells(c, &changes.line[i], known, f);
    fputs("</tr>\n", f);
  }
  if (changes.count > 0)
    fputs("</tbody></table></div>\n", f);
  sl_line_changes_free(&changes);
  return SL_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------
 */

static json_t *line_json(const struct sl_comparison *c, const struct sl_line_change *line, const bool *known)
{
  json_t *json = json_object(), *cycles = json_array(), *differences = json_array();
  for (size_t r = 0; r < c->count; r++) {
    sl_json_append(&cycles, known[r] ? json_real(line->cycles[r]) : json_null());
    sl_json_append(&differences, known[r] && known[0] ? json_real(line->cycles[r] - line->cycles[0]) : json_null());
  }
  sl_json_put(&json, "file", sl_json_text(line->at.file));
  sl_json_put(&json, "line", line->at.file != NULL ? sl_json_count(line->at.line) : json_null());
  sl_json_put(&json, "function", sl_json_text(line->at.function));
  sl_json_put(&json, "cycles", cycles);
  sl_json_put(&json, "difference", differences);
  return json;
}

json_t *sl_line_changes_json(const struct sl_comparison *c)
{
  struct sl_line_changes changes;
  bool known[SL_COMPARE_MOST];
  if (sl_line_changes_create(&changes, c, NULL) != SL_OK)
    return NULL;
  json_t *json = json_array();
  know(c, known);
  for (size_t i = 0; i < changes.count; i++)
    sl_json_append(&json, line_json(c, &changes.line[i], known));
  sl_line_changes_free(&changes);
  return json;
}
