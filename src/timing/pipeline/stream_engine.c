#include "timing/pipeline/stream_engine.h"

#include <string.h>

/* The tag of a line: unit, warp, slot of the FIFO, and the slot's generation. */
enum { UNIT_BITS = 3, WARP_BITS = 6, SLOT_BITS = 5, GENERATION_BITS = 18 };
SL_HOLDS(1 << UNIT_BITS, SL_STREAMS_MAX, "units");
SL_HOLDS(1 << WARP_BITS, SL_MAX_WARPS, "warps");
SL_HOLDS(1 << SLOT_BITS, SL_STREAM_CREDITS_MAX, "slots");
SL_HOLDS(32, UNIT_BITS + WARP_BITS + SLOT_BITS + GENERATION_BITS, "bits of a tag");

static uint32_t make_tag(unsigned unit, unsigned warp, unsigned slot, uint32_t generation)
{
  return unit | warp << UNIT_BITS | slot << (UNIT_BITS + WARP_BITS) | generation << (UNIT_BITS + WARP_BITS + SLOT_BITS);
}

bool sl_streams_tag_valid(const struct sl_streams *s, uint32_t tag)
{
  return (tag & ((1u << UNIT_BITS) - 1)) < s->spec.count && (tag >> UNIT_BITS & ((1u << WARP_BITS) - 1)) < s->warps &&
         (tag >> (UNIT_BITS + WARP_BITS) & ((1u << SLOT_BITS) - 1)) < s->spec.credits;
}

bool sl_streams_busy(const struct sl_streams *s, unsigned warp, unsigned unit)
{
  const struct sl_stream *stream = sl_stream_of(s, warp, unit);
  if (!s->spec.timed)
    return false;
  for (unsigned i = 0; i < stream->epochs; i++) {
    const struct sl_stream_epoch *e = sl_stream_epoch(s, stream, i);
    if (e->written < (e->over ? e->write_end : stream->write_index))
      return true;
  }
  return stream->writes > 0;
}

/* -- Issue and commit -- */

bool sl_streams_ready(const struct sl_streams *s, unsigned warp, const struct sl_stream_use *use)
{
  for (unsigned rest = use->reads; rest != 0; rest &= rest - 1) {
    const struct sl_stream *stream = sl_stream_of(s, warp, sl_lowest(rest));
    if (stream->reads == 0 || !sl_stream_is_valid(sl_stream_read_slot(s, stream, stream->read_head)))
      return false;
  }
  return use->write < 0 || sl_stream_of(s, warp, (unsigned)use->write)->writes < s->spec.credits;
}

static void take_element(struct sl_streams *s, unsigned warp, unsigned unit)
{
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  stream->read_head = sl_stream_slot(s, stream->read_head, 1);
  stream->reads--;
  stream->valid--;
  s->s.counters.elements_read++;
  sl_stream_refresh(s, warp, unit);
}

static unsigned reserve_slot(struct sl_streams *s, unsigned warp, unsigned unit)
{
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  const unsigned slot = sl_stream_slot(s, stream->write_head, stream->writes++);
  struct sl_stream_epoch *e = sl_stream_epoch(s, stream, 0); /* issue is in order: earlier ones are retired */
  *sl_stream_write_slot(s, stream, slot) = (struct sl_stream_write){0};
  sl_stream_addresses(s, e, e->written++, sl_stream_write_address(s, stream, slot));
  s->s.counters.elements_written++;
  sl_stream_retire(s, stream);
  sl_stream_refresh(s, warp, unit);
  return slot;
}

void sl_streams_issue(struct sl_streams *s, unsigned warp, struct sl_stream_use *use)
{
  for (unsigned rest = use->reads; rest != 0; rest &= rest - 1)
    take_element(s, warp, sl_lowest(rest));
  if (use->write >= 0)
    use->slot = (uint8_t)reserve_slot(s, warp, (unsigned)use->write);
}

void sl_streams_commit(struct sl_streams *s, unsigned warp, const struct sl_stream_use *use, sl_lanes active)
{
  if (use->write < 0)
    return;
  struct sl_stream *stream = sl_stream_of(s, warp, (unsigned)use->write);
  *sl_stream_write_slot(s, stream, use->slot) = (struct sl_stream_write){.lanes = active, .filled = true};
  stream->filled++;
  sl_stream_refresh(s, warp, (unsigned)use->write);
}

/* -- Engines -- */

/* Picks from a non-empty set the warp with the least `load`; among equals, the next one after `last`. */
static unsigned least(const struct sl_streams *s, sl_warps set, unsigned unit, unsigned last, bool write)
{
  const sl_warps after = set & ~sl_low_bits(last + 1);
  unsigned best = 0, best_load = UINT32_MAX;
  for (unsigned half = 0; half < 2; half++)
    for (sl_warps rest = half == 0 ? after : set & ~after; rest != 0; rest &= rest - 1) {
      const unsigned warp = sl_lowest(rest);
      const struct sl_stream *stream = sl_stream_of(s, warp, unit);
      const unsigned load = write ? s->spec.credits - stream->filled : stream->reads;
      if (load < best_load) {
        best = warp;
        best_load = load;
      }
    }
  return best;
}

static void all_sent(struct sl_stream *stream, struct sl_stream_read *r)
{
  r->sent = true;
  stream->valid += sl_stream_is_valid(r);
}

static void begin_fetch(struct sl_streams *s, unsigned unit)
{
  struct sl_stream_unit *u = &s->s.unit[unit];
  struct sl_stream_engine *engine = &u->fetch;
  if (engine->lanes != 0 || u->fetching == 0)
    return;
  const unsigned warp = least(s, u->fetching, unit, engine->last, false);
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  struct sl_stream_epoch *e = sl_stream_epoch_to_fetch(s, stream);
  engine->warp = engine->last = warp;
  engine->slot = sl_stream_slot(s, stream->read_head, stream->reads++);
  engine->lanes = e->lanes;
  struct sl_stream_read *r = sl_stream_read_slot(s, stream, engine->slot);
  *r = (struct sl_stream_read){.element = e->fetched, .generation = r->generation + 1};
  sl_stream_addresses(s, e, e->fetched++, engine->address);
  if (engine->lanes == 0)
    all_sent(stream, r);
  sl_stream_retire(s, stream);
  sl_stream_refresh(s, warp, unit);
}

static void free_slot(struct sl_streams *s, unsigned warp, unsigned unit)
{
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  stream->write_head = sl_stream_slot(s, stream->write_head, 1);
  stream->writes--;
  stream->filled--;
  sl_stream_refresh(s, warp, unit);
}

static void begin_drain(struct sl_streams *s, unsigned unit)
{
  struct sl_stream_unit *u = &s->s.unit[unit];
  struct sl_stream_engine *engine = &u->drain;
  if (engine->lanes != 0 || u->draining == 0)
    return;
  const unsigned warp = least(s, u->draining, unit, engine->last, true);
  const struct sl_stream *stream = sl_stream_of(s, warp, unit);
  engine->warp = engine->last = warp;
  engine->slot = stream->write_head;
  engine->lanes = sl_stream_write_slot(s, stream, engine->slot)->lanes;
  memcpy(engine->address, sl_stream_write_address(s, stream, engine->slot), s->lanes * sizeof *engine->address);
  if (engine->lanes == 0)
    free_slot(s, warp, unit);
}

static const struct sl_stream_engine *engine_of(const struct sl_streams *s, unsigned unit, bool write)
{
  return write ? &s->s.unit[unit].drain : &s->s.unit[unit].fetch;
}

/* The next line that an engine requests, and its lanes. */
static uint32_t next_line(const struct sl_stream_engine *engine)
{
  return engine->address[sl_lowest(engine->lanes)] & ~(uint32_t)(SL_CACHE_LINE - 1);
}

static sl_lanes lanes_of_line(const struct sl_stream_engine *engine, uint32_t line)
{
  sl_lanes lanes = 0;
  for (sl_lanes rest = engine->lanes; rest != 0; rest &= rest - 1)
    if ((engine->address[sl_lowest(rest)] & ~(uint32_t)(SL_CACHE_LINE - 1)) == line)
      lanes |= rest & -rest;
  return lanes;
}

/* -- The arbiter -- */

struct candidate {
  struct sl_extension_request request;
  unsigned need, turn; /* priority: greater need, then lower turn */
};

static struct candidate make_candidate(const struct sl_streams *s, unsigned unit, bool write)
{
  const struct sl_stream_engine *engine = engine_of(s, unit, write);
  const struct sl_stream *stream = sl_stream_of(s, engine->warp, unit);
  const uint32_t line = next_line(engine);
  return (struct candidate){
      .request = {.line = line,
                  .unit = (uint8_t)unit,
                  .warp = (uint8_t)engine->warp,
                  .write = write,
                  .local = line - s->spec.local_base < s->spec.local_bytes},
      .need = write ? stream->filled : s->spec.credits - stream->valid,
      .turn = (unit + s->spec.count - s->s.turn) % s->spec.count,
  };
}

static unsigned find_candidates(const struct sl_streams *s, struct candidate list[2 * SL_STREAMS_MAX])
{
  unsigned n = 0;
  for (unsigned unit = 0; unit < s->spec.count; unit++)
    for (unsigned write = 0; write < 2; write++) {
      if (engine_of(s, unit, write != 0)->lanes == 0)
        continue;
      const struct candidate c = make_candidate(s, unit, write != 0);
      unsigned at = n++;
      for (; at > 0; at--) {
        const struct candidate *before = &list[at - 1];
        if (before->need > c.need || (before->need == c.need && before->turn <= c.turn))
          break;
        list[at] = *before;
      }
      list[at] = c;
    }
  return n;
}

/* Marks the line of a granted request as in flight. */
static void send(struct sl_streams *s, struct sl_extension_request *request)
{
  struct sl_stream_unit *u = &s->s.unit[request->unit];
  struct sl_stream_engine *engine = request->write ? &u->drain : &u->fetch;
  struct sl_stream *stream = sl_stream_of(s, request->warp, request->unit);
  engine->lanes &= ~lanes_of_line(engine, request->line);
  s->s.counters.local_lines += request->local;
  if (request->write) {
    s->s.counters.lines_written++;
    if (engine->lanes == 0)
      free_slot(s, request->warp, request->unit);
    return;
  }
  struct sl_stream_read *r = sl_stream_read_slot(s, stream, engine->slot);
  s->s.counters.lines_read++;
  r->lines++;
  request->tag = make_tag(request->unit, request->warp, engine->slot, r->generation);
  if (engine->lanes == 0)
    all_sent(stream, r);
}

/* Takes a port, or local memory, for the request; returns false if there is none. */
static bool take_port(struct sl_extension_request *r, unsigned *ports, bool *local_free)
{
  if (r->local ? !*local_free : *ports == 0)
    return false;
  if (r->local) {
    *local_free = false;
  } else {
    r->port = (uint8_t)sl_lowest(*ports);
    *ports &= *ports - 1;
  }
  return true;
}

/* Grants one line per unit, then further lines of the same elements, up to a unit's limit. */
unsigned sl_streams_cycle(struct sl_streams *s, unsigned ports, bool local_free,
                          struct sl_extension_request out[SL_STREAMS_MAX])
{
  if (sl_streams_idle(s))
    return 0;
  for (unsigned unit = 0; unit < s->spec.count; unit++) {
    begin_fetch(s, unit);
    begin_drain(s, unit);
  }
  struct candidate list[2 * SL_STREAMS_MAX];
  unsigned candidates = find_candidates(s, list), granted = 0;
  for (unsigned line = 0; line < s->spec.lines && candidates > 0; line++) {
    unsigned served = 0, left = 0;
    for (unsigned i = 0; i < candidates && granted < SL_STREAMS_MAX; i++) {
      struct sl_extension_request *r = &list[i].request;
      if ((served >> r->unit & 1) || !take_port(r, &ports, &local_free))
        continue;
      served |= 1u << r->unit;
      s->s.turn = (r->unit + 1) % s->spec.count;
      send(s, r);
      out[granted++] = *r;
      if (engine_of(s, r->unit, r->write)->lanes != 0)
        list[left++] = make_candidate(s, r->unit, r->write);
    }
    candidates = left;
  }
  return granted;
}

void sl_streams_return(struct sl_streams *s, uint32_t tag)
{
  const unsigned unit = tag & ((1u << UNIT_BITS) - 1);
  const unsigned warp = tag >> UNIT_BITS & ((1u << WARP_BITS) - 1);
  const unsigned slot = tag >> (UNIT_BITS + WARP_BITS) & ((1u << SLOT_BITS) - 1);
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  struct sl_stream_read *r = sl_stream_read_slot(s, stream, slot);
  if (((tag >> (UNIT_BITS + WARP_BITS + SLOT_BITS)) ^ r->generation) & ((1u << GENERATION_BITS) - 1))
    return;
  r->lines--;
  stream->valid += sl_stream_is_valid(r);
}
