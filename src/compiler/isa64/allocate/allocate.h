/* Register allocation of a function. It repeats assignment and spilling until every virtual register has a physical
 * one, then saves the callee-saved registers in use. */
#ifndef SL_BACKEND_ALLOCATE_H
#define SL_BACKEND_ALLOCATE_H

#include "base/error.h"
#include "base/types.h"
#include "compiler/isa64/lir/lir.h"

/* Liveness: the segments of a function in which each register, virtual or physical, holds a value that is still read.
 *
 * Instruction i reads at point 2 i and writes at 2 i + 1, so a result may share its operand's register. An
 * early-written result is live from 2 i. Registers have several definitions. From each block with an upward-exposed
 * read, the analysis follows the register upwards to its definitions, one register at a time (path exploration, which
 * does not need SSA: B. Boissinot et al., "Fast liveness checking" and "Computing liveness sets for SSA-form
 * programs"). Memory is proportional to the pairs of a block and a register live at its edges. */

/* Weighted graph of register pairs: sources of the same instruction (the bank conflict graph of section 3.3 of the
 * paper on 64-bit instruction words), or the two sides of a copy. */

struct sl_neighbour {
  uint32_t reg;
  double weight; /* executions per call of the function */
};

struct sl_weighted_graph {
  struct sl_neighbour *neighbour; /* per register, by number */
  uint32_t *first;                /* per register, plus one */
};

/* Builds the graphs of sources that an instruction reads at once, and of copies. False: out of memory. */
bool sl_conflict_graph(struct sl_weighted_graph *graph, const struct sl_lir *lir);

bool sl_copy_graph(struct sl_weighted_graph *graph, const struct sl_lir *lir);

void sl_weighted_graph_free(struct sl_weighted_graph *graph);

/* Writes the sources that an instruction reads from the register file at once, including a slot's base register; at
 * most three. Returns their number. */
unsigned sl_lir_sources(const struct sl_lir *lir, const struct sl_lir_insn *insn, uint32_t source[3]);

/* From start to end, exclusive. */
struct sl_live_segment {
  uint32_t start, end;
};

struct sl_lifetimes {
  struct sl_live_segment *segment; /* per register, in ascending order */
  uint32_t *first;                 /* per register, plus one for the end of the last */
  uint32_t *call;                  /* calls, ascending instruction numbers */
  size_t segment_count, call_count;
};

bool sl_lifetimes_init(struct sl_lifetimes *lifetimes, const struct sl_lir *lir);
void sl_lifetimes_free(struct sl_lifetimes *lifetimes);

static inline uint32_t sl_segment_count(const struct sl_lifetimes *l, uint32_t reg)
{
  return l->first[reg + 1] - l->first[reg];
}

/* Whether a register is live at a point. */
bool sl_alive(const struct sl_lifetimes *lifetimes, uint32_t reg, uint32_t point);

/* Whether the register is live across a call. */
bool sl_alive_over_call(const struct sl_lifetimes *lifetimes, uint32_t reg);

/* Live segments assigned to each physical register, in order, for a fast test whether another lifetime fits. */

/* The register file for allocation: size, bank of each register, and its role in the calling convention. The default is
 * the 128 registers of section 3.2 of the paper on 64-bit instruction words: RISC-V's 32, 16 temporaries (a8 to a23),
 * 48 callee-saved (s12 to s59), 32 temporaries (t7 to t38). Registers beyond 128 are temporaries. */

enum { SL_REGISTERS = 256, SL_LEAST_REGISTERS = 16, SL_MOST_BANKS = 8 };

/* Policy that selects one of the free registers:
 *   unaware    the first one in order
 *   first fit  the paper's rule (section 3.3): the first one whose bank differs from the banks of the other operands of
 *              the same instructions; else the first one. Copy hints come first, as in the paper's greedy allocator
 *   cost       the cheapest one. The cost counts executions of instructions with two sources in its bank, of copies
 *              that it does not eliminate, and of its save and restore. The paper leaves this open (section 4.3) */
enum sl_allocation { SL_UNAWARE, SL_FIRST_FIT, SL_COST, SL_ALLOCATIONS };

struct sl_registers {
  unsigned count, banks;
  uint8_t bank[SL_REGISTERS];
  bool saved[SL_REGISTERS];    /* callee-saved; excludes ra, which a function must preserve, too */
  bool reserved[SL_REGISTERS]; /* zero, sp, gp, tp, and the frame pointer if the function has one: never allocated */
  uint8_t order[SL_REGISTERS]; /* order of preference: temporaries, saved ones, ra */
  unsigned order_count;
};

/* count: 16 to 256, banks: 1 to 8. bank: per register, or NULL for its number modulo `banks`. saved: per register, or
 * NULL for the default. */
enum sl_status sl_registers_init(struct sl_registers *registers, unsigned count, unsigned banks, const uint8_t *bank,
                                 const bool *saved, struct sl_error *err);

/* Reserves x8 as the function's frame pointer. */
void sl_registers_reserve_frame_pointer(struct sl_registers *registers);

struct sl_occupied {
  uint32_t start, end, reg; /* reg: owner of the segment */
};

struct sl_assigned_segments {
  struct sl_occupied *at[SL_REGISTERS]; /* ascending, disjoint */
  size_t count[SL_REGISTERS], room[SL_REGISTERS];
};

void sl_occupancy_free(struct sl_assigned_segments *o);

/* Add and remove the segments of reg. sl_occupy returns false if out of memory. */
bool sl_occupy(struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);
void sl_vacate(struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);

/* Calls found() for each register whose lifetime overlaps that of reg, possibly more than once, until found() returns
 * false. Returns whether it never did. */
typedef bool sl_occupancy_found(void *context, uint32_t other);
bool sl_occupancy_each(const struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l,
                       uint32_t reg, sl_occupancy_found *found, void *context);

bool sl_is_free(const struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);

/* Statistics of an allocation. */
struct sl_allocation_facts {
  unsigned rounds;
  uint32_t slots;       /* words of stack memory for spilled registers */
  uint32_t saved;       /* registers saved and restored */
  uint32_t registers;   /* physical registers in use */
  uint32_t spill_loads; /* instructions in the code, without those for saved registers */
  uint32_t spill_stores;
};

/* Allocates `lir`, which has virtual registers; the result has physical ones only. The result's virtual registers are
 * its slots: first those of spilled registers, then one per saved register, beginning with ra and the frame pointer.
 * SL_USAGE: the function needs more registers. */
enum sl_status sl_allocate(const struct sl_lir *lir, const struct sl_registers *registers,
                           enum sl_allocation allocation, struct sl_lir *result, struct sl_allocation_facts *facts,
                           struct sl_error *err);

/* Counts source pairs of instructions whose physical registers are in one bank. */
unsigned sl_source_conflicts(const struct sl_lir *lir, const struct sl_registers *registers,
                             const struct sl_lir_insn *insn);

/* One attempt to assign a physical register to every virtual register of a function: its inputs and the assignment so
 * far. */

enum { SL_NO_REGISTER = SL_REGISTERS };

struct sl_assignment {
  const struct sl_lir *lir;
  const struct sl_registers *registers;
  enum sl_allocation allocation;
  bool avoid_sp; /* with SL_COST: a register in the stack pointer's bank is charged the store that saves it */
  struct sl_lifetimes life;
  struct sl_weighted_graph conflicts, copies;
  struct sl_assigned_segments occupancy;
  uint16_t *physical;           /* per register, virtual or not; SL_NO_REGISTER: not assigned */
  double *weight;               /* executions of its instructions divided by its length; the lowest is spilled first */
  bool *over_call, *tail;       /* live across a call; read after the code that restores saved registers */
  unsigned users[SL_REGISTERS]; /* virtual registers per physical register */
};

bool sl_assignment_init(struct sl_assignment *a, const struct sl_lir *lir, const struct sl_registers *registers,
                        enum sl_allocation allocation, bool avoid_sp);
void sl_assignment_free(struct sl_assignment *a);

/* Assigns all registers. Lists those without a free register in spilled[] (one element per register), *count of them.
 * SL_USAGE: one of them cannot be spilled (assignment.c). */
enum sl_status sl_assign(struct sl_assignment *a, uint32_t *spilled, size_t *count, struct sl_error *err);

/* Translation validation of an allocation: proves that the allocated function computes the same, without using the
 * allocator's data.
 *
 * The checker walks the allocated function along all paths, in step with the original, instruction by instruction. At
 * each point it knows which values each physical register and slot certainly holds: the current value of a virtual
 * register, a register of the calling convention, or the caller's value of a register. Where paths meet, it keeps the
 * facts that all paths agree on (data flow to a fixed point). Each operand must hold the value that the original reads
 * there. Each exit must leave saved registers unchanged; calls preserve only those. Added instructions may only move
 * values, or recompute a constant that is the register's only value. (After J. Rideau, X. Leroy, "Validating register
 * allocation and spilling", CC 2010, forwards instead of backwards.) */

/* SL_OK, or SL_INTERNAL with the first wrong place. */
enum sl_status sl_check_allocation(const struct sl_lir *before, const struct sl_lir *after,
                                   const struct sl_registers *registers, struct sl_error *err);

#endif
