#define _DEFAULT_SOURCE /* strndup, struct timespec of files */

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/compare/compare.h"
#include "observe/html.h"
#include "observe/json.h"
#include "observe/terminal.h"
#include "program/program.h"

/* A line in all runs. With several cores, its cycles are the mean over them, so the lines sum to the run's cycles. */
struct sl_line_change {
  const struct sl_compare_line *line; /* from the first run that has the line */
  size_t run;
  double cycles[SL_COMPARE_MOST];
};

struct sl_line_changes {
  struct sl_line_change *line;
  size_t count;
};

/* Matches source lines across programs. In runs of one program, file and number identify a line. Lines of two programs
 * match if their functions have the same name, their texts are equal, and they have the same index among the lines with
 * that text; insertions before a line do not matter. If a source was modified after a program was compiled, its line
 * texts are unknown, and each function counts as one line. */

/* The last source file read; the next line is often in the same file. */
struct reading {
  const char *file;
  struct sl_source source;
};

static enum sl_status read_source(struct reading *r, const char *file, struct sl_error *err)
{
  if (r->file != NULL && strcmp(r->file, file) == 0)
    return SL_OK;
  sl_source_free(&r->source);
  r->file = file;
  return sl_source_read(&r->source, file, err);
}

static char *trimmed(const char *text)
{
  text += strspn(text, " \t");
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1]))
    length--;
  return strndup(text, length);
}

static bool is_later(const char *file, const struct timespec *made)
{
  struct stat status;
  if (made == NULL || stat(file, &status) != 0)
    return false;
  return status.st_mtim.tv_sec > made->tv_sec ||
         (status.st_mtim.tv_sec == made->tv_sec && status.st_mtim.tv_nsec > made->tv_nsec);
}

static bool same_function(const struct sl_location *a, const struct sl_location *b)
{
  return strcmp(a->function != NULL ? a->function : "", b->function != NULL ? b->function : "") == 0;
}

/* Number of earlier lines of its function with the same text. */
static unsigned number_of(const struct sl_compare_lines *lines, const struct sl_compare_line *line)
{
  unsigned before = 0;
  for (const struct sl_compare_line *other = lines->line; other < lines->line + lines->count; other++)
    before += other->text != NULL && other->at.line < line->at.line && same_function(&other->at, &line->at) &&
              strcmp(other->text, line->text) == 0;
  return before;
}

/* Fills in the line texts of a program compiled at `made`, or just now (NULL). */
static enum sl_status line_texts_read(struct sl_compare_lines *lines, const struct timespec *made, struct sl_error *err)
{
  struct reading reading = {0};
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < lines->count && code == SL_OK; i++) {
    struct sl_compare_line *line = &lines->line[i];
    if (line->at.file == NULL)
      continue;
    code = read_source(&reading, line->at.file, err);
    const char *text = code == SL_OK ? sl_source_line(&reading.source, line->at.line) : NULL;
    if (code == SL_OK && is_later(line->at.file, made))
      lines->edited = line->at.file;
    if (text == NULL)
      continue;
    line->text = trimmed(text);
    if (line->text == NULL)
      code = sl_no_memory(err, strlen(text));
  }
  sl_source_free(&reading.source);
  for (size_t i = 0; i < lines->count && code == SL_OK; i++)
    if (lines->line[i].text != NULL)
      lines->line[i].nth = number_of(lines, &lines->line[i]);
  return code;
}

static void line_texts_free(struct sl_compare_lines *lines)
{
  for (size_t i = 0; i < lines->count; i++)
    free(lines->line[i].text);
}

/* Whether whole functions are compared, because a source was modified. */
static bool line_texts_edited(const struct sl_comparison *c)
{
  bool edited = false;
  for (size_t r = 0; r < c->count && c->programs > 1; r++)
    edited |= c->rows[r].lines.edited != NULL;
  return edited;
}

static bool same_file(const struct sl_location *a, const struct sl_location *b)
{
  return (a->file == NULL) == (b->file == NULL) && (a->file == NULL || strcmp(a->file, b->file) == 0);
}

static bool same_line(const struct sl_comparison *c, size_t one_run, const struct sl_compare_line *one,
                      size_t other_run, const struct sl_compare_line *other)
{
  const struct sl_location *a = &one->at, *b = &other->at;
  if (line_texts_edited(c))
    return same_function(a, b);
  if (a->file == NULL || b->file == NULL)
    return a->file == b->file && same_function(a, b);
  if (strcmp(c->rows[one_run].file, c->rows[other_run].file) == 0)
    return a->line == b->line && same_file(a, b);
  if (one->text == NULL || other->text == NULL)
    return one->text == other->text && a->line == b->line && same_file(a, b);
  return same_function(a, b) && one->nth == other->nth && strcmp(one->text, other->text) == 0;
}

enum sl_status sl_compare_lines_take(struct sl_compare_lines *lines, const struct sl_profile_report *report,
                                     const struct timespec *made, struct sl_error *err)
{
  const size_t count = report->line_count;
  *lines = (struct sl_compare_lines){.line = calloc(count > 0 ? count : 1, sizeof *lines->line),
                                     .cores = sl_profile_cores(report)};
  if (lines->line == NULL)
    return sl_no_memory(err, count * sizeof *lines->line);
  for (; lines->count < count; lines->count++)
    lines->line[lines->count] = (struct sl_compare_line){.at = report->lines[lines->count].at,
                                                         .cycles = report->lines[lines->count].sum.cycles};
  return line_texts_read(lines, made, err);
}

void sl_compare_lines_free(struct sl_compare_lines *lines)
{
  line_texts_free(lines);
  free(lines->line);
  *lines = (struct sl_compare_lines){0};
}

/* ---- lines of several runs -------------------------------------------------------------------------------------- */

size_t sl_compare_base(const struct sl_comparison *c, size_t run)
{
  const size_t machines = c->count / c->programs;
  return machines == 1 ? 0 : run / machines * machines;
}

static void add_run(struct sl_line_changes *changes, const struct sl_comparison *c, size_t run)
{
  const struct sl_compare_lines *lines = &c->rows[run].lines;
  for (const struct sl_compare_line *line = lines->line; line < lines->line + lines->count; line++) {
    size_t at = 0;
    while (at < changes->count && !same_line(c, changes->line[at].run, changes->line[at].line, run, line))
      at++;
    if (at == changes->count)
      changes->line[changes->count++] = (struct sl_line_change){.line = line, .run = run};
    changes->line[at].cycles[run] += (double)line->cycles / lines->cores;
  }
}

/* For runs without lines the cycles stay 0: no change. */
static double change(const struct sl_comparison *c, const struct sl_line_change *line, size_t run)
{
  return line->cycles[run] - line->cycles[sl_compare_base(c, run)];
}

/* Whether a run's lines are compared with another run's, and both are known. */
static bool is_compared(const struct sl_comparison *c, size_t run)
{
  const size_t base = sl_compare_base(c, run);
  return run != base && c->rows[run].lines.line != NULL && c->rows[base].lines.line != NULL;
}

static double greatest(const struct sl_comparison *c, const struct sl_line_change *line)
{
  double most = 0;
  for (size_t r = 0; r < c->count; r++)
    if (is_compared(c, r))
      most = fmax(most, fabs(change(c, line, r)));
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

static enum sl_status sort(struct sl_line_changes *changes, const struct sl_comparison *c, struct sl_error *err)
{
  struct ranked *ranked = calloc(changes->count + 1, sizeof *ranked);
  if (ranked == NULL)
    return sl_no_memory(err, changes->count * sizeof *ranked);
  for (size_t i = 0; i < changes->count; i++)
    ranked[i] = (struct ranked){greatest(c, &changes->line[i]), changes->line[i]};
  qsort(ranked, changes->count, sizeof *ranked, compare_ranked);
  for (size_t i = 0; i < changes->count; i++)
    changes->line[i] = ranked[i].line;
  free(ranked);
  return SL_OK;
}

static void line_changes_free(struct sl_line_changes *changes)
{
  free(changes->line);
  *changes = (struct sl_line_changes){0};
}

/* The lines of all runs, largest difference to the reference run first. */
static enum sl_status line_changes_create(struct sl_line_changes *changes, const struct sl_comparison *c,
                                          struct sl_error *err)
{
  size_t most = 1;
  for (size_t r = 0; r < c->count; r++)
    most += c->rows[r].lines.count;
  *changes = (struct sl_line_changes){.line = calloc(most, sizeof *changes->line)};
  if (changes->line == NULL)
    return sl_no_memory(err, most * sizeof *changes->line);
  for (size_t r = 0; r < c->count; r++)
    add_run(changes, c, r);
  const enum sl_status code = sort(changes, c, err);
  if (code != SL_OK)
    line_changes_free(changes);
  return code;
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

enum { EDITED_TEXT = 560 };

/* Signed counts. */
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

/* For a function compared as a whole: its name. */
static const char *line_name(const struct sl_comparison *c, const struct sl_line_change *change,
                             char text[SL_LINE_NAME])
{
  const struct sl_location *at = &change->line->at;
  if (!line_texts_edited(c))
    return sl_profile_line_name(at, text);
  snprintf(text, SL_LINE_NAME, "%.120s", at->function != NULL ? at->function : "no function known");
  return text;
}

static void edited_sentence(const struct sl_comparison *c, char text[EDITED_TEXT])
{
  const struct sl_compare_row *row = c->rows;
  while (row->lines.edited == NULL)
    row++;
  snprintf(text, EDITED_TEXT,
           "%.200s was modified after %.200s was compiled, so functions are compared instead of lines; compile it "
           "again from a copy of the source as it was",
           row->lines.edited, row->file);
}

/* Finds the next line that is not shown. Scanning all lines again for each is cheap. */
static size_t next_line(const struct sl_comparison *c, const struct sl_line_changes *changes, const bool *shown,
                        size_t run)
{
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < changes->count; i++)
    if (!shown[i] &&
        (best == SIZE_MAX || fabs(change(c, &changes->line[i], run)) > fabs(change(c, &changes->line[best], run))))
      best = i;
  return best;
}

static void print_run(const struct sl_comparison *c, const struct sl_line_changes *changes, bool *shown, size_t run,
                      size_t most, FILE *file)
{
  const char *titles[] = {line_texts_edited(c) ? "function" : "line", ">before", ">after", ">change", NULL};
  const size_t base = sl_compare_base(c, run);
  struct sl_table table;
  double before = 0, after = 0, others_before = 0, others_after = 0;
  memset(shown, 0, changes->count * sizeof *shown);
  fputc('\n', file);
  sl_print_lines(file, 0, "cycles of %s, from %s%s%s to %s%s%s:", line_texts_edited(c) ? "functions" : "source lines",
                 c->programs > 1 ? c->rows[base].file : "", c->programs > 1 ? " on " : "", c->rows[base].name,
                 c->programs > 1 ? c->rows[run].file : "", c->programs > 1 ? " on " : "", c->rows[run].name);
  sl_table_init(&table, titles);
  for (size_t n = 0; n < changes->count && n < most; n++) {
    char name[SL_LINE_NAME];
    const size_t i = next_line(c, changes, shown, run);
    const struct sl_line_change *line = &changes->line[i];
    shown[i] = true;
    add_row(&table, line_name(c, line, name), line->cycles[base], line->cycles[run]);
  }
  for (size_t i = 0; i < changes->count; i++) {
    before += changes->line[i].cycles[base];
    after += changes->line[i].cycles[run];
    others_before += shown[i] ? 0 : changes->line[i].cycles[base];
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
  enum sl_status code = line_changes_create(&changes, c, err);
  if (code != SL_OK)
    return code;
  bool *shown = calloc(changes.count + 1, sizeof *shown);
  if (shown == NULL)
    code = sl_no_memory(err, changes.count * sizeof *shown);
  if (line_texts_edited(c) && code == SL_OK) {
    char text[EDITED_TEXT];
    edited_sentence(c, text);
    fputc('\n', file);
    sl_print_lines(file, 0, "%s", text);
  }
  for (size_t r = 0; r < c->count && code == SL_OK; r++)
    if (is_compared(c, r))
      print_run(c, &changes, shown, r, most, file);
  free(shown);
  line_changes_free(&changes);
  return code;
}

/* ---- page ------------------------------------------------------------------------------------------------------- */

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

static void put_cells(const struct sl_comparison *c, const struct sl_line_change *line, FILE *f)
{
  struct number text;
  for (size_t r = 0; r < c->count; r++)
    if (c->rows[r].lines.line != NULL)
      fprintf(f, "<td class=\"number\" data-v=\"%.3f\">%s</td>", line->cycles[r], count_text(line->cycles[r], &text));
  for (size_t r = 0; r < c->count; r++)
    if (is_compared(c, r))
      fprintf(f, "<td class=\"number\" data-v=\"%.3f\">%s</td>", change(c, line, r),
              change_text(change(c, line, r), &text));
}

static void put_head(const struct sl_comparison *c, FILE *f)
{
  const bool edited = line_texts_edited(c);
  fprintf(f, "<h2>Cycles of %s</h2>\n<p>Largest change first. With several cores, the mean over them.",
          edited ? "functions" : "source lines");
  if (edited) {
    char text[EDITED_TEXT];
    edited_sentence(c, text);
    fputs(" ", f);
    sl_html_text(f, text);
    fputs(".", f);
  }
  fprintf(f, "</p>\n<div class=\"wide\"><table class=\"sortable\"><thead><tr><th>%s</th>",
          edited ? "function" : "source line");
  for (size_t r = 0; r < c->count; r++)
    if (c->rows[r].lines.line != NULL)
      put_title(c, r, "", f);
  for (size_t r = 0; r < c->count; r++)
    if (is_compared(c, r))
      put_title(c, r, "change to ", f);
  fputs("</tr></thead><tbody>\n", f);
}

enum sl_status sl_line_changes_html(const struct sl_comparison *c, FILE *f, struct sl_error *err)
{
  struct sl_line_changes changes;
  const enum sl_status code = line_changes_create(&changes, c, err);
  if (code != SL_OK)
    return code;
  if (changes.count > 0)
    put_head(c, f);
  for (size_t i = 0; i < changes.count; i++) {
    char name[SL_LINE_NAME];
    fputs("<tr><td>", f);
    sl_html_text(f, line_name(c, &changes.line[i], name));
    fputs("</td>", f);
    put_cells(c, &changes.line[i], f);
    fputs("</tr>\n", f);
  }
  if (changes.count > 0)
    fputs("</tbody></table></div>\n", f);
  line_changes_free(&changes);
  return SL_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static json_t *line_json(const struct sl_comparison *c, const struct sl_line_change *line)
{
  json_t *json = json_object(), *cycles = json_array(), *differences = json_array();
  const struct sl_location *at = &line->line->at;
  const bool whole = at->file == NULL || line_texts_edited(c);
  for (size_t r = 0; r < c->count; r++) {
    const bool known = c->rows[r].lines.line != NULL, base = known && r == sl_compare_base(c, r);
    sl_json_append(&cycles, known ? json_real(line->cycles[r]) : json_null());
    sl_json_append(&differences, base || is_compared(c, r) ? json_real(change(c, line, r)) : json_null());
  }
  SL_JSON_ADD(&json, {"file", whole ? json_null() : sl_json_text(at->file)},
              {"line", whole ? json_null() : sl_json_count(at->line)}, {"function", sl_json_text(at->function)},
              {"cycles", cycles}, {"difference", differences});
  return json;
}

json_t *sl_line_changes_json(const struct sl_comparison *c)
{
  struct sl_line_changes changes;
  if (line_changes_create(&changes, c, NULL) != SL_OK)
    return NULL;
  json_t *json = json_array();
  for (size_t i = 0; i < changes.count; i++)
    sl_json_append(&json, line_json(c, &changes.line[i]));
  line_changes_free(&changes);
  return json;
}
