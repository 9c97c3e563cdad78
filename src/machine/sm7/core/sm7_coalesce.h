/* From the addresses of a warp's lanes to what memory is asked for: sectors of 32 bytes, each once, ascending; atomics
 * of lanes on the same bytes apart; conflicts of banks of shared memory; and where local memory is, so that the same
 * word of the lanes of a warp is consecutive. */
#ifndef SL_MACHINE_SM7_COALESCE_H
#define SL_MACHINE_SM7_COALESCE_H

#include "machine/sm7/core/sm7_sm.h"

/* Passes through the banks: the most different words that lanes touch in one bank, by the first word of each lane. */
unsigned sl_sm7_conflicts_of_banks(const struct sl_sm7_effect *effect);

void sl_sm7_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect);
/* Lines of so many bytes, each once, by the first byte of each lane. */
void sl_sm7_lines(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect, uint32_t line);
void sl_sm7_atomic_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect);

/* How the local memory of the threads of a kernel is interleaved. */
struct sl_sm7_local_map {
  uint64_t threads; /* that can run at once on the GPU */
  uint64_t first;   /* number among them of lane 0 of the warp */
};
void sl_sm7_local_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *effect,
                          const struct sl_sm7_local_map *map);

#endif
