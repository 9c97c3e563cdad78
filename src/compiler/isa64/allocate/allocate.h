/* Register allocation of a function. It repeats assignment and spilling until every virtual register has a physical
 * one, then saves the callee-saved registers in use. */
#ifndef SL_BACKEND_ALLOCATE_H
#define SL_BACKEND_ALLOCATE_H

#include "compiler/isa64/allocate/lifetimes.h"
#include "compiler/isa64/allocate/occupancy.h"
#include "compiler/isa64/lir/lir.h"

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
