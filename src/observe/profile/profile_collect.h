/* Collects the profile of launches on a device: the rows of their instructions, vector registers in use over the time
 * of each launch, and occupancies. */
#ifndef SL_OBSERVE_PROFILE_PROFILE_COLLECT_H
#define SL_OBSERVE_PROFILE_PROFILE_COLLECT_H

#include "observe/profile/profile.h"

struct sl_profile_collector {
  struct sl_profile profile;
  const struct sl_device *device; /* set when the device is there */
  struct sl_residency residency;
  struct sl_occupancies occupancies;
  uint32_t entry; /* of the current launch */
};

/* Its profile counts all launches, unless the caller chooses others. Free it also after an error. */
enum sl_status sl_profile_collector_create(struct sl_profile_collector *collector, const struct sl_soc *soc,
                                           const struct sl_program *program, struct sl_error *err);
void sl_profile_collector_free(struct sl_profile_collector *collector);

/* The observer of the device. */
struct sl_probes sl_profile_collector_probes(struct sl_profile_collector *collector);

/* After a run that ended within its first launch: keeps what is known of that one. */
void sl_profile_collector_cut_short(struct sl_profile_collector *collector);

#endif
