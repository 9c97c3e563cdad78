/* Instructions that exchange values between the lanes of a warp: shfl, vote, match. */
#ifndef SL_PTX_RUN_PTX_EXCHANGE_H
#define SL_PTX_RUN_PTX_EXCHANGE_H

#include "ptx/run/ptx_block.h"

void sl_ptx_shuffle(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active);
void sl_ptx_vote(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active);
void sl_ptx_match(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active);

#endif
