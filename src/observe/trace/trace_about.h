/* Parts of a page's description that do not depend on its records. */
#ifndef SL_OBSERVE_TRACE_TRACE_ABOUT_H
#define SL_OBSERVE_TRACE_TRACE_ABOUT_H

#include <jansson.h>

#include "machine/machine.h"
#include "observe/trace/trace_modules.h"
#include "observe/trace/trace_numbers.h"
#include "observe/trace/trace_pieces.h"

json_t *sl_about_series(const struct sl_machine *machine);
json_t *sl_about_reasons(const struct sl_machine *machine);
json_t *sl_about_stages(const struct sl_machine *machine);

/* A source file, with the lines from the first to the last that executed, and some around. */
json_t *sl_about_file(const struct sl_trace_module *module, const char *path, unsigned first, unsigned last);

/* Append to a text of JSON. A page has thousands of numbers: a tree of JSON values takes several times as long. What
 * could end a script element is escaped. */
void sl_about_bytes(struct sl_piece *text, const char *bytes);
void sl_about_string(struct sl_piece *text, const char *string);
void sl_about_number(struct sl_piece *text, int64_t number);

/* A comma and a number. */
void sl_about_next(struct sl_piece *text, int64_t number);

/* All masks, in one string: programs may have thousands. */
json_t *sl_about_masks(const struct sl_numbers *masks);

/* Writes the description, which it takes over, and the list of its code. No text in it ends the script element. Returns
 * false if memory was lacking. */
bool sl_about_write(json_t *description, const struct sl_piece *code, struct sl_trace_file *file);

#endif
