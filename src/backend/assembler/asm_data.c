#include "backend/assembler/asm_data.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "backend/assembler/asm_expression.h"

static const char push[] = ".pushsection", pop[] = ".popsection";

/* Returns the operands after a directive, if the statement is this directive. */
static const char *behind(const char *statement, const char *directive)
{
  const size_t length = strlen(directive);
  if (strncmp(statement, directive, length) != 0 ||
      (statement[length] != '\0' && !isspace((unsigned char)statement[length])))
    return NULL;
  return statement + length + strspn(statement + length, " \t");
}

bool sl_asm_is_data(const struct sl_asm_data *data, const char *statement, size_t length)
{
  return data->open || (length >= sizeof push - 1 && strncmp(statement, push, sizeof push - 1) == 0);
}

static enum sl_status append(const struct sl_asm_data *data, const void *bytes, size_t count, struct sl_error *err)
{
  struct sl_section64 *section = &data->object->sections[data->section];
  uint8_t *grown = realloc(section->bytes, section->size + count + 1);
  if (grown == NULL)
    return sl_no_memory(err, section->size + count);
  memcpy(grown + section->size, bytes, count);
  section->bytes = grown;
  section->size += (uint32_t)count;
  return SL_OK;
}

/* `name,"flags",...`: flags for code and for sections that are not loaded are rejected. */
static const char *begin(struct sl_asm_data *data, const char *operands, enum sl_status *status, struct sl_error *err)
{
  const size_t length = strcspn(operands, ", \t");
  const char *flags = strchr(operands, '"');
  const size_t flag_count = flags != NULL ? strcspn(flags + 1, "\"") : 0;
  if (data->open)
    return "the previous section is still open";
  if (length == 0 || flags == NULL || memchr(flags + 1, 'a', flag_count) == NULL ||
      memchr(flags + 1, 'x', flag_count) != NULL || memchr(flags + 1, 'T', flag_count) != NULL)
    return "only sections of data can be pushed, with flags such as \"a\" or \"aw\"";
  struct sl_section64 section = {
      .name = strndup(operands, length), .writable = memchr(flags + 1, 'w', flag_count) != NULL, .alignment = 4};
  *status = section.name != NULL ? sl_object64_add_section(data->object, &section, &data->section, err)
                                 : sl_no_memory(err, length);
  if (*status != SL_OK)
    free(section.name);
  data->open = *status == SL_OK;
  return NULL;
}

static bool escaped(char c, char *value)
{
  static const char from[] = "nt\"\\r", to[] = "\n\t\"\\\r";
  const char *at = c != '\0' ? strchr(from, c) : NULL;
  *value = at != NULL ? to[at - from] : '\0';
  return at != NULL;
}

static const char *text(const struct sl_asm_data *data, const char *operand, bool ends, enum sl_status *status,
                        struct sl_error *err)
{
  if (*operand++ != '"')
    return "a string is expected";
  for (; *operand != '"' && *status == SL_OK; operand++) {
    char c = *operand;
    if (c == '\\' && !escaped(*++operand, &c))
      return "the string has an escape other than \\n, \\t, \\r, \\\" and \\\\";
    if (c == '\0')
      return "the string has no end";
    *status = append(data, &c, 1, err);
  }
  if (*status == SL_OK && ends)
    *status = append(data, "", 1, err);
  return operand[*operand != '\0'] == '\0' ? NULL : "there is text after the string";
}

static const char *number(const struct sl_asm_data *data, const char *operand, size_t size, enum sl_status *status,
                          struct sl_error *err)
{
  uint32_t value;
  if (!sl_asm_number(operand, &value))
    return "a number is expected";
  *status = append(data, &value, size, err); /* both are little-endian, which rv32/elf_object.c asserts */
  return NULL;
}

/* Returns NULL, or the reason why the data is invalid. */
static const char *add(struct sl_asm_data *data, const char *statement, enum sl_status *status, struct sl_error *err)
{
  static const struct {
    const char *name;
    size_t size; /* 0: a string */
    bool ends;
  } kinds[] = {{".asciz", 0, true}, {".string", 0, true}, {".ascii", 0, false},
               {".word", 4, false}, {".half", 2, false},  {".byte", 1, false}};
  const char *operands = behind(statement, push);
  if (operands != NULL)
    return begin(data, operands, status, err);
  if (behind(statement, pop) != NULL) {
    data->open = false;
    return NULL;
  }
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    operands = behind(statement, kinds[i].name);
    if (operands != NULL)
      return kinds[i].size == 0 ? text(data, operands, kinds[i].ends, status, err)
                                : number(data, operands, kinds[i].size, status, err);
  }
  return "a data section holds only strings and numbers";
}

enum sl_status sl_asm_data_add(struct sl_asm_data *data, const char *statement, size_t length, struct sl_error *err)
{
  while (length > 0 && isspace((unsigned char)statement[length - 1]))
    length--;
  char *copy = strndup(statement, length);
  if (copy == NULL)
    return sl_no_memory(err, length + 1);
  enum sl_status status = SL_OK;
  const char *reason = add(data, copy, &status, err);
  if (reason != NULL)
    status = sl_fail(err, SL_USAGE, "inline assembly: \"%.200s\": %s", copy, reason);
  free(copy);
  return status;
}

enum sl_status sl_asm_data_label(const struct sl_asm_data *data, uint32_t *symbol, struct sl_error *err)
{
  const struct sl_symbol64 label = {
      .name = strdup(""), .section = data->section, .value = data->object->sections[data->section].size};
  if (label.name == NULL)
    return sl_no_memory(err, 1);
  const enum sl_status status = sl_object64_add_symbol(data->object, &label, symbol, err);
  if (status != SL_OK)
    free(label.name);
  return status;
}
