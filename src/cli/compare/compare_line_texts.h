/* Lines of source of several programs: which of them are the same.
 *
 * In runs of one program a line is its file and number. Lines of two programs are the same when they are in functions
 * of one name, have the same text, and are the same number of lines with that text: what was inserted before them has
 * moved them. Where a source has been changed since a program was compiled, nobody knows what its lines were: then each
 * function is one line. */
#ifndef SL_CLI_COMPARE_COMPARE_LINE_TEXTS_H
#define SL_CLI_COMPARE_COMPARE_LINE_TEXTS_H

#include <time.h>

#include "cli/compare/compare.h"

/* Fills in the texts of lines of a program that was made at a time, or just now (NULL). */
enum sl_status sl_line_texts_read(struct sl_compare_lines *lines, const struct timespec *made, struct sl_error *err);
void sl_line_texts_free(struct sl_compare_lines *lines);

/* Whether functions are compared as wholes, since a source has been changed. */
bool sl_line_texts_edited(const struct sl_comparison *c);

bool sl_same_line(const struct sl_comparison *c, size_t one_run, const struct sl_compare_line *one, size_t other_run,
                  const struct sl_compare_line *other);

#endif
