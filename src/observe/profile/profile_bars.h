/* Stacked bars of shares in the profile's HTML, with all shares as a tooltip. Colours are those of the palette ('k'
 * stall reasons, 'r' regularity). */
#ifndef SL_OBSERVE_PROFILE_BARS_H
#define SL_OBSERVE_PROFILE_BARS_H

#include "observe/profile/profile.h"

/* Numbers next to a bar. */
enum sl_bar_numbers {
  SL_BAR_FIRST, /* the share of the first piece */
  SL_BAR_ALL    /* all shares, with their names */
};

void sl_profile_stall_reasons_bar(const struct sl_profile_report *report, const struct sl_profile_row *row,
                                  enum sl_bar_numbers numbers, FILE *file);
void sl_profile_regularity_bar(const uint64_t counts[SL_REGULARITY_COUNT], enum sl_bar_numbers numbers, FILE *file);

#endif
