/* Textures: fetches in one to three dimensions, of the nearest texel or of a linear combination.
 *
 * A texture is an array of texels in global memory, row by row. Coordinates of type s32 count texels; outside of the
 * texture they give 0. Coordinates of type f32 count texels or, normalised, textures. Where they leave the texture, the
 * address mode of their dimension decides. A linear filter combines the 2, 4 or 8 nearest texels with weights of 8
 * fractional bits. A texel has one, two or four channels; missing channels are 0, and the fourth is 1.
 * Source: CUDA C Programming Guide, appendix "Texture Fetching".
 *
 * Timing: a fetch accesses the first of its texels (machine/sm7, texture cache); the others are in the same or the next
 * rows, and have no cost of their own. */
#ifndef SL_PTX_RUN_PTX_TEXTURE_H
#define SL_PTX_RUN_PTX_TEXTURE_H

#include "ptx/run/ptx_block.h"
#include "ptx/run/ptx_fault.h"

struct sl_ptx_effect;

/* The texture of a fetch, the same for all active lanes. NULL: a fault. */
const struct sl_ptx_texture *sl_ptx_texture_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in,
                                               uint32_t active, struct sl_ptx_fault *fault);

/* The addresses and bytes that the fetch accesses, for timing. */
void sl_ptx_texture_addresses(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in,
                              const struct sl_ptx_texture *texture, struct sl_ptx_effect *effect);

/* Fetches the texels of the active lanes; `data`: the texture's contents. */
void sl_ptx_texture_fetch(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in,
                          const struct sl_ptx_texture *texture, const uint8_t *data, uint32_t active);

#endif
