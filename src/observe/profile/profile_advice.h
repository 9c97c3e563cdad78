/* What a profile suggests to do, as sentences with place, evidence and what to try, the weightiest first. A rule speaks
 * only where its evidence is: there may be nothing to say. */
#ifndef SL_OBSERVE_PROFILE_ADVICE_H
#define SL_OBSERVE_PROFILE_ADVICE_H

#include "observe/profile/profile.h"

enum { SL_ADVICE_MOST = 8, SL_ADVICE_TEXT = 500 };

struct sl_advice_item {
  const char *rule; /* "uncoalesced" */
  double share;     /* of all cycles, that it is about */
  char text[SL_ADVICE_TEXT];
};

/* Returns how many there are. */
size_t sl_profile_advice(const struct sl_profile_report *report, struct sl_advice_item item[SL_ADVICE_MOST]);

/* [{rule, share, text}] */
json_t *sl_profile_advice_json(const struct sl_profile_report *report);

#endif
