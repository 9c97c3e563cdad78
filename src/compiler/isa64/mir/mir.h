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
#include "isa/isa.h"

/* Lexer of machine IR: splits a line of a function's body into tokens without copying. */

/* Opcodes of machine IR (mir_opcodes.def), by name, with their operand kinds. */
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

enum sl_mir_token_kind {
  SL_TOKEN_END,     /* end of the line */
  SL_TOKEN_WORD,    /* ADDI, implicit-def, debug-location */
  SL_TOKEN_NUMBER,  /* decimal or hexadecimal */
  SL_TOKEN_PERCENT, /* %0, %bb.3, %stack.1.name: the text after the sign */
  SL_TOKEN_DOLLAR,  /* $x10 */
  SL_TOKEN_AT,      /* @name: without quotes, escapes as they are */
  SL_TOKEN_AND,     /* &name: a function of the compiler's library */
  SL_TOKEN_STRING,  /* without quotes, escapes as they are */
  SL_TOKEN_EXCLAIM, /* !12, !DILocation(...) with the text in its parentheses */
  SL_TOKEN_SIGN,    /* , = ( ) [ ] : :: + - < > */
  SL_TOKEN_NONE     /* a character that starts no token */
};

struct sl_mir_token {
  enum sl_mir_token_kind kind;
  const char *start; /* the token's text as described above, not terminated */
  size_t length;
  int64_t number;
};

struct sl_mir_lexer {
  const char *at, *end;
  struct sl_mir_token token; /* the current one */
};

/* Returns a lexer at the first token of a line. */
struct sl_mir_lexer sl_mir_lexer(const char *line, size_t length);
void sl_mir_next(struct sl_mir_lexer *lexer);

/* Whether the current token is this word or sign; sl_mir_accept also advances if it is. */
bool sl_mir_is(const struct sl_mir_lexer *lexer, const char *text);
bool sl_mir_accept(struct sl_mir_lexer *lexer, const char *text);

/* Replaces the escapes \XX (two hexadecimal digits) and \\ of a token's text; returns the new length. */
size_t sl_mir_unescape(char *text, size_t length);

/* Converts decimal digits to a number; false if the text has other characters or the number exceeds 2^31. */
bool sl_mir_digits(const char *text, size_t length, uint32_t *number);

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

/* Parser of machine IR: documents and properties of functions (mir_parser.c), and function bodies (mir_body.c).
 *
 * The parser refuses a function with unknown elements and records the reason. Only text that is no machine IR at all is
 * an error. */

/* Reader for the first document of a machine IR text, the module's LLVM IR: linkage of symbols, and the source lines of
 * debug locations (LLVM Language Reference, "Specialized Metadata Nodes"). It ignores the rest of the IR. */

struct sl_mir_text_line {
  const char *start, *name; /* name: the symbol that the line declares */
  size_t length, name_length;
};

struct sl_mir_ir {
  struct sl_mir_text_line *symbol; /* sorted by name */
  size_t symbol_count;
  struct sl_mir_text_line *node; /* metadata by number; start NULL: none */
  uint32_t *file;                /* per node: 1 + index into the module's files, set on first use */
  size_t node_count, node_room;
};

/* The text must outlive *ir. */
enum sl_status sl_mir_ir_read(const char *text, size_t size, struct sl_mir_ir *ir, struct sl_error *err);
void sl_mir_ir_free(struct sl_mir_ir *ir);

/* Returns the IR line that declares or defines a symbol, or NULL. */
const struct sl_mir_text_line *sl_mir_ir_symbol(const struct sl_mir_ir *ir, const char *name, size_t length);

/* Whether a line has a keyword before the types: "private", "weak_odr". */
bool sl_mir_ir_says(const struct sl_mir_text_line *line, const char *word);

/* Returns the section="..." of a function's line, or length 0. */
struct sl_mir_token sl_mir_ir_section(const struct sl_mir_text_line *line);

/* Finds the source place of a debug location, "12" or "DILocation(...)"; for inlined code its own place, not the
 * call's. Line 0: unknown, and column 0. False: out of memory. */
bool sl_mir_ir_location(struct sl_mir_ir *ir, struct sl_mir_module *module, const struct sl_mir_token *location,
                        uint32_t *file, uint32_t *line, uint32_t *column);

struct sl_mir_parser {
  struct sl_mir_module *module;
  struct sl_mir_function *function; /* the current one */
  struct sl_mir_ir ir;
  struct sl_error *err;
};

/* Refuses the current function: SL_USAGE, or SL_INTERNAL if out of memory. Callers return the status up to the function
 * loop. */
enum sl_status sl_mir_refuse(struct sl_mir_parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Parses a body: blocks with their successors, and instructions. */
enum sl_status sl_mir_body(struct sl_mir_parser *parser, const char *text, size_t size);

/* Parses one operand with its flags. */
enum sl_status sl_mir_operand(struct sl_mir_parser *parser, struct sl_mir_lexer *lexer);

#endif
