/* Expressions over named values: the filters and metrics of studies, and the options of `simtlab query`.
 *
 * An expression has numbers, "texts", names, parentheses, the operators || && == != < <= > >= + - * / % ! of C, and the
 * functions min, max, pow (of two values), abs, sqrt, log2, floor, ceil, and if(condition, then, else). A name may
 * contain dots, and end with @MACHINE in the tables of reports, where a machine's name may have dashes. Texts can only
 * be compared with == and !=. What cannot be computed, such as a quotient by 0, is not a number; every result that
 * depends on it is not a number either. */
#ifndef SL_LAB_EXPRESSION_H
#define SL_LAB_EXPRESSION_H

#include "base/error.h"
#include "base/types.h"

struct sl_datum {
  const char *text; /* NULL: a number */
  double number;
};

struct sl_expression;

/* Parses a text. SL_USAGE: the sentence names the column. Free the expression also after an error. */
enum sl_status sl_expression_parse(struct sl_expression **expression, const char *text, struct sl_error *err);
void sl_expression_free(struct sl_expression *expression);

const char *sl_expression_text(const struct sl_expression *expression);

/* The different names in the expression. */
size_t sl_expression_name_count(const struct sl_expression *expression);
const char *sl_expression_name(const struct sl_expression *expression, size_t i);

/* Evaluates with one value per name, in the order of the names. */
struct sl_datum sl_expression_value(const struct sl_expression *expression, const struct sl_datum *values);

/* Whether a filter accepts the value: a number other than 0. */
bool sl_datum_holds(struct sl_datum value);

/* The value of a text: 1 and 0 for true and false, a number if it is one, else the text itself, which must outlive the
 * value. */
struct sl_datum sl_datum_of(const char *text);

enum { SL_METRIC_NAME = 64 };

/* A named expression, which may use other metrics. */
struct sl_metric {
  char name[SL_METRIC_NAME];
  size_t line; /* in the study file; 0: none */
  struct sl_expression *expression;
};

/* The metric of a name; NULL: there is none. */
const struct sl_metric *sl_metric_find(const struct sl_metric *metrics, size_t count, const char *name);

/* Checks that no metric uses itself, directly or through others. The sentence lists the cycle; *at is the number of a
 * metric in it. */
enum sl_status sl_metrics_check(const struct sl_metric *metrics, size_t count, size_t *at, struct sl_error *err);

#endif
