/* Deferred accesses to global memory: checked at issue and performed later. They make the result independent of the
 * speed of host threads when blocks execute in parallel. Until then their warps wait. */
#ifndef SL_PTX_RUN_PTX_LATE_H
#define SL_PTX_RUN_PTX_LATE_H

#include "ptx/run/ptx_block.h"

struct sl_ptx_late_access {
  const struct sl_ptx_warp *warp;
  const struct sl_ptx_insn *insn;
  const struct sl_ptx_texture *texture; /* of a texture fetch; NULL: none */
  uint8_t *data;
  uint32_t active;
  bool consecutive;              /* as in struct sl_ptx_addressing */
  uint64_t offset[SL_PTX_LANES]; /* in data */
};

enum { SL_PTX_LATE_MOST = 16 }; /* two per instruction with generic addresses */

struct sl_ptx_late {
  unsigned count;
  bool all; /* accesses to all memory but that of a thread are deferred */
  struct sl_ptx_late_access access[SL_PTX_LATE_MOST];
};

#endif
