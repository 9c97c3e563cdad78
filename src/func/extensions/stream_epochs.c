#include "func/extensions/stream_epochs.h"

void sl_stream_addresses(const struct sl_streams *s, const struct sl_stream_epoch *e, uint64_t element,
                         uint32_t *address)
{
  const uint32_t *base = sl_stream_epoch_vectors(s, e), *stride = base + s->lanes, *row_stride = stride + s->lanes;
  const uint32_t column = (uint32_t)(e->row_length ? element % e->row_length : element);
  const uint32_t row = (uint32_t)(e->row_length ? element / e->row_length : 0);
  for (unsigned lane = 0; lane < s->lanes; lane++)
    address[lane] = base[lane] + column * stride[lane] + row * row_stride[lane];
}

/* The number of elements of an epoch that may be fetched. */
static uint64_t fetch_end(const struct sl_stream *stream, const struct sl_stream_epoch *e)
{
  if (e->over)
    return e->read_end;
  const bool ahead = (stream->mapping & SL_STREAM_PREFETCH) && e->limit > stream->read_index;
  return ahead ? e->limit : stream->read_index;
}

struct sl_stream_epoch *sl_stream_epoch_to_fetch(const struct sl_streams *s, const struct sl_stream *stream)
{
  for (unsigned i = 0; i < stream->epochs; i++) {
    struct sl_stream_epoch *e = sl_stream_epoch(s, stream, i);
    if (e->number > stream->opened)
      return NULL;
    if (e->fetched < fetch_end(stream, e))
      return e;
  }
  return NULL;
}

static void set_warp(sl_warps *set, unsigned warp, bool member)
{
  *set = (*set & ~sl_bit(warp)) | (sl_warps)member << warp;
}

void sl_stream_refresh(struct sl_streams *s, unsigned warp, unsigned unit)
{
  if (!s->spec.timed)
    return;
  const struct sl_stream *stream = sl_stream_of(s, warp, unit);
  struct sl_stream_unit *u = &s->s.unit[unit];
  set_warp(&u->fetching, warp, stream->reads < s->spec.credits && sl_stream_epoch_to_fetch(s, stream) != NULL);
  set_warp(&u->draining, warp, stream->writes > 0 && sl_stream_write_slot(s, stream, stream->write_head)->filled);
}

void sl_stream_retire(struct sl_streams *s, struct sl_stream *stream)
{
  while (stream->epochs > 0) {
    const struct sl_stream_epoch *e = sl_stream_epoch(s, stream, 0);
    if (!e->over || e->fetched < e->read_end || e->written < e->write_end)
      return;
    stream->first_epoch = (stream->first_epoch + 1) % sl_stream_epoch_slots(s);
    stream->epochs--;
  }
}

/* Drops the youngest entry of a read FIFO. Lines that return for it belong to an older generation. */
static void drop_youngest(struct sl_streams *s, unsigned warp, unsigned unit)
{
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  struct sl_stream_engine *fetch = &s->s.unit[unit].fetch;
  const unsigned slot = sl_stream_slot(s, stream->read_head, --stream->reads);
  struct sl_stream_read *r = sl_stream_read_slot(s, stream, slot);
  stream->valid -= sl_stream_is_valid(r);
  r->generation++;
  s->s.counters.dropped++;
  if (fetch->lanes != 0 && fetch->warp == warp && fetch->slot == slot)
    fetch->lanes = 0;
}

void sl_stream_supersede(struct sl_streams *s, unsigned warp, unsigned unit)
{
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  if (stream->epochs == 0)
    return;
  struct sl_stream_epoch *e = sl_stream_epoch(s, stream, stream->epochs - 1);
  if (!e->over) {
    e->over = true;
    e->read_end = stream->read_index;
    e->write_end = stream->write_index;
    for (; e->fetched > e->read_end; e->fetched--)
      drop_youngest(s, warp, unit);
  }
  if (!s->spec.timed)
    stream->epochs = 0;
  sl_stream_retire(s, stream);
  sl_stream_refresh(s, warp, unit);
}
