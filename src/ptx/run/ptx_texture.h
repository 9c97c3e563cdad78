/* Texture fetches: the texel that is nearest to the coordinates of each lane. Coordinates are in texels. Those of f32
 * are rounded down and kept inside the texture; those of s32 that are outside give 0. A texel has one, two or four
 * channels; the others are 0, and 1 for the fourth. */
#ifndef SL_PTX_RUN_PTX_TEXTURE_H
#define SL_PTX_RUN_PTX_TEXTURE_H

#include "ptx/run/ptx_effect.h"

#define SL_PTX_OUTSIDE UINT64_MAX

/* Bytes of a texel. */
unsigned sl_ptx_texel_bytes(const struct sl_ptx_texture *texture);

/* The texture that active lanes fetch from, the same for all of them. NULL: a fault. */
const struct sl_ptx_texture *sl_ptx_texture_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in,
                                               uint32_t active, struct sl_ptx_fault *fault);

/* Where the texels of active lanes are in the texture, SL_PTX_OUTSIDE: nowhere. */
void sl_ptx_texels(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *texture,
                   uint32_t active, uint64_t *offset);

/* Fetches the texels at these offsets of `data`. */
void sl_ptx_fetch(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *texture,
                  const uint8_t *data, const uint64_t *offset, uint32_t active);

#endif
