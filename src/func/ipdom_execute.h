/* Functional execution of one instruction on a Vortex warp: registers, memory, CSRs, masks and next pc. The pipeline
 * calls it once per instruction. Timing never changes a value. */
#ifndef SL_WARP_IPDOM_EXECUTE_H
#define SL_WARP_IPDOM_EXECUTE_H

#include "base/livelock.h"
#include "base/types.h"
#include "func/blocks/basic_blocks.h"
#include "func/ipdom_warps.h"
#include "isa/probe.h"

/* Executes ex->insn. On entry the warp's pc is the address of the next fetched instruction: the one after ex->insn
 * unless a hardware loop jumps. Only a jump or JOIN changes it. The thread mask changes at once. The caller handles
 * warp exits, barriers and spawns. */
enum sl_ipdom_effect sl_ipdom_execute(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Returns true if the warp's fetch waits until the instruction has executed: branches, jumps, warp control, traps, and
 * accesses to CSRs that depend on instructions in flight (fflags, frm, fcsr). */
bool sl_stalls_fetch(const struct sl_insn *in);

/* Warp-control instructions: their effect on a warp's thread mask and IPDOM stack.
 *
 * 2.x: SPLIT writes the stack depth to rd and pushes if the lanes disagree. The larger side runs first; on a tie, the
 * true side. JOIN with that depth does nothing if SPLIT pushed nothing. A predicate is bit 0 of its register.
 *
 * 1.x: SPLIT always pushes and JOIN always pops. The true side runs first. A predicate is true if its register is not
 * 0. PRED keeps the mask if no lane would remain.
 *
 * An operand that is one value per warp comes from the last active lane. Sources: published Verilog, commit b5f541b8
 * (2.x); the authors' simulator (1.x). */

/* Instructions of a core with extensions (func/extensions/extension.h): hooks at schedule, rename and execute. A core
 * without extensions calls none of these functions. */

/* Schedule. Sets *mask to the execution mask of the instruction at the warp's pc, and sets the warp's next pc. Returns
 * false if the instruction is illegal; see the fault. */
bool sl_ipdom_schedule(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, sl_lanes *mask,
                       struct sl_extended *extended);

/* Rename, in program order before execution. Sets extended->copy to the part of the instruction that remains to
 * execute. */
bool sl_ipdom_rename(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc, sl_lanes active,
                     struct sl_extended *extended);

/* Executes the part of ex->insn that rename has left. An empty mask executes nothing. */
enum sl_ipdom_effect sl_ipdom_execute_extended(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Timing of an instruction that an extension has replaced: whether it can issue, its issue, and its commit. */
bool sl_extensions_ready(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended);
void sl_extensions_issue(const struct sl_ipdom_warps *w, unsigned warp, struct sl_extended *extended);
void sl_extensions_commit(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended,
                          sl_lanes active);

/* An access to an extension's CSR is in its unit: see struct sl_extension_kind. */
bool sl_extensions_open(const struct sl_ipdom_warps *w, unsigned warp, unsigned csr, bool alone,
                        const struct sl_extended *extended);

/* ---- ipdom_csr.c ------------------------------------------------------------------------------------------------- */

/* CSRs of a Vortex core: the maps of the published sources (2.x) and of the 1.x lineage. The last active lane of a warp
 * determines the value written. All lanes read the old value. */

enum {
  SL_IPDOM_CSR_LOOPS = 0x800, /* to 0x8ff: hardware loops and streams */
};

/* Executes a CSR instruction. Returns false if the CSR does not exist; then nothing has changed. */
bool sl_ipdom_csr_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex);

/* Returns false if the CSR instruction reads the mask of active lanes and its 32 bits do not determine that mask: a
 * mask in a register says of lanes above 31 that they are as lane 31. No published core has so many lanes. */
bool sl_ipdom_csr_holds(const struct sl_ipdom_warps *w, const struct sl_ipdom_execution *ex);

/* Returns true if the CSR counts: time, instructions or events. */
bool sl_ipdom_csr_is_counter(unsigned csr);

/* Accesses to the CSRs of a core's extensions. */

/* Returns true if an extension has this CSR. */
bool sl_extension_has_csr(const struct sl_ipdom_warps *w, unsigned csr);

/* Executes a CSR instruction on it. Returns false if it is illegal; see the fault. */
bool sl_extension_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex);

/* Records an illegal use of an extension as a fault of the instruction. The message then names its source line. */
void sl_extension_illegal(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc,
                          sl_lanes lanes, const char *what);

/* ---- ipdom_access.c ---------------------------------------------------------------------------------------------- */

/* Loads, stores and atomics of a warp in a Vortex core.
 *
 * When lanes store to the same byte, the last lane wins: lanes are served in order of their number. Atomics execute
 * lane by lane in the same order. SC succeeds if the word still holds the value that the hart's LR read, whichever hart
 * has written it since. Any SC ends the hart's reservation. Local memory belongs to the core and its stores are not
 * logged. */

/* Store log of a core: the stores and atomics of one quantum, in order of execution (struct sl_store_log in
 * ipdom_warps.h). Cores simulate a quantum in parallel.
 *
 * A core sees memory through its log. The log gives the bytes that the core has stored itself. For an atomic it gives
 * the word as if no other core had accessed it. The actual result and the value of rd are known when the log is
 * applied. */
struct sl_store_log;

/* Returns NULL if the host is out of memory. */
struct sl_store_log *sl_store_log_create(void);
void sl_store_log_free(struct sl_store_log *log);

bool sl_store_log_empty(const struct sl_store_log *log);

enum {
  SL_IPDOM_IO_BASE = 0x40, /* no memory below this */
  SL_IPDOM_IO_END = 0x10000,
  SL_IPDOM_CONSOLE_END = 0x80,
  SL_IPDOM_EXIT_CODE = 0x88
};

/* Performs the access of ex->insn. Sets ex->address, local and io. Returns false on a fault; then nothing has changed.
 */
bool sl_ipdom_access(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Notes the bytes that the active lanes will access in a trial (base/livelock.h). Returns false if the access faults,
 * if it has an effect outside of memory (I/O, code), if a lane's bytes are not aligned, or if it ends the trial. */
bool sl_ipdom_try_access(const struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                         struct sl_trial_memory *memory);

/* Applies the core's store log, in order, to memory and to the core's registers. Empties the log. */
void sl_ipdom_perform_log(struct sl_ipdom_warps *w);

/* Returns the pc of the store that has overwritten this instruction in the core's view of memory; 0 if none has. */
uint32_t sl_ipdom_overwrote(const struct sl_ipdom_warps *w, const struct sl_ipdom_execution *ex);

/* Functional execution of a Vortex warp, one basic block at a time: sl_ipdom_execute() without its dispatch. Only
 * warp-control instructions change the mask, and no basic block contains one. */

/* Prepares the basic blocks of such warps. There are none without flat memory or with extensions, or if the observer
 * wants to hear of each instruction. */
void sl_ipdom_blocks_init(struct sl_basic_blocks *b, const struct sl_ipdom_warps *w, enum sl_execution_mode mode,
                          bool portable, struct sl_probes *probes);

/* Executes up to `instructions` instructions of a warp with the lanes of its mask, and returns their number. If it is
 * smaller, sl_ipdom_execute() must execute the next one. Call between sl_fp_enter() and sl_fp_leave(). */
uint64_t sl_ipdom_blocks_run(struct sl_basic_blocks *b, struct sl_ipdom_warps *w, uint64_t edition, unsigned warp,
                             uint64_t instructions);

/* What a Vortex warp's instructions make its convergence scheme do (convergence/convergence.h), with its counts and
 * faults, and the watchdog that makes lanes change without an instruction.
 *
 * The watchdog counts the instructions of a warp that it schedules while lanes of it are parked, or without reaching a
 * greater pc. At `watchdog` of them the lanes change as by YIELD, before the next instruction. If no lane is parked,
 * the warp backs off. Source of the watchdog: Vortex, sim/simx/scheduler.cpp, commit fcbac91f. */

/* Records a fault of the active lanes. */
enum sl_ipdom_effect sl_ipdom_fault_of(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                                       enum sl_fault_kind kind, uint32_t address);

/* The scheme does not support what the lanes do while the other lanes are where they are. */
enum sl_ipdom_effect sl_ipdom_unsupported(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                                          const char *detail);

/* Returns true if an extension takes part in the warp's instructions. Its state is the warp's, not the lanes'. */
bool sl_ipdom_has_own_state(const struct sl_ipdom_warps *w, unsigned warp);

/* The scheme executes a mark. The warp's pc is behind the instruction. */
enum sl_ipdom_effect sl_ipdom_converge(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                       enum sl_mark_kind kind, sl_lanes lanes, sl_lanes others);
enum sl_ipdom_effect sl_ipdom_yield(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);
/* Lanes that others of the warp wait for. If every lane has its pc, they let the others run first and come back here;
 * otherwise nothing makes the others come, which is a fault. */
enum sl_ipdom_effect sl_ipdom_sync_lanes(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);
enum sl_ipdom_effect sl_ipdom_lane_barrier(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                           enum sl_mark_kind kind);

/* Whether the executed instruction has made other lanes run. */
static inline bool sl_ipdom_switched(const struct sl_ipdom_execution *ex)
{
  return ex->jumped && (ex->insn->op == SL_OP_YIELD || ex->insn->op == SL_OP_TMC);
}

/* The event of such an instruction, or of the watchdog at a pc. */
static inline struct sl_probe sl_ipdom_switch(const struct sl_ipdom_warps *w, unsigned warp, uint64_t id,
                                              uint64_t cycle, uint32_t pc)
{
  return (struct sl_probe){.kind = SL_PROBE_SWITCHED,
                           .id = id,
                           .cycle = cycle,
                           .pc = pc,
                           .warp = warp,
                           .active = w->warp[warp].mask,
                           .holder = w->warp[warp].pc};
}

/* Test builds, after an instruction of these lanes of a warp whose scheme yields: counts for each lane that can run the
 * warp's yields since its last instruction. With L lanes there are at most 2 L under `its`: each lane that can run
 * yields at most once until all of them have yielded, and a lane that has yielded waits for the rest of one such round
 * and for one more. Under `scs` there are at most L until a pending lane runs or is in the pool, and L in the pool.
 * Lanes at a barrier and between a split and its join wait for others, not for their turn. Returns NULL, or that a lane
 * has waited for longer. */
const char *sl_ipdom_waited(struct sl_ipdom_warps *w, unsigned warp, sl_lanes lanes, bool yields);

/* The same for an executed instruction. Returns its effect, or a fault. */
enum sl_ipdom_effect sl_ipdom_check_waiting(struct sl_ipdom_warps *w, unsigned warp,
                                            const struct sl_ipdom_execution *ex, enum sl_ipdom_effect effect);

/* The watchdog's part before the warp's next instruction is scheduled, with and without timing. Without timing it
 * counts only while lanes are parked, because nothing else changes a result. Returns true if the timed warp backs off.
 */
bool sl_ipdom_await_progress(struct sl_ipdom_warps *w, unsigned warp, bool timed);

#endif
