#include "lab/study/study.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 512, MOST_NAMES = 64, LONGEST_NAME = 96, DEEPEST = 64 };

enum step {
  STEP_OR,
  STEP_AND,
  STEP_EQUAL,
  STEP_UNEQUAL,
  STEP_AT_MOST,
  STEP_AT_LEAST,
  STEP_LESS,
  STEP_GREATER,
  STEP_ADD,
  STEP_SUBTRACT,
  STEP_MULTIPLY,
  STEP_DIVIDE,
  STEP_REMAINDER,
  STEP_NEGATE,
  STEP_NOT,
  STEP_MIN,
  STEP_MAX,
  STEP_POW,
  STEP_ABS,
  STEP_SQRT,
  STEP_LOG2,
  STEP_FLOOR,
  STEP_CEIL,
  STEP_IF,
  STEP_CONSTANT,
  STEP_NAME
};

/* A longer operator precedes its prefix. */
static const struct {
  const char *text;
  unsigned level; /* greater binds tighter */
} operators[] = {
    [STEP_OR] = {"||", 1},       [STEP_AND] = {"&&", 2},      [STEP_EQUAL] = {"==", 3},   [STEP_UNEQUAL] = {"!=", 3},
    [STEP_AT_MOST] = {"<=", 4},  [STEP_AT_LEAST] = {">=", 4}, [STEP_LESS] = {"<", 4},     [STEP_GREATER] = {">", 4},
    [STEP_ADD] = {"+", 5},       [STEP_SUBTRACT] = {"-", 5},  [STEP_MULTIPLY] = {"*", 6}, [STEP_DIVIDE] = {"/", 6},
    [STEP_REMAINDER] = {"%", 6},
};

static const struct {
  const char *name;
  enum step step;
  unsigned arguments;
} functions[] = {
    {"min", STEP_MIN, 2}, {"max", STEP_MAX, 2},     {"pow", STEP_POW, 2},
    {"abs", STEP_ABS, 1}, {"sqrt", STEP_SQRT, 1},   {"log2", STEP_LOG2, 1},
    {"if", STEP_IF, 3},   {"floor", STEP_FLOOR, 1}, {"ceil", STEP_CEIL, 1},
};

/* The steps are in postfix order: each takes its operands from a stack and leaves its result there. */
struct sl_expression {
  char *text, *texts; /* `texts` holds the names and quoted texts, zero-terminated */
  size_t texts_used, step_count, name_count;
  const char *names[MOST_NAMES];
  struct {
    enum step step;
    size_t name;
    struct sl_datum value;
  } steps[MOST_STEPS];
};

struct parser {
  struct sl_expression *expression;
  const char *at;
  unsigned depth;
  struct sl_error *err;
};

static enum sl_status fail(struct parser *p, const char *what)
{
  return sl_fail(p->err, SL_USAGE, "column %zu of '%.200s': %s", (size_t)(p->at - p->expression->text) + 1,
                 p->expression->text, what);
}

static void skip_blanks(struct parser *p)
{
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n')
    p->at++;
}

static bool take(struct parser *p, char c)
{
  skip_blanks(p);
  const bool found = *p->at == c;
  p->at += found;
  return found;
}

static enum sl_status add(struct parser *p, enum step step, size_t name, struct sl_datum value)
{
  struct sl_expression *e = p->expression;
  if (e->step_count == MOST_STEPS)
    return fail(p, "the expression is too long");
  e->steps[e->step_count].step = step;
  e->steps[e->step_count].name = name;
  e->steps[e->step_count++].value = value;
  return SL_OK;
}

/* Copies a part of the text; its room is at most twice that of the whole. */
static const char *keep(struct sl_expression *e, const char *from, size_t length)
{
  char *to = e->texts + e->texts_used;
  memcpy(to, from, length);
  to[length] = '\0';
  e->texts_used += length + 1;
  return to;
}

static enum sl_status parse_binary(struct parser *p, unsigned level);

static enum sl_status parse_call(struct parser *p, const char *name, size_t length)
{
  size_t f = 0;
  const size_t count = sizeof functions / sizeof functions[0];
  while (f < count && (strlen(functions[f].name) != length || strncmp(functions[f].name, name, length) != 0))
    f++;
  if (f == count)
    return fail(p, "there is no such function; there are min, max, pow, abs, sqrt, log2, floor, ceil and if");
  p->at++; /* the parenthesis */
  for (unsigned i = 0; i < functions[f].arguments; i++) {
    const enum sl_status code =
        i > 0 && !take(p, ',') ? fail(p, "a comma is missing: the function takes more values") : parse_binary(p, 1);
    if (code != SL_OK)
      return code;
  }
  return take(p, ')') ? add(p, functions[f].step, 0, (struct sl_datum){0}) : fail(p, "a ')' is missing");
}

static enum sl_status parse_name(struct parser *p)
{
  struct sl_expression *e = p->expression;
  const char *name = p->at;
  for (bool machine = false; isalnum((unsigned char)*p->at) || (*p->at != '\0' && strchr("_.@", *p->at) != NULL) ||
                             (machine && *p->at == '-');
       p->at++)
    machine = machine || *p->at == '@';
  const size_t length = (size_t)(p->at - name);
  skip_blanks(p);
  if (*p->at == '(')
    return parse_call(p, name, length);
  if (length >= LONGEST_NAME)
    return fail(p, "the name is too long");
  const char *copy = keep(e, name, length);
  const struct sl_datum value = sl_datum_of(copy);
  if (value.text == NULL)
    return add(p, STEP_CONSTANT, 0, value);
  size_t i = 0;
  while (i < e->name_count && strcmp(e->names[i], copy) != 0)
    i++;
  if (i == MOST_NAMES)
    return fail(p, "the expression has too many names");
  if (i == e->name_count)
    e->names[e->name_count++] = copy;
  return add(p, STEP_NAME, i, (struct sl_datum){0});
}

static enum sl_status parse_quoted(struct parser *p)
{
  const char quote = *p->at, *end = strchr(p->at + 1, quote);
  if (end == NULL)
    return fail(p, "the text has no closing quote");
  const struct sl_datum value = {keep(p->expression, p->at + 1, (size_t)(end - p->at - 1)), 0};
  p->at = end + 1;
  return add(p, STEP_CONSTANT, 0, value);
}

static enum sl_status parse_operand(struct parser *p)
{
  if (++p->depth > DEEPEST)
    return fail(p, "the expression is nested too deeply");
  enum sl_status code;
  skip_blanks(p);
  const char c = *p->at;
  if (c == '-' || c == '!') {
    p->at++;
    code = parse_operand(p);
    if (code == SL_OK)
      code = add(p, c == '-' ? STEP_NEGATE : STEP_NOT, 0, (struct sl_datum){0});
  } else if (c == '(') {
    p->at++;
    code = parse_binary(p, 1);
    if (code == SL_OK && !take(p, ')'))
      code = fail(p, "a ')' is missing");
  } else if (isdigit((unsigned char)c) || c == '.') {
    char *end;
    const double number = strtod(p->at, &end);
    code = end == p->at ? fail(p, "no number") : SL_OK;
    p->at = end;
    if (code == SL_OK)
      code = add(p, STEP_CONSTANT, 0, (struct sl_datum){NULL, number});
  } else if (isalpha((unsigned char)c) || c == '_') {
    code = parse_name(p);
  } else if (c == '"' || c == '\'') {
    code = parse_quoted(p);
  } else {
    code = fail(p, "a value is missing: a number, a name, a text in quotes or a parenthesis");
  }
  p->depth--;
  return code;
}

/* The operator at the current place, or the number of operators. */
static size_t find_operator(struct parser *p)
{
  size_t i = 0;
  skip_blanks(p);
  while (i < sizeof operators / sizeof operators[0] &&
         strncmp(p->at, operators[i].text, strlen(operators[i].text)) != 0)
    i++;
  return i;
}

/* Operands and all operators of this level or a tighter one. */
static enum sl_status parse_binary(struct parser *p, unsigned level)
{
  enum sl_status code = parse_operand(p);
  while (code == SL_OK) {
    const size_t i = find_operator(p);
    if (i == sizeof operators / sizeof operators[0] || operators[i].level < level)
      return SL_OK;
    p->at += strlen(operators[i].text);
    code = parse_binary(p, operators[i].level + 1);
    if (code == SL_OK)
      code = add(p, (enum step)i, 0, (struct sl_datum){0});
  }
  return code;
}

enum sl_status sl_expression_parse(struct sl_expression **expression, const char *text, struct sl_error *err)
{
  struct sl_expression *e = *expression = calloc(1, sizeof *e);
  if (e == NULL)
    return sl_no_memory(err, sizeof *e);
  e->text = strdup(text);
  e->texts = malloc(2 * strlen(text) + 2);
  if (e->text == NULL || e->texts == NULL)
    return sl_no_memory(err, 3 * strlen(text));
  struct parser p = {e, e->text, 0, err};
  const enum sl_status code = parse_binary(&p, 1);
  skip_blanks(&p);
  return code == SL_OK && *p.at != '\0' ? fail(&p, "an operator is missing") : code;
}

void sl_expression_free(struct sl_expression *expression)
{
  if (expression == NULL)
    return;
  free(expression->text);
  free(expression->texts);
  free(expression);
}

const char *sl_expression_text(const struct sl_expression *expression)
{
  return expression->text;
}

size_t sl_expression_name_count(const struct sl_expression *expression)
{
  return expression->name_count;
}

const char *sl_expression_name(const struct sl_expression *expression, size_t i)
{
  return expression->names[i];
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

static bool equal(const struct sl_datum *a)
{
  if (a[0].text != NULL && a[1].text != NULL)
    return strcmp(a[0].text, a[1].text) == 0;
  return a[0].text == NULL && a[1].text == NULL && a[0].number == a[1].number;
}

/* The result of a step from its operands. */
static double apply(enum step step, const struct sl_datum *a)
{
  const double x = a[0].text != NULL ? NAN : a[0].number, y = a[1].text != NULL ? NAN : a[1].number;
  switch (step) {
  case STEP_OR: return sl_datum_holds(a[0]) || sl_datum_holds(a[1]);
  case STEP_AND: return sl_datum_holds(a[0]) && sl_datum_holds(a[1]);
  case STEP_EQUAL: return equal(a);
  case STEP_UNEQUAL: return !equal(a);
  case STEP_AT_MOST: return x <= y;
  case STEP_AT_LEAST: return x >= y;
  case STEP_LESS: return x < y;
  case STEP_GREATER: return x > y;
  case STEP_ADD: return x + y;
  case STEP_SUBTRACT: return x - y;
  case STEP_MULTIPLY: return x * y;
  case STEP_DIVIDE: return y != 0 ? x / y : NAN;
  case STEP_REMAINDER: return y != 0 ? fmod(x, y) : NAN;
  case STEP_NEGATE: return -x;
  case STEP_NOT: return !sl_datum_holds(a[0]);
  case STEP_MIN: return x < y || isnan(x) ? x : y;
  case STEP_MAX: return x > y || isnan(x) ? x : y;
  case STEP_POW: return pow(x, y);
  case STEP_ABS: return fabs(x);
  case STEP_SQRT: return sqrt(x);
  case STEP_LOG2: return log2(x);
  case STEP_FLOOR: return floor(x);
  default: return ceil(x);
  }
}

static unsigned operands_of(enum step step)
{
  if (step == STEP_NEGATE || step == STEP_NOT || (step >= STEP_ABS && step <= STEP_CEIL))
    return 1;
  return step == STEP_IF ? 3 : 2;
}

struct sl_datum sl_expression_value(const struct sl_expression *e, const struct sl_datum *values)
{
  struct sl_datum stack[MOST_STEPS + 1];
  size_t used = 0;
  for (size_t i = 0; i < e->step_count; i++) {
    const enum step step = e->steps[i].step;
    if (step == STEP_CONSTANT || step == STEP_NAME) {
      stack[used++] = step == STEP_NAME ? values[e->steps[i].name] : e->steps[i].value;
      continue;
    }
    stack[used] = (struct sl_datum){0}; /* the second operand of a step that has one */
    used -= operands_of(step);
    struct sl_datum *a = &stack[used++];
    if (step == STEP_IF)
      a[0] = sl_datum_holds(a[0]) ? a[1] : a[2];
    else
      a[0] = (struct sl_datum){NULL, apply(step, a)};
  }
  return stack[0];
}

bool sl_datum_holds(struct sl_datum value)
{
  return value.text == NULL && value.number != 0 && !isnan(value.number);
}

struct sl_datum sl_datum_of(const char *text)
{
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    return (struct sl_datum){NULL, text[0] == 't'};
  char *end = NULL;
  const double number = isdigit((unsigned char)text[text[0] == '-']) ? strtod(text, &end) : 0;
  return end != NULL && *end == '\0' ? (struct sl_datum){NULL, number} : (struct sl_datum){text, 0};
}

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

const struct sl_metric *sl_metric_find(const struct sl_metric *metrics, size_t count, const char *name)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(metrics[i].name, name) == 0)
      return &metrics[i];
  return NULL;
}

enum colour { WHITE, GREY, BLACK }; /* of the depth-first search: new, being visited, done */

struct walk {
  const struct sl_metric *metrics;
  size_t count;
  enum colour *colour;
  char path[300]; /* of names */
};

static enum sl_status visit(struct walk *walk, size_t at, size_t *found, struct sl_error *err)
{
  const size_t before = strlen(walk->path);
  snprintf(walk->path + before, sizeof walk->path - before, "%s%.60s", before > 0 ? " -> " : "",
           walk->metrics[at].name);
  if (walk->colour[at] == GREY) {
    *found = at;
    return sl_fail(err, SL_USAGE, "metric '%s' uses itself: %s", walk->metrics[at].name, walk->path);
  }
  const struct sl_expression *e = walk->metrics[at].expression;
  if (walk->colour[at] == WHITE) {
    walk->colour[at] = GREY;
    for (size_t i = 0; i < e->name_count; i++) {
      const struct sl_metric *used = sl_metric_find(walk->metrics, walk->count, e->names[i]);
      if (used != NULL && visit(walk, (size_t)(used - walk->metrics), found, err) != SL_OK)
        return err->code;
    }
    walk->colour[at] = BLACK;
  }
  walk->path[before] = '\0';
  return SL_OK;
}

enum sl_status sl_metrics_check(const struct sl_metric *metrics, size_t count, size_t *at, struct sl_error *err)
{
  struct walk walk = {metrics, count, calloc(count + 1, sizeof *walk.colour), ""};
  enum sl_status code = walk.colour != NULL ? SL_OK : sl_no_memory(err, count * sizeof *walk.colour);
  for (size_t i = 0; i < count && code == SL_OK; i++) {
    walk.path[0] = '\0';
    code = visit(&walk, i, at, err);
  }
  free(walk.colour);
  return code;
}
