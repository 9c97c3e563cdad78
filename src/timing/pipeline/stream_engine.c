#include "timing/pipeline/stream_engine.h"

#include <stdlib.h>
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

/* Whether the tag can belong to a requested line. */
static bool sl_streams_tag_valid(const struct sl_streams *s, uint32_t tag)
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

/* The data that the extension stores with an instruction. */
struct note {
  struct sl_stream_use use;
  bool begins; /* a CSR access that begins an epoch */
};

SL_HOLDS(sizeof(struct sl_extension_note), sizeof(struct note), "what streams keep with an instruction");
SL_HOLDS(SL_EXTENSION_REQUESTS, SL_STREAMS_MAX, "a line per unit and cycle");

/* Accesses it in the note's bytes; all its fields are bytes. */
static struct note *own(struct sl_extension_note *note)
{
  return (struct note *)note->byte;
}

static const struct note *own_const(const struct sl_extension_note *note)
{
  return (const struct note *)note->byte;
}

static const char *rename_registers(void *state, unsigned warp, uint32_t pc, sl_lanes active, struct sl_insn *copy,
                                    struct sl_extension_note *note, bool *replaced)
{
  struct sl_stream_use *use = &own(note)->use;
  const char *wrong = sl_streams_rename(state, warp, pc, active, copy, use);
  *replaced = *replaced || sl_stream_used(use);
  /* Decision: the result of an atomic may arrive after its execution, too late for a stream. */
  if (wrong == NULL && use->write >= 0 && (copy->kind == SL_KIND_AMO || copy->kind == SL_KIND_LRSC))
    wrong = "is an atomic, whose destination cannot be a write stream";
  return wrong;
}

static const char *finish(void *state, struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                          const struct sl_insn *original, unsigned splits, const struct sl_extension_note *note)
{
  (void)w;
  (void)splits;
  return sl_streams_finish(state, warp, ex->pc, ex->active, original, &own_const(note)->use);
}

static bool owns(unsigned csr)
{
  return sl_is_extension_csr(csr, SL_UNIT_STREAM);
}

static const char *read(const void *state, unsigned warp, unsigned csr, uint32_t *values)
{
  return sl_streams_csr_read(state, warp, csr, values);
}

static const char *write(void *state, unsigned warp, unsigned csr, sl_lanes active, const uint32_t *values,
                         struct sl_extension_note *note)
{
  const struct sl_streams *s = state;
  return sl_streams_csr_write(state, warp, csr, active, values, s->spec.timed ? &own(note)->begins : NULL);
}

static bool engaged(const void *state, unsigned warp)
{
  const struct sl_streams *s = state;
  return s->warp[warp].redirecting != 0;
}

static void start(void *state)
{
  sl_streams_start(state);
}

static void set_timed(void *state, bool timed)
{
  struct sl_streams *s = state;
  s->spec.timed = timed;
}

static void reset(void *state, unsigned warp)
{
  sl_streams_stop(state, warp);
}

static void release(void *state)
{
  sl_streams_free(state);
  free(state);
}

static bool ready(const void *state, unsigned warp, const struct sl_extension_note *note)
{
  return sl_streams_ready(state, warp, &own_const(note)->use);
}

static void issue(void *state, unsigned warp, struct sl_extension_note *note)
{
  sl_streams_issue(state, warp, &own(note)->use);
}

static void commit(void *state, unsigned warp, const struct sl_extension_note *note, sl_lanes active)
{
  sl_streams_commit(state, warp, &own_const(note)->use, active);
}

/* Opens a new mapping. It waits until the warp has committed everything before it, and until the stream's data have
 * been written. */
static bool open_stream(void *state, unsigned warp, unsigned csr, bool alone, const struct sl_extension_note *note)
{
  if (sl_streams_csr_blocks(csr) && (!alone || sl_streams_busy(state, warp, sl_extension_csr_unit(csr))))
    return false;
  if (own_const(note)->begins)
    sl_streams_open(state, warp, csr);
  return true;
}

static unsigned cycle(void *state, unsigned ports, bool local_free, struct sl_extension_request out[])
{
  return sl_streams_cycle(state, ports, local_free, out);
}

static void answered(void *state, uint32_t tag)
{
  sl_streams_return(state, tag);
}

static bool idle(const void *state)
{
  return sl_streams_idle(state);
}

/* ---- rules of a restored state: FIFOs, epochs and engines, and the elements that instructions in flight will take  */

/* Elements of each stream that unissued instructions will take. */
struct uses {
  unsigned unissued[SL_MAX_WARPS][SL_STREAMS_MAX];
};

static bool use_valid(const struct sl_streams *s, const struct sl_stream_use *use)
{
  return (use->reads & ~sl_low_bits(s->spec.count)) == 0 && use->write >= -1 && use->write < (int)s->spec.count &&
         use->slot < s->spec.credits;
}

/* The newest epoch may continue. For the others the number of elements that instructions use is known; these elements
 * are fetched first. */
static bool epochs_valid(const struct sl_streams *s, const struct sl_stream *stream, uint64_t *missing)
{
  *missing = 0;
  if (stream->first_epoch >= sl_stream_epoch_slots(s) || stream->epochs > sl_stream_epoch_slots(s))
    return false;
  for (unsigned i = 0; i < stream->epochs; i++) {
    const struct sl_stream_epoch *e = sl_stream_epoch(s, stream, i);
    if (!e->over && i + 1 < stream->epochs)
      return false;
    if ((e->over && e->fetched > e->read_end) || (*missing > 0 && e->fetched > 0))
      return false;
    *missing += (e->over ? e->read_end : stream->read_index) - e->fetched; /* modulo 2^64: the newest is ahead */
  }
  return true;
}

/* Every element that an in-flight instruction will take is in the FIFO or still to be fetched. */
static bool reads_valid(const struct sl_streams *s, const struct sl_stream *stream, unsigned unissued, uint64_t missing)
{
  unsigned valid = 0;
  if (stream->read_head >= s->spec.credits || stream->reads > s->spec.credits)
    return false;
  for (unsigned i = 0; i < stream->reads; i++)
    valid += sl_stream_is_valid(sl_stream_read_slot(s, stream, sl_stream_slot(s, stream->read_head, i)));
  return valid == stream->valid && stream->reads + missing == unissued;
}

static bool writes_valid(const struct sl_streams *s, const struct sl_stream *stream)
{
  unsigned filled = 0;
  if (stream->write_head >= s->spec.credits || stream->writes > s->spec.credits)
    return false;
  for (unsigned i = 0; i < stream->writes; i++)
    filled += sl_stream_write_slot(s, stream, sl_stream_slot(s, stream->write_head, i))->filled;
  return filled == stream->filled;
}

/* An engine works on an element of its FIFO. */
static bool engines_valid(const struct sl_streams *s, unsigned unit)
{
  const struct sl_stream_engine *fetch = &s->s.unit[unit].fetch, *drain = &s->s.unit[unit].drain;
  if (fetch->slot >= s->spec.credits || drain->slot >= s->spec.credits)
    return false;
  const struct sl_stream *from = sl_stream_of(s, fetch->warp, unit), *to = sl_stream_of(s, drain->warp, unit);
  const unsigned behind = fetch->slot + s->spec.credits - from->read_head;
  return (fetch->lanes == 0 || behind % s->spec.credits < from->reads) &&
         (drain->lanes == 0 || (to->writes > 0 && drain->slot == to->write_head && to->filled > 0));
}

static bool streams_valid(const struct sl_streams *s, const struct uses *uses)
{
  if (s->s.turn >= s->spec.count)
    return false;
  for (unsigned warp = 0; warp < s->warps; warp++)
    for (unsigned unit = 0; unit < s->spec.count; unit++) {
      const struct sl_stream *stream = sl_stream_of(s, warp, unit);
      uint64_t missing;
      if (!epochs_valid(s, stream, &missing) || !writes_valid(s, stream) ||
          (s->spec.timed && !reads_valid(s, stream, uses->unissued[warp][unit], missing)))
        return false;
    }
  for (unsigned unit = 0; unit < s->spec.count; unit++)
    if (!engines_valid(s, unit))
      return false;
  return true;
}

static bool valid(const void *state, const struct sl_extension_flight *flight, unsigned count)
{
  const struct sl_streams *s = state;
  struct uses uses = {0};
  for (unsigned i = 0; i < count; i++) {
    const struct note *note = own_const(flight[i].note);
    if (flight[i].note->byte[offsetof(struct note, begins)] > 1 || (flight[i].replaced && !use_valid(s, &note->use)))
      return false;
    for (unsigned rest = flight[i].replaced && !flight[i].issued ? note->use.reads : 0; rest; rest &= rest - 1)
      uses.unissued[flight[i].warp][sl_lowest(rest)]++;
  }
  return streams_valid(s, &uses);
}

static bool tag_valid(const void *state, uint32_t tag)
{
  return sl_streams_tag_valid(state, tag);
}

const struct sl_extension_kind sl_streams_extension = {
    .name = "streams",
    .rename = rename_registers,
    .finish = finish,
    .owns = owns,
    .read = read,
    .write = write,
    .engaged = engaged,
    .start = start,
    .set_timed = set_timed,
    .reset = reset,
    .free = release,
    .walk = sl_streams_walk,
    .valid = valid,
    .tag_valid = tag_valid,
    .derive = sl_streams_derive,
    .ready = ready,
    .issue = issue,
    .commit = commit,
    .open = open_stream,
    .cycle = cycle,
    .answered = answered,
    .idle = idle,
};
