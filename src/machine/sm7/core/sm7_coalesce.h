/* Coalescing of a warp's addresses. The result is a list of 32-byte sectors, each once, in ascending order; atomics of
 * several lanes on the same bytes stay separate. Also counts bank conflicts of shared memory, and maps local memory so
 * that the same word of a warp's lanes is contiguous. */
#ifndef SL_MACHINE_SM7_COALESCE_H
#define SL_MACHINE_SM7_COALESCE_H

#include "machine/sm7/core/sm7_sm.h"

/* Passes through the banks: the maximum number of different words that lanes access in one bank, by the first word of
 * each lane. */
unsigned sl_sm7_conflicts_of_banks(const struct sl_sm7_effect *effect);

/* Number of different words that lanes access, by the first word of each lane. */
unsigned sl_sm7_different_words(const struct sl_sm7_effect *effect);

/* The same for lines of a matrix, by all their words. */
unsigned sl_sm7_conflicts_of_lines(const struct sl_sm7_effect *effect);

void sl_sm7_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect);
/* Lines of a given size, each once, by the first byte of each lane. */
void sl_sm7_lines(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect, uint32_t line);
void sl_sm7_atomic_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect);

/* Interleaving of the local memory of a kernel's threads. */
struct sl_sm7_local_map {
  uint64_t threads; /* threads that can run at once on the GPU */
  uint64_t first;   /* number among them of the warp's lane 0 */
};
void sl_sm7_local_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect,
                          const struct sl_sm7_local_map *map);

#endif
