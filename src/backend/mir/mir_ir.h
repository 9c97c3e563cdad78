/* What a text of machine IR says in its first document, the module's LLVM IR: the linkage of symbols, and the source
 * lines behind the numbers of debug locations (LLVM Language Reference, "Specialized Metadata Nodes"). Nothing else of
 * the IR is looked at. */
#ifndef SL_BACKEND_MIR_IR_H
#define SL_BACKEND_MIR_IR_H

#include "backend/mir/mir.h"
#include "backend/mir/mir_lexer.h"

struct sl_mir_text_line {
  const char *start, *name; /* name: of the symbol that the line declares */
  size_t length, name_length;
};

struct sl_mir_ir {
  struct sl_mir_text_line *symbol; /* by name */
  size_t symbol_count, symbol_room;
  struct sl_mir_text_line *node; /* metadata by number; start NULL: none */
  uint32_t *file;                /* 1 + index into the module's files of nodes that have been asked for */
  size_t node_count, node_room;
};

/* The text must live as long. */
enum sl_status sl_mir_ir_read(const char *text, size_t size, struct sl_mir_ir *ir, struct sl_error *err);
void sl_mir_ir_free(struct sl_mir_ir *ir);

/* The line of the IR that declares or defines a symbol, or NULL. */
const struct sl_mir_text_line *sl_mir_ir_symbol(const struct sl_mir_ir *ir, const char *name, size_t length);

/* Whether a line has a word in front of the types: "private", "weak_odr". */
bool sl_mir_ir_says(const struct sl_mir_text_line *line, const char *word);

/* The section="..." of a function's line, or length 0. */
struct sl_mir_token sl_mir_ir_section(const struct sl_mir_text_line *line);

/* The place in the source of a debug location, "12" or "DILocation(...)"; of inlined code its own, not the call's.
 * False without memory. What the metadata do not tell is line 0. */
bool sl_mir_ir_location(struct sl_mir_ir *ir, struct sl_mir_module *module, const struct sl_mir_token *location,
                        uint32_t *file, uint32_t *line);

#endif
