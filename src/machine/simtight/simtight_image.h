/* The timing state of an SM at the boundary of two windows (simtight_windows.h), as an image (machine/replay).
 * Plain register file. */
#ifndef SL_MACHINE_SIMTIGHT_IMAGE_H
#define SL_MACHINE_SIMTIGHT_IMAGE_H

#include "machine/replay/replay_image.h"
#include "machine/simtight/simtight_windows.h"

/* Writes the image to `word`, which has room for SL_IMAGE_WORDS. Returns the number of words, or 0 if the state has no
 * image: a request in flight needs more than one pass, whose addresses matter, or there are too many words. */
unsigned sl_simtight_image(const struct sl_simtight_sm *sm, const struct sl_windows *r, uint64_t *word);

/* A hash of a part of the state that is quickly read: states with equal images have equal hints. */
uint64_t sl_simtight_image_hint(const struct sl_simtight_sm *sm, const struct sl_windows *r);

/* Sets the timing state to an image's, in cycle `now`. */
void sl_simtight_image_restore(struct sl_simtight_sm *sm, struct sl_windows *r, const uint64_t *word, int64_t now);

#endif
