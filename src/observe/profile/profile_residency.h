/* Vector registers in use over the time of each launch, for the profile's page. They are recorded during the run, since
 * a machine stores only those of its last launch. */
#ifndef SL_OBSERVE_PROFILE_RESIDENCY_H
#define SL_OBSERVE_PROFILE_RESIDENCY_H

#include <stdio.h>

#include "base/queues.h"
#include "gpu/device.h"

/* Maximum on a page; further launches are omitted. */
enum { SL_RESIDENCY_LAUNCHES = 256 };

struct sl_residency_launch {
  size_t number; /* number of the launch */
  uint32_t entry;
  struct sl_series series;
};

struct sl_residency {
  struct sl_residency_launch *launch;
  size_t count, room;
  size_t left_out;
};

/* Records a finished launch; omits it if memory is exhausted. */
void sl_residency_add(struct sl_residency *residency, size_t number, uint32_t entry, const struct sl_series *series);
void sl_residency_free(struct sl_residency *residency);

/* Writes a plot with a selection of launches; nothing if there are none. */
void sl_residency_html(const struct sl_residency *residency, const struct sl_config *config,
                       const struct sl_program *program, FILE *f);

#endif
