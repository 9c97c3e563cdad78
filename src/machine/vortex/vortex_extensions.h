/* The extensions of a Vortex core, given by its keys. Only this module of the machine knows which extensions exist. */
#ifndef SL_MACHINE_VORTEX_EXTENSIONS_H
#define SL_MACHINE_VORTEX_EXTENSIONS_H

#include "func/ipdom_warps.h"
#include "machine/vortex/vortex_gpu.h"
#include "machine/vortex/vortex_spec.h"

/* Performance counters as programs read them. */

/* For struct sl_ipdom_warps; context: a view. */
uint64_t sl_vortex_performance(const void *context, unsigned class, unsigned index);

/* Adds the configured extensions to the warps of a core. */
enum sl_status sl_vortex_extend(struct sl_ipdom_warps *w, const struct sl_vortex_spec *spec, struct sl_error *err);

/* What waits for an access to an extension's CSR: the warp's fetch, and the access itself in its unit. */
enum { SL_VORTEX_FETCH_WAITS = 1, SL_VORTEX_UNIT_WAITS = 2 };
unsigned sl_vortex_extension_waits(const struct sl_vortex_spec *spec, const struct sl_insn *in);

/* The extensions' counters. */
enum sl_vortex_extension_counter { SL_VORTEX_ELEMENTS_READ, SL_VORTEX_ELEMENTS_WRITTEN, SL_VORTEX_EXTENSION_LINES };
uint64_t sl_vortex_extension_count(const struct sl_ipdom_warps *w, enum sl_vortex_extension_counter counter);

#endif
