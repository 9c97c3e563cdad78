/* Lexer of machine IR: splits a line of a function's body into tokens without copying. */
#ifndef SL_BACKEND_MIR_LEXER_H
#define SL_BACKEND_MIR_LEXER_H

#include "base/types.h"
#include "isa/isa.h"

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

#endif
