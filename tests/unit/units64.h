/* Hand-made units of 64-bit words: functions from assembly, data from words. */
#ifndef SL_TESTS_UNITS64_H
#define SL_TESTS_UNITS64_H

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "compiler/isa64/assembler/assembler64.h"
#include "compiler/isa64/object64.h"

static inline struct sl_object64 make_unit(const char *name)
{
  return (struct sl_object64){.name = strdup(name)};
}

static inline struct sl_section64 *add_section(struct sl_object64 *unit, const char *name, uint32_t *index)
{
  const struct sl_section64 section = {.name = strdup(name), .alignment = 4};
  assert_int_equal(sl_object64_add_section(unit, &section, index, NULL), SL_OK);
  return &unit->sections[*index];
}

/* Defines a symbol that the unit may already use. */
static inline struct sl_symbol64 *define(struct sl_object64 *unit, const char *name, uint32_t section, uint32_t value,
                                         uint32_t size)
{
  uint32_t index;
  assert_int_equal(sl_object64_symbol(unit, name, &index, NULL), SL_OK);
  struct sl_symbol64 *symbol = &unit->symbols[index];
  symbol->section = section;
  symbol->value = value;
  symbol->size = size;
  return symbol;
}

/* A function in its own section, ".text.NAME". */
static inline struct sl_section64 *add_function(struct sl_object64 *unit, const char *name, const char *text)
{
  char section_name[64];
  snprintf(section_name, sizeof section_name, ".text.%s", name);
  uint32_t index;
  struct sl_section64 *section = add_section(unit, section_name, &index);
  struct sl_assembly64 assembly;
  struct sl_error err;
  if (sl_assemble64(text, unit, &assembly, &err) != SL_OK)
    fail_msg("%s", err.text);
  section->executable = true;
  section->alignment = SL_WIDE_BYTES;
  section->code = assembly.code;
  section->code_count = assembly.count;
  section->size = (uint32_t)assembly.count * SL_WIDE_BYTES;
  assembly.code = NULL;
  sl_assembly64_free(&assembly);
  define(unit, name, index, 0, section->size)->function = true;
  return section;
}

/* Data of that name in its own section; without words, `count` words of 0. */
static inline struct sl_section64 *add_data(struct sl_object64 *unit, const char *section_name, const char *name,
                                            const uint32_t *words, uint32_t count)
{
  uint32_t index;
  struct sl_section64 *section = add_section(unit, section_name, &index);
  section->writable = strncmp(section_name, ".rodata", 7) != 0;
  section->thread_local_data = strncmp(section_name, ".t", 2) == 0;
  section->size = 4 * count;
  if (words != NULL) {
    section->bytes = malloc(section->size);
    assert_non_null(section->bytes);
    memcpy(section->bytes, words, section->size);
  }
  define(unit, name, index, 0, section->size)->object = true;
  return section;
}

static inline void add_fix(struct sl_object64 *unit, struct sl_section64 *section, uint32_t offset, enum sl_fix64 fix,
                           const char *name, int32_t addend)
{
  uint32_t symbol;
  assert_int_equal(sl_object64_symbol(unit, name, &symbol, NULL), SL_OK);
  assert_true(SL_GROW(section->fixes, section->fix_count));
  section->fixes[section->fix_count++] = (struct sl_data_fix64){fix, offset, symbol, addend};
}

static inline void set_line(struct sl_object64 *unit, struct sl_section64 *section, size_t at, const char *file,
                            uint32_t line)
{
  assert_int_equal(sl_object64_file(unit, file, &section->code[at].file, NULL), SL_OK);
  section->code[at].line = line;
}

#endif
