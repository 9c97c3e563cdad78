/* Occupancy of each launch: the blocks that a core holds at a time, and the resources that limit their number. The
 * profile records it during the run, because the device only knows the occupancy of the current kernel. */
#ifndef SL_OBSERVE_PROFILE_OCCUPANCY_H
#define SL_OBSERVE_PROFILE_OCCUPANCY_H

#include <jansson.h>
#include <stdio.h>

#include "gpu/device.h"

struct sl_occupancy_launch {
  size_t number; /* of the launch */
  uint32_t entry;
  struct sl_occupancy occupancy;
};

struct sl_occupancies {
  struct sl_occupancy_launch *launch;
  size_t count, room;
};

/* Records a launch; omits it if memory is exhausted. */
void sl_occupancies_add(struct sl_occupancies *all, const struct sl_occupancy_launch *launch);
void sl_occupancies_free(struct sl_occupancies *all);

/* Returns the limits that all launches share; 0: none, or unknown. */
unsigned sl_occupancy_limits(const struct sl_occupancies *all);

/* Prints a line for all launches of a kernel with equal occupancy: "occupancy: fill 8 blocks ...". */
void sl_occupancy_print(const struct sl_occupancies *all, const struct sl_program *program, FILE *file);
void sl_occupancy_html(const struct sl_occupancies *all, const struct sl_program *program, FILE *file);

/* [{launch, kernel, blocks_per_core, warps_per_core, most_warps, limited_by [..]}] */
json_t *sl_occupancy_json(const struct sl_occupancies *all, const struct sl_program *program);

#endif
