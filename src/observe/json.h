/* What the JSON files share: values made so that missing memory anywhere makes the whole NULL, and nothing is left out
 * silently. */
#ifndef SL_OBSERVE_JSON_H
#define SL_OBSERVE_JSON_H

#include <jansson.h>

#include "base/series.h"
#include "observe/figures.h"
#include "program/program.h"

/* Adds a member to an object, an element to an array. Takes over what is added; *whole is dropped and becomes NULL when
 * it, or what is added, failed. */
void sl_json_put(json_t **whole, const char *name, json_t *member);
void sl_json_append(json_t **whole, json_t *element);

/* "0x" and hexadecimal digits. */
json_t *sl_json_hex(uint64_t value, int digits);

json_t *sl_json_count(uint64_t value);

/* A number, null when it is not known. */
json_t *sl_json_known(struct sl_known known);

/* A text that need not be UTF-8: if it is not, question marks stand for what is not ASCII. NULL is null. */
json_t *sl_json_text(const char *text);

/* {file, hash} of a program. */
json_t *sl_program_json(const struct sl_program *program);

/* {cycles_per_sample, most_in_use} of the vector registers over time. */
json_t *sl_series_json(const struct sl_series *series);

#endif
