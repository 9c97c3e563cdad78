/* Annotated source in the profile's HTML: the text of each file, with the disassembly below its lines. A line's element
 * has the id "l" and its index. */
#ifndef SL_OBSERVE_PROFILE_HTML_SOURCE_H
#define SL_OBSERVE_PROFILE_HTML_SOURCE_H

#include "observe/profile/profile.h"

enum sl_status sl_profile_html_source(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

#endif
