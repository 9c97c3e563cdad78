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
