/* RISC-V threads on the SM7 core as the program sees them: registers, SIMT stack, shared and local memory, by block
 * slot of each SM; and what a launch is. It is the front end of the core (sm7_code.h).
 *
 * A launch is told by a block of memory that a0 of each thread points to: grid, block, bytes of the whole, bytes of
 * shared memory of a block, and behind them the kernel's arguments. Loads from it are those of parameters. The hardware
 * deals the blocks; a thread finds its place in CSRs, begins as if called from address 0, and ends by returning there
 * or by a command. Shared memory of its block is at the foot of the shared window, its stack ends at the top of the
 * address space. */
#ifndef SL_MACHINE_SM7_RV_WARPS_H
#define SL_MACHINE_SM7_RV_WARPS_H

#include "isa/code.h"
#include "isa/fp_lanes.h"
#include "isa/lanes.h"
#include "linear/linear_form.h"
#include "machine/machine.h"
#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/sm7_occupancy.h"
#include "mem/memory.h"
#include "ptx/run/ptx_stack.h"
#include "warp/blocks/stretches.h"

#define SL_SM7_RV_SHARED UINT32_C(0xe0000000)       /* the shared window begins, as runtime/simt_grid.h has it */
#define SL_SM7_RV_LOCAL_BYTES (UINT32_C(512) << 10) /* of a thread, below the top of the address space */
#define SL_SM7_RV_LOCAL (0u - SL_SM7_RV_LOCAL_BYTES)
#define SL_SM7_RV_STACK (0u - 16u) /* the stack pointer of a thread at its beginning */

#define SL_SM7_RV_CODE_WORDS (UINT32_C(256) << 8) /* there is room for */

/* The launch block's words, as runtime/simt_grid.h declares them; the arguments follow. */
struct sl_sm7_rv_launch {
  uint32_t grid[3], block[3];
  uint32_t bytes;         /* of the launch block */
  uint32_t shared_bytes;  /* of a block of threads */
  uint32_t shared_needed; /* left by a kernel whose shared memory does not fit */
};

/* Rows of a warp's registers: of threads, uniform ones, and sums that are being read (sm7_rv_linear.h). */
enum {
  SL_SM7_RV_REGISTERS = 32,
  SL_SM7_RV_UR = SL_SM7_RV_REGISTERS,
  SL_SM7_RV_SUM = SL_SM7_RV_UR + SL_LINEAR_MOST_URS,
  SL_SM7_RV_ROWS = SL_SM7_RV_SUM + SL_LINEAR_MOST_SUMS
};

/* Another form of a kernel, in words of code. */
struct sl_sm7_rv_form {
  struct sl_linear_form is;
  uint32_t entry, start[SL_LINEAR_FORM_PHASES], end;
  const char *damage; /* why it cannot be run, as a sentence; NULL: it can */
};

/* What an SM has once. */
struct sl_sm7_rv_linear_sm {
  uint32_t cr[SL_LINEAR_MOST_CRS + SL_LINEAR_SLICE]; /* the last slice may go beyond the last one */
  uint32_t *tr;                                      /* by register and lane of the block */
  bool begun;                                        /* a block of this launch has */
};

struct sl_sm7_rv_linear {
  uint64_t edition; /* of the code that the following is of */
  struct sl_sm7_rv_form *form;
  uint32_t forms;
  struct sl_insn *fused;               /* by word: a prefix, with the word behind it */
  const struct sl_sm7_rv_form *chosen; /* of the launch; NULL: it runs as it is */
  struct sl_sm7_demand demand;         /* of it */
  uint32_t updates;                    /* enum sl_sm7_ur */
  struct sl_sm7_rv_linear_sm *sm;
};

struct sl_sm7_rv_warp {
  struct sl_ptx_stack stack; /* its PCs are numbers of words of code */
  uint32_t *x;               /* registers x 32 lanes */
  uint8_t rows, phase;       /* that there is memory for; enum sl_sm7_phase_of_kernel */
  uint32_t *local;           /* words of the lanes, counted from the top of the stack down, side by side */
  uint32_t local_words;      /* of a lane that there is memory for */
  uint32_t fcsr;
};

struct sl_sm7_rv_block {
  uint32_t index[3];
  uint32_t br[SL_LINEAR_SLICE];
  uint8_t *shared;
};

struct sl_sm7_rv_shadow;

struct sl_sm7_rv {
  struct sl_code code;
  uint32_t *reconvergence;         /* by word */
  struct sl_sm7_instruction *fact; /* likewise */
  bool changed;                    /* code has been written since they were found */
  uint64_t edition;                /* of the code: another number whenever it has been written */
  struct sl_stretches stretches;   /* without timing */
  struct sl_sm7_rv_linear linear;
  struct sl_sm7_rv_shadow *shadow; /* NULL: none */
  struct sl_sm_environment environment;
  const struct sl_lane_ops *ops;
  const struct sl_fp_ops *fp;
  unsigned sms, warps; /* of an SM */
  struct sl_sm7_spec spec;
  /* The launch. */
  struct sl_sm7_rv_launch launch;
  uint32_t entry, closure;
  unsigned warps_per_block;
  struct sl_sm7_rv_warp *warp;   /* sms x warps */
  struct sl_sm7_rv_block *block; /* sms x block slots */
  uint32_t shared_room;          /* bytes that blocks have for their shared memory */
  bool timed;
  bool failed; /* a thread has ended without success */
  struct sl_fault fault;
};

/* Executes the next instruction of a warp, as the front end's `issue` does. */
typedef bool sl_sm7_rv_step(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                            struct sl_sm7_effect *effect);

/* Of a launch, see sm7_rv_shadow.h. */
struct sl_sm7_rv_shadow {
  struct sl_sm7_rv view; /* the launch, with the shadows' warps and no linear registers */
  sl_sm7_rv_step *step;
  bool met; /* the instruction under way is compared */
};
void sl_sm7_rv_free_shadow(struct sl_sm7_rv *rv);

enum sl_status sl_sm7_rv_init(struct sl_sm7_rv *rv, const struct sl_sm7_spec *spec,
                              const struct sl_sm_environment *environment, uint32_t code_base, unsigned isa_sets,
                              struct sl_error *err);
void sl_sm7_rv_free(struct sl_sm7_rv *rv);

/* False: no memory. */
bool sl_sm7_rv_write_code(struct sl_sm7_rv *rv, uint32_t index, uint32_t word);

/* What the core must know of the code as it is now. False: no memory. */
bool sl_sm7_rv_find_facts(struct sl_sm7_rv *rv);

/* Whether the launch has blocks, and such as an SM can hold, and begins at an instruction. */
bool sl_sm7_rv_can_launch(const struct sl_sm7_rv *rv);

/* Reads the launch block at `closure` and makes ready for the kernel. False: it cannot be run; see the fault. */
bool sl_sm7_rv_launch(struct sl_sm7_rv *rv, uint32_t entry, uint32_t closure);

static inline uint64_t sl_sm7_rv_blocks(const struct sl_sm7_rv *rv)
{
  return (uint64_t)rv->launch.grid[0] * rv->launch.grid[1] * rv->launch.grid[2];
}

static inline uint32_t sl_sm7_rv_threads(const struct sl_sm7_rv *rv)
{
  return rv->launch.block[0] * rv->launch.block[1] * rv->launch.block[2];
}

static inline unsigned sl_sm7_rv_number(const struct sl_sm7_rv *rv, unsigned sm, unsigned slot, unsigned warp)
{
  return sm * rv->warps + slot * rv->warps_per_block + warp;
}

/* What the launch needs of an SM. */
struct sl_sm7_demand sl_sm7_rv_demand(const struct sl_sm7_rv *rv);

/* Forms that were found in code that is another one now. */
void sl_sm7_rv_forget_forms(struct sl_sm7_rv *rv);

/* A warp of a block begins the kernel. False: no memory. */
bool sl_sm7_rv_begin_warp(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, unsigned warp);

/* Registers of a warp as threads find them. */
void sl_sm7_rv_reset(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, uint32_t lanes);

/* Rows that the registers of a warp have. */
static inline unsigned sl_sm7_rv_rows(const struct sl_sm7_rv *rv)
{
  return rv->linear.chosen != NULL ? SL_SM7_RV_ROWS : SL_SM7_RV_REGISTERS;
}

/* Words of coefficients and of thread registers that an SM has for the form that was chosen. */
static inline size_t sl_sm7_rv_thread_parts(const struct sl_sm7_rv *rv)
{
  return (size_t)rv->linear.chosen->is.trs * rv->warps_per_block * SL_SM7_LANES;
}

/* Lanes of a warp of a block that have threads. */
static inline uint32_t sl_sm7_rv_lanes_of(const struct sl_sm7_rv *rv, unsigned warp)
{
  const uint32_t left = sl_sm7_rv_threads(rv) - warp * SL_SM7_LANES;
  return (uint32_t)sl_low_bits(left < SL_SM7_LANES ? left : SL_SM7_LANES);
}

/* The front end's functions, of which `context` is a struct sl_sm7_rv; issue is in sm7_rv_execute.h. */
bool sl_sm7_rv_begin(void *context, unsigned sm, unsigned slot, uint64_t block);
uint32_t sl_sm7_rv_lanes(void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t *pc);

/* Who executes: a warp of a block in a block slot. */
struct sl_sm7_rv_place {
  unsigned sm, slot, warp;
};

/* Notes a fault of lanes of a warp at an instruction; returns false. */
bool sl_sm7_rv_fault(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, enum sl_fault_kind kind, uint32_t lanes,
                     uint32_t address);

/* The place of a lane of the warp in its block. */
void sl_sm7_rv_thread(const struct sl_sm7_rv *rv, unsigned warp, unsigned lane, uint32_t index[3]);

#endif
