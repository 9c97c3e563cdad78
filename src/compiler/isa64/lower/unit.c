#include "compiler/isa64/lower/emit.h"

#include <string.h>

#include "base/grow.h"
#include "compiler/isa64/compile_mir.h"

bool sl_unit_init(struct sl_unit *unit, struct sl_object64 *object, struct sl_mir_module *module)
{
  for (size_t i = 0; i < module->function_count; i++)
    if (sl_mir_text(module, module->function[i].name, strlen(module->function[i].name)) == UINT32_MAX)
      return false;
  *unit = (struct sl_unit){.object = object, .module = module, .symbols = module->text_count};
  unit->symbol = sl_zeroed(unit->symbols, sizeof *unit->symbol);
  return unit->symbol != NULL;
}

void sl_unit_free(struct sl_unit *unit)
{
  free(unit->symbol);
  *unit = (struct sl_unit){0};
}

static uint32_t add_symbol(struct sl_unit *unit, const char *name, uint32_t section)
{
  struct sl_object64 *object = unit->object;
  char *copy = strdup(name);
  if (copy == NULL || !SL_GROW(object->symbols, object->symbol_count)) {
    free(copy);
    return UINT32_MAX;
  }
  object->symbols[object->symbol_count] =
      (struct sl_symbol64){.name = copy, .section = section, .global = section == SL_UNDEFINED64};
  return (uint32_t)object->symbol_count++;
}

/* Inline assembly adds symbols, too. */
static uint32_t find(const struct sl_object64 *object, const char *name)
{
  for (uint32_t i = 0; i < object->symbol_count; i++)
    if (strcmp(object->symbols[i].name, name) == 0)
      return i;
  return UINT32_MAX;
}

uint32_t sl_unit_symbol(struct sl_unit *unit, uint32_t text)
{
  if (unit->symbol[text] == 0) {
    uint32_t symbol = find(unit->object, unit->module->text[text]);
    if (symbol == UINT32_MAX)
      symbol = add_symbol(unit, unit->module->text[text], SL_UNDEFINED64);
    if (symbol == UINT32_MAX)
      return UINT32_MAX;
    unit->symbol[text] = symbol + 1;
  }
  return unit->symbol[text] - 1;
}

uint32_t sl_unit_label(struct sl_unit *unit, uint32_t section)
{
  return add_symbol(unit, "", section);
}

uint32_t sl_unit_section(struct sl_unit *unit, const struct sl_section64 *section)
{
  struct sl_object64 *object = unit->object;
  if (section->name == NULL || !SL_GROW(object->sections, object->section_count)) {
    free(section->name);
    free(section->code);
    free(section->bytes);
    free(section->fixes);
    return UINT32_MAX;
  }
  object->sections[object->section_count] = *section;
  return (uint32_t)object->section_count++;
}

void sl_unit_cut(struct sl_unit *unit, size_t sections, size_t symbols)
{
  struct sl_object64 *object = unit->object;
  while (object->section_count > sections) {
    struct sl_section64 *section = &object->sections[--object->section_count];
    free(section->name);
    free(section->code);
    free(section->bytes);
    free(section->fixes);
  }
  while (object->symbol_count > symbols)
    free(object->symbols[--object->symbol_count].name);
  for (size_t i = 0; i < unit->symbols; i++)
    if (unit->symbol[i] > symbols)
      unit->symbol[i] = 0;
}
