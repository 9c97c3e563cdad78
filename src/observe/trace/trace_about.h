/* Parts of a page's description that do not depend on its records. */
#ifndef SL_OBSERVE_TRACE_TRACE_ABOUT_H
#define SL_OBSERVE_TRACE_TRACE_ABOUT_H

#include <jansson.h>

#include "machine/machine.h"
#include "observe/trace/trace_modules.h"

json_t *sl_about_series(const struct sl_machine *machine);
json_t *sl_about_reasons(const struct sl_machine *machine);
json_t *sl_about_stages(const struct sl_machine *machine);

/* A source file, with the lines from the first to the last that executed, and some around. */
json_t *sl_about_file(const struct sl_trace_module *module, const char *path, unsigned first, unsigned last);

#endif
