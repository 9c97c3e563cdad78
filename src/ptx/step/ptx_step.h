/* Predecoded instructions of the functional engine: each instruction of a module is a step, a function of the host with
 * the places of its operands, so that an instruction that neither diverges nor waits costs one call. Steps leave
 * registers, memory, stack and counts as sl_ptx_execute does; instructions without a step (barriers, exits, calls,
 * clocks) are left to it. */
#ifndef SL_PTX_STEP_PTX_STEP_H
#define SL_PTX_STEP_PTX_STEP_H

#include "ptx/run/ptx_access.h"
#include "ptx/run/ptx_execute.h"
#include "ptx/run/ptx_grid.h"

struct sl_ptx_steps;

/* 32 values: at `at` in memory that all warps share, or in a warp's block of registers. */
struct sl_ptx_operand {
  uintptr_t at, within; /* within: all ones, or 0 */
};

/* Memory that a step can access: an address range and its contents. */
struct sl_ptx_view {
  uint8_t *data;
  uint64_t base, bytes, stride; /* as in struct sl_ptx_addressing */
};

/* Views by enum sl_ptx_space, where generic addresses are those of the heap; then: */
enum { SL_PTX_VIEW_STATICS = SL_PTX_PARAM + 1, SL_PTX_VIEW_CONST_WINDOW, SL_PTX_VIEW_SHARED_WINDOW, SL_PTX_VIEWS };

/* A warp that executes steps. */
struct sl_ptx_run {
  uint8_t *registers;
  uint32_t mask;  /* lanes of the top of the stack */
  unsigned lanes; /* their number */
  uint64_t idle;  /* lanes whose guard did not hold, summed over the instructions */
  struct sl_ptx_warp *warp;
  bool changed, faulted; /* the step has changed the stack; it has a fault */
  struct sl_ptx_view view[SL_PTX_VIEWS];
  struct sl_ptx_effect effect; /* of accesses */
  struct sl_ptx_fault *fault;
  struct sl_ptx_report report; /* for an observer */
  struct sl_range buffer;      /* that was accessed last; empty: none */
};

struct sl_ptx_step {
  /* Executes the instruction, if all lanes are active, and in general. Returns the next step; NULL: the stack has
   * changed, or there is a fault, or nothing has been done. `general`: of an access, with all its faults. */
  sl_ptx_step_function *full, *some, *general;
  sl_ptx_step_function *direct; /* `full` of an access that an observer is told of */
  struct sl_ptx_operand d, a, b, c;
  uint64_t immediate;               /* of an address */
  const struct sl_ptx_step *target; /* of a branch */
  const struct sl_ptx_insn *insn;
  uint32_t guard, flip; /* offset of the guard in the registers, and what is XORed with it */
  uint32_t flip_c;      /* the same of the predicate c */
  bool guarded;
  uint8_t space;
};

static inline uint8_t *sl_ptx_operand(const struct sl_ptx_run *r, struct sl_ptx_operand o)
{
  return (uint8_t *)(o.at + ((uintptr_t)r->registers & o.within)); /* NOLINT */
}

/* The lanes whose guard holds. */
static inline uint32_t sl_ptx_active(const struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  typedef uint32_t predicate __attribute__((may_alias));
  return s->guarded ? r->mask & (*(const predicate *)(const void *)(r->registers + s->guard) ^ s->flip) : r->mask;
}

/* Counts the others. */
static inline void sl_ptx_count_idle(struct sl_ptx_run *r, uint32_t active)
{
  r->idle += active == r->mask ? 0 : active == 0 ? r->lanes : r->lanes - sl_count(active);
}

/* Makes the steps of a module for blocks of the launch of this one. *steps is NULL if there are none for the launch:
 * with instructions that are counted apart, linear registers or call levels; without an observer also with checked
 * memory and groups that take turns. With an observer the first block has begun. Steps tell it of loads, stores and
 * atomics, and leave all else that it must be told to sl_ptx_execute; there are none for one that wants more than that,
 * and for groups that take turns in another way than `its`. */
enum sl_status sl_ptx_steps_make(struct sl_ptx_steps **steps, const struct sl_ptx_block *block,
                                 const struct sl_ptx_bounds *bounds, struct sl_error *err);
void sl_ptx_steps_free(struct sl_ptx_steps *steps);

/* Executes up to `most` instructions of a warp that lives, and adds their active lanes to *threads. Returns their
 * number. Ends early before an instruction without a step, when the warp has ended, and at a fault, which sets
 * run->faulted and *fault. */
uint64_t sl_ptx_steps_run(const struct sl_ptx_steps *steps, struct sl_ptx_run *run, struct sl_ptx_warp *w,
                          uint64_t most, uint64_t *threads, struct sl_ptx_fault *fault);

#endif
