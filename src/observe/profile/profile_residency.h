/* The vector registers in use over the time of each launch, for the profile's page: kept while the run goes on, since a
 * machine only knows those of its last launch. */
#ifndef SL_OBSERVE_PROFILE_RESIDENCY_H
#define SL_OBSERVE_PROFILE_RESIDENCY_H

#include <stdio.h>

#include "base/series.h"
#include "gpu/device.h"

/* More launches than a page has room for are left out. */
enum { SL_RESIDENCY_LAUNCHES = 256 };

struct sl_residency_launch {
  size_t number; /* of the launch */
  uint32_t entry;
  struct sl_series series;
};

struct sl_residency {
  struct sl_residency_launch *launch;
  size_t count, room;
  size_t left_out;
};

/* A launch has ended; without memory for it, it is left out. */
void sl_residency_add(struct sl_residency *residency, size_t number, uint32_t entry, const struct sl_series *series);
void sl_residency_free(struct sl_residency *residency);

/* A plot with a choice of launches; nothing without any. */
void sl_residency_html(const struct sl_residency *residency, const struct sl_config *config,
                       const struct sl_program *program, FILE *f);

#endif
