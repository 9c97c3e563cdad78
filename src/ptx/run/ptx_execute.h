/* Functional execution of PTX, one instruction of one warp at a time.
 *
 * sl_ptx_execute performs the instruction on top of a warp's stack on all its lanes, advances the stack, and reports
 * the effect. Functional runs and the timing model call the same function; the timing model calls it at issue. */
#ifndef SL_PTX_RUN_PTX_EXECUTE_H
#define SL_PTX_RUN_PTX_EXECUTE_H

#include "isa/probe.h"
#include "ptx/run/ptx_access.h"
#include "ptx/run/ptx_block.h"

/* The values of a warp's lanes at an instruction's place, and those of predicates: a bit per lane. */
static inline void *sl_ptx_values_of(const struct sl_ptx_warp *w, struct sl_ptx_place place)
{
  return w->area[place.area] + place.offset;
}

static inline uint32_t sl_ptx_predicate_of(const struct sl_ptx_warp *w, struct sl_ptx_place place)
{
  typedef uint32_t word __attribute__((may_alias));
  return *(const word *)sl_ptx_values_of(w, place);
}

static inline void sl_ptx_predicate_set(const struct sl_ptx_warp *w, struct sl_ptx_place place, uint32_t value,
                                        uint32_t lanes)
{
  typedef uint32_t word __attribute__((may_alias));
  word *to = sl_ptx_values_of(w, place);
  *to = (*to & ~lanes) | (value & lanes);
}

/* Performs the next instruction of a warp with live lanes, at time `clock` (the value of %clock). Effects are visible
 * at once. False: *fault describes the fault. */
bool sl_ptx_execute(struct sl_ptx_warp *w, uint64_t clock, struct sl_ptx_effect *effect, struct sl_ptx_fault *fault);

/* Performs an instruction that changes only registers, of kinds LANES, CONDITION, SET, LOGIC, PACK, UNPACK, SHFL, VOTE,
 * REDUX, and MATCH, and does not advance the stack. */
void sl_ptx_execute_lanes(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active);

/* Calls with copied arguments, and the frames and registers of call levels. */

/* Selects frame and registers of the top of the stack. */
void sl_ptx_level(struct sl_ptx_warp *w);

/* Executes a call of kind COPIED or ADDRESS. Lanes that call different functions do so one function after another.
 * False: a fault. */
bool sl_ptx_call(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                 struct sl_ptx_fault *fault);

/* Copies the results of lanes that are about to return. */
void sl_ptx_call_results(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t lanes);

/* Performs alloca and its like, whose addresses are in local memory. False: the stack is full, or the address is not in
 * it; see the fault. */
bool sl_ptx_stack(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active, struct sl_ptx_fault *fault);

/* Barriers of a block in PTX with their reductions, and groups of a warp that take turns.
 *
 * A warp arrives as a whole: under `stack` with the instruction of its running lanes, with groups that take turns
 * (convergence/simt_stack.h) when all its live lanes are at the barrier, each group at an instruction of its own. */

/* The running lanes execute a barrier, or arrive at it. No lanes are active in the effect if others must come first.
 * False: the lanes of the warp wait at different barriers; see the fault. */
bool sl_ptx_barrier(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                    struct sl_ptx_fault *fault);

/* Lanes have ended: completes reductions that wait for no other warp. */
void sl_ptx_barrier_end(const struct sl_ptx_warp *w);

/* Whether lanes of a warp execute the instruction together. */
bool sl_ptx_turns_together(const struct sl_ptx_insn *in);

/* The running group is about to execute an instruction. False: it waits for other lanes, and the effect is empty. */
bool sl_ptx_turns_meet(struct sl_ptx_warp *w, uint64_t clock, struct sl_ptx_effect *effect);

/* The running group has executed an instruction. */
void sl_ptx_turns_count(struct sl_ptx_warp *w, const struct sl_ptx_effect *effect);

/* Livelock detection for warps of PTX kernels (base/livelock.h). */

/* Returns true if a live warp spins as long as memory stays as it is, and records a livelock in *fault unless one is
 * recorded that says more. Nothing else changes. No access of the block is deferred. Call it for every running warp,
 * with a fault that is none at first; a livelock is proved if all spin. */
bool sl_ptx_spins(struct sl_ptx_warp *w, struct sl_trial_memory *memory, struct sl_ptx_fault *fault);

/* Shadow execution: runs the original kernel beside its variant with linear registers, and checks that both behave the
 * same (D. Ha, Y. Oh and W. W. Ro, R2D2, ISCA 2023, section 3).
 *
 * Each block has a shadow with its own registers, which executes the original. Both kernels have the same loads,
 * stores, atomics, texture fetches, barriers and branches, in the same order in each warp. Before each of these the
 * shadow advances to the same operation. The operands of both are compared lane by lane: addresses, stored values,
 * coordinates, and the lanes that execute and branch. The shadow writes no shared or global memory, and receives the
 * values that the variant loads. It therefore sees the same memory as the variant, whatever the order of blocks and
 * warps. As long as nothing differs, each store to memory is one that the original makes there. */

/* Creates the block's shadow if its launch has one. The caller frees it, also after a failure. */
enum sl_status sl_ptx_shadow_create(struct sl_ptx_block *b, struct sl_error *err);
void sl_ptx_shadow_free(struct sl_ptx_block *b);

/* Call it after sl_ptx_block_start, if the block has a shadow. */
void sl_ptx_shadow_start(struct sl_ptx_block *b, unsigned sm, unsigned sms);

/* Services: functions of the host that kernels call. A module declares them .extern and does not define them. */

enum sl_ptx_service {
  SL_PTX_SERVICE_VPRINTF,   /* (format, arguments): the arguments are packed at their natural alignment */
  SL_PTX_SERVICE_MALLOC,    /* (bytes): the result is an address, 0 if there is no room */
  SL_PTX_SERVICE_FREE,      /* (address) */
  SL_PTX_SERVICE_ASSERTFAIL /* (message, file, line, function, character size): always ends the launch, without a call
                               of the host */
};

enum { SL_PTX_SERVICE_ARGUMENTS = 5 };

/* A call by the lanes of a warp, which count as callers in ascending order. */
struct sl_ptx_service_call {
  enum sl_ptx_service service;
  const struct sl_ptx_warp *warp; /* block, index in the block, launch */
  uint32_t pc, lanes;
  uint64_t argument[SL_PTX_SERVICE_ARGUMENTS][SL_PTX_LANES]; /* of the lanes in `lanes` */
  uint64_t result[SL_PTX_LANES];                             /* zeros at first */
};

/* The host's side. Calls come one at a time and in the same order on any number of host threads: by cycle, then by SM,
 * then in order of issue. A service must not use the GPU other than through the functions below. */
struct sl_ptx_services {
  void *context;
  void (*call)(void *context, struct sl_ptx_service_call *call);
};

/* Reads `bytes` bytes at a generic address as a lane sees it. False: not all of them are in memory. */
bool sl_ptx_service_read(const struct sl_ptx_service_call *call, unsigned lane, uint64_t address, void *to,
                         size_t bytes);

/* The service of a name and its numbers of parameters and results. False: there is none. */
bool sl_ptx_service_find(const char *name, enum sl_ptx_service *service, unsigned *parameters, unsigned *results);

/* Performs an instruction of kind SERVICE for the given lanes; first checks that it can be performed. False: a fault.
 */
bool sl_ptx_service_check(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t lanes,
                          struct sl_ptx_fault *fault);
void sl_ptx_service_perform(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t lanes);

/* Events of PTX for observers, from the executor: the same struct as those of RISC-V (isa/probe.h). */

/* The instruction or block of an event, as the machine knows it. */
struct sl_ptx_event {
  struct sl_probes *probes;
  uint64_t id, cycle;
  unsigned launch, core, warp, stage;
};

/* Accesses of one warp without timing, which are reported as executions. */
struct sl_ptx_report {
  struct sl_probes *probes;
  struct sl_probe probe;
  struct sl_probe_block block;
};

void sl_ptx_report_begin(struct sl_ptx_report *report, const struct sl_ptx_event *event, const struct sl_ptx_warp *warp,
                         const struct sl_ptx_effect *effect);

/* Reports the effect's instruction. */
void sl_ptx_report_access(struct sl_ptx_report *report);

/* Reports an instruction: with `issued` its issue, then its execution, and then its access or fence. */
void sl_ptx_report_execution(const struct sl_ptx_event *event, bool issued, const struct sl_ptx_warp *warp,
                             const struct sl_ptx_effect *effect);

/* Reports that an instruction is complete. */
void sl_ptx_report_retired(const struct sl_ptx_event *event, const struct sl_ptx_effect *effect);

/* Reports an event of a warp's last instruction. */
void sl_ptx_report_warp(const struct sl_ptx_event *event, enum sl_probe_kind kind, uint32_t pc);

/* Reports that a block has begun; `warp` is the number of its first warp. */
void sl_ptx_report_begun(const struct sl_ptx_event *event, const struct sl_ptx_block *block);

/* Reports that a launch begins or has ended. */
void sl_ptx_report_launch(const struct sl_ptx_event *event, enum sl_probe_kind kind,
                          const struct sl_ptx_launch *launch);

/* Instructions on matrices that the lanes of a warp hold together.
 *
 * Fragments of wmma and mma have the same layout, that of mma in the PTX ISA, continued to larger shapes: lane l holds
 * row l / 4 of each group of 8 rows (of B and of the transposed matrix in ldmatrix.trans: column), and in it the
 * elements from l % 4 times those in a register on. Registers follow the groups of rows first. Fragments of wmma for
 * f16 that have more registers than elements hold their elements again. wmma leaves its layout open; that of the real
 * machine's first generation is another.
 *
 * d = a * b + c is computed in this order: each element of d starts with that of c, and the products are added by
 * ascending k. Products of f16 are exact in f32. Products of bf16 and tf32 are exact, too, unless they leave the range
 * of f32. Each sum is rounded to nearest f32; a result of f16 is rounded once more at the end. f64 is one fma per
 * product. Integers wrap, or with .satfinite are clamped at the end. The hardware's order and rounding are not
 * documented; this is the order in which a program on the host checks it. */

/* Executes an instruction of kind TENSOR; all lanes are active. */
void sl_ptx_tensor(struct sl_ptx_warp *w, const struct sl_ptx_insn *in);

/* Moves a matrix between registers and memory; kind TILE. Line i is at data + offset[i]. */
void sl_ptx_tile_move(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data, const uint64_t *offset);

/* Bytes between the lines of a matrix, by their stride in elements. */
uint64_t sl_ptx_tile_bytes(const struct sl_ptx_more *more, uint32_t stride);

/* The matrices of Volta's tensor cores, 16 x 16 x 16 with f16 factors and f32 sums: what the functions
 * above do for all matrices, with the same results in a tenth of the time. */

#endif
