#include "machine/vortex/core/vortex_stages.h"

static void give_back(struct sl_vortex_pipeline *core, uint64_t cycle, uint32_t tag, uint8_t extension)
{
  struct sl_vortex_ports *s = &core->s.ports;
  unsigned at = s->count++;
  for (; at > 0; at--) {
    const struct sl_vortex_port_return *before = &s->back[(s->first + at - 1) % SL_VORTEX_PORT_RETURNS];
    if (before->cycle <= cycle)
      break;
    s->back[(s->first + at) % SL_VORTEX_PORT_RETURNS] = *before;
  }
  s->back[(s->first + at) % SL_VORTEX_PORT_RETURNS] = (struct sl_vortex_port_return){cycle, tag, extension};
}

int sl_vortex_port_number(struct sl_vortex_pipeline *core, const struct sl_vortex_port_line *line)
{
  struct sl_vortex_ports *s = &core->s.ports;
  for (unsigned i = 0; i < SL_VORTEX_PORT_LINES / 64; i++)
    if (s->free[i] != 0) {
      const unsigned number = i * 64 + sl_lowest(s->free[i]);
      s->free[i] &= s->free[i] - 1;
      s->read[number] = *line;
      return (int)number;
    }
  return -1;
}

/* Adds the rest of the latency. */
void sl_vortex_port_answered(struct sl_vortex_pipeline *core, uint32_t number)
{
  struct sl_vortex_ports *s = &core->s.ports;
  const unsigned in_cache = core->spec->dcache.latency + 1, whole = core->spec->stream_latency;
  s->free[number / 64] |= sl_bit(number % 64);
  give_back(core, core->s.cycle + (whole > in_cache ? whole - in_cache : 0), s->read[number].tag,
            s->read[number].extension);
}

static void take_returns(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_ports *s = &core->s.ports;
  while (s->count > 0 && s->back[s->first].cycle <= core->s.cycle) {
    const struct sl_vortex_port_return *r = &s->back[s->first];
    const struct sl_extension *e = &core->warps->extension[r->extension];
    e->kind->answered(e->state, r->tag);
    s->first = (s->first + 1) % SL_VORTEX_PORT_RETURNS;
    s->count--;
  }
}

/* Ports without a waiting line. Port 0 belongs to the LSU when it has a line to send. */
static unsigned free_ports(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_lsu *lsu = &core->s.lsu;
  unsigned ports = 0;
  for (unsigned p = 0; p < core->spec->dcache_ports; p++)
    ports |= core->s.ports.port[p].waits ? 0 : 1u << p;
  const bool taken = lsu->line_count > 0 && lsu->line[lsu->line_first].ready <= core->s.cycle + 1;
  return taken ? ports & ~1u : ports;
}

/* Lines of local memory take a separate path; those of the cache wait at their port. */
static void grant(struct sl_vortex_pipeline *core, const struct sl_extension_request *r, uint8_t extension)
{
  if (!r->local)
    core->s.ports.port[r->port] = (struct sl_vortex_port_line){
        .waits = true, .write = r->write, .line = r->line >> SL_LINE_BITS, .tag = r->tag, .extension = extension};
  else if (!r->write)
    give_back(core, core->s.cycle + core->spec->stream_latency, r->tag, extension);
}

/* The extensions request in order; local memory serves one line. */
void sl_vortex_ports(struct sl_vortex_pipeline *core)
{
  struct sl_extension_request granted[SL_EXTENSION_REQUESTS];
  bool local_free = true;
  take_returns(core);
  for (unsigned i = 0; i < core->warps->extensions; i++) {
    const struct sl_extension *e = &core->warps->extension[i];
    if (e->kind->cycle == NULL || e->kind->idle(e->state))
      continue;
    const unsigned count = e->kind->cycle(e->state, free_ports(core), local_free, granted);
    for (unsigned k = 0; k < count; k++) {
      grant(core, &granted[k], (uint8_t)i);
      local_free = local_free && !granted[k].local;
    }
  }
}

bool sl_vortex_ports_idle(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_ports *s = &core->s.ports;
  bool idle = s->count == 0;
  for (unsigned i = 0; i < core->warps->extensions; i++) {
    const struct sl_extension *e = &core->warps->extension[i];
    idle = idle && (e->kind->idle == NULL || e->kind->idle(e->state));
  }
  for (unsigned port = 0; port < core->spec->dcache_ports; port++)
    idle = idle && !s->port[port].waits;
  for (unsigned i = 0; i < SL_VORTEX_PORT_LINES / 64; i++)
    idle = idle && s->free[i] == UINT64_MAX;
  return idle;
}
