/* The registers of modules of PTX by their names in the text: those that an instruction writes. gdb sees each name
 * once, with the type of its declaration; the function of a lane decides which register the name is. */
#ifndef SL_DEBUG_PTX_REGISTERS_H
#define SL_DEBUG_PTX_REGISTERS_H

#include "debug/packet.h"
#include "program/source.h"
#include "ptx/run/ptx_block.h"

enum { SL_PTX_REGISTER_NAME = 40, SL_PTX_REGISTERS_MOST = 1 << 15 };

/* A name, as all functions of a module, or of all modules, use it. */
struct sl_ptx_register_name {
  char text[SL_PTX_REGISTER_NAME]; /* as in the PTX */
  const char *type;                /* in gdb's target description */
  unsigned bits;
};

/* A register of a function. */
struct sl_ptx_function_register {
  uint32_t function, name; /* indices */
  struct sl_ptx_place place;
  uint8_t words; /* 0: a predicate */
  enum sl_ptx_type type;
};

struct sl_ptx_registers {
  const struct sl_ptx_module *module; /* of the present run */
  uint64_t code;                      /* instructions of the modules before it: another run has the same */
  struct sl_source source;
  struct sl_ptx_register_name *name;
  size_t names;
  struct sl_ptx_function_register *item; /* by function and name */
  size_t items;
  uint32_t *own; /* by gdb's numbers (sl_ptx_register_set): the index of the name here; UINT32_MAX: none */
};

/* Reads the PTX text of a module again. Without it, or without memory, there are no names. */
void sl_ptx_registers_read(struct sl_ptx_registers *registers, const struct sl_ptx_module *module);

void sl_ptx_registers_free(struct sl_ptx_registers *registers);

/* The registers of all modules. */
struct sl_ptx_register_set {
  struct sl_ptx_registers **of; /* by module */
  size_t count;
  struct sl_ptx_register_name *name; /* as gdb numbers them: those of the modules at sl_ptx_register_set_number */
  size_t names;
};

/* The registers of a module of the present run, which are read if they are not known. NULL: out of memory. */
struct sl_ptx_registers *sl_ptx_register_set_bind(struct sl_ptx_register_set *set, const struct sl_ptx_module *module);

/* Numbers the names of all modules so far. */
void sl_ptx_register_set_number(struct sl_ptx_register_set *set);
void sl_ptx_register_set_free(struct sl_ptx_register_set *set);

/* The text of an instruction, from its guard to before the semicolon. */
void sl_ptx_text(const struct sl_ptx_module *module, const struct sl_source *source, uint32_t pc, char *text,
                 size_t size);

/* The register of one of gdb's numbers in the function at pc; NULL: the function has none. */
const struct sl_ptx_function_register *sl_ptx_registers_find(const struct sl_ptx_registers *registers, uint32_t pc,
                                                             size_t number);

/* A lane's value; a signed type is extended to 64 bits. And sets it. */
uint64_t sl_ptx_register_value(const struct sl_ptx_warp *warp, const struct sl_ptx_function_register *r, unsigned lane);
void sl_ptx_register_set(const struct sl_ptx_warp *warp, const struct sl_ptx_function_register *r, unsigned lane,
                         uint64_t value);

/* Prints a lane's registers of the function at pc; `name`: only this one, if it is not empty. */
void sl_ptx_registers_print(const struct sl_ptx_registers *registers, const struct sl_ptx_warp *warp, unsigned lane,
                            uint32_t pc, const char *name, struct sl_reply *to);

#endif
