#include "observe/trace/trace_about.h"

#include <stdio.h>

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
