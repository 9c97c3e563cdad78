/* The public interface: events that the library collects in batches, for callers to whom a callback per event is slow.
 */
#include <stdio.h>
#include <stdlib.h>

#include "api/api_types.h"

enum { SL_EVENTS_FIRST = 65536 };

static unsigned kind_of(const struct sl_probe *p)
{
  if (p->kind == SL_PROBE_EXECUTED)
    return SIMTLAB_COMMIT_EVENT;
  if (p->access == SL_PROBE_LOAD)
    return SIMTLAB_LOAD_EVENT;
  return p->access == SL_PROBE_STORE ? SIMTLAB_STORE_EVENT : SIMTLAB_ATOMIC_EVENT;
}

static struct simtlab_event event_of(const struct sl_probe *p, unsigned kind, unsigned warp)
{
  struct simtlab_event event = {.cycle = p->cycle,
                                .active = p->active,
                                .pc = p->pc,
                                .launch = p->launch,
                                .warp = warp,
                                .word = p->insn != NULL ? (uint32_t)p->insn->word : 0,
                                .rd = p->values != NULL ? p->insn->rd : -1,
                                .line = p->line,
                                .kind = kind,
                                .width = kind != SIMTLAB_COMMIT_EVENT ? p->width : 0};
  if (kind != SIMTLAB_COMMIT_EVENT && p->wide_address != NULL && p->active != 0)
    event.address = p->wide_address[__builtin_ctzll(p->active)];
  const uint32_t *index = p->ptx_warp != NULL ? p->ptx_warp->block->index : p->block != NULL ? p->block->index : NULL;
  for (unsigned i = 0; i < 3 && index != NULL; i++)
    event.block[i] = index[i];
  return event;
}

static bool has_room(struct sl_events *events)
{
  if (events->count < events->allocated)
    return true;
  struct simtlab_event *more = realloc(events->event, 2 * events->allocated * sizeof *more);
  if (more == NULL)
    return false;
  events->event = more;
  events->allocated *= 2;
  return true;
}

void sl_api_collect(struct simtlab_device *device, const struct sl_probe *probe)
{
  struct sl_events *events = &device->events;
  const struct simtlab_filter *filter = &events->filter;
  const unsigned kind = kind_of(probe);
  const unsigned warp = probe->ptx_warp != NULL ? probe->ptx_warp->index : probe->warp;
  if ((filter->kinds & kind) == 0 || (filter->one_warp && filter->warp != warp) || probe->pc < filter->first_pc ||
      (filter->last_pc != 0 && probe->pc > filter->last_pc))
    return;
  if (filter->every > 1 && events->selected++ % filter->every != 0)
    return;
  if (!has_room(events)) {
    events->lost = true;
    snprintf(device->stop, sizeof device->stop, "out of memory for events; run fewer cycles at a time");
    return;
  }
  events->event[events->count++] = event_of(probe, kind, warp);
}

/* Turns the collector on. The machine learns which events are wanted when it is made. */
static enum sl_status turn_on(struct simtlab_device *device, struct sl_error *err)
{
  if (device->used)
    return sl_fail(err, SL_USAGE,
                   "simtlab_device_collect: the device has a program, a module or a buffer already; call "
                   "it for the first time right after simtlab_device_create");
  struct simtlab_event *event = malloc(SL_EVENTS_FIRST * sizeof *event);
  if (event == NULL)
    return sl_no_memory(err, SL_EVENTS_FIRST * sizeof *event);
  struct sl_probes *probes = &device->options.probes;
  const struct sl_probes before = *probes;
  probes->wanted |= SL_PROBE_EXECUTED | SL_PROBE_ACCESSED;
  probes->payloads |= SL_PAYLOAD_ADDRESSES;
  const enum sl_status code = sl_api_open(device, err);
  if (code != SL_OK) {
    *probes = before;
    free(event);
    return code;
  }
  device->events = (struct sl_events){.event = event, .allocated = SL_EVENTS_FIRST};
  return SL_OK;
}

enum simtlab_status simtlab_device_collect(simtlab_device *device, const struct simtlab_filter *filter,
                                           struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(filter, error);
  struct sl_error e;
  const enum sl_status code = device->events.event == NULL ? turn_on(device, &e) : SL_OK;
  if (code != SL_OK)
    return sl_api_report(code, &e, error);
  struct sl_events *events = &device->events;
  events->filter = *filter;
  if (filter->kinds == 0)
    events->filter.kinds = SIMTLAB_ALL_EVENTS;
  events->count = 0;
  events->selected = 0;
  return sl_api_report(SL_OK, &e, error);
}

size_t simtlab_device_events(simtlab_device *device, const struct simtlab_event **events)
{
  if (device == NULL || events == NULL || device->running)
    return 0;
  const size_t count = device->events.count;
  *events = device->events.event;
  device->events.count = 0;
  return count;
}
