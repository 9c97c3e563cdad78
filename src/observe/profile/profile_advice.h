/* Optimisation advice from a profile: sentences with place, evidence and remedy, in descending order of weight. A rule
 * applies only if the profile contains its evidence, so there may be no advice. */
#ifndef SL_OBSERVE_PROFILE_ADVICE_H
#define SL_OBSERVE_PROFILE_ADVICE_H

#include "observe/profile/profile.h"

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

#endif
