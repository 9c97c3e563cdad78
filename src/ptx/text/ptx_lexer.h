/* Lexer for PTX text and for the arguments of launch scripts; tokens have line and column. */
#ifndef SL_PTX_TEXT_PTX_LEXER_H
#define SL_PTX_TEXT_PTX_LEXER_H

#include "base/types.h"

enum sl_ptx_token_kind {
  SL_PTX_T_END,
  SL_PTX_T_WORD,   /* add, %r1, $L__BB0_1 */
  SL_PTX_T_DOT,    /* .u32, without the dot */
  SL_PTX_T_NUMBER, /* 12, 0x1f, 0f3F800000, 1.5 */
  SL_PTX_T_STRING, /* without the quotes */
  SL_PTX_T_SIGN    /* one character */
};

struct sl_ptx_token {
  enum sl_ptx_token_kind kind;
  const char *text;
  size_t length;
  uint32_t line, column;
};

struct sl_ptx_lexer {
  const char *at, *end, *line_start;
  uint32_t line;
};

void sl_ptx_lexer_init(struct sl_ptx_lexer *x, const char *text, size_t length);

/* The next token. An unterminated comment consumes the rest of the text. */
struct sl_ptx_token sl_ptx_lexer_next(struct sl_ptx_lexer *x);

/* Skips the rest of the line. */
void sl_ptx_lexer_skip_line(struct sl_ptx_lexer *x);

/* Whether the token's text is `text`. */
bool sl_ptx_token_is(const struct sl_ptx_token *t, const char *text);

/* A literal as a number: bits of an integer, or of a double. */
struct sl_ptx_number {
  bool ok, real, single; /* single: written with 0f, `bits` has 32 bits */
  uint64_t bits;         /* of an integer, of a float, of a double */
};
struct sl_ptx_number sl_ptx_token_number(const struct sl_ptx_token *t);

#endif
