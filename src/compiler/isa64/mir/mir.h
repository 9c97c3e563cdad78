/* Functions as LLVM 19 emits them before register allocation: machine IR of RV32 ("MIR", LLVM's MIR Language
 * Reference), from `llc-19 -O2 -stop-before=greedy`.
 *
 * At this point LLVM has selected and scheduled instructions, eliminated PHIs and coalesced copies. Registers are
 * virtual except those of the calling convention, and a virtual register may have several definitions. The reader keeps
 * the facts that code generation needs; of the debug information it keeps lines only. A function with unknown elements
 * is kept with the reason, so that the caller can compile it another way. */
#ifndef SL_BACKEND_MIR_H
#define SL_BACKEND_MIR_H

#include "base/error.h"
#include "base/types.h"
#include "compiler/isa64/mir/mir_lexer.h"

enum sl_mir_kind {
  SL_MIR_VIRTUAL,
  SL_MIR_PHYSICAL,    /* x0 to x31 */
  SL_MIR_FLOAT_STATE, /* $frm, $fflags */
  SL_MIR_NOTHING,     /* $noreg */
  SL_MIR_IMMEDIATE,
  SL_MIR_BLOCK,
  SL_MIR_STACK, /* object of the frame */
  SL_MIR_FIXED, /* object at a fixed offset from the caller's stack pointer */
  SL_MIR_CONSTANT,
  SL_MIR_JUMP_TABLE,
  SL_MIR_SYMBOL,
  SL_MIR_CALL_MASK, /* registers that a call preserves: those of the convention */
  SL_MIR_METADATA
};

enum sl_mir_flag {
  SL_MIR_DEF = 1,
  SL_MIR_IMPLICIT = 2,
  SL_MIR_EARLY = 4, /* written before the operands are read */
  SL_MIR_UNDEF = 8
};

/* Part of an address that the operand denotes. */
enum sl_mir_target {
  SL_MIR_PLAIN,
  SL_MIR_CALLED,
  SL_MIR_HIGH,
  SL_MIR_LOW,
  SL_MIR_TP_HIGH,
  SL_MIR_TP_LOW,
  SL_MIR_TP_ADD
};

struct sl_mir_operand {
  uint8_t kind, flags, target; /* the enumerations above */
  uint32_t number;             /* number of the register, block, object or text */
  int64_t value;               /* immediate, or offset from an object or symbol */
};

struct sl_mir_insn {
  uint16_t opcode; /* enum sl_mir_opcode */
  bool shared;     /* an access to address space 3 */
  uint32_t operand, operand_count;
  uint32_t file, line, column; /* of the source; 0: unknown */
};

struct sl_mir_edge {
  uint32_t block;
  double probability;
};

struct sl_mir_block {
  uint32_t insn, insn_count;
  uint32_t edge, edge_count;
};

enum sl_mir_object_kind { SL_MIR_FRAME_OBJECT, SL_MIR_FIXED_OBJECT, SL_MIR_DYNAMIC_OBJECT };

struct sl_mir_object {
  enum sl_mir_object_kind kind;
  int32_t offset; /* of fixed ones, from the stack pointer at entry */
  int32_t local;  /* below the top of the local frame: negative; 0: it is not in it */
  uint32_t size, alignment;
};

struct sl_mir_constant {
  uint8_t *bytes;
  uint32_t size, alignment;
};

struct sl_mir_table {
  uint32_t target, target_count; /* block numbers */
};

/* Arrays with their lengths; only the reader uses `..._room`. */
struct sl_mir_function {
  char *name, *section; /* section: NULL for the default section */
  char *refusal;        /* reason why there is no code, or NULL; if set, the members below are undefined */
  bool local, weak;
  bool frame_address_taken, variadic;
  uint32_t save_size;  /* bytes of arguments in registers that a variadic function stores */
  uint32_t local_size; /* of the local frame, in which instructions may reach one object from another; 0: none */
  uint32_t register_count;
  struct sl_mir_insn *insn;
  struct sl_mir_operand *operand;
  struct sl_mir_block *block;
  struct sl_mir_edge *edge;
  struct sl_mir_object *stack, *fixed;
  struct sl_mir_constant *constant;
  struct sl_mir_table *table;
  uint32_t *target;
  size_t insn_count, operand_count, block_count, edge_count, stack_count, fixed_count, constant_count, table_count,
      target_count;
  size_t stack_room, fixed_room;
};

struct sl_mir_module {
  struct sl_mir_function *function;
  size_t function_count;
  char **text; /* names of symbols, templates of inline assembly */
  size_t text_count;
  uint32_t *text_hash; /* hash table of texts: 1 + index, 0 for none; size is a power of two */
  size_t text_places;
  char **file; /* source files */
  size_t file_count;
};

/* Reads `size` bytes of machine IR. SL_USAGE: the text is no machine IR. */
enum sl_status sl_mir_read(const char *name, const char *text, size_t size, struct sl_mir_module *module,
                           struct sl_error *err);
void sl_mir_free(struct sl_mir_module *module);

/* Adds a text to the module if it is new and returns its number; UINT32_MAX: out of memory. */
uint32_t sl_mir_text(struct sl_mir_module *module, const char *text, size_t length);

#endif
