/* What a profile shows of an instruction, a source line or the whole, a row each: text, HTML and JSON loop over these.
 * A machine that does not fill in what a column needs does not have it. */
#ifndef SL_OBSERVE_PROFILE_COLUMNS_H
#define SL_OBSERVE_PROFILE_COLUMNS_H

#include "observe/profile/profile.h"

enum sl_column_form {
  SL_COLUMN_COUNT,      /* part; with a whole, none where that is 0 */
  SL_COLUMN_RATIO,      /* part / whole, none where that is 0 */
  SL_COLUMN_PERCENT,    /* the same of 100 */
  SL_COLUMN_REGULARITY, /* shares of uniform, affine and general values */
  SL_COLUMN_CAUSES,     /* shares of the machine's causes */
  SL_COLUMN_OTHER_CAUSE /* the greatest cause but the first, and its share */
};

struct sl_profile_column {
  const char *name;  /* of the part in JSON, NULL: not there */
  const char *title; /* in HTML, NULL: not there */
  const char *meaning;
  const char *text[2]; /* title in two lines of the text, NULL: not there */
  int width;           /* there, below 0: to the left */
  int spare;           /* there, above 0: may be left out on a narrow terminal, the greatest first */
  const char *event;   /* what the parts are called in the summary's list of events, NULL: not there */
  enum sl_column_form form;
  int digits;
  unsigned needs; /* one of these parts of the machine's rows, 0: no particular one */
  uint64_t (*part)(const struct sl_profile_sum *sum);
  uint64_t (*whole)(const struct sl_profile_report *report, const struct sl_profile_sum *sum);
  const uint64_t *(*kinds)(const struct sl_profile_sum *sum); /* with SL_COLUMN_REGULARITY */
};

extern const struct sl_profile_column sl_profile_columns[];
extern const size_t sl_profile_column_count;

/* Whether rows of the machine have one of these parts, or none is needed. */
bool sl_profile_has(const struct sl_profile_report *report, unsigned parts);

/* Whether some row can have a figure: none has one of the scratchpad where nothing asks it. */
bool sl_column_has_figures(const struct sl_profile_column *column, const struct sl_profile_report *report);

/* Whether there is a figure in the column, and which it is. */
bool sl_column_figure(const struct sl_profile_column *column, const struct sl_profile_report *report,
                      const struct sl_profile_sum *sum, double *figure);

#endif
