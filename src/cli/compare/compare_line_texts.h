/* Matches source lines across programs. In runs of one program, file and number identify a line. Lines of two programs
 * match if their functions have the same name, their texts are equal, and they have the same index among the lines with
 * that text; insertions before a line do not matter. If a source was modified after a program was compiled, its line
 * texts are unknown, and each function counts as one line. */
#ifndef SL_CLI_COMPARE_COMPARE_LINE_TEXTS_H
#define SL_CLI_COMPARE_COMPARE_LINE_TEXTS_H

#include <time.h>

#include "cli/compare/compare.h"

/* Fills in the line texts of a program compiled at `made`, or just now (NULL). */
enum sl_status sl_line_texts_read(struct sl_compare_lines *lines, const struct timespec *made, struct sl_error *err);
void sl_line_texts_free(struct sl_compare_lines *lines);

/* Whether whole functions are compared, because a source was modified. */
bool sl_line_texts_edited(const struct sl_comparison *c);

bool sl_same_line(const struct sl_comparison *c, size_t one_run, const struct sl_compare_line *one, size_t other_run,
                  const struct sl_compare_line *other);

#endif
