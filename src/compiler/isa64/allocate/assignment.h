/* One attempt to assign a physical register to every virtual register of a function: its inputs and the assignment so
 * far. */
#ifndef SL_BACKEND_ASSIGNMENT_H
#define SL_BACKEND_ASSIGNMENT_H

#include "compiler/isa64/allocate/lifetimes.h"
#include "compiler/isa64/allocate/occupancy.h"

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

#endif
