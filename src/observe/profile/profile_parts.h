/* Parts of a profile's output: columns, advice, roofline. */
#ifndef SL_OBSERVE_PROFILE_PROFILE_PARTS_H
#define SL_OBSERVE_PROFILE_PROFILE_PARTS_H

#include "observe/figures.h"
#include "observe/profile/profile.h"

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Columns of a profile. Text, HTML and JSON output loop over this table for each instruction, each source line and the
 * total. A column is omitted if the machine does not fill the fields it needs. */

enum sl_column_form {
  SL_COLUMN_COUNT,             /* part; if there is a whole, no figure where the whole is 0 */
  SL_COLUMN_RATIO,             /* part / whole, no figure where the whole is 0 */
  SL_COLUMN_PERCENT,           /* 100 * part / whole, no figure where the whole is 0 */
  SL_COLUMN_REGULARITY,        /* shares of uniform, affine and general values */
  SL_COLUMN_STALL_REASONS,     /* shares of the machine's stall reasons */
  SL_COLUMN_OTHER_STALL_REASON /* the largest stall reason except the first, and its share */
};

struct sl_profile_column {
  const char *name;  /* JSON name of the part, NULL: omitted */
  const char *title; /* HTML title, NULL: omitted */
  const char *meaning;
  const char *text[2]; /* title in two lines of text, NULL: omitted */
  int width;           /* width in text, negative: left-aligned */
  int spare;           /* in text, above 0: droppable on a narrow terminal, largest first */
  const char *event;   /* name of the parts in the summary's event list, NULL: omitted */
  enum sl_column_form form;
  int digits;
  unsigned needs; /* one of these parts of the machine's rows is required, 0: none */
  uint64_t (*part)(const struct sl_profile_sum *sum);
  uint64_t (*whole)(const struct sl_profile_report *report, const struct sl_profile_sum *sum);
  const uint64_t *(*kinds)(const struct sl_profile_sum *sum); /* with SL_COLUMN_REGULARITY */
};

extern const struct sl_profile_column sl_profile_columns[];
extern const size_t sl_profile_column_count;

/* Whether the machine's rows have one of these parts, or none is required. */
bool sl_profile_has(const struct sl_profile_report *report, unsigned parts);

/* Whether some row can have a figure: none has one of the scratchpad where nothing asks it. */
bool sl_column_has_figures(const struct sl_profile_column *column, const struct sl_profile_report *report);

/* Whether there is a figure in the column, and which it is. */
bool sl_column_figure(const struct sl_profile_column *column, const struct sl_profile_report *report,
                      const struct sl_profile_sum *sum, double *figure);

/* ---- advice ------------------------------------------------------------------------------------------------------ */

/* Optimisation advice from a profile: sentences with place, evidence and remedy, in descending order of weight. A rule
 * applies only if the profile contains its evidence, so there may be no advice. */

enum { SL_ADVICE_MOST = 8, SL_ADVICE_TEXT = 500 };

struct sl_advice_item {
  const char *rule; /* "uncoalesced" */
  double share;     /* share of all cycles that the advice concerns */
  char text[SL_ADVICE_TEXT];
};

/* Returns the number of items. */
size_t sl_profile_advice(const struct sl_profile_report *report, struct sl_advice_item item[SL_ADVICE_MOST]);

/* [{rule, share, text}] */
json_t *sl_profile_advice_json(const struct sl_profile_report *report);

/* ---- roofline ---------------------------------------------------------------------------------------------------- */

/* Roofline model of a run's kernels: thread instructions per cycle against thread instructions per byte of DRAM and of
 * scratchpad. The peaks are the machine's (machine/machine.h), the counts those of the launches. */

/* Prints a table of the kernels, and of the launches if there are more of these; 80 columns. */
enum sl_status sl_roofline_print(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* Writes chart and table of the page. */
enum sl_status sl_roofline_html(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* {peaks {..}, kernels [..], launches [..]}; NULL: out of memory. */
json_t *sl_roofline_json(const struct sl_profile_report *report);

#endif
