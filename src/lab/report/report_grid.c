#include "lab/report/study_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMS = 4, MOST_REPLACED = 2000, LONGEST = 1 << 20 };

/* A row under way. */
struct row {
  struct sl_report_values *values;
  const struct sl_report_table *table; /* NULL: a text outside tables */
  const struct sl_texts *texts;        /* of the row; NULL: none */
  const struct sl_report_scope *scope;
  struct sl_grid *grid;
  const struct sl_texts *column; /* NULL: none */
  bool number;                   /* a text that the row does not have is unknown */
  size_t line;
};

static enum sl_status at_line(const struct row *row, enum sl_status code, struct sl_error *err)
{
  if (code != SL_OK)
    sl_error_prefix(err, "%.250s:%zu: ", row->values->study->origin, row->line);
  return code;
}

/* ---- names in braces --------------------------------------------------------------------------------------------- */

static char *machine_text(const struct sl_study *study, const struct sl_report_scope *scope, const char *name)
{
  const struct sl_study_machine *machine = scope->machine >= 0 ? &study->machine[scope->machine] : NULL;
  char keys[1000] = "";
  if (machine == NULL)
    return strdup("");
  for (size_t i = 0; i < machine->keys.count; i++)
    snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", i > 0 ? ", " : "", machine->keys.list[i]);
  const char *text = strcmp(name, "about") == 0  ? machine->about
                     : strcmp(name, "base") == 0 ? machine->base
                     : strcmp(name, "form") == 0 ? machine->form
                     : strcmp(name, "compare") == 0
                         ? machine->compare != NULL ? machine->compare : study->machines.list[0]
                         : keys;
  return strdup(text != NULL ? text : "");
}

static bool is_of_rows(const struct sl_report_table *table, const char *name)
{
  for (size_t i = 0; table != NULL && i < table->row_count; i++)
    if (sl_texts_find(&table->rows[i], name) != NULL)
      return true;
  for (size_t i = 0; table != NULL && i < table->total_count; i++)
    if (sl_texts_find(&table->totals[i], name) != NULL)
      return true;
  return false;
}

/* The text of a name in braces. */
static enum sl_status named_text(const struct row *row, const char *name, char **text, struct sl_error *err)
{
  const struct sl_study *study = row->values->study;
  const char *found = row->texts != NULL ? sl_texts_find(row->texts, name) : NULL;
  if (found == NULL)
    found = sl_texts_find(&study->report.define, name);
  if (found == NULL && row->column != NULL && strcmp(name, "with") == 0)
    found = sl_texts_find(row->column, name);
  if (found == NULL && is_of_rows(row->table, name))
    found = row->number ? "none" : "";
  if (found == NULL && strcmp(name, "scale") == 0)
    found = study->scale;
  if (found == NULL && strcmp(name, "sample") == 0)
    found = study->sample != NULL ? study->sample + strlen(SL_SAMPLED) : "";
  if (found != NULL) {
    *text = strdup(found);
  } else if (strncmp(name, "machine.", 8) == 0) {
    *text = machine_text(study, row->scope, name + 8);
  } else {
    struct sl_datum value;
    const enum sl_status code = sl_report_value(row->values, row->scope, name + (name[0] == '='), &value, err);
    char number[64];
    if (code != SL_OK)
      return code;
    snprintf(number, sizeof number, "%.15g", value.number);
    *text = strdup(value.text != NULL ? value.text : isnan(value.number) ? "" : number);
  }
  return *text != NULL ? SL_OK : sl_no_memory(err, strlen(name));
}

/* Replaces names in braces, the inner ones first. */
static enum sl_status expand(const struct row *row, const char *from, char **expanded, struct sl_error *err)
{
  char *text = *expanded = strdup(from);
  for (unsigned replaced = 0; text != NULL; replaced++) {
    char *close = strchr(text, '}'), *open = close;
    while (open != NULL && open > text && *open != '{')
      open--;
    if (close == NULL || *open != '{')
      return SL_OK;
    char *own = NULL;
    *close = '\0';
    enum sl_status code = named_text(row, open + 1, &own, err);
    const size_t size = strlen(text) + strlen(close + 1) + (own != NULL ? strlen(own) : 0) + 1;
    if (code == SL_OK && (replaced > MOST_REPLACED || size > LONGEST))
      code = sl_fail(err, SL_USAGE, "'{%.80s}' stands for itself, or for too long a text", open + 1);
    char *next = code == SL_OK ? malloc(size) : NULL;
    if (next != NULL)
      snprintf(next, size, "%.*s%s%s", (int)(open - text), text, own, close + 1);
    free(own);
    free(text);
    text = *expanded = next;
    if (code != SL_OK)
      return code;
  }
  return sl_no_memory(err, strlen(from));
}

static enum sl_status number_of(const struct row *row, const char *from, double *number, struct sl_error *err)
{
  char *text = NULL;
  struct sl_datum value = {NULL, NAN};
  struct row own = *row;
  own.number = true;
  enum sl_status code = from != NULL ? expand(&own, from, &text, err) : SL_OK;
  if (code == SL_OK && text != NULL)
    code = sl_report_value(row->values, row->scope, text, &value, err);
  free(text);
  *number = value.text == NULL ? value.number : NAN;
  return at_line(row, code, err);
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static enum sl_status fill_cell(struct row *row, const struct sl_texts *column, struct sl_grid_cell *cell,
                                struct sl_error *err)
{
  static const char *const small[] = {"unit", "decimals", "sign"};
  char *texts[3] = {NULL};
  const char *text = sl_texts_find(column, "text"), *count = sl_texts_find(column, "count"),
             *value = count != NULL ? count : sl_texts_find(column, "value");
  double shown = 1;
  row->line = column->line;
  row->column = column;
  if (sl_texts_find(column, "if") != NULL && number_of(row, sl_texts_find(column, "if"), &shown, err) != SL_OK)
    return err->code;
  if (shown == 0 || isnan(shown))
    text = "";
  enum sl_status code =
      text != NULL ? at_line(row, expand(row, text, &cell->text, err), err) : number_of(row, value, &cell->number, err);
  if (code == SL_OK)
    code = number_of(row, sl_texts_find(column, "published"), &cell->published, err);
  for (unsigned i = 0; i < 3 && code == SL_OK; i++)
    if (sl_texts_find(column, small[i]) != NULL)
      code = at_line(row, expand(row, sl_texts_find(column, small[i]), &texts[i], err), err);
  if (code == SL_OK) {
    snprintf(cell->unit, sizeof cell->unit, "%s", texts[0] != NULL ? texts[0] : "");
    cell->decimals = texts[1] == NULL ? 2 : texts[1][0] == '\0' ? -1 : (int)strtol(texts[1], NULL, 10);
    cell->sign = texts[2] != NULL && strcmp(texts[2], "true") == 0;
    cell->count = count != NULL;
  }
  for (unsigned i = 0; i < 3; i++)
    free(texts[i]);
  return code;
}

static enum sl_status add_row(struct row *row, struct sl_error *err)
{
  struct sl_grid *grid = row->grid;
  const char *where = sl_texts_find(&row->table->fields, "where");
  double holds = 1;
  row->line = row->table->line;
  if (where != NULL && number_of(row, where, &holds, err) != SL_OK)
    return err->code;
  if (holds == 0 || isnan(holds))
    return SL_OK;
  struct sl_grid_cell *larger = realloc(grid->cells, (grid->row_count + 1) * grid->column_count * sizeof *larger);
  if (larger == NULL)
    return sl_no_memory(err, (grid->row_count + 1) * grid->column_count * sizeof *larger);
  grid->cells = larger;
  struct sl_grid_cell *cells = &larger[grid->row_count++ * grid->column_count];
  memset(cells, 0, grid->column_count * sizeof *cells);
  enum sl_status code = SL_OK;
  for (size_t c = 0; c < grid->column_count && code == SL_OK; c++)
    code = fill_cell(row, &row->table->columns[c], &cells[c], err);
  return code;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* A table's names in `each`, from the current one on. */
struct level {
  struct row *row;
  const char *dims;
};

static enum sl_status visit(void *context, const struct sl_report_scope *scope, struct sl_error *err)
{
  const struct level *level = context;
  struct row *row = level->row;
  const struct sl_report_scope *outer = row->scope;
  enum sl_status code = SL_OK;
  row->scope = scope;
  if (level->dims[0] != '\0') {
    const size_t length = strcspn(level->dims, ",");
    char dim[SL_STUDY_NAME];
    snprintf(dim, sizeof dim, "%.*s", (int)length, level->dims);
    struct level next = {row, level->dims + length + strspn(level->dims + length, ", ")};
    code = sl_report_each(row->values, scope, dim, visit, &next, err);
  } else {
    const size_t rows = row->table->row_count;
    for (size_t i = 0; i < (rows > 0 ? rows : 1) && code == SL_OK; i++) {
      row->texts = rows > 0 ? &row->table->rows[i] : NULL;
      code = add_row(row, err);
    }
  }
  row->scope = outer;
  return code;
}

static bool is_in(const struct sl_texts *column, const char *place)
{
  const char *in = sl_texts_find(column, "in");
  return in == NULL || strstr(in, place) != NULL;
}

enum sl_status sl_grid_make(struct sl_grid *grid, struct sl_report_values *values, const struct sl_report_table *table,
                            struct sl_error *err)
{
  const struct sl_report_scope all = {values->runs, values->count, SL_NO_MACHINE};
  struct row row = {values, table, NULL, &all, grid, NULL, false, table->line};
  const char *each = sl_texts_find(&table->fields, "each");
  *grid = (struct sl_grid){.columns = calloc(table->column_count, sizeof *grid->columns),
                           .column_count = table->column_count};
  if (grid->columns == NULL)
    return sl_no_memory(err, table->column_count * sizeof *grid->columns);
  for (size_t c = 0; c < table->column_count; c++) {
    const struct sl_texts *column = &table->columns[c];
    const char *title = sl_texts_find(column, "title"), *colour = sl_texts_find(column, "colour"),
               *quoted = sl_texts_find(column, "quoted"), *decimals = sl_texts_find(column, "csv decimals");
    grid->columns[c] = (struct sl_grid_column){title != NULL ? title : "",
                                               sl_texts_find(column, "csv"),
                                               is_in(column, "page"),
                                               is_in(column, "file"),
                                               is_in(column, "text"),
                                               sl_texts_find(column, "published") != NULL,
                                               quoted != NULL && strcmp(quoted, "false") == 0,
                                               decimals != NULL ? (int)strtol(decimals, NULL, 10) : -1,
                                               colour != NULL ? (unsigned)strtoul(colour, NULL, 10) : 0};
  }
  struct level level = {&row, each != NULL ? each : ""};
  enum sl_status code = visit(&level, &all, err);
  grid->total = table->total_count > 0;
  for (size_t i = 0; i < table->total_count && code == SL_OK; i++) {
    row.texts = &table->totals[i];
    code = add_row(&row, err);
  }
  return code;
}

void sl_grid_free(struct sl_grid *grid)
{
  for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
    free(grid->cells[i].text);
  free(grid->cells);
  free(grid->columns);
}

/* ---- texts outside tables ---------------------------------------------------------------------------------------- */

enum sl_status sl_grid_shown(struct sl_report_values *values, const struct sl_texts *item, bool *shown,
                             struct sl_error *err)
{
  const struct sl_report_scope all = {values->runs, values->count, SL_NO_MACHINE};
  const struct row row = {values, NULL, NULL, &all, NULL, NULL, false, item->line};
  const char *condition = sl_texts_find(item, "if");
  double holds = 1;
  const enum sl_status code = condition != NULL ? number_of(&row, condition, &holds, err) : SL_OK;
  *shown = holds != 0 && !isnan(holds);
  return code;
}

enum sl_status sl_grid_text(struct sl_report_values *values, const char *text, size_t line, char **expanded,
                            struct sl_error *err)
{
  const struct sl_report_scope all = {values->runs, values->count, SL_NO_MACHINE};
  const struct row row = {values, NULL, NULL, &all, NULL, NULL, false, line};
  return at_line(&row, expand(&row, text, expanded, err), err);
}
