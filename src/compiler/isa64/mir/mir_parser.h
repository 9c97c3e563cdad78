/* Parser of machine IR: documents and properties of functions (mir_parser.c), and function bodies (mir_body.c).
 *
 * The parser refuses a function with unknown elements and records the reason. Only text that is no machine IR at all is
 * an error. */
#ifndef SL_BACKEND_MIR_PARSER_H
#define SL_BACKEND_MIR_PARSER_H

#include "compiler/isa64/mir/mir.h"
#include "compiler/isa64/mir/mir_ir.h"

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
