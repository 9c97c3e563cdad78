/* The state of an SM as bytes, and as a list of names and values, by the walk of its machine; and what machines share:
 * tables of the fields of warps, and their part of the walk. */
#ifndef SL_MACHINE_STATE_H
#define SL_MACHINE_STATE_H

#include "base/schema.h"
#include "func/ipdom_warps.h"
#include "func/path_warps.h"
#include "machine/machine.h"

const struct sl_schema *sl_sm_schema(void); /* of the common head of every SM */

size_t sl_state_bytes(struct sl_sm *sm);
void sl_state_save(struct sl_sm *sm, uint8_t *bytes);

/* Validates bytes as a state to resume with or without timing. SL_USAGE: the state is invalid and must not be restored.
 * SL_INTERNAL: out of memory; else restore needs no more memory. The SM does not change. */
enum sl_status sl_state_fits(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size);
void sl_state_restore(struct sl_sm *sm, const uint8_t *bytes, size_t size);

/* Calls `see` with each number of the state. */
void sl_state_each(struct sl_sm *sm, void (*see)(void *context, const struct sl_value *value), void *context);

/* ---- warps ------------------------------------------------------------------------------------------------------- */

const struct sl_schema *sl_paths_schema(void);
const struct sl_schema *sl_sorted_paths_schema(void);

/* Visits the registers and the instruction memory; the machine visits the paths. Sets the limits of the SM's shape. */
void sl_path_warps_walk(struct sl_path_warps *warps, struct sl_archive *archive);

/* Visits the warps and their registers and local memory; sets the limits of their shape. `ends_later`: a warp with an
 * empty mask is switched off when its last instruction is in its unit, not by that instruction. */
void sl_ipdom_walk(struct sl_ipdom_warps *warps, bool ends_later, struct sl_archive *archive);

#endif
