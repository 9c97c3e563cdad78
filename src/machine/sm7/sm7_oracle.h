/* Launches of which an oracle says beforehand what is left out (ptx/oracle/ptx_oracle.h), and instructions that the
 * scalar pipeline does with one lane.
 *
 * The grid runs once without time, on its memory, which is then put back. In the timed run each warp looks up what was
 * said of it, instruction by instruction; one that is seen to go another way, as kernels may that depend on who is
 * first, is left alone from there on. Nothing that is left out is missing: it is executed, without time. */
#ifndef SL_MACHINE_SM7_ORACLE_H
#define SL_MACHINE_SM7_ORACLE_H

#include "machine/sm7/sm7_code.h"
#include "machine/sm7/sm7_spec.h"
#include "ptx/oracle/ptx_oracle.h"

struct sl_sm7_oracle {
  struct sl_ptx_marks marks;
  struct sl_ptx_place_of_marks *place; /* by SM and warp; NULL: there is no oracle */
  bool *scalar;                        /* by PC; NULL: no instruction is known to be */
  unsigned warps;                      /* of a block */
};

/* What the keys want, NULL if that is nothing; to be freed (sl_sm7_oracle_free) also when this failed. SL_USAGE: there
 * are checkpoints, which would have to hold all that was said. */
enum sl_status sl_sm7_oracle_ask(struct sl_sm7_oracle **oracle, const struct sl_sm7_spec *spec,
                                 const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                                 struct sl_error *err);
void sl_sm7_oracle_free(struct sl_sm7_oracle *oracle);

/* A launch without time: counts are what is not left out. */
enum sl_status sl_sm7_oracle_count(const struct sl_sm7_spec *spec, const struct sl_ptx_launch *launch,
                                   const struct sl_ptx_bounds *bounds, struct sl_ptx_counts *counts,
                                   struct sl_ptx_spared *spared, struct sl_error *err);

/* A block begins in a slot of an SM. */
void sl_sm7_oracle_begin(struct sl_sm7_oracle *oracle, unsigned sm, unsigned slot, uint64_t block);

static inline struct sl_ptx_place_of_marks *sl_sm7_oracle_at(const struct sl_sm7_oracle *o, unsigned sm, unsigned slot,
                                                             unsigned warp)
{
  return &o->place[sm * SL_SM7_MAX_WARPS + slot * o->warps + warp];
}

#endif
