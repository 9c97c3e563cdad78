/* A Simty core as bytes: its own struct, then the arrays it points to. */
#include <string.h>

#include "machine/simty/simty_sm.h"
#include "machine/state_parts.h"

/* The arrays outside the struct. */
enum { PARTS = 4 };

static void parts(const struct sl_simty_core *sm, struct sl_state_part part[PARTS])
{
  const struct sl_path_warps *t = &sm->warps;
  part[0] = (struct sl_state_part){t->x, t->spec.warps * t->warp_words * sizeof *t->x};
  part[1] = (struct sl_state_part){sm->paths, t->spec.warps * sizeof *sm->paths};
  part[2] = (struct sl_state_part){t->code, t->spec.code_words * sizeof *t->code};
  part[3] = (struct sl_state_part){sm->classes, t->spec.code_words * sizeof *sm->classes};
}

size_t sl_simty_state_bytes(const struct sl_sm *handle)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  struct sl_state_part part[PARTS];
  parts(sm, part);
  return sizeof *sm + sl_state_parts_size(part, PARTS);
}

void sl_simty_save(const struct sl_sm *handle, uint8_t *bytes)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  struct sl_state_part part[PARTS];
  parts(sm, part);
  memcpy(bytes, sm, sizeof *sm);
  sl_state_parts_save(part, PARTS, bytes + sizeof *sm);
}

void sl_simty_restore(struct sl_sm *handle, const uint8_t *bytes)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  /* What points into this process stays as it is. */
  const struct sl_sm_environment environment = sm->environment;
  const struct sl_path_warps threads = sm->warps;
  struct sl_sorted_paths *paths = sm->paths;
  uint8_t *classes = sm->classes;
  const bool observed = sm->observed;
  struct sl_state_part part[PARTS];
  parts(sm, part);
  memcpy(sm, bytes, sizeof *sm);
  const uint32_t closure = sm->warps.s.closure;
  const bool timing = sm->warps.s.timing;
  struct sl_fault fault = sm->warps.fault;
  fault.detail = NULL;
  sm->environment = environment;
  sm->observed = observed;
  sm->warps = threads;
  sm->warps.s.closure = closure;
  sm->warps.s.timing = timing;
  sm->warps.fault = fault;
  sm->paths = paths;
  sm->classes = classes;
  sl_state_parts_restore(part, PARTS, bytes + sizeof *sm);
}
