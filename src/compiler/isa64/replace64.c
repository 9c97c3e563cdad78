#include "compiler/isa64/replace64.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/isa64/object64.h"

/* Maps numbers of the compiled unit to numbers of the object. */
struct merge {
  struct sl_object64 *object, *compiled;
  uint32_t first_section; /* number of the first compiled section */
  uint32_t *symbol, *file;
};

static bool is_label(const char *name)
{
  return strncmp(name, ".L", 2) == 0;
}

static bool is_defined(const struct sl_object64 *object, uint32_t symbol)
{
  return object->symbols[symbol].section != SL_UNDEFINED64;
}

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

/* Adds a copy, with its own name, to the object. */
static enum sl_status add_copy(struct merge *m, const struct sl_symbol64 *from, uint32_t *index, struct sl_error *err)
{
  struct sl_symbol64 copy = *from;
  copy.name = strdup(from->name);
  if (copy.name == NULL)
    return sl_no_memory(err, strlen(from->name) + 1);
  if (copy.section < m->compiled->section_count)
    copy.section += m->first_section;
  const enum sl_status code = sl_object64_add_symbol(m->object, &copy, index, err);
  if (code != SL_OK)
    free(copy.name);
  return code;
}

static enum sl_status map_symbol(struct merge *m, uint32_t i, struct sl_error *err)
{
  const struct sl_symbol64 *from = &m->compiled->symbols[i];
  const bool own = is_defined(m->compiled, i) && is_label(from->name);
  if (!own && sl_object64_find(m->object, from->name, &m->symbol[i]))
    return SL_OK;
  return add_copy(m, from, &m->symbol[i], err);
}

static enum sl_status map_all(struct merge *m, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (uint32_t i = 0; i < m->compiled->symbol_count && code == SL_OK; i++)
    code = map_symbol(m, i, err);
  for (uint32_t i = 0; i < m->compiled->file_count && code == SL_OK; i++)
    code = sl_object64_file(m->object, m->compiled->files[i], &m->file[i], err);
  return code;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

/* An assembler may have replaced a reference to a function by its section and an offset. */
static bool means(const struct sl_object64 *object, uint32_t symbol, int32_t addend, const struct sl_symbol64 *function)
{
  const struct sl_symbol64 *s = &object->symbols[symbol];
  return s->name[0] == '\0' && s->section == function->section && s->value + (uint32_t)addend == function->value;
}

static void redirect(struct sl_object64 *object, size_t sections, uint32_t index)
{
  const struct sl_symbol64 *function = &object->symbols[index];
  for (size_t i = 0; i < sections; i++) {
    struct sl_section64 *section = &object->sections[i];
    for (size_t k = 0; k < section->code_count; k++) {
      struct sl_code64 *code = &section->code[k];
      if (code->fix == SL_FIX_NONE || !means(object, code->symbol, code->addend, function))
        continue;
      code->symbol = index;
      code->addend = 0;
    }
    for (size_t k = 0; k < section->fix_count; k++) {
      struct sl_data_fix64 *fix = &section->fixes[k];
      if (!means(object, fix->symbol, fix->addend, function))
        continue;
      fix->symbol = index;
      fix->addend = 0;
    }
  }
}

static void replace(struct merge *m, uint32_t i)
{
  struct sl_object64 *object = m->object;
  const struct sl_symbol64 *from = &m->compiled->symbols[i];
  struct sl_symbol64 *to = &object->symbols[m->symbol[i]];
  const uint32_t section = from->section + m->first_section;
  if (to->section == section)
    return;
  if (to->section < m->first_section)
    redirect(object, m->first_section, m->symbol[i]);
  to->section = section;
  to->value = from->value;
  to->size = from->size;
  to->function = from->function;
  to->object = from->object;
}

/* The new code joins the old code's group, so that another unit's group can replace both. */
static enum sl_status join_groups(struct merge *m, struct sl_error *err)
{
  for (uint32_t i = 0; i < m->compiled->symbol_count; i++) {
    const struct sl_symbol64 *from = &m->compiled->symbols[i], *to = &m->object->symbols[m->symbol[i]];
    if (!from->function || from->section >= m->compiled->section_count || to->section >= m->first_section)
      continue;
    const char *group = m->object->sections[to->section].group;
    struct sl_section64 *section = &m->compiled->sections[from->section];
    if (group == NULL || section->group != NULL)
      continue;
    section->group = strdup(group);
    if (section->group == NULL)
      return sl_no_memory(err, strlen(group) + 1);
  }
  return SL_OK;
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static void renumber(const struct merge *m, struct sl_section64 *section)
{
  for (size_t i = 0; i < section->code_count; i++) {
    struct sl_code64 *code = &section->code[i];
    if (code->fix != SL_FIX_NONE)
      code->symbol = m->symbol[code->symbol];
    if (code->line != 0)
      code->file = m->file[code->file];
  }
  for (size_t i = 0; i < section->fix_count; i++)
    section->fixes[i].symbol = m->symbol[section->fixes[i].symbol];
}

/* Cannot fail from here on. */
static void take_over(struct merge *m)
{
  struct sl_object64 *object = m->object, *compiled = m->compiled;
  for (size_t i = 0; i < compiled->section_count; i++) {
    renumber(m, &compiled->sections[i]);
    object->sections[m->first_section + i] = compiled->sections[i];
  }
  object->section_count = m->first_section + compiled->section_count;
  const size_t taken = compiled->section_count;
  compiled->section_count = 0;
  for (uint32_t i = 0; i < compiled->symbol_count; i++)
    if (compiled->symbols[i].section < taken && (compiled->symbols[i].function || !is_defined(object, m->symbol[i])))
      replace(m, i);
  sl_object64_free(compiled);
}

enum sl_status sl_object64_replace(struct sl_object64 *object, struct sl_object64 *compiled, struct sl_error *err)
{
  struct merge m = {.object = object, .compiled = compiled, .first_section = (uint32_t)object->section_count};
  if (sl_object64_check(compiled, err) != SL_OK)
    return SL_INTERNAL;
  m.symbol = calloc(compiled->symbol_count + 1, sizeof *m.symbol);
  m.file = calloc(compiled->file_count + 1, sizeof *m.file);
  const size_t count = object->section_count + compiled->section_count;
  struct sl_section64 *sections = realloc(object->sections, (count + 1) * sizeof *sections);
  if (sections != NULL)
    object->sections = sections;
  enum sl_status code = SL_OK;
  if (m.symbol == NULL || m.file == NULL || sections == NULL)
    code = sl_no_memory(err, (count + 1) * sizeof *sections);
  else
    code = map_all(&m, err);
  if (code == SL_OK)
    code = join_groups(&m, err);
  if (code == SL_OK)
    take_over(&m);
  free(m.symbol);
  free(m.file);
  return code;
}
