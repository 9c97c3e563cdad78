/* Parses functions and declarations: bodies, registers, variables with initial values, parameters; and places shared
 * variables. */
#ifndef SL_PTX_TEXT_PTX_DECLARE_H
#define SL_PTX_TEXT_PTX_DECLARE_H

#include "ptx/text/ptx_parser.h"

/* Parses the body of a function: declarations, labels, instructions. Starts after the opening brace, and consumes
 * the closing one. Registers are numbered from 0 in each function. */
bool sl_ptx_body_read(struct sl_ptx_parser *p);

/* Skips a directive without effect, or processes .loc and .file; false if it is none of these. */
bool sl_ptx_directive_skip(struct sl_ptx_parser *p);

/* After `.reg`, up to the semicolon. */
bool sl_ptx_declare_registers(struct sl_ptx_parser *p);

/* After `.global` etc., up to the semicolon. In a function, `.param` declares arguments of its calls. */
bool sl_ptx_declare_variable(struct sl_ptx_parser *p, enum sl_ptx_space space, bool is_extern);

/* A parameter after `.param`: its name, type and size. */
struct sl_ptx_declared {
  struct sl_ptx_token name;
  enum sl_ptx_type type;
  uint64_t bytes, align;
  bool open; /* name[], without a size */
  bool texture;
};
bool sl_ptx_declared_read(struct sl_ptx_parser *p, struct sl_ptx_declared *d);

/* Places shared variables that several functions may use: those of the module and of device functions. An entry has
 * room for the variables that it and the functions it calls use. Those of entries that never run together overlap. */

/* Reads on after a variable: its number, plus 1, or 0 for lack of memory. Sets the symbol's address. */
bool sl_ptx_shared_declare(struct sl_ptx_parser *p, struct sl_ptx_symbol *s, uint64_t align);

/* Notes that the current function uses a variable. */
bool sl_ptx_shared_use(struct sl_ptx_parser *p, const struct sl_ptx_symbol *s);

/* Where the variables of the current function's own begin. */
uint32_t sl_ptx_shared_base(const struct sl_ptx_parser *p);

/* Notes the constants with the address of dynamic shared memory that the function before used. */
bool sl_ptx_shared_end_function(struct sl_ptx_parser *p);

/* At the end of a pass: lays the variables out. The layout differs from the one that the text was read with: *layout is
 * the better one, which the caller frees, for another pass. */
bool sl_ptx_shared_improve(struct sl_ptx_parser *p, struct sl_ptx_shared_layout **layout);

/* At the end of the last pass: dynamic shared memory begins after the variables of an entry; if device functions use
 * it, after those of all entries that do. */
bool sl_ptx_shared_finish(struct sl_ptx_parser *p);

#endif
