#include "machine/vortex/core/vortex_stream.h"

static void give_back(struct sl_vortex_pipeline *core, uint64_t cycle, uint32_t tag)
{
  struct sl_vortex_streaming *s = &core->streaming;
  unsigned at = s->count++;
  for (; at > 0; at--) {
    const struct sl_vortex_stream_return *before = &s->back[(s->first + at - 1) % SL_VORTEX_STREAM_RETURNS];
    if (before->cycle <= cycle)
      break;
    s->back[(s->first + at) % SL_VORTEX_STREAM_RETURNS] = *before;
  }
  s->back[(s->first + at) % SL_VORTEX_STREAM_RETURNS] = (struct sl_vortex_stream_return){cycle, tag};
}

/* A number for a read on its way through the cache; -1: all are taken. */
int sl_vortex_stream_number(struct sl_vortex_pipeline *core, uint32_t tag)
{
  struct sl_vortex_streaming *s = &core->streaming;
  for (unsigned i = 0; i < SL_VORTEX_STREAM_LINES / 64; i++)
    if (s->free[i] != 0) {
      const unsigned number = i * 64 + sl_lowest(s->free[i]);
      s->free[i] &= s->free[i] - 1;
      s->tag[number] = tag;
      return (int)number;
    }
  return -1;
}

/* The cache has answered; what is left of the latency passes. */
void sl_vortex_stream_answered(struct sl_vortex_pipeline *core, uint32_t number)
{
  struct sl_vortex_streaming *s = &core->streaming;
  const unsigned in_cache = core->spec->dcache.latency + 1, whole = core->spec->stream_latency;
  s->free[number / 64] |= sl_bit(number % 64);
  give_back(core, core->cycle + (whole > in_cache ? whole - in_cache : 0), s->tag[number]);
}

static void take_returns(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_streaming *s = &core->streaming;
  while (s->count > 0 && s->back[s->first].cycle <= core->cycle) {
    sl_streams_return(core->warps->streams, s->back[s->first].tag);
    s->first = (s->first + 1) % SL_VORTEX_STREAM_RETURNS;
    s->count--;
  }
}

/* Ports that no line waits at. The first is the LSU's when it has a line to send. */
static unsigned free_ports(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_lsu *lsu = &core->lsu;
  unsigned ports = 0;
  for (unsigned p = 0; p < core->spec->dcache_ports; p++)
    ports |= core->streaming.port[p].waits ? 0 : 1u << p;
  const bool taken = lsu->line_count > 0 && lsu->line[lsu->line_first].ready <= core->cycle + 1;
  return taken ? ports & ~1u : ports;
}

/* Lines of local memory take their own path; those of the cache wait at their port. */
static void grant(struct sl_vortex_pipeline *core, const struct sl_stream_request *r)
{
  if (!r->local)
    core->streaming.port[r->port] = (struct sl_vortex_stream_line){
        .waits = true, .write = r->write, .line = r->line >> SL_LINE_BITS, .tag = r->tag};
  else if (!r->write)
    give_back(core, core->cycle + core->spec->stream_latency, r->tag);
}

void sl_vortex_stream(struct sl_vortex_pipeline *core)
{
  struct sl_stream_request granted[SL_STREAMS_MAX];
  take_returns(core);
  if (sl_streams_idle(core->warps->streams))
    return;
  const unsigned count = sl_streams_cycle(core->warps->streams, free_ports(core), true, granted);
  for (unsigned i = 0; i < count; i++)
    grant(core, &granted[i]);
}
