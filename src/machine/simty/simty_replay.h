/* The replay of a Simty core's timing (machine/replay): in SIMTight's SoC with its DRAM, without fairness, in runs
 * without an observer. An image is the state after a cycle. */
#ifndef SL_MACHINE_SIMTY_REPLAY_H
#define SL_MACHINE_SIMTY_REPLAY_H

#include "machine/replay/replay_image.h"
#include "machine/replay/timing_replay.h"
#include "machine/simty/simty_sm.h"

/* Returns the replay of a core, or NULL if the core cannot use one. */
struct sl_replay *sl_simty_replay_create(struct sl_simty_core *sm);

/* Writes the image to `word`, which has room for SL_IMAGE_WORDS. Returns the number of words, or 0 if the state has no
 * image: there are too many words. */
unsigned sl_simty_image(const struct sl_simty_core *sm, uint64_t *word);

/* Sets the timing state to an image's, in cycle `now`. */
void sl_simty_image_restore(struct sl_simty_core *sm, const uint64_t *word, uint64_t now);

#endif
