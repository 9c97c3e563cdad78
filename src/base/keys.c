#include "base/keys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

const struct sl_key *sl_key_find(const struct sl_keys *keys, const char *name)
{
  for (size_t i = 0; i < keys->count; i++)
    if (strcmp(keys->key[i].name, name) == 0)
      return &keys->key[i];
  return NULL;
}

/* A name without dots may be the last part of a dotted one: "latency" for "dram.latency". */
const struct sl_key *sl_key_nearest(const struct sl_keys *keys, const char *name)
{
  struct sl_nearest whole, part;
  sl_nearest_begin(&whole, name);
  sl_nearest_begin(&part, name);
  for (size_t i = 0; i < keys->count; i++) {
    const char *dot = strrchr(keys->key[i].name, '.');
    sl_nearest_offer(&whole, keys->key[i].name);
    if (dot != NULL && strchr(name, '.') == NULL)
      sl_nearest_offer(&part, dot + 1);
  }
  const bool better = part.name != NULL && (whole.name == NULL || part.distance < whole.distance);
  for (size_t i = 0; i < keys->count; i++) {
    const char *last = strrchr(keys->key[i].name, '.');
    if (better ? last != NULL && last + 1 == part.name : keys->key[i].name == whole.name)
      return &keys->key[i];
  }
  return NULL;
}

static void store(const struct sl_key *key, void *spec, uint32_t value)
{
  memcpy((char *)spec + key->offset, &value, sizeof value);
}

uint32_t sl_key_value(const struct sl_key *key, const void *spec)
{
  uint32_t value;
  memcpy(&value, (const char *)spec + key->offset, sizeof value);
  return value;
}

void sl_keys_defaults(const struct sl_keys *keys, void *spec)
{
  for (size_t i = 0; i < keys->count; i++)
    store(&keys->key[i], spec, keys->key[i].fallback);
}

static bool parse_bool(const char *text, uint32_t *value)
{
  static const char *const words[] = {"false", "true", "off", "on", "no", "yes", "0", "1"};
  for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcasecmp(text, words[i]) == 0) {
      *value = i & 1;
      return true;
    }
  return false;
}

static bool parse_choice(const struct sl_key *key, const char *text, uint32_t *value)
{
  for (uint32_t i = 0; key->choices[i] != NULL; i++)
    if (strcmp(key->choices[i], text) == 0) {
      *value = i;
      return true;
    }
  return false;
}

/* Accepts digits only: strtoull would accept signs, blanks and octal. A number too large for a field still parses. */
static bool parse_number(const char *text, uint64_t *value)
{
  unsigned base = 10;
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text += 2;
  }
  if (*text == '\0')
    return false;
  uint64_t sum = 0;
  for (; *text != '\0'; text++) {
    const char *digits = "0123456789abcdef";
    const char *digit = strchr(digits, *text >= 'A' && *text <= 'F' ? *text - 'A' + 'a' : *text);
    if (digit == NULL || (unsigned)(digit - digits) >= base)
      return false;
    if (sum <= UINT32_MAX)
      sum = sum * base + (unsigned)(digit - digits);
  }
  *value = sum;
  return true;
}

static bool in_range(const struct sl_key *key, uint64_t value)
{
  return value >= key->least && value <= key->greatest && (!key->power_of_two || value == 0 || sl_is_pow2(value));
}

static bool parse_value(const struct sl_key *key, const char *text, uint32_t *value)
{
  uint64_t number;
  switch (key->type) {
  case SL_KEY_BOOL: return parse_bool(text, value);
  case SL_KEY_CHOICE: return parse_choice(key, text, value);
  case SL_KEY_NUMBER:
    if (!parse_number(text, &number) || !in_range(key, number))
      return false;
    *value = (uint32_t)number;
    return true;
  }
  return false;
}

enum sl_status sl_key_set(const struct sl_keys *keys, void *spec, const char *name, const char *value,
                          struct sl_error *err)
{
  const struct sl_key *key = sl_key_find(keys, name);
  if (key == NULL) {
    const struct sl_key *nearest = sl_key_nearest(keys, name);
    return nearest != NULL
               ? sl_fail(err, SL_USAGE, "unknown key '%.80s'; did you mean '%s'?", name, nearest->name)
               : sl_fail(err, SL_USAGE, "unknown key '%.80s'; simtlab show MACHINE lists a machine's keys", name);
  }
  uint32_t number;
  if (!parse_value(key, value, &number)) {
    char range[160];
    sl_key_range(key, range, sizeof range);
    return sl_fail(err, SL_USAGE, "key '%s' cannot be '%.80s'; it takes %s", name, value, range);
  }
  store(key, spec, number);
  return SL_OK;
}

static bool is_address(const struct sl_key *key)
{
  return strcmp(key->unit, "address") == 0;
}

void sl_key_format(const struct sl_key *key, uint32_t value, char *text, size_t size)
{
  switch (key->type) {
  case SL_KEY_BOOL: snprintf(text, size, "%s", value != 0 ? "true" : "false"); break;
  case SL_KEY_CHOICE: snprintf(text, size, "%s", key->choices[value]); break;
  case SL_KEY_NUMBER: snprintf(text, size, is_address(key) ? "0x%08" PRIx32 : "%" PRIu32, value); break;
  }
}

static void format_choices(const struct sl_key *key, char *text, size_t size)
{
  size_t used = 0;
  for (size_t i = 0; key->choices[i] != NULL && used < size; i++) {
    const char *separator = i == 0 ? "" : key->choices[i + 1] == NULL ? " or " : ", ";
    int n = snprintf(text + used, size - used, "%s%s", separator, key->choices[i]);
    used += n > 0 ? (size_t)n : 0;
  }
}

void sl_key_range(const struct sl_key *key, char *text, size_t size)
{
  const char *power = key->power_of_two ? ", power of two" : "";
  switch (key->type) {
  case SL_KEY_BOOL: snprintf(text, size, "true or false"); break;
  case SL_KEY_CHOICE: format_choices(key, text, size); break;
  case SL_KEY_NUMBER:
    if (key->least == key->greatest)
      snprintf(text, size, "%" PRIu32 " only", key->least);
    else if (is_address(key))
      snprintf(text, size, "0x%" PRIx32 " to 0x%" PRIx32 "%s", key->least, key->greatest, power);
    else
      snprintf(text, size, "%" PRIu32 " to %" PRIu32 "%s", key->least, key->greatest, power);
    break;
  }
}

bool sl_take_digits(const char **text, uint64_t *value)
{
  char *end;
  if (**text < '0' || **text > '9')
    return false;
  errno = 0;
  *value = strtoull(*text, &end, 10);
  *text = end;
  return errno == 0;
}

bool sl_read_number(const char *text, uint64_t *value)
{
  return sl_take_digits(&text, value) && *text == '\0';
}
