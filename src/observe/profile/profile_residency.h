/* Vector registers in use over the time of each launch, for the profile's page. They are recorded during the run, since
 * a machine stores only those of its last launch. */
#ifndef SL_OBSERVE_PROFILE_PROFILE_RESIDENCY_H
#define SL_OBSERVE_PROFILE_PROFILE_RESIDENCY_H

#include <jansson.h>
#include <stdio.h>

#include "base/queues.h"
#include "device/device.h"

/* Maximum on a page; further launches are omitted. */
enum { SL_RESIDENCY_LAUNCHES = 256 };

struct sl_residency_launch {
  size_t number; /* number of the launch */
  uint32_t entry;
  struct sl_series series;
};

struct sl_residency {
  struct sl_residency_launch *launch;
  size_t count;
  size_t left_out;
};

/* Records a finished launch; omits it if memory is exhausted. */
void sl_residency_add(struct sl_residency *residency, size_t number, uint32_t entry, const struct sl_series *series);
void sl_residency_free(struct sl_residency *residency);

/* Writes a plot with a selection of launches; nothing if there are none. */
void sl_residency_html(const struct sl_residency *residency, const struct sl_config *config,
                       const struct sl_program *program, FILE *f);

/* Occupancy of each launch: the blocks that a core holds at a time, and the resources that limit their number. The
 * profile records it during the run, because the device only knows the occupancy of the current kernel. */

struct sl_occupancy_launch {
  size_t number; /* of the launch */
  uint32_t entry;
  struct sl_occupancy occupancy;
};

struct sl_occupancies {
  struct sl_occupancy_launch *launch;
  size_t count;
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
