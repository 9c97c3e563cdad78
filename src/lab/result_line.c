#include "lab/result_line.h"

#include <stdlib.h>
#include <string.h>

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

bool sl_result_put(json_t *result, FILE *file)
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
