/* The stages of an SM's cycle, each in the file of its name. sm7_unit.c compiles those of the cycle loop together. */
#ifndef SL_MACHINE_SM7_CORE_SM7_STAGES_H
#define SL_MACHINE_SM7_CORE_SM7_STAGES_H

#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/core/sm7_warps.h"

/* ---- sm7_issue.c ------------------------------------------------------------------------------------------------- */

/* Warp schedulers and issue. Each scheduler examines its warps in its order and issues the first that can issue. A warp
 * whose fetched PC differs from the PC on top of its stack is flushed, and the scheduler examines the next one.
 * Instructions execute functionally at issue. */

void sl_sm7_issue(struct sl_sm7_sm *sm, uint64_t cycle);

/* Whether some warp might issue in the next cycle. */
bool sl_sm7_issues(const struct sl_sm7_sm *sm);

/* Registers a new warp with the schedulers that order warps by age. */
void sl_sm7_note_age(struct sl_sm7_sm *sm, unsigned warp);

/* ---- sm7_fetch.c ------------------------------------------------------------------------------------------------- */

/* Fetch and decode. Each step of a cycle decodes the pair of instructions that the previous step fetched. It then
 * searches the warps, from the one after the last fetched, and fetches for the first live warp with an empty buffer.
 * The same search retires warps that have ended, which may end their block.
 *
 * With an instruction cache a fetch may miss. The warp then waits for its line. A step in which an answer has arrived
 * takes the answer instead of searching for a warp. Every step also sends one miss. */

/* `now` counts over launches. */
void sl_sm7_fetch(struct sl_sm7_sm *sm, uint64_t now);

/* A packet of instructions has arrived. */
void sl_sm7_instructions_came(struct sl_sm7_sm *sm, const struct sl_sm7_packet *p, uint64_t now);

/* Discards the contents of a warp's buffer. */
void sl_sm7_flush(struct sl_sm7_sm *sm, unsigned warp);

/* Whether the next cycle would fetch, decode or retire. */
bool sl_sm7_fetches(const struct sl_sm7_sm *sm);

/* ---- sm7_coalesce.c ---------------------------------------------------------------------------------------------- */

/* Coalescing of a warp's addresses. The result is a list of 32-byte sectors, each once, in ascending order; atomics of
 * several lanes on the same bytes stay separate. Also counts bank conflicts of shared memory, and maps local memory so
 * that the same word of a warp's lanes is contiguous. */

/* Passes through the banks: the maximum number of different words that lanes access in one bank, by the first word of
 * each lane. */
unsigned sl_sm7_conflicts_of_banks(const struct sl_sm7_effect *effect);

/* Number of different words that lanes access, by the first word of each lane. */
unsigned sl_sm7_different_words(const struct sl_sm7_effect *effect);

/* The same for lines of a matrix, by all their words. */
unsigned sl_sm7_conflicts_of_lines(const struct sl_sm7_effect *effect);

void sl_sm7_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect);
/* Lines of a given size, each once, by the first byte of each lane. */
void sl_sm7_lines(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect, uint32_t line);
void sl_sm7_atomic_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect);

/* Interleaving of the local memory of a kernel's threads. */
struct sl_sm7_local_map {
  uint64_t threads; /* threads that can run at once on the GPU */
  uint64_t first;   /* number among them of the warp's lane 0 */
};
void sl_sm7_local_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect,
                          const struct sl_sm7_local_map *map);

/* ---- sm7_eliminate.c --------------------------------------------------------------------------------------------- */

/* Eliminated instructions: warps skip them without an issue slot and without a cycle, as if they had never been
 * fetched. */

/* Skips eliminated instructions of a live warp that does not wait at a barrier. Sets sm->failed on a fault. */
void sl_sm7_pass(struct sl_sm7_sm *sm, unsigned warp);

/* ---- sm7_two_level.c --------------------------------------------------------------------------------------------- */

/* The two-level scheduler. A scheduler examines only its few active warps. An active warp that has ended, or that waits
 * for a barrier, a memory barrier, an atomic or a register from memory, moves to the end of the pending warps. The
 * first pending warp that does not wait replaces it in the same cycle. */

void sl_sm7_levels_init(struct sl_sm7_sm *sm);

/* The active warps of a scheduler in this cycle. */
uint64_t sl_sm7_active(struct sl_sm7_sm *sm, unsigned scheduler);

/* ---- sm7_phases.c ------------------------------------------------------------------------------------------------ */

/* Phases of a kernel with linear registers on an SM (R2D2, ISCA 2023, section 4.1). The first block's first warp
 * computes the coefficients; all warps of that block then compute the thread part. The first warp of every block
 * computes the block part, and the block's warps then execute the rest. With r2d2.overlap the block part does not wait
 * for the thread part. Warps that must wait are treated as waiting at a barrier. While a scheduler has warps in an
 * earlier phase it schedules round robin. */

/* The warps of a block have begun. */
void sl_sm7_phases_begin(struct sl_sm7_sm *sm, unsigned slot);

/* A warp has executed an instruction, on the given number of lanes. */
void sl_sm7_phases_follow(struct sl_sm7_sm *sm, unsigned warp, unsigned lanes);

/* For r2d2.global_wait: whether the SM has the linear registers that its blocks, if any, need; and a notice that all
 * SMs have. */
bool sl_sm7_phases_done(const struct sl_sm7_sm *sm);
void sl_sm7_phases_open(struct sl_sm7_sm *sm);

/* For r2d2.fetch: the subset of the warps wanting instructions for which fetch is allowed. */
uint64_t sl_sm7_phases_fetchable(struct sl_sm7_sm *sm, uint64_t wanting, uint64_t now);

/* ---- sm7_collectors.c -------------------------------------------------------------------------------------------- */

/* Operand collectors. An instruction waits in a collector until its register operands have been read. Each bank
 * delivers one operand per step; a bank that was written in this cycle delivers none in its first step. In a step,
 * complete instructions move to their unit's register, banks read, and instructions from the issue registers take free
 * collectors. */

void sl_sm7_collect(struct sl_sm7_sm *sm);

/* Whether an instruction is in a collector or waits for one. */
bool sl_sm7_is_any_collecting(const struct sl_sm7_sm *sm);

/* ---- sm7_register_file.c ----------------------------------------------------------------------------------------- */

/* Volta's register file, in place of operand collectors (registers.model=volta). Each scheduler has two banks, each
 * with a port that reads one register of 32 lanes and 32 bits per cycle, and a cache of operands.
 *
 * An instruction reads its operands in the three cycles after it has left its issue register. It leaves that in the
 * cycle after issue, in order, once the ports that it needs are free in these cycles; until then its scheduler issues
 * nothing. Three operands in one bank so delay the next instruction that needs this bank. Instructions with more
 * operands of a bank read as many cycles longer. A unit is reserved at issue for the initiation interval; branches
 * have a unit of their own. Memory instructions wait behind the operands, in a queue of four per scheduler.
 *
 * A bank is 64 bits wide per lane, so it is written with up to two registers per cycle: a load of 128 bits takes one
 * cycle of both banks. Operations of a fixed latency always have their cycle.
 *
 * The cache has an entry per bank and place in the list of operands. It holds an operand that has the reuse flag, until
 * another operand of that bank is read in that place (sm7_code.h).
 *
 * Sources: Jia et al., arXiv:1804.06826, section 3.5: Volta has two banks of 64 bits; only three operands in one bank
 * conflict, which takes a cycle more; reuse flags. Huerta et al., arXiv:2503.20481, sections 5.1 and 5.3, of later
 * GPUs: no collectors, 1024 bits per bank and cycle, three cycles of reading, a stage that reserves the ports and holds
 * those before it; section 5.4: the queue of memory instructions. Numbers of registers: ours. */

/* Runs after the units and before issue, as the collectors do. */
void sl_sm7_read_operands(struct sl_sm7_sm *sm);

/* Whether an instruction is between issue and its unit's register. */
bool sl_sm7_is_any_reading(const struct sl_sm7_sm *sm);

/* ---- dispatch ---------------------------------------------------------------------------------------------------- */

/* Instructions that have their operands move to the register before their unit. */
static inline bool sl_sm7_may_move_on(const struct sl_sm7_sm *sm, const struct sl_sm7_op *op)
{
  return op->ready < sm->slept_from && !(sm->execute_full[op->code->unit] >> op->scheduler & 1);
}

static inline void sl_sm7_move_on(struct sl_sm7_sm *sm, unsigned number)
{
  const struct sl_sm7_op *op = &sm->op[number];
  sm->execute_reg[op->code->unit][op->scheduler] = (uint8_t)number;
  sm->execute_full[op->code->unit] |= (uint8_t)(1u << op->scheduler);
}

/* Instructions whose sum of linear registers is complete. */
static inline void sl_sm7_leave_adders(struct sl_sm7_sm *sm)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < sm->sums; i++)
    if (sl_sm7_may_move_on(sm, &sm->op[sm->summing[i]]))
      sl_sm7_move_on(sm, sm->summing[i]);
    else
      sm->summing[kept++] = sm->summing[i];
  sm->sums = (uint8_t)kept;
}

/* ---- sm7_units.c ------------------------------------------------------------------------------------------------- */

/* Arithmetic units: one of each kind per scheduler. A unit takes an instruction when its dispatch register is free, no
 * earlier instruction completes in the same cycle, and a result bus is free then. The register is free again after the
 * initiation interval. Write-back comes latency + 2 cycles after execute. */

/* Instructions on small matrices take a share of the time of large ones. */
static inline struct sl_sm7_timing sl_sm7_timing_of(const struct sl_sm7_sm *sm, const struct sl_sm7_instruction *code)
{
  enum { WHOLE = 64, LONGEST = 900 /* that a key allows */ };
  struct sl_sm7_timing t = sm->wire.spec->timing[code->class];
  if (code->share == 0)
    return t;
  uint32_t *const cycles[] = {&t.latency, &t.interval};
  for (unsigned i = 0; i < 2; i++) {
    const uint32_t share = (*cycles[i] * code->share + WHOLE - 1) / WHOLE;
    *cycles[i] = share < LONGEST ? share : LONGEST;
  }
  return t;
}

/* Writes back the results that complete in this cycle. */
void sl_sm7_write_results(struct sl_sm7_sm *sm, uint64_t cycle);

/* Units take the instructions that wait before them. */
void sl_sm7_execute(struct sl_sm7_sm *sm, uint64_t cycle);

/* The first cycle after `cycle` in which a result is written. */
uint64_t sl_sm7_next_result(const struct sl_sm7_sm *sm, uint64_t cycle);

/* ---- sm7_lsu.c --------------------------------------------------------------------------------------------------- */

/* The load/store unit: a dispatch register for one memory instruction, shared memory behind a pipe, L1 behind a pipe
 * per bank, and one register through which loads are written back. L1 hits release their registers without it. Stores,
 * atomics and misses become packets to L2.
 *
 * With lsu.interval it accepts an instruction only every few cycles. Sources for two cycles on NVIDIA's GPUs: Huerta et
 * al., arXiv:2503.20481, section 5.4; 64 warps of a V100 take 2.1 cycles per load of 32 bits that hits L1 (l1-bw in
 * table VIII of Khairy et al., Accel-Sim, ISCA 2020: 578,838 cycles). */

/* Runs after the arithmetic units and before the operand collectors. */
void sl_sm7_lsu_cycle(struct sl_sm7_sm *sm, uint64_t cycle, uint64_t now);

/* The next cycle in which the unit can act without external input. */
uint64_t sl_sm7_lsu_next(const struct sl_sm7_sm *sm, uint64_t cycle);

/* ---- sm7_waits.c ------------------------------------------------------------------------------------------------- */

/* Attribution of slots that wait for loads. Each slot is charged to the place, in that cycle, of the sector that
 * arrives last. That is known only on arrival, so the intervals of cycles in which a scheduler's slot was charged to a
 * warp are kept until then. Packets record when they move from one place to the next (memory/sm7_crossbar.h). The
 * attribution does not affect timing. */

enum sl_status sl_sm7_waits_init(struct sl_sm7_waits *w, struct sl_error *err);
void sl_sm7_waits_reset(struct sl_sm7_waits *w); /* no warp waits: a kernel begins */
void sl_sm7_waits_free(struct sl_sm7_waits *w);

/* A scheduler's slot is charged to a warp that waits for a load, from this cycle on; SL_SM7_NONE: no longer. */
void sl_sm7_waits_turn(struct sl_sm7_sm *sm, unsigned scheduler, uint8_t warp, uint64_t cycle);

/* Adds a finished interval; its end cycle is not part of it. */
void sl_sm7_waits_add(struct sl_sm7_sm *sm, unsigned warp, uint64_t from, uint64_t to);

/* The data that a warp waited for has arrived: from the given place, or with `load`, from the places of that load. */
void sl_sm7_waits_settle(struct sl_sm7_sm *sm, unsigned warp, enum sl_sm7_stall_reason place,
                         const struct sl_sm7_load *load, uint64_t cycle);

/* The same, if the instruction writes the register that the warp waits for. */
static inline void sl_sm7_waits_over(struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_instruction *code,
                                     enum sl_sm7_stall_reason place, const struct sl_sm7_load *load)
{
  if (!(sm->waits.warps & sl_sm7_bit(warp)))
    return;
  if (code->kind == SL_SM7_ASYNC_LOAD && sm->warp[warp].waits_on == SL_SM7_NO_REGISTER)
    sl_sm7_waits_settle(sm, warp, place, load, sl_sm7_this_cycle(sm));
  for (; code != NULL; code = sl_sm7_rest(code))
    for (unsigned i = 0; i < code->writes; i++)
      if (code->write[i] == sm->warp[warp].waits_on) {
        sl_sm7_waits_settle(sm, warp, place, load, sl_sm7_this_cycle(sm));
        return;
      }
}

#endif
