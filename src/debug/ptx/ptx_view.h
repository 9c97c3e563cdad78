/* Threads of a block of PTX as gdb sees them: lane l of warp w is thread 2 + 32 * w + l, where w is the warp's number
 * in events. */
#ifndef SL_DEBUG_PTX_VIEW_H
#define SL_DEBUG_PTX_VIEW_H

#include "debug/ptx/ptx_registers.h"

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
