/* One attempt to give every virtual register of a function a physical one: what is known of them, and what has been
 * given so far. */
#ifndef SL_BACKEND_ASSIGNMENT_H
#define SL_BACKEND_ASSIGNMENT_H

#include "backend/allocate/lifetimes.h"
#include "backend/allocate/occupancy.h"
#include "backend/allocate/registers.h"
#include "backend/allocate/weighted_graph.h"

enum { SL_NO_REGISTER = SL_REGISTERS };

struct sl_assignment {
  const struct sl_lir *lir;
  const struct sl_registers *registers;
  enum sl_allocation allocation;
  bool avoid_sp; /* with SL_COST: the stack pointer's bank costs a register to be saved its store from the beginning */
  struct sl_lifetimes life;
  struct sl_weighted_graph conflicts, copies;
  struct sl_occupancy occupancy;
  uint16_t *physical;           /* of each register, virtual or not; SL_NO_REGISTER: none yet */
  double *weight;               /* executions of instructions with it, by its length: what is light is spilled first */
  bool *over_call, *tail;       /* alive over a call; read behind what restores saved registers */
  unsigned users[SL_REGISTERS]; /* virtual registers that have each physical one */
};

bool sl_assignment_init(struct sl_assignment *a, const struct sl_lir *lir, const struct sl_registers *registers,
                        enum sl_allocation allocation, bool avoid_sp);
void sl_assignment_free(struct sl_assignment *a);

/* Whether the convention lets a virtual register have a physical one. */
bool sl_may_have(const struct sl_assignment *a, uint32_t reg, unsigned physical);

/* Gives and takes back. False without memory. */
bool sl_give(struct sl_assignment *a, uint32_t reg, unsigned physical);
void sl_take_back(struct sl_assignment *a, uint32_t reg);

/* The free register that the allocation chooses, or SL_NO_REGISTER (choose_register.c). */
unsigned sl_choose_register(const struct sl_assignment *a, uint32_t reg);

/* For SL_COST: a free register that costs less than the one that this has, or the latter; what it costs where it is;
 * and of that the conflicts. */
unsigned sl_cheaper_register(const struct sl_assignment *a, uint32_t reg);
double sl_cost_of(const struct sl_assignment *a, uint32_t reg);
double sl_conflict_cost(const struct sl_assignment *a, uint32_t reg, unsigned physical);

/* Goes over what has been given as long as that makes it cheaper (improve_choices.c). False without memory. */
bool sl_improve_choices(struct sl_assignment *a);

/* Gives all registers physical ones. Those for which there is none are in spilled[] (room for all), *count of them;
 * SL_USAGE if one of them cannot be spilled (assign.c). */
enum sl_status sl_assign(struct sl_assignment *a, uint32_t *spilled, size_t *count, struct sl_error *err);

#endif
