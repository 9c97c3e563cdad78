/* Threads of a block of PTX as gdb sees them: lane l of warp w is thread 2 + 32 * w + l, where w is the warp's number
 * in events. */
#ifndef SL_DEBUG_PTX_VIEW_H
#define SL_DEBUG_PTX_VIEW_H

#include "debug/remote.h"
#include "program/program.h"
#include "ptx/run/ptx_block.h"

/* ---- registers (ptx_registers.c) --------------------------------------------------------------------------------- */

/* The registers of modules of PTX by their names in the text: those that an instruction writes. gdb sees each name
 * once, with the type of its declaration; the function of a lane decides which register the name is. */

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

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* Numbers of registers: pc, and the first register of PTX. */
enum { SL_PTX_VIEW_PC = 32, SL_PTX_VIEW_REGISTERS = 5000 };

/* Where the run has stopped. */
struct sl_ptx_view {
  const struct sl_ptx_block *block; /* NULL: nowhere */
  unsigned first;                   /* number in events of the block's first warp */
  uint64_t cycle;
  struct sl_ptx_registers *registers; /* of the module of the block */
  const struct sl_ptx_register_set *set;
};

/* The number of the view's block in its grid. */
uint64_t sl_ptx_view_number(const struct sl_ptx_block *block);

/* The warp of a thread; NULL: it is of no warp of the block. */
const struct sl_ptx_warp *sl_ptx_view_warp(const struct sl_ptx_view *view, unsigned thread);
unsigned sl_ptx_view_lane(unsigned thread);
unsigned sl_ptx_view_thread(const struct sl_ptx_view *view, const struct sl_ptx_warp *warp, unsigned lane);
bool sl_ptx_view_lives(const struct sl_ptx_view *view, uint64_t thread);

/* Where a lane goes on: the uppermost entry that has it; NULL: the lane has ended. */
const struct sl_simt_stack_entry *sl_ptx_view_entry(const struct sl_ptx_warp *warp, unsigned lane);

/* The number of a warp's next instruction over all modules; it must have one. */
uint64_t sl_ptx_view_place(const struct sl_ptx_warp *warp);

/* The address for gdb. */
uint64_t sl_ptx_view_pc(const struct sl_ptx_view *view, unsigned thread);

/* The stack that gdb sees, with the return addresses of the functions that the lane is in. Returns false if the address
 * is elsewhere. */
bool sl_ptx_view_stack(const struct sl_ptx_view *view, unsigned thread, uint64_t address, uint8_t *bytes, size_t size);

/* Reads a register by its number. Returns its bytes, 0: there is none. `view`: a struct sl_ptx_view. */
unsigned sl_ptx_view_register(const void *view, unsigned thread, uint64_t number, uint64_t *value);

/* Sets a register of PTX. Returns false if the lane has none of this number, or it is another register. */
bool sl_ptx_view_set_register(const struct sl_ptx_view *view, unsigned thread, uint64_t number, uint64_t value);

/* Memory at a generic address as the thread sees it: global memory, shared memory of the block, local memory of the
 * lane, and, unless it is to be written, constants. NULL: not all of it is there. */
uint8_t *sl_ptx_view_memory(const struct sl_ptx_view *view, unsigned thread, uint64_t address, uint64_t bytes,
                            bool writes);

/* The documents of qXfer:threads and qXfer:features. */
void sl_ptx_view_threads(const struct sl_ptx_view *view, struct sl_reply *to);
void sl_ptx_view_describe(const struct sl_ptx_view *view, struct sl_reply *to);

#endif
