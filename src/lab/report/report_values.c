#include "lab/report/study_report.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/yaml.h"

enum { MOST_CALLS = 16, MOST_NAMES = 64, NAME = 96, DEEPEST = 16 };

/* ---- runs of the study ------------------------------------------------------------------------------------------- */

/* Where a run is in the study's order. */
struct place {
  size_t run, program, size, machine;
  uint32_t seed, settings;
  int64_t id;
};

static int compare_places(const void *left, const void *right)
{
  const struct place *a = left, *b = right;
  const size_t x[] = {a->program, a->size, a->seed, a->settings, a->machine},
               y[] = {b->program, b->size, b->seed, b->settings, b->machine};
  for (unsigned i = 0; i < sizeof x / sizeof *x; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return (a->id < b->id) - (a->id > b->id); /* the latest first */
}

/* Finds the program of a name that has a size. Programs of one name have the place of the first; their sizes follow
 * each other, and equal ones have the place of the first. */
static bool find_program(const struct sl_study *study, const char *name, const char *size, struct place *place)
{
  char text[SL_STUDY_TEXT];
  size_t first = study->program_count;
  place->size = 0;
  for (size_t p = 0; p < study->program_count; p++) {
    const struct sl_study_program *program = &study->programs[p];
    if (strcmp(program->name, name) != 0)
      continue;
    first = first < p ? first : p;
    place->program = first;
    if (program->sizes.count == 0 && size[0] == '\0')
      return true;
    for (uint64_t i = 0; i < program->sizes.count; i++, place->size++)
      if (strcmp(sl_study_value(&program->sizes, i, text), size) == 0)
        return true;
  }
  return false;
}

static bool find_machine(const struct sl_study *study, const char *name, size_t *machine)
{
  for (*machine = 0; *machine < study->machines.count; (*machine)++)
    if (strcmp(study->machines.list[*machine], name) == 0)
      return true;
  return false;
}

static enum sl_status choose_runs(struct sl_report_values *values, struct sl_error *err)
{
  enum { MACHINE, PROGRAM, SIZE, SEED, SETTINGS, MODE, TEXTS };
  static const char *const names[TEXTS] = {"machine", "program", "size", "seed", "settings", "mode"};
  const struct sl_run_column *columns[TEXTS];
  struct sl_run_table *table = &values->table;
  struct place *places = calloc(table->count + 1, sizeof *places);
  values->runs = calloc(table->count + 1, sizeof *values->runs);
  values->machines = calloc(table->count + 1, sizeof *values->machines);
  enum sl_status code = places != NULL && values->runs != NULL && values->machines != NULL
                            ? SL_OK
                            : sl_no_memory(err, table->count * sizeof *places);
  for (unsigned i = 0; i < TEXTS && code == SL_OK; i++)
    code = sl_run_table_column(table, names[i], &columns[i], err);
  size_t count = 0;
  for (size_t run = 0; run < table->count && code == SL_OK; run++) {
    struct place *place = &places[count];
    *place = (struct place){run, 0, 0, 0, columns[SEED]->texts[run], columns[SETTINGS]->texts[run], table->ids[run]};
    if (!find_machine(values->study, sl_run_table_text(table, columns[MACHINE], run), &place->machine) ||
        !find_program(values->study, sl_run_table_text(table, columns[PROGRAM], run),
                      sl_run_table_text(table, columns[SIZE], run), place) ||
        strcmp(sl_run_table_text(table, columns[MODE], run), sl_study_mode(values->study)) != 0)
      continue;
    values->machines[run] = (uint32_t)place->machine;
    count++;
  }
  qsort(places, code == SL_OK ? count : 0, sizeof *places, compare_places);
  for (size_t i = 0; i < count && code == SL_OK; i++) {
    struct place before = places[i > 0 ? i - 1 : 0];
    before.id = places[i].id;
    if (i == 0 || compare_places(&before, &places[i]) != 0)
      values->runs[values->count++] = places[i].run;
  }
  free(places);
  return code;
}

/* ---- published numbers ------------------------------------------------------------------------------------------- */

/* Splits a text into lines and cells, in place. Cells have no quotes and no commas. */
static enum sl_status split(struct sl_published *published, size_t size, const char *path, struct sl_error *err)
{
  size_t cells = 1;
  char *ended = realloc(published->text, size + 1);
  if (ended == NULL)
    return sl_no_memory(err, size + 1);
  ended[size] = '\0';
  published->text = ended;
  for (const char *at = published->text; *at != '\0'; at++)
    cells += *at == ',' || *at == '\n';
  published->cells = calloc(cells + 1, sizeof *published->cells);
  if (published->cells == NULL)
    return sl_no_memory(err, cells * sizeof *published->cells);
  size_t used = 0;
  for (char *at = published->text; *at != '\0'; published->rows++) {
    char *end = at + strcspn(at, "\n");
    const bool last = *end == '\0';
    const size_t first = used;
    *end = '\0';
    for (char *cell = at; cell != NULL;) {
      char *comma = strchr(cell, ',');
      if (comma != NULL)
        *comma++ = '\0';
      published->cells[used++] = cell;
      cell = comma;
    }
    published->columns = published->rows == 0 ? used : published->columns;
    if (used - first != published->columns)
      return sl_fail(err, SL_USAGE, "%.250s:%zu: %zu cells; the first line has %zu", path, published->rows + 1,
                     used - first, published->columns);
    at = last ? end : end + 1;
  }
  return SL_OK;
}

static enum sl_status read_published(struct sl_report_values *values, struct sl_error *err)
{
  const struct sl_texts *files = &values->study->report.published;
  values->published = calloc(files->count + 1, sizeof *values->published);
  if (values->published == NULL)
    return sl_no_memory(err, files->count * sizeof *values->published);
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < files->count && code == SL_OK; i++) {
    size_t size;
    code = sl_read_text(files->list[i].text, &values->published[i].text, &size, err);
    if (code == SL_OK)
      code = split(&values->published[i], size, files->list[i].text, err);
    else
      sl_error_prefix(err, "%.250s:%zu: ", values->study->origin, files->list[i].line);
  }
  return code;
}

enum sl_status sl_report_values_open(struct sl_report_values *values, const struct sl_study *study,
                                     struct sl_record *record, struct sl_error *err)
{
  *values = (struct sl_report_values){.study = study};
  enum sl_status code = sl_run_table_open(&values->table, record, false, err);
  if (code == SL_OK)
    code = choose_runs(values, err);
  return code == SL_OK ? read_published(values, err) : code;
}

void sl_report_values_close(struct sl_report_values *values)
{
  for (size_t i = 0; values->published != NULL && i < values->study->report.published.count; i++) {
    free(values->published[i].text);
    free(values->published[i].cells);
  }
  free(values->published);
  free(values->runs);
  free(values->machines);
  sl_run_table_free(&values->table);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static bool in_scope(const struct sl_report_values *values, size_t run, int machine)
{
  return machine == SL_NO_MACHINE || values->machines[run] == (uint32_t)machine;
}

/* The value of a column: the mean of numbers; a text that all runs share. */
static struct sl_datum value_of(const struct sl_report_values *values, const struct sl_run_column *column,
                                const struct sl_report_scope *scope, int machine)
{
  double sum = 0, count = 0;
  const struct sl_pooled_text *text = NULL;
  for (size_t i = 0; i < scope->count; i++) {
    const size_t run = scope->runs[i];
    if (!in_scope(values, run, machine))
      continue;
    if (column->is_text) {
      const struct sl_pooled_text *own = &values->table.pool.texts[column->texts[run]];
      if (text != NULL && text != own)
        return (struct sl_datum){NULL, NAN};
      text = own;
    } else {
      sum += column->numbers[run];
      count++;
    }
  }
  if (column->is_text)
    return text != NULL ? text->datum : (struct sl_datum){NULL, NAN};
  return (struct sl_datum){NULL, count > 0 ? sum / count : NAN};
}

static enum sl_status published_value(struct sl_report_values *values, const struct sl_report_scope *scope,
                                      const struct sl_published *published, const char *name, double *value,
                                      struct sl_error *err)
{
  size_t at = 0;
  *value = NAN;
  while (at < published->columns && strcmp(published->cells[at], name) != 0)
    at++;
  if (at == published->columns)
    return sl_fail(err, SL_USAGE, "the published numbers have no column '%.80s'", name);
  for (size_t row = 1; row < published->rows; row++) {
    bool equal = true;
    for (size_t c = 0; c < published->columns && equal; c++) {
      static const char *const texts[] = {"machine", "program", "size"};
      const struct sl_run_column *column;
      const char *cell = published->cells[row * published->columns + c];
      bool is_text = false;
      for (unsigned i = 0; i < 3; i++)
        is_text = is_text || strcmp(published->cells[c], texts[i]) == 0;
      if (!is_text)
        continue;
      const enum sl_status code = sl_run_table_column(&values->table, published->cells[c], &column, err);
      if (code != SL_OK)
        return code;
      const struct sl_datum own = value_of(values, column, scope, scope->machine), there = sl_datum_of(cell);
      equal = own.text != NULL ? there.text != NULL && strcmp(own.text, there.text) == 0
                               : there.text == NULL && own.number == there.number;
    }
    const char *cell = published->cells[row * published->columns + at];
    if (equal && cell[0] != '\0') {
      *value = strtod(cell, NULL);
      return SL_OK;
    }
  }
  return SL_OK;
}

/* The machine behind '@': one of the study, or the one that the scope's is compared with. */
static enum sl_status machine_of(const struct sl_report_values *values, const struct sl_report_scope *scope,
                                 const char *name, int *machine, struct sl_error *err)
{
  const struct sl_study *study = values->study;
  size_t found;
  struct sl_nearest nearest;
  if (strcmp(name, "compare") == 0) {
    const char *compare = scope->machine >= 0 ? study->machine[scope->machine].compare : NULL;
    name = compare != NULL ? compare : study->machines.list[0];
  }
  if (find_machine(study, name, &found)) {
    *machine = (int)found;
    return SL_OK;
  }
  sl_nearest_begin(&nearest, name);
  for (size_t i = 0; i < study->machines.count; i++)
    sl_nearest_offer(&nearest, study->machines.list[i]);
  return sl_fail(err, SL_USAGE, "the study has no machine '%.80s'%s%s%s", name,
                 nearest.name != NULL ? "; did you mean '" : "", nearest.name != NULL ? nearest.name : "",
                 nearest.name != NULL ? "'?" : "");
}

static enum sl_status name_value(struct sl_report_values *values, const struct sl_report_scope *scope, const char *name,
                                 struct sl_datum *value, struct sl_error *err)
{
  const struct sl_study *study = values->study;
  const struct sl_run_column *column;
  char own[NAME];
  int machine = scope->machine;
  *value = (struct sl_datum){NULL, NAN};
  if (strcmp(name, "none") == 0)
    return SL_OK;
  if (strcmp(name, "scale") == 0) {
    value->text = study->scale;
    return SL_OK;
  }
  if (strcmp(name, "form") == 0) {
    value->text = machine >= 0 ? study->machine[machine].form : NULL;
    return SL_OK;
  }
  if (strcmp(name, "sampled") == 0) {
    value->number = study->sample != NULL;
    return SL_OK;
  }
  for (size_t i = 0; i < study->report.published.count; i++) {
    const struct sl_text *published = &study->report.published.list[i];
    const size_t length = strlen(published->name);
    if (strncmp(name, published->name, length) == 0 && name[length] == '.')
      return published_value(values, scope, &values->published[i], name + length + 1, &value->number, err);
  }
  const size_t length = strcspn(name, "@");
  snprintf(own, sizeof own, "%.*s", (int)length, name);
  enum sl_status code = name[length] == '@' ? machine_of(values, scope, name + length + 1, &machine, err) : SL_OK;
  if (code == SL_OK && strcmp(own, "machine") == 0 && machine >= 0) {
    value->text = study->machines.list[machine];
    return SL_OK;
  }
  if (code == SL_OK)
    code = sl_run_table_column(&values->table, own, &column, err);
  if (code == SL_OK)
    *value = value_of(values, column, scope, machine);
  return code;
}

/* ---- dimensions -------------------------------------------------------------------------------------------------- */

static enum sl_status each_machine(struct sl_report_values *values, const struct sl_report_scope *scope,
                                   sl_report_visit *visit, void *context, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (int m = 0; (size_t)m < values->study->machines.count && code == SL_OK; m++) {
    bool any = false;
    for (size_t i = 0; i < scope->count && !any; i++)
      any = values->machines[scope->runs[i]] == (uint32_t)m;
    const struct sl_report_scope own = {scope->runs, scope->count, m};
    if (any && (scope->machine == SL_NO_MACHINE || scope->machine == m))
      code = visit(context, &own, err);
  }
  return code;
}

enum sl_status sl_report_each(struct sl_report_values *values, const struct sl_report_scope *scope, const char *dim,
                              sl_report_visit *visit, void *context, struct sl_error *err)
{
  const struct sl_run_column *column;
  if (strcmp(dim, "machine") == 0)
    return each_machine(values, scope, visit, context, err);
  enum sl_status code = sl_run_table_column(&values->table, dim, &column, err);
  if (code != SL_OK || !column->is_text)
    return code != SL_OK ? code
                         : sl_fail(err, SL_USAGE, "'%.80s' is counted; a dimension is program, size or a key", dim);
  size_t *runs = calloc(scope->count + 1, sizeof *runs);
  bool *seen = calloc(scope->count + 1, sizeof *seen);
  if (runs == NULL || seen == NULL)
    code = sl_no_memory(err, scope->count * sizeof *runs);
  for (size_t first = 0; first < scope->count && code == SL_OK; first++) {
    struct sl_report_scope own = {runs, 0, scope->machine};
    bool any = false;
    if (seen[first])
      continue;
    for (size_t i = first; i < scope->count; i++)
      if (column->texts[scope->runs[i]] == column->texts[scope->runs[first]]) {
        seen[i] = true;
        runs[own.count++] = scope->runs[i];
        any = any || in_scope(values, scope->runs[i], scope->machine);
      }
    if (any)
      code = visit(context, &own, err);
  }
  free(runs);
  free(seen);
  return code;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

enum function { MEAN, GEOMEAN, SUM, LEAST, MOST, COUNT, SLOPE, START, FUNCTIONS };

static const struct {
  const char *name;
  unsigned least, most; /* number of expressions */
} functions[FUNCTIONS] = {{"mean", 1, 1}, {"geomean", 1, 1}, {"sum", 1, 1},   {"least", 1, 1},
                          {"most", 1, 1}, {"count", 0, 1},   {"slope", 2, 2}, {"start", 2, 2}};

/* An expression whose calls of these functions have become names. */
struct node {
  struct sl_expression *expression;
  struct call {
    enum function function;
    char dim[NAME];
    struct node *bodies[2];
  } calls[MOST_CALLS];
  size_t call_count;
};

static void free_node(struct node *node)
{
  if (node == NULL)
    return;
  for (size_t i = 0; i < node->call_count; i++)
    for (unsigned k = 0; k < 2; k++)
      free_node(node->calls[i].bodies[k]);
  sl_expression_free(node->expression);
  free(node);
}

static enum sl_status parse(struct node **node, const char *text, unsigned depth, struct sl_error *err);

/* The end of an argument: a comma or the parenthesis that closes the call; NULL: there is none. */
static const char *end_of_argument(const char *at)
{
  unsigned depth = 0;
  for (; *at != '\0' && (depth > 0 || (*at != ',' && *at != ')')); at++) {
    depth += *at == '(';
    depth -= *at == ')';
    const char *quoted = *at == '"' || *at == '\'' ? strchr(at + 1, *at) : NULL;
    at = quoted != NULL ? quoted : at;
  }
  return *at != '\0' ? at : NULL;
}

/* Parses "DIM, X, Y)". *at becomes the end. */
static enum sl_status parse_call(struct call *call, const char **at, unsigned depth, struct sl_error *err)
{
  unsigned count = 0;
  for (const char *end; (end = end_of_argument(*at)) != NULL && count <= 2; count++) {
    char *text = strndup(*at, (size_t)(end - *at));
    if (text == NULL)
      return sl_no_memory(err, (size_t)(end - *at));
    enum sl_status code = SL_OK;
    if (count == 0)
      sscanf(text, " %95[A-Za-z0-9_.]", call->dim);
    else
      code = parse(&call->bodies[count - 1], text, depth + 1, err);
    free(text);
    *at = end + 1;
    if (code != SL_OK)
      return code;
    if (*end == ')' && count >= functions[call->function].least && count <= functions[call->function].most)
      return SL_OK;
    if (*end == ')')
      break;
  }
  return sl_fail(err, SL_USAGE, "%s takes a dimension, as program or size, and %u expression%s",
                 functions[call->function].name, functions[call->function].most,
                 functions[call->function].most == 1 ? "" : "s");
}

static enum sl_status parse(struct node **result, const char *text, unsigned depth, struct sl_error *err)
{
  struct node *node = *result = calloc(1, sizeof *node);
  char *own = malloc(strlen(text) + 16 * MOST_CALLS), *to = own;
  enum sl_status code = node != NULL && own != NULL ? SL_OK : sl_no_memory(err, strlen(text));
  if (code == SL_OK && depth > DEEPEST)
    code = sl_fail(err, SL_USAGE, "the expression is nested too deeply");
  for (const char *at = text; code == SL_OK && *at != '\0';) {
    const size_t word = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@");
    size_t f = FUNCTIONS;
    if (word > 0 && at[word] == '(')
      for (f = 0; f < FUNCTIONS && (strlen(functions[f].name) != word || strncmp(functions[f].name, at, word) != 0);)
        f++;
    if (f == FUNCTIONS) {
      const size_t quoted =
          *at == '"' || *at == '\'' ? (size_t)(strchr(at + 1, *at) != NULL ? strchr(at + 1, *at) - at : 0) : 0;
      const size_t length = word > 0 ? word : quoted + 1;
      memcpy(to, at, length);
      to += length;
      at += length;
      continue;
    }
    if (node->call_count == MOST_CALLS) {
      code = sl_fail(err, SL_USAGE, "more than %d functions of dimensions in one expression", MOST_CALLS);
      break;
    }
    at += word + 1;
    to += sprintf(to, " _%zu ", node->call_count);
    node->calls[node->call_count].function = (enum function)f;
    code = parse_call(&node->calls[node->call_count++], &at, depth, err);
  }
  if (code == SL_OK) {
    *to = '\0';
    code = sl_expression_parse(&node->expression, own, err);
  }
  free(own);
  return code;
}

/* What a call has seen of the values of its dimension. */
struct summary {
  struct sl_report_values *values;
  const struct call *call;
  double count, sum, logs, least, most;
  double x, xx, xy; /* mean, and sums of products of distances from the means */
  bool zero;        /* a value without a logarithm */
};

static enum sl_status evaluate(struct sl_report_values *values, const struct sl_report_scope *scope,
                               const struct node *node, struct sl_datum *value, struct sl_error *err);

static enum sl_status add_value(void *context, const struct sl_report_scope *scope, struct sl_error *err)
{
  struct summary *s = context;
  struct sl_datum v[2] = {{NULL, 1}, {NULL, 0}};
  enum sl_status code = SL_OK;
  for (unsigned i = 0; i < 2 && s->call->bodies[i] != NULL && code == SL_OK; i++)
    code = evaluate(s->values, scope, s->call->bodies[i], &v[i], err);
  const bool line = s->call->function >= SLOPE;
  const double y = v[line].text == NULL ? v[line].number : NAN, x = line && v[0].text == NULL ? v[0].number : 0;
  if (code != SL_OK || !isfinite(y) || !isfinite(x) || (s->call->function == COUNT && y == 0))
    return code;
  s->zero = s->zero || y <= 0;
  s->logs += y > 0 ? log(y) : 0;
  s->least = s->count == 0 || y < s->least ? y : s->least;
  s->most = s->count == 0 || y > s->most ? y : s->most;
  s->count++;
  s->sum += y;
  const double before = x - s->x; /* from the mean so far, so that large numbers keep their digits */
  s->x += before / s->count;
  s->xx += before * (x - s->x);
  s->xy += before * (y - s->sum / s->count);
  return SL_OK;
}

static double summarise(const struct summary *s)
{
  const double n = s->count;
  if (s->call->function == COUNT)
    return n;
  if (n == 0)
    return NAN;
  const double slope = n > 1 && s->xx > 0 ? s->xy / s->xx : s->x > 0 ? s->sum / n / s->x : NAN;
  switch (s->call->function) {
  case MEAN: return s->sum / n;
  case GEOMEAN: return s->zero ? 0 : exp(s->logs / n);
  case SUM: return s->sum;
  case LEAST: return s->least;
  case MOST: return s->most;
  case SLOPE: return slope;
  default: return s->sum / n - slope * s->x;
  }
}

static enum sl_status evaluate(struct sl_report_values *values, const struct sl_report_scope *scope,
                               const struct node *node, struct sl_datum *value, struct sl_error *err)
{
  struct sl_datum data[MOST_NAMES];
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < sl_expression_name_count(node->expression) && code == SL_OK; i++) {
    const char *name = sl_expression_name(node->expression, i);
    const size_t call = name[0] == '_' && isdigit((unsigned char)name[1]) ? strtoul(name + 1, NULL, 10) : MOST_CALLS;
    if (call >= node->call_count) {
      code = name_value(values, scope, name, &data[i], err);
      continue;
    }
    struct summary summary = {.values = values, .call = &node->calls[call]};
    code = sl_report_each(values, scope, summary.call->dim, add_value, &summary, err);
    data[i] = (struct sl_datum){NULL, code == SL_OK ? summarise(&summary) : NAN};
  }
  if (code == SL_OK)
    *value = sl_expression_value(node->expression, data);
  return code;
}

enum sl_status sl_report_value(struct sl_report_values *values, const struct sl_report_scope *scope, const char *text,
                               struct sl_datum *value, struct sl_error *err)
{
  struct node *node;
  *value = (struct sl_datum){NULL, NAN};
  if (text[strspn(text, " \n")] == '\0')
    return SL_OK;
  enum sl_status code = parse(&node, text, 0, err);
  if (code == SL_OK)
    code = evaluate(values, scope, node, value, err);
  free_node(node);
  if (value->text == NULL && value->number == 0)
    value->number = 0; /* no minus 0 */
  return code;
}
