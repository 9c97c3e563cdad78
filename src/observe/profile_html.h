/* What the files that make the profile's HTML share. */
#ifndef SL_OBSERVE_PROFILE_HTML_H
#define SL_OBSERVE_PROFILE_HTML_H

#include "observe/profile.h"

/* A stacked bar of the shares, with all of them as its tooltip. The colours are those of the palette ('k' causes, 'r'
 * regularity). */
void sl_profile_html_causes(const struct sl_profile_row *row, FILE *file);
void sl_profile_html_regularity(const uint64_t counts[SL_REGULARITY_COUNT], FILE *file);

/* The source files with the disassembly beneath their lines. A line's element has the id "l" and its index. */
enum sl_code sl_profile_html_source(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

#endif
