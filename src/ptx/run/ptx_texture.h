/* Texture fetches: each lane gets the texel nearest to its coordinates. Coordinates are in texels. f32 coordinates are
 * rounded down and clamped to the texture; s32 coordinates outside give 0. A texel has one, two or four channels;
 * missing channels are 0, and the fourth is 1. */
#ifndef SL_PTX_RUN_PTX_TEXTURE_H
#define SL_PTX_RUN_PTX_TEXTURE_H

#include "ptx/run/ptx_effect.h"

#define SL_PTX_OUTSIDE UINT64_MAX

/* Bytes of a texel. */
unsigned sl_ptx_texel_bytes(const struct sl_ptx_texture *texture);

/* The texture of the fetch, the same for all active lanes. NULL: a fault. */
const struct sl_ptx_texture *sl_ptx_texture_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in,
                                               uint32_t active, struct sl_ptx_fault *fault);

/* Offsets of the active lanes' texels in the texture; SL_PTX_OUTSIDE: outside. */
void sl_ptx_texels(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *texture,
                   uint32_t active, uint64_t *offset);

/* Fetches the texels at these offsets of `data`. */
void sl_ptx_fetch(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *texture,
                  const uint8_t *data, const uint64_t *offset, uint32_t active);

#endif
