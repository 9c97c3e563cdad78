/* The configuration of a Vortex GPU: one field per key of vortex_keys.c. */
#ifndef SL_MACHINE_VORTEX_SPEC_H
#define SL_MACHINE_VORTEX_SPEC_H

#include "base/keys.h"

struct sl_vortex_spec {
  uint32_t lanes, warps, cores, socket_cores, clusters; /* cores in all; clusters divide them */
  uint32_t encoding;                                    /* enum sl_warp_encoding */
  uint32_t atomics;                                     /* the A extension is there */
  uint32_t code_base, code_bytes;                       /* where programs are looked for; code in it is decoded */
  uint32_t local_base, local_bytes, local_aliased;
  uint32_t ipdom_entries; /* 0: lanes - 1 */
  uint32_t split_negate;  /* split_n negates */
  uint32_t divergent_branch_faults;
};

extern const struct sl_keys sl_vortex_keys;

enum sl_code sl_vortex_check(const void *spec, struct sl_error *err);

#endif
