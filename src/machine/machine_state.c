#include "machine/machine_state.h"

#include <stdlib.h>

#include "func/state/warp_schema.h"

SL_SCHEMA(sl_sm_schema, struct sl_sm, NULL, SL_DERIVED(machine), SL_STRUCTS(sl_time_slice_schema, slice),
          SL_BELOW(SL_SM_FAULTED, state), SL_ANY(order));

size_t sl_state_bytes(struct sl_sm *sm)
{
  struct sl_archive archive = {.to = NULL};
  sm->machine->state.walk(sm, &archive);
  return archive.at;
}

void sl_state_save(struct sl_sm *sm, uint8_t *bytes)
{
  struct sl_archive archive = {.to = bytes};
  sm->machine->state.walk(sm, &archive);
}

void sl_state_each(struct sl_sm *sm, void (*see)(void *context, const struct sl_value *value), void *context)
{
  struct sl_archive archive = {.see = see, .context = context};
  sm->machine->state.walk(sm, &archive);
}

static void take(struct sl_sm *sm, const uint8_t *bytes, size_t size)
{
  struct sl_archive archive = {.from = bytes, .size = size, .trusted = true};
  sm->machine->state.walk(sm, &archive);
}

static enum sl_status try(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size)
{
  struct sl_archive archive = {.from = bytes, .size = size};
  sm->machine->state.walk(sm, &archive);
  if (sl_archive_expect(&archive, archive.at == size))
    sm->machine->state.expect(sm, timing, &archive);
  sl_archive_balance(&archive);
  return !archive.bad ? SL_OK : archive.no_memory ? SL_INTERNAL : SL_USAGE;
}

/* The state is restored on trial, and the SM's own state is put back afterwards. Memory suffices for that, because room
 * stays reserved. */
enum sl_status sl_state_fits(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size)
{
  if (sm->machine->state.fits != NULL)
    return sm->machine->state.fits(sm, timing, bytes, size);
  const size_t own_size = sl_state_bytes(sm);
  uint8_t *own = malloc(own_size);
  if (own == NULL)
    return SL_INTERNAL;
  sl_state_save(sm, own);
  const enum sl_status code = try(sm, timing, bytes, size);
  take(sm, own, own_size);
  sm->machine->state.derive(sm);
  free(own);
  return code;
}

void sl_state_restore(struct sl_sm *sm, const uint8_t *bytes, size_t size)
{
  if (sm->machine->state.restore != NULL) {
    sm->machine->state.restore(sm, bytes, size);
    return;
  }
  take(sm, bytes, size);
  sm->machine->state.derive(sm);
}
