/* Tables of the fields of warps (base/schema.h), and their part of a machine's state. */
#ifndef SL_WARP_SCHEMA_H
#define SL_WARP_SCHEMA_H

#include "base/schema.h"
#include "func/ipdom_warps.h"
#include "func/path_warps.h"

const struct sl_schema *sl_time_slice_schema(void);
const struct sl_schema *sl_paths_schema(void);
const struct sl_schema *sl_sorted_paths_schema(void);

/* Visits the registers and the instruction memory; the machine visits the paths. Sets the limits of the SM's shape. */
void sl_path_warps_walk(struct sl_path_warps *warps, struct sl_archive *archive);

/* When a warp with an empty mask is switched off: by the same instruction, or when that is in its unit. */
enum sl_ipdom_ends { SL_IPDOM_ENDS_AT_ONCE, SL_IPDOM_ENDS_LATER };

/* Visits the warps and their registers and local memory; sets the limits of their shape. `expect` expects what a table
 * cannot. */
void sl_ipdom_walk(struct sl_ipdom_warps *warps, struct sl_archive *archive);
void sl_ipdom_expect(const struct sl_ipdom_warps *warps, enum sl_ipdom_ends ends, struct sl_archive *archive);

#endif
