/* How many blocks of each launch a core had at a time, and what kept it from more: kept while the run goes on, since
 * the device only knows those of the kernel that begins. */
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

/* Without memory for it, it is left out. */
void sl_occupancies_add(struct sl_occupancies *all, const struct sl_occupancy_launch *launch);
void sl_occupancies_free(struct sl_occupancies *all);

/* Limits that all launches have in common; 0: none, or nothing is known. */
unsigned sl_occupancy_limits(const struct sl_occupancies *all);

/* A line for the launches of each kernel that are alike: "occupancy: fill 8 blocks ...". */
void sl_occupancy_print(const struct sl_occupancies *all, const struct sl_program *program, FILE *file);
void sl_occupancy_html(const struct sl_occupancies *all, const struct sl_program *program, FILE *file);

/* [{launch, kernel, blocks_per_core, warps_per_core, most_warps, limited_by [..]}] */
json_t *sl_occupancy_json(const struct sl_occupancies *all, const struct sl_program *program);

#endif
