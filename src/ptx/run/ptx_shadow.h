/* The kernel that another was made of, executed beside that: whether the form with linear registers of D. Ha, Y. Oh and
 * W. W. Ro (R2D2, ISCA 2023, section 3) does what the original does.
 *
 * Each block has a shadow with registers of its own, which executes the original. Both forms have the same loads,
 * stores, atomics, texture fetches, barriers and branches, in the same order in each warp. Before one of them the
 * shadow comes to the same, and what both read for it is compared, lane by lane: addresses, what is stored,
 * coordinates, who executes it and who branches. The shadow writes nothing that others see, and what is read from
 * memory is given to it. So it sees the memory that the other form sees, whatever blocks and warps were faster, and as
 * long as nothing differs each store to memory is one that the original makes there. */
#ifndef SL_PTX_RUN_PTX_SHADOW_H
#define SL_PTX_RUN_PTX_SHADOW_H

#include "ptx/run/ptx_effect.h"

/* Gives a block of a launch that has a shadow its own, if that is so; to be freed, also when this failed. */
enum sl_status sl_ptx_shadow_create(struct sl_ptx_block *b, struct sl_error *err);
void sl_ptx_shadow_free(struct sl_ptx_block *b);

/* After sl_ptx_block_start, if the block has one. */
void sl_ptx_shadow_start(struct sl_ptx_block *b, unsigned sm, unsigned sms);

#endif
