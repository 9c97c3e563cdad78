/* Threads of a block of PTX as gdb sees them: lane l of warp w is thread 2 + 32 * w + l, where w is the warp's number
 * in events. */
#ifndef SL_DEBUG_PTX_VIEW_H
#define SL_DEBUG_PTX_VIEW_H

#include "base/schema.h"
#include "debug/remote.h"
#include "device/gpu.h"
#include "device/script.h"
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

/* Places in the run of a launch script of PTX, or of a launch of a host program, and how the debugger goes back to
 * them.
 *
 * A place is the number of events so far: a block that begins, or an instruction of a warp. A script counts them over
 * all launches, a host program in each. A GPU for PTX cannot go back itself. So the run ends, and is executed again,
 * from its beginning or from a checkpoint in memory, up to the wanted place. The run is deterministic. What the user
 * has changed is repeated.
 *
 * Checkpoints are `spacing` places apart; the spacing doubles when there are too many. A few more are near the place
 * that the run goes back to, since the user often goes back by small steps. */

/* Checkpoints of one launch of a host program: the GPU's memory, and the launch. The host program waits inside the call
 * that launches, so nothing else changes meanwhile, except for what `beside` archives. */

struct sl_ptx_rewind {
  struct sl_gpu *gpu; /* NULL: a launch script */
  /* What kernels change outside of the GPU's memory; its size does not depend on who asks. */
  void (*beside)(void *context, struct sl_archive *archive);
  void *context;
  bool kept;                 /* launches of this GPU can be archived */
  uint64_t cycles;           /* of the engine, before the launch */
  struct sl_archive archive; /* of the latest restore */
};

enum { SL_PTX_POINTS = 48, SL_PTX_NEAR_POINTS = 8, SL_PTX_NEVER = 0 };

struct sl_ptx_point {
  uint64_t place;
  void *bytes; /* NULL: the script's beginning */
  size_t size, sums;
};

/* A place, and a thread there. */
struct sl_ptx_spot {
  uint64_t place;
  unsigned launch;
  uint64_t block; /* number in the grid */
  unsigned warp, lane;
  bool any; /* the thread is that of the event */
};

struct sl_ptx_replay {
  struct sl_script_moment moment; /* of the present run */
  struct sl_script_restored restored;
  struct sl_ptx_rewind rewind; /* of a host program */
  uint64_t place, furthest, spacing;
  uint64_t target; /* the place that the run goes to; SL_PTX_NEVER: none */
  uint64_t from;   /* the present run began at this checkpoint */
  uint64_t ask;    /* the next run begins at a checkpoint before this place */
  struct sl_ptx_point point[SL_PTX_POINTS], near[SL_PTX_NEAR_POINTS];
  unsigned points, nears, next_near;
  char no_text[1];      /* of checkpoints */
  size_t sums, printed; /* checksums at this place, and those that the user has seen */
};

void sl_ptx_replay_open(struct sl_ptx_replay *replay);
void sl_ptx_replay_close(struct sl_ptx_replay *replay);

/* Before the script's first step, or the launch begins again: restores the latest checkpoint before the place `ask`. */
enum sl_status sl_ptx_replay_begin(struct sl_ptx_replay *replay, struct sl_gpu *gpu, struct sl_script_player *player,
                                   struct sl_error *err);

/* A launch of a host program begins: forgets all, and saves its beginning, without timing. */
void sl_ptx_replay_launch(struct sl_ptx_replay *replay);

/* Whether there is a beginning to go back to. */
bool sl_ptx_replay_goes_back(const struct sl_ptx_replay *replay);

/* The bounds' `reached`: saves a checkpoint if one is due. Sets the time of the next call. */
void sl_ptx_replay_reached(struct sl_ptx_replay *replay, const struct sl_ptx_under_way *launch, uint64_t now,
                           uint64_t *next);

/* A checksum: whether the user has not seen it yet. */
bool sl_ptx_replay_prints(struct sl_ptx_replay *replay);

/* The user has changed the state here: what comes later no longer counts. */
void sl_ptx_replay_written(struct sl_ptx_replay *replay);

/* What the user has changed in the run of a launch script: a run that is played again repeats it at the same place. */

struct sl_ptx_change {
  struct sl_ptx_spot spot;
  bool is_register;
  uint64_t at; /* number of the register, or address */
  size_t size;
  uint8_t *bytes;
};

struct sl_ptx_changes {
  struct sl_ptx_change *change; /* by place */
  size_t count;
};

/* Notes a change at a spot, which replaces all later ones. False: out of memory. */
bool sl_ptx_changes_add(struct sl_ptx_changes *changes, const struct sl_ptx_spot *spot, bool is_register, uint64_t at,
                        const void *bytes, size_t size);

/* Performs a change in the view, in which its block is. */
void sl_ptx_change_repeat(const struct sl_ptx_change *change, const struct sl_ptx_view *view);

void sl_ptx_changes_clear(struct sl_ptx_changes *changes);

#endif
