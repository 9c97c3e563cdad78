#include "config/yaml.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/grow.h"

/* Files have a few dozen entries; the limit prevents quadratic time for hostile files. */
enum { MOST_ENTRIES = 1024 };

struct reader {
  yaml_parser_t parser;
  yaml_event_t event; /* the current one */
  const char *origin;
  struct sl_yaml *yaml;
  struct sl_error *err;
};

static size_t event_line(const struct reader *reader)
{
  return reader->event.start_mark.line + 1;
}

static enum sl_status fail_here(struct reader *reader, const char *sentence, const char *name)
{
  return sl_fail(reader->err, SL_USAGE, "%.200s:%zu: %s%s%.80s%s", reader->origin, event_line(reader), sentence,
                 name[0] != '\0' ? " (in '" : "", name, name[0] != '\0' ? "')" : "");
}

static enum sl_status next_event(struct reader *reader)
{
  yaml_event_delete(&reader->event);
  if (yaml_parser_parse(&reader->parser, &reader->event))
    return SL_OK;
  memset(&reader->event, 0, sizeof reader->event);
  const char *problem = reader->parser.problem != NULL ? reader->parser.problem : "the text cannot be read";
  return sl_fail(reader->err, SL_USAGE, "%.200s:%zu: not valid YAML: %.200s", reader->origin,
                 reader->parser.problem_mark.line + 1, problem);
}

/* Copies the current event's scalar as a string; returns false if it contains a zero byte or exceeds the buffer. */
static bool copy_scalar(const struct reader *reader, char *text, size_t size)
{
  const char *value = (const char *)reader->event.data.scalar.value;
  size_t length = reader->event.data.scalar.length;
  if (length >= size || memchr(value, '\0', length) != NULL)
    return false;
  memcpy(text, value, length);
  text[length] = '\0';
  return true;
}

static enum sl_status add_entry(struct reader *reader, const char *name)
{
  struct sl_yaml *yaml = reader->yaml;
  const struct sl_yaml_entry *first = sl_yaml_find(yaml, name);
  if (first != NULL)
    return sl_fail(reader->err, SL_USAGE, "%.200s:%zu: '%s' is given twice; the first time is line %zu", reader->origin,
                   event_line(reader), name, first->line);
  if (yaml->count == MOST_ENTRIES)
    return fail_here(reader, "too many entries", name);
  if (!SL_GROW(yaml->entries, yaml->count))
    return sl_no_memory(reader->err, (yaml->count + 1) * sizeof *yaml->entries);
  struct sl_yaml_entry *entry = &yaml->entries[yaml->count];
  if (!copy_scalar(reader, entry->value, sizeof entry->value))
    return fail_here(reader, "a value is too long or holds a zero byte", name);
  snprintf(entry->name, sizeof entry->name, "%s", name);
  entry->line = event_line(reader);
  yaml->count++;
  return SL_OK;
}

static enum sl_status read_mapping(struct reader *reader, const char *name);

/* Reads the value of a name: the current event and its children. */
static enum sl_status read_value(struct reader *reader, const char *name)
{
  switch (reader->event.type) {
  case YAML_SCALAR_EVENT: return add_entry(reader, name);
  case YAML_MAPPING_START_EVENT: return read_mapping(reader, name);
  case YAML_SEQUENCE_START_EVENT: return fail_here(reader, "a list, where a single value or a mapping belongs", name);
  case YAML_ALIAS_EVENT: return fail_here(reader, "an alias; write the value out", name);
  default: return fail_here(reader, "a value is missing", name);
  }
}

/* Reads from a mapping's start to its end; mappings within `keys` must not be empty. Each level lengthens the name, so
 * the depth is bounded. */
static enum sl_status read_mapping(struct reader *reader, const char *prefix)
{
  bool empty = true;
  for (;;) {
    enum sl_status code = next_event(reader);
    if (code != SL_OK)
      return code;
    if (reader->event.type == YAML_MAPPING_END_EVENT && empty && strchr(prefix, '.') != NULL)
      return fail_here(reader, "an empty mapping, where a value belongs", prefix);
    if (reader->event.type == YAML_MAPPING_END_EVENT)
      return SL_OK;
    empty = false;
    char name[SL_YAML_NAME], part[SL_YAML_NAME];
    if (reader->event.type != YAML_SCALAR_EVENT)
      return fail_here(reader, "a name must be a single word", prefix);
    if (!copy_scalar(reader, part, sizeof part) || part[0] == '\0')
      return fail_here(reader, "a name is empty, too long or holds a zero byte", prefix);
    int n = snprintf(name, sizeof name, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", part);
    if (n < 0 || (size_t)n >= sizeof name)
      return fail_here(reader, "a name is too long", prefix);
    code = next_event(reader);
    if (code == SL_OK)
      code = read_value(reader, name);
    if (code != SL_OK)
      return code;
  }
}

/* Reads one document whose root is a mapping; an empty file has no entries. */
static enum sl_status read_stream(struct reader *reader)
{
  enum sl_status code = next_event(reader);
  while (code == SL_OK &&
         (reader->event.type == YAML_STREAM_START_EVENT || reader->event.type == YAML_DOCUMENT_START_EVENT))
    code = next_event(reader);
  if (code != SL_OK || reader->event.type == YAML_STREAM_END_EVENT)
    return code;
  if (reader->event.type != YAML_MAPPING_START_EVENT)
    return fail_here(reader, "a configuration is a mapping of names to values, such as 'machine: simtight'", "");
  code = read_mapping(reader, "");
  if (code == SL_OK)
    code = next_event(reader); /* end of the document */
  if (code == SL_OK)
    code = next_event(reader);
  if (code == SL_OK && reader->event.type != YAML_STREAM_END_EVENT)
    return fail_here(reader, "a second document; a configuration is one", "");
  return code;
}

enum sl_status sl_yaml_read(struct sl_yaml *yaml, const char *origin, const char *text, size_t size,
                            struct sl_error *err)
{
  struct reader reader = {.origin = origin, .yaml = yaml, .err = err};
  *yaml = (struct sl_yaml){0};
  if (!yaml_parser_initialize(&reader.parser))
    return sl_no_memory(err, sizeof reader.parser);
  yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, size);
  enum sl_status code = read_stream(&reader);
  yaml_event_delete(&reader.event);
  yaml_parser_delete(&reader.parser);
  if (code != SL_OK)
    sl_yaml_free(yaml);
  return code;
}

void sl_yaml_free(struct sl_yaml *yaml)
{
  free(yaml->entries);
  *yaml = (struct sl_yaml){0};
}

const struct sl_yaml_entry *sl_yaml_find(const struct sl_yaml *yaml, const char *name)
{
  for (size_t i = 0; i < yaml->count; i++)
    if (strcmp(yaml->entries[i].name, name) == 0)
      return &yaml->entries[i];
  return NULL;
}

enum { LARGEST_FILE = 1 << 20 };

bool sl_is_file_name(const char *name)
{
  const char *dot = strrchr(name, '.');
  return strchr(name, '/') != NULL || (dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0));
}

enum sl_status sl_read_text(const char *path, char **text, size_t *size, struct sl_error *err)
{
  FILE *file = fopen(path, "rb");
  *text = NULL;
  if (file == NULL)
    return sl_fail(err, SL_USAGE, "%.200s: cannot be opened (%s)", path, strerror(errno));
  *text = malloc(LARGEST_FILE);
  if (*text == NULL) {
    fclose(file);
    return sl_no_memory(err, LARGEST_FILE);
  }
  enum sl_status code = SL_OK;
  *size = fread(*text, 1, LARGEST_FILE, file);
  if (ferror(file))
    code = sl_fail(err, SL_USAGE, "%.200s: cannot be read (%s)", path, strerror(errno));
  else if (*size == LARGEST_FILE)
    code = sl_fail(err, SL_USAGE, "%.200s: too large for a configuration", path);
  fclose(file);
  return code;
}

void sl_name_of_file(const char *path, char name[64])
{
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  size_t length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
  snprintf(name, 64, "%.*s", (int)(length < 63 ? length : 63), base);
}
