#include "compiler/isa64/link/link_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ALIASES = 16 };

struct sl_link_ref sl_link_resolve_global(const struct sl_link *link, uint32_t global)
{
  for (unsigned i = 0; link->globals[global].kind == SL_LINK_ALIAS && i < MOST_ALIASES; i++)
    global = link->globals[global].value;
  const struct sl_link_global *g = &link->globals[global];
  struct sl_link_ref ref = {.kind = g->kind, .value = g->value, .global = global, .weak = !g->wanted};
  if (g->kind == SL_LINK_ALIAS)
    ref.kind = SL_LINK_UNDEFINED;
  if (g->kind == SL_LINK_DEFINED) {
    const struct sl_symbol64 *symbol = &link->units[g->unit].object->symbols[g->symbol];
    ref.unit = g->unit;
    ref.section = symbol->section;
    ref.value = symbol->value;
  }
  return ref;
}

struct sl_link_ref sl_link_resolve(const struct sl_link *link, uint32_t unit, uint32_t symbol)
{
  const struct sl_link_unit *u = &link->units[unit];
  const struct sl_symbol64 *s = &u->object->symbols[symbol];
  if (u->global[symbol] != SL_LINK_NO_NAME) {
    struct sl_link_ref ref = sl_link_resolve_global(link, u->global[symbol]);
    ref.weak = s->weak;
    return ref;
  }
  struct sl_link_ref ref = {.unit = unit, .section = s->section, .value = s->value, .global = SL_LINK_NO_NAME};
  if (s->section == SL_ABSOLUTE64)
    ref.kind = SL_LINK_VALUE;
  else if (s->section < u->object->section_count && !u->sections[s->section].dropped)
    ref.kind = SL_LINK_DEFINED;
  else
    ref.kind = SL_LINK_UNDEFINED;
  return ref;
}

/* Returns the function at an offset of a section, else the section's name. */
static const char *function_at(const struct sl_object64 *object, uint32_t section, uint32_t offset)
{
  const struct sl_symbol64 *found = NULL;
  for (size_t i = 0; i < object->symbol_count; i++) {
    const struct sl_symbol64 *s = &object->symbols[i];
    if (s->section == section && !s->object && s->name[0] != '\0' && strncmp(s->name, ".L", 2) != 0 &&
        s->value <= offset && (found == NULL || s->value > found->value))
      found = s;
  }
  return found != NULL ? found->name : object->sections[section].name;
}

const char *sl_link_place(const struct sl_link *link, uint32_t unit, uint32_t section, uint32_t offset,
                          char text[SL_LINK_PLACE_SIZE])
{
  const struct sl_object64 *object = link->units[unit].object;
  const struct sl_section64 *in = &object->sections[section];
  const char *function = function_at(object, section, offset);
  const size_t at = offset / SL_WIDE_BYTES;
  if (at < in->code_count && in->code[at].line != 0 && in->code[at].file < object->file_count) {
    const char *path = object->files[in->code[at].file], *slash = strrchr(path, '/');
    snprintf(text, SL_LINK_PLACE_SIZE, "%.100s (%.80s:%" PRIu32 ") of %.100s", function,
             slash != NULL ? slash + 1 : path, in->code[at].line, object->name);
  } else
    snprintf(text, SL_LINK_PLACE_SIZE, "%.100s of %.100s", function, object->name);
  return text;
}

void sl_link_free(struct sl_link *link)
{
  for (size_t i = 0; i < link->unit_count; i++) {
    free(link->units[i].sections);
    free(link->units[i].global);
    if (link->units[i].own != NULL)
      sl_object64_free(link->units[i].own);
    free(link->units[i].own);
  }
  for (unsigned i = 0; i < SL_LINK_OUTPUTS; i++)
    free(link->spans[i].bytes);
  for (size_t i = 0; i < link->defsym_count; i++)
    free(link->defsyms[i]);
  free(link->defsyms);
  sl_link_names_free(&link->names);
  sl_link_names_free(&link->groups);
  free(link->group_unit);
  free(link->globals);
  free(link->units);
  free(link->pieces);
}
