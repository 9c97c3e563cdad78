/* A Vortex GPU as bytes: its own struct, then each core's and the arrays it points to. Code is the program's. */
#include <string.h>

#include "machine/state_parts.h"
#include "machine/vortex_sm.h"

/* The arrays of a core. */
enum { PARTS = 4 };

static void parts(const struct sl_warps *w, struct sl_state_part part[PARTS])
{
  const struct sl_warps_spec *s = &w->spec;
  part[0] = (struct sl_state_part){w->x, s->warps * w->warp_words * sizeof *w->x};
  part[1] = (struct sl_state_part){w->warp, s->warps * sizeof *w->warp};
  part[2] = (struct sl_state_part){w->reserved, (size_t)s->warps * s->lanes * sizeof *w->reserved};
  part[3] = (struct sl_state_part){w->local, s->local_storage_bytes};
}

static size_t core_bytes(const struct sl_vortex_core *core)
{
  struct sl_state_part part[PARTS];
  parts(&core->warps, part);
  return sizeof *core + sl_state_parts_size(part, PARTS);
}

static void save_core(const struct sl_vortex_core *core, uint8_t *bytes)
{
  struct sl_state_part part[PARTS];
  parts(&core->warps, part);
  memcpy(bytes, core, sizeof *core);
  sl_state_parts_save(part, PARTS, bytes + sizeof *core);
}

/* What points into this process stays as it is. */
static void restore_core(struct sl_vortex_core *core, const uint8_t *bytes)
{
  struct sl_warps own = core->warps;
  const struct sl_loops loops = core->loops;
  const struct sl_streams streams = core->streams;
  struct sl_state_part part[PARTS];
  parts(&own, part);
  memcpy(core, bytes, sizeof *core);
  own.mscratch = core->warps.mscratch;
  own.performance_class = core->warps.performance_class;
  own.clock.cycle = core->warps.clock.cycle;
  own.clock.thread_instructions = core->warps.clock.thread_instructions;
  own.active = core->warps.active;
  own.fault = core->warps.fault;
  own.fault.detail = NULL;
  core->warps = own;
  core->loops = loops;
  core->streams = streams;
  sl_state_parts_restore(part, PARTS, bytes + sizeof *core);
}

size_t sl_vortex_state_bytes(const struct sl_sm *sm)
{
  return sizeof *sm + sm->spec.cores * core_bytes(&sm->core[0]);
}

void sl_vortex_save(const struct sl_sm *sm, uint8_t *bytes)
{
  memcpy(bytes, sm, sizeof *sm);
  bytes += sizeof *sm;
  for (unsigned c = 0; c < sm->spec.cores; c++, bytes += core_bytes(&sm->core[0]))
    save_core(&sm->core[c], bytes);
}

void sl_vortex_restore(struct sl_sm *sm, const uint8_t *bytes)
{
  const struct sl_sm own = *sm;
  memcpy(sm, bytes, sizeof *sm);
  sm->environment = own.environment;
  sm->observed = own.observed;
  sm->core = own.core;
  sm->code = own.code;
  sm->facts = own.facts;
  sm->timed = own.timed;
  sm->code_words = own.code_words;
  sm->code_capacity = own.code_capacity;
  sm->fault.detail = NULL;
  bytes += sizeof *sm;
  for (unsigned c = 0; c < sm->spec.cores; c++, bytes += core_bytes(&sm->core[0]))
    restore_core(&sm->core[c], bytes);
}
