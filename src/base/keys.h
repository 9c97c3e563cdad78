/* Typed configuration keys: a table of name, type, range, default, unit, meaning and source, and the struct of
 * uint32_t fields it describes. Everything that reads, sets, checks or lists configuration goes through the table. */
#ifndef SL_BASE_KEYS_H
#define SL_BASE_KEYS_H

#include "base/error.h"
#include "base/types.h"

enum sl_key_type { SL_KEY_NUMBER, SL_KEY_BOOL, SL_KEY_CHOICE };

struct sl_key {
  const char *name; /* dotted, lower case: "dram.latency" */
  enum sl_key_type type;
  size_t offset; /* of the uint32_t field in the specification struct */
  uint32_t least, greatest, fallback;
  bool power_of_two;
  const char *const *choices; /* of a SL_KEY_CHOICE, NULL-terminated; the field holds the index */
  const char *unit;           /* "cycles", "bytes", "" */
  const char *meaning;        /* one sentence */
  const char *source;         /* paper section, published source, or "ours" */
};

struct sl_keys {
  const struct sl_key *key;
  size_t count;
};

/* The key of that name, or NULL. */
const struct sl_key *sl_key_find(const struct sl_keys *keys, const char *name);

/* The key that a name that is none was probably meant to be (base/nearest.h), for error messages; NULL: none is near.
 */
const struct sl_key *sl_key_nearest(const struct sl_keys *keys, const char *name);

/* Sets every field of the specification to its default. */
void sl_keys_defaults(const struct sl_keys *keys, void *spec);

/* Sets one field from text; numbers are decimal or 0x hexadecimal, booleans true/false/on/off/yes/no. SL_USAGE with the
 * nearest valid key, the range or the choices in the sentence. */
enum sl_status sl_key_set(const struct sl_keys *keys, void *spec, const char *name, const char *value,
                          struct sl_error *err);

uint32_t sl_key_value(const struct sl_key *key, const void *spec);

/* The value as the user would write it, and the range ("1 to 64, power of two"), into text. */
void sl_key_format(const struct sl_key *key, uint32_t value, char *text, size_t size);
void sl_key_range(const struct sl_key *key, char *text, size_t size);

#endif
