/* Parses declarations: registers, variables with initial values, parameters. */
#ifndef SL_PTX_TEXT_PTX_DECLARE_H
#define SL_PTX_TEXT_PTX_DECLARE_H

#include "ptx/text/ptx_parser.h"

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

#endif
