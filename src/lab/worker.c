#include "lab/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "lab/run/execute.h"
#include "observe/json.h"

/* ---- results on the pipe ----------------------------------------------------------------------------------------- */

/* The names, separated by blanks; the caller frees it. */
static char *join(const json_t *list)
{
  size_t size = 1, used = 0, i;
  json_t *name;
  json_array_foreach(list, i, name) size += json_string_length(name) + 1;
  char *text = malloc(size);
  if (text == NULL)
    return NULL;
  text[0] = '\0';
  json_array_foreach(list, i, name) used +=
      (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " " : "", json_string_value(name));
  return text;
}

static json_t *split(const char *text)
{
  json_t *list = json_array();
  for (size_t length; list != NULL && *text != '\0'; text += length + (text[length] == ' ')) {
    length = strcspn(text, " ");
    json_array_append_new(list, json_stringn(text, length));
  }
  return list;
}

/* Writes a result, which loses its keys and names. False: there is no memory, or nobody reads. */
static bool result_put(json_t *result, FILE *file)
{
  json_t *machine = json_object_get(result, "machine");
  char *keys = json_dumps(json_object_get(machine, "keys"), JSON_COMPACT),
       *names = join(json_object_get(result, "counters"));
  json_object_del(machine, "keys");
  json_object_del(result, "counters");
  const bool written = keys != NULL && names != NULL && fprintf(file, "%s\t%s\t", keys, names) > 0 &&
                       json_dumpf(result, file, JSON_COMPACT) == 0;
  free(keys);
  free(names);
  return written;
}

/* The names as a list; that of the last result if they are the same. */
static json_t *list_of(struct sl_counter_names *names, const char *text, size_t length)
{
  if (names->text == NULL || strncmp(names->text, text, length) != 0 || names->text[length] != '\0') {
    sl_counter_names_free(names);
    names->text = strndup(text, length);
    names->list = names->text != NULL ? split(names->text) : NULL;
  }
  return names->list;
}

json_t *sl_result_take(const char *line, struct sl_counter_names *names)
{
  const char *first = strchr(line, '\t'), *second = first != NULL ? strchr(first + 1, '\t') : NULL;
  json_t *result = second != NULL ? json_loads(second + 1, 0, NULL) : NULL;
  if (result == NULL)
    return NULL;
  json_t *keys = json_stringn_nocheck(line, (size_t)(first - line)),
         *list = list_of(names, first + 1, (size_t)(second - first - 1));
  if (keys != NULL && list != NULL && json_object_set_new(json_object_get(result, "machine"), "keys", keys) == 0 &&
      json_object_set(result, "counters", list) == 0)
    return result;
  json_decref(result);
  return NULL;
}

void sl_counter_names_free(struct sl_counter_names *names)
{
  free(names->text);
  json_decref(names->list);
  *names = (struct sl_counter_names){NULL, NULL};
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static enum sl_status work_on(struct sl_executor *executor, const char *line, bool lasting, FILE *out,
                              struct sl_error *err)
{
  json_error_t error;
  json_t *run = json_loads(line, 0, &error), *result = NULL;
  const char *hash = sl_run_text(run, "hash");
  enum sl_status code = SL_OK;
  if (run == NULL || hash[0] == '\0')
    code = sl_fail(err, SL_USAGE, "a line is no description of a run (%.100s)", error.text);
  else if (!sl_spool_has(executor->spool, hash))
    code = sl_execute(executor, run, &result, err);
  const bool quick = !lasting && result != NULL && json_number_value(json_object_get(result, "seconds")) < SL_QUICK_RUN;
  if (result != NULL && !quick)
    sl_json_put(&result, "megabytes", json_integer((json_int_t)sl_memory_taken()));
  if (quick)
    fputs("data ", out);
  if (quick && !result_put(result, out))
    code = sl_fail(err, SL_USAGE, "the sweep has ended");
  if (quick)
    json_decref(result);
  else if (result != NULL)
    code = sl_spool_write(executor->spool, result, lasting, err);
  if (quick)
    fputc('\n', out);
  else if (code == SL_OK)
    fprintf(out, "done %s\n", hash);
  else
    fprintf(out, "stop %s\n", err->text);
  json_decref(run);
  return fflush(out) != 0 && code == SL_OK ? sl_fail(err, SL_USAGE, "the sweep has ended") : code;
}

enum sl_status sl_work(FILE *in, FILE *out, const char *spool, bool lasting, const struct sl_lab_build *build,
                       struct sl_error *err)
{
  struct sl_executor executor;
  char *line = NULL;
  size_t size = 0;
  enum sl_status code = SL_OK;
  sl_executor_init(&executor, build, spool);
  while (code == SL_OK && getline(&line, &size, in) > 0)
    code = work_on(&executor, line, lasting, out, err);
  free(line);
  sl_executor_free(&executor);
  return code;
}
