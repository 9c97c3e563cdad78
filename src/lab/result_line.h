/* Results on the pipe from a worker: KEYS <tab> NAMES <tab> RESULT, the keys of the machine as JSON, the names of the
 * counters with blanks, and the rest of the result. The sweep reads keys and names only where they are new. */
#ifndef SL_LAB_RESULT_LINE_H
#define SL_LAB_RESULT_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Writes a result, which loses its keys and names. False: there is no memory, or nobody reads. */
bool sl_result_put(json_t *result, FILE *file);

/* The names of the counters of the last result, as it had them and as a list. */
struct sl_counter_names {
  char *text;
  json_t *list;
};

/* Reads a line; the keys remain a text. NULL: it is not whole. */
json_t *sl_result_take(const char *line, struct sl_counter_names *names);
void sl_counter_names_free(struct sl_counter_names *names);

#endif
