/* Reader for the first document of a machine IR text, the module's LLVM IR: linkage of symbols, and the source lines of
 * debug locations (LLVM Language Reference, "Specialized Metadata Nodes"). It ignores the rest of the IR. */
#ifndef SL_BACKEND_MIR_IR_H
#define SL_BACKEND_MIR_IR_H

#include "compiler/isa64/mir/mir.h"
#include "compiler/isa64/mir/mir_lexer.h"

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

#endif
