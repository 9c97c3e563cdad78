/* Opcodes of machine IR (mir_opcodes.def), by name, with their operand kinds. */
#ifndef SL_BACKEND_MIR_OPCODES_H
#define SL_BACKEND_MIR_OPCODES_H

#include "isa/isa.h"

enum sl_mir_opcode {
#define OPCODE(name, shape, op) SL_MIR_OP_##name,
#include "compiler/isa64/mir/mir_opcodes.def"
#undef OPCODE
  SL_MIR_OP_COUNT
};

enum sl_mir_shape {
  SL_SHAPE_U,
  SL_SHAPE_I,
  SL_SHAPE_R,
  SL_SHAPE_R1,
  SL_SHAPE_RM,
  SL_SHAPE_R1M,
  SL_SHAPE_R4M,
  SL_SHAPE_LOAD,
  SL_SHAPE_STORE,
  SL_SHAPE_BRANCH,
  SL_SHAPE_AMO,
  SL_SHAPE_LR,
  SL_SHAPE_CSR,
  SL_SHAPE_CSRI,
  SL_SHAPE_FENCE,
  SL_SHAPE_FENCE_TSO,
  SL_SHAPE_NONE,
  SL_SHAPE_COPY,
  SL_SHAPE_JUMP,
  SL_SHAPE_RETURN,
  SL_SHAPE_CALL,
  SL_SHAPE_CALL_INDIRECT,
  SL_SHAPE_TAIL,
  SL_SHAPE_TAIL_INDIRECT,
  SL_SHAPE_JUMP_INDIRECT,
  SL_SHAPE_ADDRESS,
  SL_SHAPE_TP_ADDRESS,
  SL_SHAPE_STACK_DOWN,
  SL_SHAPE_STACK_UP,
  SL_SHAPE_UNDEFINED,
  SL_SHAPE_TRAP,
  SL_SHAPE_ASSEMBLY,
  SL_SHAPE_COMPARE_EXCHANGE,
  SL_SHAPE_LOOP_ATOMIC,
  SL_SHAPE_SKIP
};

/* Returns the opcode of that name, or SL_MIR_OP_COUNT. */
enum sl_mir_opcode sl_mir_opcode(const char *name, size_t length);

enum sl_mir_shape sl_mir_shape(unsigned opcode);
enum sl_op sl_mir_op(unsigned opcode);
const char *sl_mir_opcode_name(unsigned opcode);

/* Returns acquire and release as in struct sl_wide: bits 1 and 0. */
unsigned sl_mir_ordering(unsigned opcode);

#endif
