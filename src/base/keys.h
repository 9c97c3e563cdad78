/* Typed configuration keys: a table of name, type, range, default, unit, meaning and source, and the struct of uint32_t
 * fields that it describes. All code that reads, sets, checks or lists configurations uses the table. */
#ifndef SL_BASE_KEYS_H
#define SL_BASE_KEYS_H

#include "base/error.h"
#include "base/types.h"

enum sl_key_type { SL_KEY_NUMBER, SL_KEY_BOOL, SL_KEY_CHOICE };

struct sl_key {
  const char *name; /* dotted, lower case: "dram.latency" */
  enum sl_key_type type;
  size_t offset; /* offset of the uint32_t field in the spec */
  uint32_t least, greatest, fallback;
  bool power_of_two;
  const char *const *choices; /* for SL_KEY_CHOICE, NULL-terminated; the field holds the index */
  const char *unit;           /* "cycles", "bytes", "" */
  const char *meaning;        /* one sentence */
  const char *source;         /* paper section, published source, or "ours" */
};

struct sl_keys {
  const struct sl_key *key;
  size_t count;
};

/* Returns the key with that name, or NULL. */
const struct sl_key *sl_key_find(const struct sl_keys *keys, const char *name);

/* Returns the key that is nearest to an unknown name (base/error.h), for error messages; NULL: none is near. */
const struct sl_key *sl_key_nearest(const struct sl_keys *keys, const char *name);

/* Sets every field of the spec to its default. */
void sl_keys_defaults(const struct sl_keys *keys, void *spec);

/* Sets one field from text. Numbers are decimal or 0x hexadecimal; booleans are true/false/on/off/yes/no. SL_USAGE: the
 * sentence contains the nearest valid key, the range or the choices. */
enum sl_status sl_key_set(const struct sl_keys *keys, void *spec, const char *name, const char *value,
                          struct sl_error *err);

uint32_t sl_key_value(const struct sl_key *key, const void *spec);

/* Write a value in the user's notation, and the range ("1 to 64, power of two"), into text. */
void sl_key_format(const struct sl_key *key, uint32_t value, char *text, size_t size);
void sl_key_range(const struct sl_key *key, char *text, size_t size);

/* Parse an unsigned 64-bit decimal number; the first advances the text past it. */
bool sl_take_digits(const char **text, uint64_t *value);
bool sl_read_number(const char *text, uint64_t *value);

/* Macros for the rows of a key table. SPEC is the struct that the table describes; define it first.
 *   NUMBER(name, field, least, greatest, default, power of two, unit, meaning, source)
 *   BOOL(name, field, default, meaning, source)
 *   CHOICE(name, field, choices, default, meaning, source); choices is an array that ends with NULL */

#define NUMBER(name_, field, least_, greatest_, fallback_, pow2, unit_, meaning_, source_)                             \
  {                                                                                                                    \
    .name = name_, .type = SL_KEY_NUMBER, .offset = offsetof(SPEC, field), .least = least_, .greatest = greatest_,     \
    .fallback = fallback_, .power_of_two = pow2, .unit = unit_, .meaning = meaning_, .source = source_                 \
  }
#define BOOL(name_, field, fallback_, meaning_, source_)                                                               \
  {                                                                                                                    \
    .name = name_, .type = SL_KEY_BOOL, .offset = offsetof(SPEC, field), .greatest = 1, .fallback = fallback_,         \
    .unit = "", .meaning = meaning_, .source = source_                                                                 \
  }
#define CHOICE(name_, field, choices_, fallback_, meaning_, source_)                                                   \
  {                                                                                                                    \
    .name = name_, .type = SL_KEY_CHOICE, .offset = offsetof(SPEC, field),                                             \
    .greatest = sizeof(choices_) / sizeof(choices_)[0] - 2, .fallback = fallback_, .choices = choices_, .unit = "",    \
    .meaning = meaning_, .source = source_                                                                             \
  }

#endif
