/* Helpers for JSON output. If memory is exhausted for any part, the whole value becomes NULL; no part is silently
 * missing. */
#ifndef SL_OBSERVE_JSON_H
#define SL_OBSERVE_JSON_H

#include <jansson.h>

#include "base/queues.h"
#include "observe/figures.h"
#include "program/program.h"

/* Adds a member to an object, or an element to an array, and takes over its reference. If either is NULL or adding
 * fails, drops *whole and sets it to NULL. */
void sl_json_put(json_t **whole, const char *name, json_t *member);
void sl_json_append(json_t **whole, json_t *element);

/* SL_JSON({name, value}, ...): an object with these members, whose references it takes over. NULL: memory is exhausted,
 * also if a value is NULL. */
struct sl_json_member {
  const char *name;
  json_t *value;
};
json_t *sl_json_object(const struct sl_json_member *members, size_t count);
#define SL_JSON(...)                                                                                                   \
  sl_json_object((const struct sl_json_member[]){__VA_ARGS__},                                                         \
                 sizeof((const struct sl_json_member[]){__VA_ARGS__}) / sizeof(struct sl_json_member))

/* "0x" and hexadecimal digits. */
json_t *sl_json_hex(uint64_t value, int digits);

json_t *sl_json_count(uint64_t value);

/* A number, null if unknown. */
json_t *sl_json_known(struct sl_known known);

/* A text that need not be UTF-8: if it is not, question marks replace non-ASCII bytes. NULL becomes null. */
json_t *sl_json_text(const char *text);

/* {file, hash} of a program. */
json_t *sl_program_json(const struct sl_program *program);

/* {cycles_per_sample, most_in_use} of the vector registers over time. */
json_t *sl_series_json(const struct sl_series *series);

#endif
