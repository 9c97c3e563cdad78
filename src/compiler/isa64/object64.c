#include "compiler/isa64/object64.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void sl_object64_free(struct sl_object64 *object)
{
  for (size_t i = 0; i < object->section_count; i++) {
    struct sl_section64 *section = &object->sections[i];
    free(section->name);
    free(section->group);
    free(section->code);
    free(section->bytes);
    free(section->fixes);
  }
  for (size_t i = 0; i < object->symbol_count; i++)
    free(object->symbols[i].name);
  for (size_t i = 0; i < object->file_count; i++)
    free(object->files[i]);
  free(object->sections);
  free(object->symbols);
  free(object->files);
  free(object->name);
  *object = (struct sl_object64){0};
}

enum sl_status sl_object64_add_section(struct sl_object64 *object, const struct sl_section64 *section, uint32_t *index,
                                       struct sl_error *err)
{
  if (!SL_GROW(object->sections, object->section_count))
    return sl_no_memory(err, 2 * object->section_count * sizeof *object->sections);
  *index = (uint32_t)object->section_count;
  object->sections[object->section_count++] = *section;
  return SL_OK;
}

enum sl_status sl_object64_add_symbol(struct sl_object64 *object, const struct sl_symbol64 *symbol, uint32_t *index,
                                      struct sl_error *err)
{
  if (!SL_GROW(object->symbols, object->symbol_count))
    return sl_no_memory(err, 2 * object->symbol_count * sizeof *object->symbols);
  *index = (uint32_t)object->symbol_count;
  object->symbols[object->symbol_count++] = *symbol;
  return SL_OK;
}

enum sl_status sl_object64_file(struct sl_object64 *object, const char *name, uint32_t *index, struct sl_error *err)
{
  for (size_t i = object->file_count; i-- > 0;)
    if (strcmp(object->files[i], name) == 0) {
      *index = (uint32_t)i;
      return SL_OK;
    }
  if (!SL_GROW(object->files, object->file_count))
    return sl_no_memory(err, 2 * object->file_count * sizeof *object->files);
  char *copy = strdup(name);
  if (copy == NULL)
    return sl_no_memory(err, strlen(name) + 1);
  *index = (uint32_t)object->file_count;
  object->files[object->file_count++] = copy;
  return SL_OK;
}

bool sl_object64_find(const struct sl_object64 *object, const char *name, uint32_t *index)
{
  bool found = false;
  for (size_t i = 0; i < object->symbol_count && name[0] != '\0'; i++) {
    const bool defined = object->symbols[i].section != SL_UNDEFINED64;
    if ((found && !defined) || strcmp(object->symbols[i].name, name) != 0)
      continue;
    *index = (uint32_t)i;
    found = true;
    if (defined)
      break;
  }
  return found;
}

enum sl_status sl_object64_symbol(struct sl_object64 *object, const char *name, uint32_t *index, struct sl_error *err)
{
  if (sl_object64_find(object, name, index))
    return SL_OK;
  char *copy = strdup(name);
  if (copy == NULL)
    return sl_no_memory(err, strlen(name) + 1);
  const struct sl_symbol64 symbol = {.name = copy, .section = SL_UNDEFINED64, .global = true};
  const enum sl_status code = sl_object64_add_symbol(object, &symbol, index, err);
  if (code != SL_OK)
    free(copy);
  return code;
}

static const char *wrong_code(const struct sl_object64 *object, const struct sl_section64 *section)
{
  if (section->size != section->code_count * SL_WIDE_BYTES)
    return "code whose size differs from that of its instructions";
  for (size_t i = 0; i < section->code_count; i++) {
    const struct sl_code64 *code = &section->code[i];
    if (code->insn.op == SL_OP_UNKNOWN || code->insn.op >= SL_OP_COUNT)
      return "an unknown instruction";
    if (code->fix > SL_FIX_TP_LOW || (code->fix != SL_FIX_NONE && code->symbol >= object->symbol_count))
      return "an instruction whose symbol does not exist";
    if (code->line != 0 && code->file >= object->file_count)
      return "an instruction whose source file does not exist";
  }
  return section->fix_count != 0 ? "relocations of data in code" : NULL;
}

static const char *wrong_data(const struct sl_object64 *object, const struct sl_section64 *section)
{
  for (size_t i = 0; i < section->fix_count; i++) {
    const struct sl_data_fix64 *fix = &section->fixes[i];
    if (fix->fix < SL_FIX_WORD || fix->fix > SL_FIX_SUB || fix->symbol >= object->symbol_count)
      return "data whose symbol does not exist";
    if (section->bytes == NULL || section->size < 4 || fix->offset > section->size - 4)
      return "a relocation past the end of its data";
  }
  return NULL;
}

static const char *wrong_section(const struct sl_object64 *object, const struct sl_section64 *section)
{
  if (section->name == NULL || section->alignment == 0 || (section->alignment & (section->alignment - 1)) != 0)
    return "a section without a name, or whose alignment is not a power of two";
  return section->executable ? wrong_code(object, section) : wrong_data(object, section);
}

static const char *wrong_symbol(const struct sl_object64 *object, const struct sl_symbol64 *symbol)
{
  if (symbol->name == NULL || (symbol->global && symbol->name[0] == '\0'))
    return "a global symbol without a name";
  if (symbol->section == SL_COMMON64)
    return !symbol->global || (symbol->value & (symbol->value - 1)) != 0
               ? "a common symbol that is local, or whose alignment is not a power of two"
               : NULL;
  if (symbol->section == SL_UNDEFINED64 || symbol->section == SL_ABSOLUTE64)
    return NULL;
  if (symbol->section >= object->section_count || symbol->value > object->sections[symbol->section].size)
    return "a symbol outside of its section";
  return NULL;
}

enum sl_status sl_object64_check(const struct sl_object64 *object, struct sl_error *err)
{
  const char *wrong = NULL;
  for (size_t i = 0; i < object->section_count && wrong == NULL; i++)
    wrong = wrong_section(object, &object->sections[i]);
  for (size_t i = 0; i < object->symbol_count && wrong == NULL; i++)
    wrong = wrong_symbol(object, &object->symbols[i]);
  return wrong == NULL ? SL_OK : sl_fail(err, SL_INTERNAL, "%.200s has %s", object->name, wrong);
}

/* ---- replacement of functions ------------------------------------------------------------------------------------ */

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
