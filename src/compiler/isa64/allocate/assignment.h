/* One attempt to assign a physical register to every virtual register of a function: its inputs and the assignment so
 * far. */
#ifndef SL_BACKEND_ASSIGNMENT_H
#define SL_BACKEND_ASSIGNMENT_H

#include "compiler/isa64/allocate/lifetimes.h"
#include "compiler/isa64/allocate/occupancy.h"
#include "compiler/isa64/allocate/registers.h"
#include "compiler/isa64/allocate/weighted_graph.h"

enum { SL_NO_REGISTER = SL_REGISTERS };

struct sl_assignment {
  const struct sl_lir *lir;
  const struct sl_registers *registers;
  enum sl_allocation allocation;
  bool avoid_sp; /* with SL_COST: a register in the stack pointer's bank is charged the store that saves it */
  struct sl_lifetimes life;
  struct sl_weighted_graph conflicts, copies;
  struct sl_occupancy occupancy;
  uint16_t *physical;           /* per register, virtual or not; SL_NO_REGISTER: not assigned */
  double *weight;               /* executions of its instructions divided by its length; the lowest is spilled first */
  bool *over_call, *tail;       /* live across a call; read after the code that restores saved registers */
  unsigned users[SL_REGISTERS]; /* virtual registers per physical register */
};

bool sl_assignment_init(struct sl_assignment *a, const struct sl_lir *lir, const struct sl_registers *registers,
                        enum sl_allocation allocation, bool avoid_sp);
void sl_assignment_free(struct sl_assignment *a);

/* Whether the calling convention allows a virtual register in a physical one. */
bool sl_may_have(const struct sl_assignment *a, uint32_t reg, unsigned physical);

/* Assign and release a physical register. sl_give returns false if out of memory. */
bool sl_give(struct sl_assignment *a, uint32_t reg, unsigned physical);
void sl_take_back(struct sl_assignment *a, uint32_t reg);

/* Returns the free register that the allocation policy chooses, or SL_NO_REGISTER (choose_register.c). */
unsigned sl_choose_register(const struct sl_assignment *a, uint32_t reg);

/* For SL_COST: returns a free register cheaper than the current one, or the current one; the cost of the current one;
 * the conflict part of that cost. */
unsigned sl_cheaper_register(const struct sl_assignment *a, uint32_t reg);
double sl_cost_of(const struct sl_assignment *a, uint32_t reg);
double sl_conflict_cost(const struct sl_assignment *a, uint32_t reg, unsigned physical);

/* Revises assignments as long as a change reduces the cost (improve_choices.c). False: out of memory. */
bool sl_improve_choices(struct sl_assignment *a);

/* Assigns all registers. Lists those without a free register in spilled[] (one element per register), *count of them.
 * SL_USAGE: one of them cannot be spilled (assign.c). */
enum sl_status sl_assign(struct sl_assignment *a, uint32_t *spilled, size_t *count, struct sl_error *err);

#endif
