/* Launches with an oracle that determines the eliminated instructions in advance (ptx/oracle/ptx_oracle.h), and
 * instructions that the scalar pipeline executes with one lane.
 *
 * The grid first runs without timing, and its memory is then restored. In the timed run each warp looks up the oracle's
 * classification of each instruction. A warp can leave the predicted path if the kernel depends on the order of
 * threads; from there on none of its instructions are eliminated. Eliminated instructions still execute functionally,
 * without time. */
#ifndef SL_MACHINE_SM7_ORACLE_H
#define SL_MACHINE_SM7_ORACLE_H

#include "machine/sm7/sm7_code.h"
#include "machine/sm7/sm7_spec.h"
#include "ptx/oracle/ptx_oracle.h"

struct sl_sm7_oracle {
  struct sl_ptx_marks marks;
  struct sl_ptx_place_of_marks *place; /* by SM and warp; NULL: there is no oracle */
  bool *scalar;                        /* by PC; NULL: none */
  unsigned warps;                      /* of a block */
};

/* Creates the oracle that the keys select, NULL for none. The caller frees it (sl_sm7_oracle_free), also after a
 * failure. SL_USAGE: the run has checkpoints, which cannot hold the oracle. */
enum sl_status sl_sm7_oracle_ask(struct sl_sm7_oracle **oracle, const struct sl_sm7_spec *spec,
                                 const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                                 struct sl_error *err);
void sl_sm7_oracle_free(struct sl_sm7_oracle *oracle);

/* Runs a launch without timing and counts the instructions that are not eliminated. */
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
