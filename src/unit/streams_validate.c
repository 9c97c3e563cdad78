#include "unit/streams_validate.h"

#include "base/validate.h"

bool sl_stream_use_valid(const struct sl_streams *s, const struct sl_stream_use *use)
{
  return (use->reads & ~sl_low_bits(s->spec.count)) == 0 && use->write >= -1 && use->write < (int)s->spec.count &&
         use->slot < s->spec.credits;
}

static bool mapping_valid(uint32_t mapping)
{
  const uint32_t known = (SL_STREAM_REDIRECT << 1) - 1;
  const bool named = (mapping & (SL_STREAM_REG | SL_STREAM_FLOAT)) != 0;
  return (mapping & ~known) == 0 && (mapping >> 7 & 7) <= 2 && (named || !(mapping & SL_STREAM_REDIRECT));
}

/* The newest epoch may continue. For the others the number of elements that instructions use is known; these elements
 * are fetched first. */
static bool epochs_valid(const struct sl_streams *s, const struct sl_stream *stream, sl_lanes lanes, uint64_t *missing)
{
  *missing = 0;
  if (stream->first_epoch >= sl_stream_epoch_slots(s) || stream->epochs > sl_stream_epoch_slots(s))
    return false;
  for (unsigned i = 0; i < stream->epochs; i++) {
    const struct sl_stream_epoch *e = sl_stream_epoch(s, stream, i);
    if (!SL_BOOLS_VALID(&e->counted, &e->over) || (e->lanes & ~lanes) != 0)
      return false;
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
  for (unsigned i = 0; i < s->spec.credits; i++)
    if (!sl_bool_valid(&sl_stream_read_slot(s, stream, i)->sent))
      return false;
  for (unsigned i = 0; i < stream->reads; i++)
    valid += sl_stream_is_valid(sl_stream_read_slot(s, stream, sl_stream_slot(s, stream->read_head, i)));
  return valid == stream->valid && stream->reads + missing == unissued;
}

static bool writes_valid(const struct sl_streams *s, const struct sl_stream *stream, sl_lanes lanes)
{
  unsigned filled = 0;
  if (stream->write_head >= s->spec.credits || stream->writes > s->spec.credits)
    return false;
  for (unsigned i = 0; i < s->spec.credits; i++) {
    const struct sl_stream_write *w = sl_stream_write_slot(s, stream, i);
    if (!sl_bool_valid(&w->filled) || (w->lanes & ~lanes) != 0)
      return false;
  }
  for (unsigned i = 0; i < stream->writes; i++)
    filled += sl_stream_write_slot(s, stream, sl_stream_slot(s, stream->write_head, i))->filled;
  return filled == stream->filled;
}

/* An engine works on an element of its FIFO. */
static bool engines_valid(const struct sl_streams *s, unsigned unit, sl_lanes lanes)
{
  const struct sl_stream_engine *fetch = &s->s.unit[unit].fetch, *drain = &s->s.unit[unit].drain;
  if (fetch->warp >= s->warps || drain->warp >= s->warps || fetch->last >= s->warps || drain->last >= s->warps ||
      fetch->slot >= s->spec.credits || drain->slot >= s->spec.credits || ((fetch->lanes | drain->lanes) & ~lanes) != 0)
    return false;
  const struct sl_stream *from = sl_stream_of(s, fetch->warp, unit), *to = sl_stream_of(s, drain->warp, unit);
  const unsigned behind = fetch->slot + s->spec.credits - from->read_head;
  return (fetch->lanes == 0 || behind % s->spec.credits < from->reads) &&
         (drain->lanes == 0 || (to->writes > 0 && drain->slot == to->write_head && to->filled > 0));
}

bool sl_streams_valid(const struct sl_streams *s, const struct sl_stream_uses *uses)
{
  const sl_lanes lanes = sl_low_bits(s->lanes);
  if (s->s.turn >= s->spec.count)
    return false;
  for (unsigned warp = 0; warp < s->warps; warp++)
    for (unsigned unit = 0; unit < s->spec.count; unit++) {
      const struct sl_stream *stream = sl_stream_of(s, warp, unit);
      uint64_t missing;
      if (!mapping_valid(stream->mapping) || (stream->lanes & ~lanes) != 0 ||
          !epochs_valid(s, stream, lanes, &missing) || !writes_valid(s, stream, lanes) ||
          (s->spec.timed && !reads_valid(s, stream, uses->unissued[warp][unit], missing)))
        return false;
    }
  for (unsigned unit = 0; unit < s->spec.count; unit++)
    if (!engines_valid(s, unit, lanes))
      return false;
  return true;
}
