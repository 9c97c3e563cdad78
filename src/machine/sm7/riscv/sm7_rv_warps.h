/* Architectural state of RISC-V threads on the SM7 core: registers, SIMT stack, shared and local memory, by block slot
 * of each SM; and the launch. It is a front end of the core (sm7_code.h).
 *
 * A launch block in memory describes a launch; a0 of each thread points to it. It holds grid, block, its total bytes,
 * the bytes of shared memory per block, and then the kernel's arguments. Loads from it count as parameter loads. The
 * hardware distributes the blocks. A thread reads its position from CSRs, begins as if called from address 0, and ends
 * by returning there or by a command. The block's shared memory is at the bottom of the shared window; the thread's
 * stack ends at the top of the address space. */
#ifndef SL_MACHINE_SM7_RV_WARPS_H
#define SL_MACHINE_SM7_RV_WARPS_H

#include "compiler/linear/linear_form.h"
#include "convergence/simt_stack.h"
#include "func/blocks/basic_blocks.h"
#include "isa/code.h"
#include "isa/fp.h"
#include "isa/isa.h"
#include "isa/lanes.h"
#include "machine/machine.h"
#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/sm7_code.h"
#include "machine/sm7/sm7_spec.h"
#include "mem/memory.h"

#define SL_SM7_RV_SHARED UINT32_C(0xe0000000)       /* start of the shared window, as in runtime/simt_grid.h */
#define SL_SM7_RV_LOCAL_BYTES (UINT32_C(512) << 10) /* of a thread, below the top of the address space */
#define SL_SM7_RV_LOCAL (0u - SL_SM7_RV_LOCAL_BYTES)
#define SL_SM7_RV_STACK (0u - 16u) /* initial stack pointer of a thread */

#define SL_SM7_RV_CODE_WORDS (UINT32_C(256) << 8) /* capacity */

/* The launch block's words, as runtime/simt_grid.h declares them; the arguments follow. */
struct sl_sm7_rv_launch {
  uint32_t grid[3], block[3];
  uint32_t bytes;         /* of the launch block */
  uint32_t shared_bytes;  /* of a block of threads */
  uint32_t shared_needed; /* left by a kernel whose shared memory does not fit */
};

/* Rows of a warp's registers: thread registers, uniform registers, and sums being read (sm7_rv_linear.c). */
enum {
  SL_SM7_RV_REGISTERS = 32,
  SL_SM7_RV_UR = SL_SM7_RV_REGISTERS,
  SL_SM7_RV_SUM = SL_SM7_RV_UR + SL_LINEAR_MOST_URS,
  SL_SM7_RV_ROWS = SL_SM7_RV_SUM + SL_LINEAR_MOST_SUMS
};

/* A variant of a kernel, in words of code. */
struct sl_sm7_rv_form {
  struct sl_linear_form is;
  uint32_t entry, start[SL_LINEAR_FORM_PHASES], end;
  const char *damage; /* why it cannot run, as a sentence; NULL: it can */
};

/* Linear registers that an SM holds once. */
struct sl_sm7_rv_linear_sm {
  uint32_t cr[SL_LINEAR_MOST_CRS + SL_LINEAR_SLICE]; /* the last slice may extend beyond the last coefficient */
  uint32_t *tr;                                      /* by register and lane of the block */
  bool begun;                                        /* a block of this launch has begun */
};

struct sl_sm7_rv_linear {
  uint64_t edition; /* of the code that the following describes */
  struct sl_sm7_rv_form *form;
  uint32_t forms;
  struct sl_insn *fused;               /* by word: a prefix fused with the word after it */
  const struct sl_sm7_rv_form *chosen; /* of the launch; NULL: the original kernel runs */
  struct sl_sm7_demand demand;         /* of it */
  uint32_t updates;                    /* enum sl_sm7_ur */
  struct sl_sm7_rv_linear_sm *sm;
};

/* What most instructions need, with the lowest entries of the stack, is in the first cache line. */
struct sl_sm7_rv_warp {
  _Alignas(SL_CACHE_LINE) uint32_t *x; /* registers x 32 lanes */
  struct sl_simt_stack stack;          /* its PCs are word numbers */
  uint8_t rows, phase;                 /* rows: allocated; phase: enum sl_sm7_phase_of_kernel */
  uint32_t *local;                     /* words of the lanes, counted down from the top of the stack, interleaved */
  uint32_t local_words;                /* allocated words per lane */
  uint32_t fcsr;
};

struct sl_sm7_rv_block {
  uint32_t index[3];
  uint32_t br[SL_LINEAR_SLICE];
  uint8_t *shared;
};

struct sl_sm7_rv_shadow;
struct sl_trial_memory; /* base/livelock.h */

struct sl_sm7_rv {
  struct sl_code code;
  uint32_t *reconvergence;             /* by word */
  struct sl_sm7_instruction *fact;     /* likewise */
  bool changed;                        /* code has been written since they were computed */
  uint64_t edition;                    /* of the code: changes whenever it is written */
  struct sl_basic_blocks basic_blocks; /* without timing */
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
  uint32_t shared_room;          /* bytes available for a block's shared memory */
  bool timed;
  unsigned launches;                     /* that have begun */
  struct sl_sm7_observation observation; /* with an observer */
  bool failed;                           /* a thread has ended without success */
  struct sl_fault fault;
};

/* Executes the next instruction of a warp, as the front end's `issue` does. */
typedef bool sl_sm7_rv_step(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                            struct sl_sm7_effect *effect);

/* Of a launch, see sm7_rv_shadow.c. */
struct sl_sm7_rv_shadow {
  struct sl_sm7_rv view; /* the launch, with the shadows' warps and no linear registers */
  sl_sm7_rv_step *step;
  bool met; /* the current instruction is compared */
};
void sl_sm7_rv_free_shadow(struct sl_sm7_rv *rv);

enum sl_status sl_sm7_rv_init(struct sl_sm7_rv *rv, const struct sl_sm7_spec *spec,
                              const struct sl_sm_environment *environment, uint32_t code_base, unsigned isa_sets,
                              struct sl_error *err);
void sl_sm7_rv_free(struct sl_sm7_rv *rv);

/* Warps and blocks beside those of the launch; empty at first. */
struct sl_sm7_rv_aside {
  struct sl_sm7_rv_warp *warp;
  struct sl_sm7_rv_block *block;
  uint32_t shared_room;
};

/* Exchanges them. False: out of memory. */
bool sl_sm7_rv_exchange(struct sl_sm7_rv *rv, struct sl_sm7_rv_aside *aside);
void sl_sm7_rv_free_aside(const struct sl_sm7_rv *rv, struct sl_sm7_rv_aside *aside);

/* False: out of memory. */
bool sl_sm7_rv_write_code(struct sl_sm7_rv *rv, uint32_t index, uint32_t word);

/* Computes the properties of the current code that the core needs. False: out of memory. */
bool sl_sm7_rv_find_facts(struct sl_sm7_rv *rv);

/* Whether the launch is valid: it has blocks, an SM can hold one, and the entry is an instruction. */
bool sl_sm7_rv_can_launch(const struct sl_sm7_rv *rv);

/* Reads the launch block at `closure` and prepares the kernel. False: it cannot run; see the fault. */
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

/* Resources that the launch needs of an SM. */
struct sl_sm7_demand sl_sm7_rv_demand(const struct sl_sm7_rv *rv);

/* Discards variants that were found in code that has changed. */
void sl_sm7_rv_forget_forms(struct sl_sm7_rv *rv);

/* A warp of a block begins the kernel. False: out of memory. */
bool sl_sm7_rv_begin_warp(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, unsigned warp);

/* Sets the initial registers of a warp. */
void sl_sm7_rv_reset(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, uint32_t lanes);

/* Register rows of a warp. */
static inline unsigned sl_sm7_rv_rows(const struct sl_sm7_rv *rv)
{
  return rv->linear.chosen != NULL ? SL_SM7_RV_ROWS : SL_SM7_RV_REGISTERS;
}

/* Words of an SM's coefficients and thread registers for the selected variant. */
static inline size_t sl_sm7_rv_thread_parts(const struct sl_sm7_rv *rv)
{
  return (size_t)rv->linear.chosen->is.trs * rv->warps_per_block * SL_SM7_LANES;
}

/* Lanes of a block's warp that have threads. */
static inline uint32_t sl_sm7_rv_lanes_of(const struct sl_sm7_rv *rv, unsigned warp)
{
  const uint32_t left = sl_sm7_rv_threads(rv) - warp * SL_SM7_LANES;
  return (uint32_t)sl_low_bits(left < SL_SM7_LANES ? left : SL_SM7_LANES);
}

/* The front end's functions; `context` is a struct sl_sm7_rv; sm7_rv_execute.c has issue. */
bool sl_sm7_rv_begin(void *context, unsigned sm, unsigned slot, uint64_t block);
uint32_t sl_sm7_rv_lanes(void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t *pc);

/* The executing warp: of a block in a block slot. */
struct sl_sm7_rv_place {
  unsigned sm, slot, warp;
};

static inline struct sl_sm7_rv_warp *sl_sm7_rv_warp_at(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at)
{
  return &rv->warp[sl_sm7_rv_number(rv, at->sm, at->slot, at->warp)];
}

static inline struct sl_sm7_rv_block *sl_sm7_rv_block_at(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at)
{
  return &rv->block[at->sm * SL_SM7_MAX_BLOCKS + at->slot];
}

/* Records a fault of lanes of a warp at an instruction; returns false. */
bool sl_sm7_rv_fault(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, enum sl_fault_kind kind, uint32_t lanes,
                     uint32_t address);

/* The position of a lane of the warp in its block. */
void sl_sm7_rv_thread(const struct sl_sm7_rv *rv, unsigned warp, unsigned lane, uint32_t index[3]);

/* ---- sm7_rv_front.c ---------------------------------------------------------------------------------------------- */

/* A RISC-V launch as the front end of the SM7 core (sm7_code.h). */
struct sl_sm7_front sl_sm7_rv_front(struct sl_sm7_rv *rv);

/* The front end's `spins` (sm7_code.h): livelock detection (base/livelock.h). Context is a struct sl_sm7_rv. */
bool sl_sm7_rv_spins(void *context, unsigned sm, unsigned slot, unsigned warp, struct sl_trial_memory *memory);

/* ---- sm7_rv_execute.c -------------------------------------------------------------------------------------------- */

/* Execution of RISC-V instructions on the SM7 core, one instruction of one warp at a time. isa/rv32.def defines the
 * instructions. */

/* The front end's `issue` (sm7_code.h); context is a struct sl_sm7_rv. */
bool sl_sm7_rv_issue(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                     struct sl_sm7_effect *effect);

/* The front end's `report_begun`. */
void sl_sm7_rv_report_begun(void *context, unsigned sm, unsigned slot, uint64_t cycle);

/* Loads, stores and atomics of RISC-V threads on the SM7 core. The address selects the block's shared memory, the
 * thread's stack (local memory), or the global memory, which all threads and the host share. */

/* The bytes at an address of shared or global memory; NULL: there are none. */
uint8_t *sl_sm7_rv_shared_or_global(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t address);

/* CSRs of RISC-V threads on the SM7 core: thread identity, time, floating point, and console words. */

/* First of the read-only CSRs: x, y and z of the thread in its block, of the block in the grid, of the block size and
 * of the grid size; then SM, lane, and warp in its block. */
enum { SL_SM7_RV_CSR_PLACE = 0xcc0 };

/* The launch block's address. */
enum { SL_SM7_RV_CSR_LAUNCH = 0x831 };

enum { SL_SM7_RV_CSR_PRINT_WORD = 0x800 }; /* simulation only: a write prints the word */

/* ---- sm7_rv_blocks.c --------------------------------------------------------------------------------------------- */

/* Functional execution of RISC-V warps of sm7 by basic blocks: the function of sl_sm7_rv_issue() without its dispatch.
 * Execution continues to the point where diverged lanes reconverge. */

/* Creates the basic blocks for these warps; none if memory is not flat. */
void sl_sm7_rv_blocks_init(struct sl_sm7_rv *rv, enum sl_execution_mode mode, bool portable);

/* Result of a call: what it has executed. */
struct sl_sm7_rv_run {
  uint64_t instructions, thread_instructions;
};

/* Executes at most the given number of instructions of a warp. Call it between sl_fp_enter() and sl_fp_leave(). If it
 * executes fewer, the next instruction needs sl_sm7_rv_issue(). */
struct sl_sm7_rv_run sl_sm7_rv_blocks_run(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at,
                                          uint64_t instructions);

/* ---- sm7_rv_linear.c --------------------------------------------------------------------------------------------- */

/* Linear registers of R2D2 (D. Ha, Y. Oh and W. W. Ro, ISCA 2023) for RISC-V kernels on the SM7 core.
 *
 * The linear variant of a kernel computes the same result in four phases: the coefficients (one lane,
 * once per SM), the thread part (the warps of one block, once per SM), the block part (one warp of each block, lane i
 * for linear register i), and the rest, whose instructions read sums of these (isa/wide.h). Each phase begins
 * with the kernel's initial registers. */

/* The front end's `begin` and `phase` (sm7_code.h): a block's warps start at their first phase. */
bool sl_sm7_rv_linear_begin(void *context, unsigned sm, unsigned slot, uint64_t block);
uint8_t sl_sm7_rv_phase(void *context, unsigned sm, unsigned slot, unsigned warp);

/* Lanes of a warp of a block in a phase: threads, or linear registers. */
uint32_t sl_sm7_rv_phase_lanes(const struct sl_sm7_rv *rv, unsigned warp, unsigned phase);

/* For runs without timing: the live warps of the first block slot, as bits, whose phase may begin. */
uint64_t sl_sm7_rv_linear_ready(const struct sl_sm7_rv *rv, uint64_t live);

/* The instruction that replaces a prefix and the word after it, once the sums that it reads are in the warp's
 * registers. NULL: the warp cannot execute it. */
const struct sl_insn *sl_sm7_rv_linear_read(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index);

/* Applies the prefix to the result, after execution. */
void sl_sm7_rv_linear_written(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index);

/* Executes an instruction of the phases and advances the warp. False: the warp cannot execute it. */
bool sl_sm7_rv_linear_execute(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index, uint32_t active);

/* Variants of kernels with linear registers in the code (compiler/linear/linear_form.h): selects the variant of a
 * launch, and provides the properties of its instructions to the SM core. */

/* Call it after sl_sm7_rv_launch. Selects the linear variant of the kernel if the machine has linear registers, the
 * code has that variant, and as many of its blocks fit on an SM. False: the variant is damaged, or out of memory; see
 * the fault. */
bool sl_sm7_rv_forms_choose(struct sl_sm7_rv *rv);

/* ---- sm7_rv_shadow.c --------------------------------------------------------------------------------------------- */

/* Shadow execution of a RISC-V kernel with linear registers (key r2d2.shadow). Each warp has a shadow with its own
 * registers and stack, which executes the original kernel. Before the warp accesses shared or global memory, or
 * branches, its shadow advances to the same operation. The two are compared in each lane: addresses, stored values,
 * operands of atomics, and which lanes branch. A shadow's loads return the values that the warp has read; shadows write
 * nothing. */

/* Creates the shadows of a launch; `step` executes one of their instructions. False: out of
 * memory. */
bool sl_sm7_rv_shadow_make(struct sl_sm7_rv *rv, sl_sm7_rv_step *step);

/* A warp begins the rest of the kernel. False: out of memory. */
bool sl_sm7_rv_shadow_begin(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at);

/* Called before a warp in the rest executes an instruction on the given lanes, with its operands in the registers.
 * False: the shadow differs; see the fault. */
bool sl_sm7_rv_shadow_before(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *insn,
                             uint32_t active);

/* Called after the instruction: the shadow continues with the values read. */
void sl_sm7_rv_shadow_after(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *insn,
                            uint32_t active);

/* Control flow of RISC-V machine code: the reconvergence point of each branch.
 *
 * Basic blocks are those of the whole code. A call continues after itself; a function ends where it returns. The code
 * does not show the targets of a jump through a register. Such a jump counts as the end of the function, as a return
 * does, so lanes never reconverge too early. */

#define SL_SM7_RV_NOWHERE UINT32_MAX

/* Command CSR of a thread. */
enum { SL_SM7_RV_CSR_COMMAND = 0x830 };
enum { SL_SM7_RV_BARRIER = 0, SL_SM7_RV_END = 1, SL_SM7_RV_SUCCESS = 2 }; /* as on SIMTight */

/* The command that an instruction gives, if the instruction itself encodes it. */
bool sl_sm7_rv_is_barrier(const struct sl_insn *insn);
bool sl_sm7_rv_is_end(const struct sl_insn *insn);

/* Sets reconvergence[i] to the number of the word at which lanes that diverge at word i reconverge; SL_SM7_RV_NOWHERE
 * if the function ends first. */
enum sl_status sl_sm7_rv_flow(const struct sl_code *code, uint32_t *reconvergence, struct sl_error *err);

/* Whether a thread that begins at word `entry` may read what other blocks write while they run: it uses results of
 * atomics, or fences, or calls functions through registers. Loads that only the program knows to be volatile are not
 * recognised. */
bool sl_sm7_rv_waits(const struct sl_code *code, uint32_t entry);

/* Properties of a RISC-V instruction that the SM core needs: its unit and class, and the registers it reads and
 * writes. */

struct sl_sm7_instruction sl_sm7_rv_facts(const struct sl_insn *insn);

#endif
