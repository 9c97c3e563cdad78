/* Execution of PTX without time: blocks, warps, and one instruction at a time.
 *
 * A block is made once per place where blocks run (with memory for its warps), then started for one block of the grid
 * after another. sl_ptx_execute performs the instruction that is on top of a warp's stack on all its lanes, moves the
 * stack on, and tells what happened; functional runs and the timing model call the same function, the latter at issue.
 */
#ifndef SL_PTX_RUN_PTX_EXECUTE_H
#define SL_PTX_RUN_PTX_EXECUTE_H

#include "ptx/ptx.h"
#include "ptx/run/ptx_memory.h"
#include "ptx/run/ptx_stack.h"

/* A launch: what all its blocks share. */
struct sl_ptx_launch {
  const struct sl_ptx_module *module;
  const struct sl_ptx_function *kernel;
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared;
  uint8_t *params; /* kernel->param_bytes */
  struct sl_ptx_memory *memory;
};

/* Special registers: lanes in SL_PTX_SPECIALS, 128 bytes each, in this order. */
enum sl_ptx_special {
  SL_PTX_TID_X,
  SL_PTX_TID_Y,
  SL_PTX_TID_Z,
  SL_PTX_NTID_X,
  SL_PTX_NTID_Y,
  SL_PTX_NTID_Z,
  SL_PTX_CTAID_X,
  SL_PTX_CTAID_Y,
  SL_PTX_CTAID_Z,
  SL_PTX_NCTAID_X,
  SL_PTX_NCTAID_Y,
  SL_PTX_NCTAID_Z,
  SL_PTX_LANEID,
  SL_PTX_WARPID,
  SL_PTX_NWARPID,
  SL_PTX_SMID,
  SL_PTX_NSMID,
  SL_PTX_GRIDID,
  SL_PTX_LANEMASK_EQ,
  SL_PTX_LANEMASK_LE,
  SL_PTX_LANEMASK_LT,
  SL_PTX_LANEMASK_GE,
  SL_PTX_LANEMASK_GT,
  SL_PTX_SPECIAL_COUNT
};

struct sl_ptx_block;

struct sl_ptx_warp {
  struct sl_ptx_block *block;
  unsigned index;   /* in the block */
  uint32_t threads; /* lanes that exist */
  uint32_t carry;   /* the condition code of add.cc and the like, a bit per lane */
  uint8_t *area[3]; /* by enum sl_ptx_area */
  uint8_t *local;   /* frames of the lanes, kernel->local_bytes each */
  struct sl_ptx_stack stack;
};

struct sl_ptx_block {
  const struct sl_ptx_launch *launch;
  uint32_t index[3];
  unsigned warp_count;
  struct sl_ptx_warp *warps;
  uint8_t *shared;
  uint32_t shared_bytes; /* static and dynamic */
  uint8_t *storage;
};

/* What an instruction did. */
struct sl_ptx_effect {
  const struct sl_ptx_insn *insn;
  uint32_t pc;
  uint32_t issued; /* lanes of the top of the stack: what counts as executed thread instructions */
  uint32_t active; /* those whose guard holds */
  uint32_t taken;  /* lanes that branch */
  uint32_t exited;
  enum sl_ptx_space space;        /* of an access, generic addresses resolved (those of the lowest active lane) */
  uint32_t bytes;                 /* per lane and access: element bytes x elements */
  uint64_t address[SL_PTX_LANES]; /* in that space, of the active lanes; of local memory in the thread's frame */
  unsigned barrier;               /* number of a barrier */
  unsigned barrier_threads;       /* threads it waits for, 0: all of the block */
  bool arrives;                   /* bar.arrive: does not wait */
};

enum sl_ptx_fault_kind {
  SL_PTX_FAULT_NONE,
  SL_PTX_FAULT_ADDRESS,   /* outside memory */
  SL_PTX_FAULT_ALIGNMENT, /* no multiple of the bytes accessed */
  SL_PTX_FAULT_STACK,     /* the SIMT stack is full */
  SL_PTX_FAULT_TRAP,
  SL_PTX_FAULT_BARRIER /* warps wait at barriers that cannot open */
};

struct sl_ptx_fault {
  enum sl_ptx_fault_kind kind;
  uint32_t pc, lane, warp;
  uint32_t block[3];
  uint64_t address;
  enum sl_ptx_space space;
};

/* Makes a block of a launch; before it runs, it is started. */
enum sl_status sl_ptx_block_create(struct sl_ptx_block *b, const struct sl_ptx_launch *launch, struct sl_error *err);
void sl_ptx_block_free(struct sl_ptx_block *b);

/* Starts block (x, y, z) of the grid on SM `sm`: registers undefined (left as they are), shared memory too. */
void sl_ptx_block_start(struct sl_ptx_block *b, const uint32_t index[3], unsigned sm, unsigned sms);

/* Performs the next instruction of a warp that has lanes left, at time `clock` (what %clock reads). What lanes do is
 * visible at once. False: *fault says what went wrong. */
bool sl_ptx_execute(struct sl_ptx_warp *w, uint64_t clock, struct sl_ptx_effect *effect, struct sl_ptx_fault *fault);

/* The sentence of a fault: kernel, block, thread, PTX line and source line. */
enum sl_status sl_ptx_fault_text(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *fault,
                                 struct sl_error *err);

#endif
