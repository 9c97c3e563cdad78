#include "observe/trace/trace_about.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/html.h"

json_t *sl_about_series(const struct sl_machine *machine)
{
  json_t *series = json_pack("[{s:s},{s:s},{s:s}]", "name", "memory transactions", "name", "accesses that queue",
                             "name", "scratchpad bank conflicts");
  for (unsigned i = 0; i < machine->stages->count; i++) {
    char name[64];
    snprintf(name, sizeof name, "instructions in %s", machine->stages->stage[i].name);
    json_array_append_new(series, json_pack("{s:s}", "name", name));
  }
  return series;
}

json_t *sl_about_reasons(const struct sl_machine *machine)
{
  const struct sl_stall_reasons *causes = machine->causes;
  json_t *reasons = json_array();
  for (size_t i = 0; i < causes->count; i++) {
    const struct sl_colour colour = sl_palette_reason(causes->cause[i].kind);
    json_array_append_new(reasons, json_pack("{s:s, s:s, s:s, s:s, s:b}", "name", causes->cause[i].name, "meaning",
                                             causes->cause[i].meaning, "light", colour.light, "dark", colour.dark,
                                             "striped", (int)colour.striped));
  }
  return reasons;
}

json_t *sl_about_stages(const struct sl_machine *machine)
{
  const struct sl_stages *stages = machine->stages;
  json_t *names = json_array();
  for (unsigned i = 0; i < stages->count; i++)
    json_array_append_new(names,
                          json_pack("{s:s, s:s}", "name", stages->stage[i].name, "meaning", stages->stage[i].meaning));
  return names;
}

json_t *sl_about_file(const struct sl_trace_module *module, const char *path, unsigned first, unsigned last)
{
  enum { AROUND = 4 };
  const struct sl_source *kept = sl_trace_source(module, path);
  struct sl_source own = {0}, source;
  json_t *lines = json_array();
  if (kept == NULL)
    sl_source_read(&own, path, NULL);
  source = kept != NULL ? *kept : own;
  first = first > AROUND ? first - AROUND : 1;
  for (unsigned line = first; line <= last + AROUND; line++) {
    const char *text = sl_source_line(&source, line);
    json_t *string = text != NULL ? json_string(text) : NULL;
    if (text == NULL && line > source.count)
      break;
    json_array_append_new(lines, string != NULL ? string : json_string(""));
  }
  sl_source_free(&own);
  return json_pack("{s:s, s:i, s:o}", "name", path, "first", (int)first, "lines", lines);
}

static void append(struct sl_piece *text, const char *bytes, size_t size)
{
  if (!sl_piece_room(text, size))
    return;
  memcpy(text->bytes + text->count, bytes, size);
  text->count += size;
}

void sl_about_bytes(struct sl_piece *text, const char *bytes)
{
  append(text, bytes, strlen(bytes));
}

void sl_about_string(struct sl_piece *text, const char *string)
{
  append(text, "\"", 1);
  while (*string != '\0') {
    size_t plain = 0;
    while ((unsigned char)string[plain] >= 0x20 && string[plain] != '"' && string[plain] != '\\' &&
           string[plain] != '<')
      plain++;
    append(text, string, plain);
    string += plain;
    if (*string != '\0') {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*string++);
      append(text, escape, 6);
    }
  }
  append(text, "\"", 1);
}

void sl_about_number(struct sl_piece *text, int64_t number)
{
  char digits[24];
  size_t at = sizeof digits;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do
    digits[--at] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (number < 0)
    digits[--at] = '-';
  append(text, digits + at, sizeof digits - at);
}

void sl_about_next(struct sl_piece *text, int64_t number)
{
  sl_about_bytes(text, ",");
  sl_about_number(text, number);
}

json_t *sl_about_masks(const struct sl_numbers *numbers)
{
  enum { DIGITS = 17 }; /* and a blank */
  char *const text = malloc((numbers->count + 1) * DIGITS + 1);
  size_t n = 0;
  if (text == NULL)
    return NULL;
  text[0] = '\0';
  for (size_t i = 0; i < numbers->count; i++)
    n += (size_t)snprintf(text + n, DIGITS + 1, i == 0 ? "%" PRIx64 : " %" PRIx64, numbers->keys[i]);
  json_t *const masks = json_stringn_nocheck(text, n);
  free(text);
  return masks;
}

bool sl_about_write(json_t *description, const struct sl_piece *code, struct sl_trace_file *file)
{
  char *text = description != NULL ? json_dumps(description, JSON_COMPACT) : NULL;
  const bool whole = text != NULL && !code->lost;
  if (text != NULL)
    text[strlen(text) - 1] = '\0'; /* the bracket at its end */
  sl_trace_file_print(file, "<script type=\"application/json\" id=\"description\">");
  for (const char *rest = text; rest != NULL && *rest != '\0';) {
    const size_t plain = strcspn(rest, "<");
    sl_trace_file_write(file, rest, plain);
    rest += plain;
    if (*rest == '<') {
      sl_trace_file_write(file, "\\u003c", 6);
      rest++;
    }
  }
  sl_trace_file_print(file, ",\"code\":");
  sl_trace_file_write(file, code->bytes, code->count);
  sl_trace_file_print(file, "}</script>\n</body>\n</html>\n");
  free(text);
  json_decref(description);
  return whole;
}
