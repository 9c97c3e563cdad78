#include "compiler/isa64/object64_check.h"

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
