#include "compiler/isa64/mir/mir_opcodes.h"

#include <string.h>

static const struct {
  const char *name;
  uint8_t shape;
  uint16_t op;
} rows[SL_MIR_OP_COUNT] = {
#define OPCODE(name, shape, op) {#name, SL_SHAPE_##shape, SL_OP_##op},
#include "compiler/isa64/mir/mir_opcodes.def"
#undef OPCODE
};

/* A linear search over some hundred rows; the first letter excludes most of them. */
enum sl_mir_opcode sl_mir_opcode(const char *name, size_t length)
{
  for (unsigned i = 0; i < SL_MIR_OP_COUNT; i++)
    if (rows[i].name[0] == name[0] && strncmp(rows[i].name, name, length) == 0 && rows[i].name[length] == '\0')
      return (enum sl_mir_opcode)i;
  return SL_MIR_OP_COUNT;
}

enum sl_mir_shape sl_mir_shape(unsigned opcode)
{
  return (enum sl_mir_shape)rows[opcode].shape;
}

enum sl_op sl_mir_op(unsigned opcode)
{
  return (enum sl_op)rows[opcode].op;
}

const char *sl_mir_opcode_name(unsigned opcode)
{
  return rows[opcode].name;
}

unsigned sl_mir_ordering(unsigned opcode)
{
  const char *name = rows[opcode].name;
  const size_t n = strlen(name);
  const bool release = n > 3 && strcmp(name + n - 3, "_RL") == 0;
  return (strstr(name, "_AQ") != NULL ? 2u : 0u) | (release ? 1u : 0u);
}
