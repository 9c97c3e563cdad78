#include "cli/run/launch_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

/* Copies the text up to the next separator outside of parentheses into `word`. Advances *text past it, or sets it to
 * NULL after the last. Returns false if the word does not fit. */
static bool next_piece(const char **text, char separator, char word[SL_LAUNCH_WORD])
{
  const char *at = *text;
  unsigned depth = 0;
  for (; *at != '\0' && (*at != separator || depth > 0); at++)
    depth += *at == '(' ? 1 : *at == ')' && depth > 0 ? -1u : 0;
  const size_t length = (size_t)(at - *text);
  if (length >= SL_LAUNCH_WORD)
    return false;
  memcpy(word, *text, length);
  word[length] = '\0';
  *text = *at == separator ? at + 1 : NULL;
  return true;
}

/* A number from 0 to 2^32 - 1 that fills the whole text. */
static bool whole_number(const char *text, uint32_t *value)
{
  char *end;
  errno = 0;
  const unsigned long long n = strtoull(text, &end, 0);
  *value = (uint32_t)n;
  return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 && n <= UINT32_MAX;
}

static enum sl_status take_size(const char *what, const char *text, uint32_t size[3], struct sl_error *err)
{
  const char *at = text;
  for (unsigned i = 0; i < 3; i++) {
    char *end;
    errno = 0;
    const unsigned long long n = isdigit((unsigned char)*at) ? strtoull(at, &end, 10) : UINT64_MAX;
    if (n > UINT32_MAX || errno != 0 || (*end != '\0' && (*end != 'x' || i == 2)))
      break;
    if (n == 0)
      return sl_fail(err, SL_USAGE, "%s=%.100s: a size of 0; every dimension is at least 1", what, text);
    size[i] = (uint32_t)n;
    if (*end == '\0')
      return SL_OK;
    at = end + 1;
  }
  return sl_fail(err, SL_USAGE, "%s=%.100s: a size is X, XxY or XxYxZ, as in %s=32x8", what, text, what);
}

/* Copies the text in the parentheses of "zero(...)" into `inside`. */
static bool call_of(const char *text, const char *function, char inside[SL_LAUNCH_WORD])
{
  const size_t name = strlen(function), length = strlen(text);
  if (strncmp(text, function, name) != 0 || text[name] != '(' || length < name + 2 || text[length - 1] != ')')
    return false;
  memcpy(inside, text + name + 1, length - name - 2);
  inside[length - name - 2] = '\0';
  return true;
}

static bool is_name(const char *text)
{
  size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return length > 0 && length < SL_LAUNCH_NAME && text[length] == '\0' && !isdigit((unsigned char)text[0]);
}

static bool take_buffer(const char *text, struct sl_argument *a)
{
  uint32_t size = 0;
  if (call_of(text, "file", a->text)) {
    a->kind = SL_ARGUMENT_FILE;
    return a->text[0] != '\0';
  }
  a->kind = call_of(text, "zero", a->text) ? SL_ARGUMENT_ZERO : SL_ARGUMENT_IOTA;
  if ((a->kind != SL_ARGUMENT_ZERO && !call_of(text, "iota", a->text)) || !whole_number(a->text, &size) || size == 0)
    return false;
  a->number = size;
  return a->kind == SL_ARGUMENT_ZERO || size <= UINT32_MAX / 4;
}

static bool take_number(const char *text, struct sl_argument *a)
{
  char *end;
  const char *digits = text + (text[0] == '-');
  if (!isdigit((unsigned char)digits[0]))
    return false;
  a->hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  errno = 0;
  if (a->hexadecimal || strpbrk(text, ".eE") == NULL) {
    a->kind = SL_ARGUMENT_INTEGER;
    const uint64_t magnitude = strtoull(digits, &end, a->hexadecimal ? 16 : 10);
    a->number = text[0] == '-' ? 0 - magnitude : magnitude;
    return *end == '\0' && errno == 0 && magnitude <= (text[0] == '-' ? UINT64_C(1) << 63 : UINT64_MAX);
  }
  a->kind = SL_ARGUMENT_FLOAT;
  a->value = strtod(text, &end);
  return *end == '\0';
}

static enum sl_status take_argument(const char *text, struct sl_argument *a, struct sl_error *err)
{
  *a = (struct sl_argument){0};
  const char *equals = strchr(text, '='), *open = strchr(text, '(');
  snprintf(a->text, sizeof a->text, "%s", text);
  if (equals != NULL && (open == NULL || equals < open)) {
    snprintf(a->name, sizeof a->name, "%.*s", (int)(equals - text), text);
    if (is_name(a->name) && take_buffer(equals + 1, a))
      return SL_OK;
  } else if (open != NULL ? take_buffer(text, a) : take_number(text, a))
    return SL_OK;
  else if (is_name(text)) {
    a->kind = SL_ARGUMENT_NAME;
    snprintf(a->name, sizeof a->name, "%.47s", text);
    return SL_OK;
  }
  return sl_fail(err, SL_USAGE,
                 "'%.200s' is no argument of a kernel: write a number (3, 0x1f, 2.5), a buffer (zero(BYTES), "
                 "iota(WORDS), file(PATH), with NAME= in front to use it again), or the name of one",
                 text);
}

static enum sl_status take_arguments(const char *text, struct sl_launch_text *launch, struct sl_error *err)
{
  char word[SL_LAUNCH_WORD];
  for (const char *at = text[0] != '\0' ? text : NULL; at != NULL;) {
    if (launch->argument_count == SL_LAUNCH_ARGUMENTS)
      return sl_fail(err, SL_USAGE, "more than %d arguments for a kernel", SL_LAUNCH_ARGUMENTS);
    if (!next_piece(&at, ':', word))
      return sl_fail(err, SL_USAGE, "an argument of a kernel is longer than %d characters", SL_LAUNCH_WORD - 1);
    if (take_argument(word, &launch->argument[launch->argument_count++], err) != SL_OK)
      return SL_USAGE;
  }
  return SL_OK;
}

static enum sl_status take_key(const char *key, const char *value, struct sl_launch_text *launch, struct sl_error *err)
{
  static const char *const keys[] = {"kernel", "grid", "block", "shared", "args"};
  if (strcmp(key, "grid") == 0)
    return take_size(key, value, launch->grid, err);
  if (strcmp(key, "block") == 0)
    return take_size(key, value, launch->block, err);
  if (strcmp(key, "args") == 0)
    return take_arguments(value, launch, err);
  if (strcmp(key, "shared") == 0)
    return whole_number(value, &launch->shared)
               ? SL_OK
               : sl_fail(err, SL_USAGE, "shared=%.100s: write a number of bytes", value);
  if (strcmp(key, "kernel") != 0)
    return sl_unknown(err, "key of a launch", key, keys, sizeof keys / sizeof keys[0]);
  if (!whole_number(value, &launch->entry))
    snprintf(launch->kernel, sizeof launch->kernel, "%s", value);
  return SL_OK;
}

enum sl_status sl_launch_text_parse(const char *text, struct sl_launch_text *launch, struct sl_error *err)
{
  char word[SL_LAUNCH_WORD];
  bool named = false;
  *launch = (struct sl_launch_text){0};
  for (const char *at = text; at != NULL;) {
    if (!next_piece(&at, ',', word))
      return sl_fail(err, SL_USAGE, "--launch: a key is longer than %d characters", SL_LAUNCH_WORD - 1);
    char *equals = strchr(word, '=');
    if (equals == NULL)
      return sl_fail(err, SL_USAGE, "--launch: '%.100s' has no value; a launch is kernel=NAME,grid=N,block=N,args=A:B",
                     word);
    *equals = '\0';
    named |= strcmp(word, "kernel") == 0 && equals[1] != '\0';
    if (take_key(word, equals + 1, launch, err) != SL_OK) {
      sl_error_prefix(err, "--launch: ");
      return SL_USAGE;
    }
  }
  const char *missing = !named ? "kernel" : launch->grid[0] == 0 ? "grid" : launch->block[0] == 0 ? "block" : NULL;
  return missing == NULL
             ? SL_OK
             : sl_fail(err, SL_USAGE, "--launch: %s= is missing; a launch is kernel=NAME,grid=N,block=N,args=A:B",
                       missing);
}
