/* Shadow execution: runs the original kernel beside its variant with linear registers, and checks that both behave the
 * same (D. Ha, Y. Oh and W. W. Ro, R2D2, ISCA 2023, section 3).
 *
 * Each block has a shadow with its own registers, which executes the original. Both kernels have the same loads,
 * stores, atomics, texture fetches, barriers and branches, in the same order in each warp. Before each of these the
 * shadow advances to the same operation. The operands of both are compared lane by lane: addresses, stored values,
 * coordinates, and the lanes that execute and branch. The shadow writes no shared or global memory, and receives the
 * values that the variant loads. It therefore sees the same memory as the variant, whatever the order of blocks and
 * warps. As long as nothing differs, each store to memory is one that the original makes there. */
#ifndef SL_PTX_RUN_PTX_SHADOW_H
#define SL_PTX_RUN_PTX_SHADOW_H

#include "ptx/run/ptx_access.h"

/* Creates the block's shadow if its launch has one. The caller frees it, also after a failure. */
enum sl_status sl_ptx_shadow_create(struct sl_ptx_block *b, struct sl_error *err);
void sl_ptx_shadow_free(struct sl_ptx_block *b);

/* Call it after sl_ptx_block_start, if the block has a shadow. */
void sl_ptx_shadow_start(struct sl_ptx_block *b, unsigned sm, unsigned sms);

#endif
