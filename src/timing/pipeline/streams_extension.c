#include "timing/pipeline/streams_extension.h"

#include <stdlib.h>

#include "timing/pipeline/stream_engine.h"

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

static void walk_state(void *state, struct sl_archive *archive)
{
  sl_streams_walk(state, archive);
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

static void derive(void *state)
{
  sl_streams_derive(state);
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
    .walk = walk_state,
    .valid = valid,
    .tag_valid = tag_valid,
    .derive = derive,
    .ready = ready,
    .issue = issue,
    .commit = commit,
    .open = open_stream,
    .cycle = cycle,
    .answered = answered,
    .idle = idle,
};
