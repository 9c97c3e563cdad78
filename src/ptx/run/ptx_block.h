/* A running block of a grid: its warps, their registers, and shared memory.
 *
 * A block object is created once per block slot, with memory for its warps. It is then started for one block of the
 * grid after another. */
#ifndef SL_PTX_RUN_PTX_BLOCK_H
#define SL_PTX_RUN_PTX_BLOCK_H

#include "convergence/simt_stack.h"
#include "ptx/run/ptx_lanes.h"
#include "ptx/run/ptx_memory.h"

struct sl_archive;
struct sl_ptx_linear;
struct sl_ptx_services; /* ptx/run/ptx_execute.h */

/* A launch: what all its blocks share. */
struct sl_ptx_launch {
  const struct sl_ptx_module *module;
  const struct sl_ptx_function *kernel;
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared;
  uint32_t regs_per_thread; /* for occupancy */
  uint8_t *params;          /* kernel->param_bytes, with zeros to the end of the last word */
  struct sl_ptx_memory *memory;
  const struct sl_ptx_services *services; /* functions of the host; NULL: none */
  uint32_t scheme, period;            /* of the groups of a warp (convergence/simt_stack.h); period 0: the SIMT stack */
  const struct sl_ptx_linear *linear; /* linear registers of `kernel` (ptx/run/ptx_linear.h); NULL: none */
  /* The original launch, executed beside this one and compared (ptx/run/ptx_execute.h); NULL: none. */
  const struct sl_ptx_launch *shadow;
  bool parallel; /* several host threads execute blocks: atomics must be the host's */
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
  SL_PTX_DYNAMIC_SMEM,
  SL_PTX_TOTAL_SMEM,
  SL_PTX_LANEMASK_EQ,
  SL_PTX_LANEMASK_LE,
  SL_PTX_LANEMASK_LT,
  SL_PTX_LANEMASK_GE,
  SL_PTX_LANEMASK_GT,
  SL_PTX_SPECIAL_COUNT
};

struct sl_ptx_block;
struct sl_ptx_effect;
struct sl_ptx_fault;
struct sl_ptx_late;             /* ptx/run/ptx_access.h */
struct sl_ptx_linear_registers; /* ptx/run/ptx_linear.h */
struct sl_ptx_shadow;           /* ptx/run/ptx_execute.h */

enum { SL_PTX_BLOCK_LINEAR = 16 /* linear registers of a kernel */ };

/* What each instruction needs, with the lowest entry of the stack, is in the first cache line: the warps of a large GPU
 * do not fit the host's caches. */
struct sl_ptx_warp {
  _Alignas(SL_CACHE_LINE) const struct sl_ptx_insn *code; /* of the module */
  uint8_t *area[3];                                       /* by enum sl_ptx_area */
  const struct sl_ptx_lane_ops *ops;
  bool special; /* groups take turns, or there are linear registers */
  struct sl_simt_stack stack;
  struct sl_ptx_block *block;
  unsigned index;     /* in the block */
  uint8_t phase;      /* enum sl_ptx_phase, with linear registers */
  uint32_t threads;   /* lanes with threads */
  uint32_t carry;     /* the condition code of add.cc etc., a bit per lane */
  uint32_t frame;     /* offset of the current level's frame */
  uint8_t *registers; /* of call level 0; the windows of the other levels lie below */
  uint8_t *local;     /* frames of the lanes, kernel->local_bytes each */
};
SL_HOLDS(SL_CACHE_LINE, offsetof(struct sl_ptx_warp, stack.entries[1]), "the fields that each instruction needs");

enum { SL_PTX_BARRIERS = 16 };

/* Reductions at barriers, by barrier. */
struct sl_ptx_votes {
  uint32_t warps[SL_PTX_BARRIERS];                         /* a bit per warp that waits with a predicate */
  uint32_t needed[SL_PTX_BARRIERS];                        /* warps; 0: all that live */
  uint32_t threads[SL_PTX_BARRIERS], set[SL_PTX_BARRIERS]; /* all of them, and those whose predicate holds */
  uint32_t lanes[SL_PTX_LANES];                            /* by warp: those that wait */
  uint32_t from[SL_PTX_LANES][SL_PTX_LANES];               /* by warp and lane: the pc of its instruction */
};

struct sl_ptx_block {
  const struct sl_ptx_launch *launch;
  uint32_t index[3];
  unsigned warp_count, warp_room; /* warps there are, warps that `warps` has room for */
  struct sl_ptx_warp *warps;
  struct sl_ptx_votes *votes;
  uint8_t *shared;
  uint32_t shared_bytes; /* static and dynamic */
  uint8_t *storage;
  size_t room;  /* bytes of the storage */
  size_t bytes; /* from `shared` on: shared memory, votes, then registers and frames of the warps */
  struct sl_ptx_linear_registers *linear; /* of the SM; NULL: the kernel has none */
  int64_t br[SL_PTX_BLOCK_LINEAR];
  struct sl_ptx_shadow *shadow; /* NULL: the block has none */
  /* Called before each instruction of a block with a shadow. False: *fault describes the difference. */
  bool (*follow)(const struct sl_ptx_warp *w, const struct sl_ptx_effect *effect, struct sl_ptx_fault *fault);
  struct sl_ptx_late *late; /* list of deferred accesses to global memory; NULL: accesses are performed at once */
};

/* Creates a block of a launch; it must be started before it runs. */
enum sl_status sl_ptx_block_create(struct sl_ptx_block *b, const struct sl_ptx_launch *launch, struct sl_error *err);
void sl_ptx_block_free(struct sl_ptx_block *b);

/* Starts block (x, y, z) of the grid on SM `sm`. Registers and shared memory are undefined (left unchanged). */
void sl_ptx_block_start(struct sl_ptx_block *b, const uint32_t index[3], unsigned sm, unsigned sms);

/* Checkpoints of the blocks of PTX grids, and of the linear registers of an SM. */

/* The functions of a launch's module that its kernel can reach. Blocks have the registers and frames of these
 * functions. */
struct sl_ptx_reach {
  const struct sl_ptx_launch *launch;
  bool *function; /* by number */
};

/* False: out of memory. */
bool sl_ptx_reach_find(struct sl_ptx_reach *reach, const struct sl_ptx_launch *launch);
void sl_ptx_reach_free(struct sl_ptx_reach *reach);

/* The state is restored into a newly created block; for a kernel with linear registers, the block must have those of
 * its SM. */
void sl_ptx_block_archive(struct sl_archive *archive, struct sl_ptx_block *block, const struct sl_ptx_reach *reach);

/* The same for the linear registers of an SM. */
void sl_ptx_linear_archive(struct sl_archive *archive, struct sl_ptx_linear_registers *registers);

#endif
