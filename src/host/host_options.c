#include "host/host_device.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/keys.h"
#include "host/runtimes.h"

extern char **environ;

enum kind { TEXT, NUMBER, MODE, RANGES };

struct row {
  const char *name;
  enum kind kind;
  size_t offset;
};

#define ROW(name, kind, member)                                                                                        \
  {                                                                                                                    \
    name, kind, offsetof(struct sl_host_options, member)                                                               \
  }
static const struct row rows[] = {
    ROW("MACHINE", TEXT, machine),
    ROW("DEVICES", TEXT, machine), /* the same, for what has several */
    ROW("SET", TEXT, set),
    ROW("MODE", MODE, mode),
    ROW("TIMED", RANGES, timed),
    ROW("THREADS", NUMBER, threads),
    ROW("MAX_CYCLES", NUMBER, max_cycles),
    ROW("LOG", NUMBER, log),
    ROW("CHECK", NUMBER, check),
    ROW("R2D2", NUMBER, r2d2),
    ROW("STATS", TEXT, stats),
    ROW("PROFILE", TEXT, profile),
    ROW("RECORD", TEXT, record),
    ROW("GDB", TEXT, gdb),
    ROW("GDB_PORT", NUMBER, gdb_port),
    ROW("TRACE", TEXT, trace),
    ROW("TRACE_FORMAT", TEXT, trace_format),
    ROW("TRACE_KERNEL", TEXT, trace_kernel),
    ROW("TRACE_CYCLES", TEXT, trace_cycles),
    ROW("TRACE_WARPS", TEXT, trace_warps),
    ROW("TRACE_SAMPLE", NUMBER, trace_sample),
    ROW("CHECK_SCHEDULE", NUMBER, check_schedule),
    ROW("CHECK_EQUAL", NUMBER, check_equal),
    ROW("CHECK_CHECKABLE", NUMBER, check_checkable),
    ROW("CHECK_NO_UNINITIALISED", NUMBER, check_no_uninitialised),
    ROW("CHECK_BARRIERS", NUMBER, check_barriers),
    ROW("CHECK_EXIT", NUMBER, check_exit),
    ROW("CHECK_JSON", TEXT, check_json),
    ROW("CHECK_SUPPRESS", TEXT, check_suppress),
    ROW("ENERGY", TEXT, energy),
    ROW("REGS", TEXT, regs),
    ROW("SAMPLE", TEXT, sample),
    ROW("CACHE", TEXT, cache),
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Takes "FIRST" or "FIRST-LAST". */
static bool take_range(const char **text, uint64_t *first, uint64_t *last)
{
  if (!sl_take_digits(text, first))
    return false;
  *last = *first;
  if (**text == '-' && ((*text)++, !sl_take_digits(text, last)))
    return false;
  return *first <= *last;
}

static bool are_ranges(const char *text)
{
  uint64_t first, last;
  do
    if (!take_range(&text, &first, &last))
      return false;
  while (*text++ == ',');
  return text[-1] == '\0';
}

bool sl_host_is_timed(const struct sl_host_options *options, uint64_t number)
{
  const char *text = options->timed;
  uint64_t first, last;
  if (*text == '\0')
    return strcmp(options->mode, "fast") != 0;
  do
    if (take_range(&text, &first, &last) && number >= first && number <= last)
      return true;
  while (*text++ == ',');
  return false;
}

static enum sl_status take(const struct row *row, struct sl_host_options *options, const char *prefix,
                           const char *value, struct sl_error *err)
{
  char *member = (char *)options + row->offset;
  if (row->kind == NUMBER)
    return sl_read_number(value, (uint64_t *)(void *)member)
               ? SL_OK
               : sl_fail(err, SL_USAGE, "%s%s takes a number, not '%.80s'", prefix, row->name, value);
  if (strlen(value) >= SL_HOST_TEXT)
    return sl_fail(err, SL_USAGE, "%s%s is longer than %d characters", prefix, row->name, SL_HOST_TEXT - 1);
  if (row->kind == MODE && strcmp(value, "timed") != 0 && strcmp(value, "fast") != 0)
    return sl_fail(err, SL_USAGE, "%s%s is timed or fast, not '%.80s'", prefix, row->name, value);
  if (row->kind == RANGES && !are_ranges(value))
    return sl_fail(err, SL_USAGE, "%s%s takes numbers of launches and ranges, such as 0,3-7, not '%.80s'", prefix,
                   row->name, value);
  strcpy(member, value);
  return SL_OK;
}

static const struct row *find(const char *name, size_t length)
{
  for (size_t i = 0; i < ROWS; i++)
    if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0)
      return &rows[i];
  return NULL;
}

static void warn_of(const char *name, size_t length, const char *prefix,
                    void (*warn)(void *context, const char *sentence), void *context)
{
  char word[64], sentence[300];
  struct sl_nearest nearest;
  snprintf(word, sizeof word, "%.*s", (int)length, name);
  sl_nearest_begin(&nearest, word);
  for (size_t i = 0; i < ROWS; i++)
    sl_nearest_offer(&nearest, rows[i].name);
  snprintf(sentence, sizeof sentence, "the variable %s%s is not known and has no effect%s%s%s", prefix, word,
           nearest.name != NULL ? "; the nearest is " : "", nearest.name != NULL ? prefix : "",
           nearest.name != NULL ? nearest.name : "");
  warn(context, sentence);
}

enum sl_status sl_host_options_read(struct sl_host_options *options, const char *prefix,
                                    void (*warn)(void *context, const char *sentence), void *context,
                                    struct sl_error *err)
{
  const size_t size = strlen(prefix);
  enum sl_status code = SL_OK;
  *options = (struct sl_host_options){.warn = warn, .context = context};
  for (char **variable = environ; *variable != NULL && code == SL_OK; variable++) {
    const char *equals = strchr(*variable, '=');
    if (equals == NULL || strncmp(*variable, prefix, size) != 0)
      continue;
    const char *name = *variable + size;
    const struct row *row = find(name, (size_t)(equals - name));
    if (row != NULL)
      code = take(row, options, prefix, equals + 1, err);
    else
      warn_of(name, (size_t)(equals - name), prefix, warn, context);
  }
  if (options->mode[0] == '\0') /* a checked program has no timing, unless it asks for it */
    strcpy(options->mode, options->check != 0 ? "fast" : "timed");
  return code;
}

/* ---- runtimes -------------------------------------------------------------------------------------------------- */

const struct sl_runtime sl_runtimes[SL_RUNTIMES] = {
#define RUNTIME(id, name_, prefix_, library_, finder_, is_path, trace_, riscv)                                         \
  [SL_RUNTIME_##id] = {.name = (name_),                                                                                \
                       .prefix = (prefix_),                                                                            \
                       .library = (library_),                                                                          \
                       .finder = (finder_),                                                                            \
                       .finder_is_path = (is_path),                                                                    \
                       .trace = (trace_),                                                                              \
                       .runs_riscv = (riscv)},
#include "host/runtimes.def"
#undef RUNTIME
};

const struct sl_runtime *sl_runtime(const char *name)
{
  for (size_t i = 0; i < SL_RUNTIMES; i++)
    if (strcmp(sl_runtimes[i].name, name) == 0)
      return &sl_runtimes[i];
  return NULL;
}

void sl_runtime_finder(const struct sl_runtime *runtime, const char *library, char *text, size_t size)
{
  const char *slash = strrchr(library, '/'), *before = getenv(runtime->finder);
  const int folder = slash != NULL ? (int)(slash - library) : 0;
  if (!runtime->finder_is_path)
    snprintf(text, size, "%s", library);
  else
    snprintf(text, size, "%.*s%s%s", folder, library, before != NULL ? ":" : "", before != NULL ? before : "");
}
