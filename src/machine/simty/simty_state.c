/* A Simty core as bytes: its own struct, then the arrays it points to. */
#include <string.h>

#include "machine/simty/simty_sm.h"
#include "machine/state_parts.h"

/* The arrays outside the struct. */
enum { PARTS = 4 };

static void parts(const struct sl_sm *sm, struct sl_state_part part[PARTS])
{
  const struct sl_threads *t = &sm->threads;
  part[0] = (struct sl_state_part){t->x, t->spec.warps * t->warp_words * sizeof *t->x};
  part[1] = (struct sl_state_part){sm->paths, t->spec.warps * sizeof *sm->paths};
  part[2] = (struct sl_state_part){t->code, t->spec.code_words * sizeof *t->code};
  part[3] = (struct sl_state_part){sm->classes, t->spec.code_words * sizeof *sm->classes};
}

size_t sl_simty_state_bytes(const struct sl_sm *sm)
{
  struct sl_state_part part[PARTS];
  parts(sm, part);
  return sizeof *sm + sl_state_parts_size(part, PARTS);
}

void sl_simty_save(const struct sl_sm *sm, uint8_t *bytes)
{
  struct sl_state_part part[PARTS];
  parts(sm, part);
  memcpy(bytes, sm, sizeof *sm);
  sl_state_parts_save(part, PARTS, bytes + sizeof *sm);
}

void sl_simty_restore(struct sl_sm *sm, const uint8_t *bytes)
{
  /* What points into this process stays as it is. */
  const struct sl_sm_environment environment = sm->environment;
  const struct sl_threads threads = sm->threads;
  struct sl_sorted_paths *paths = sm->paths;
  uint8_t *classes = sm->classes;
  const bool observed = sm->observed;
  struct sl_state_part part[PARTS];
  parts(sm, part);
  memcpy(sm, bytes, sizeof *sm);
  const uint32_t closure = sm->threads.closure;
  const bool timing = sm->threads.timing;
  struct sl_fault fault = sm->threads.fault;
  fault.detail = NULL;
  sm->environment = environment;
  sm->observed = observed;
  sm->threads = threads;
  sm->threads.closure = closure;
  sm->threads.timing = timing;
  sm->threads.fault = fault;
  sm->paths = paths;
  sm->classes = classes;
  sl_state_parts_restore(part, PARTS, bytes + sizeof *sm);
}
