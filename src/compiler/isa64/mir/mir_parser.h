/* Parser of machine IR: documents and properties of functions (mir_parser.c), and function bodies (mir_body.c).
 *
 * The parser refuses a function with unknown elements and records the reason. Only text that is no machine IR at all is
 * an error. */
#ifndef SL_BACKEND_MIR_PARSER_H
#define SL_BACKEND_MIR_PARSER_H

#include "compiler/isa64/mir/mir.h"

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
