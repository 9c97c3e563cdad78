#include "func/extensions/streams.h"

#include <stdlib.h>
#include <string.h>

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

/* Ends the newest epoch: no later instruction uses it. */
static void supersede(struct sl_streams *s, unsigned warp, unsigned unit)
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

#define UNIT_NOT_THERE "accesses a streaming unit that this machine does not have (key streams.count)"

static size_t stream_count(const struct sl_streams *s)
{
  return (size_t)s->warps * s->spec.count;
}

static size_t epoch_count(const struct sl_streams *s)
{
  return stream_count(s) * sl_stream_epoch_slots(s);
}

static size_t slot_count(const struct sl_streams *s)
{
  return stream_count(s) * s->spec.credits;
}

enum sl_status sl_streams_init(struct sl_streams *s, const struct sl_streams_spec *spec, struct sl_ipdom_warps *w,
                               struct sl_loops *loops, struct sl_error *err)
{
  *s = (struct sl_streams){.spec = *spec, .w = w, .loops = loops, .lanes = w->spec.lanes, .warps = w->spec.warps};
  if (!spec->timed)
    s->spec.window = 0;
  s->warp = calloc(s->warps, sizeof *s->warp);
  s->stream = calloc(stream_count(s), sizeof *s->stream);
  s->vector = calloc(stream_count(s) * sl_stream_vector_words(s), sizeof *s->vector);
  s->epoch = calloc(epoch_count(s), sizeof *s->epoch);
  s->epoch_vector = calloc(epoch_count(s) * sl_stream_vector_words(s), sizeof *s->epoch_vector);
  s->read = calloc(slot_count(s), sizeof *s->read);
  s->write = calloc(slot_count(s), sizeof *s->write);
  s->write_address = calloc(slot_count(s) * s->lanes, sizeof *s->write_address);
  if (s->warp == NULL || s->stream == NULL || s->vector == NULL || s->epoch == NULL || s->epoch_vector == NULL ||
      s->read == NULL || s->write == NULL || s->write_address == NULL) {
    sl_streams_free(s);
    return sl_no_memory(err, epoch_count(s) * sl_stream_vector_words(s) * sizeof *s->epoch_vector);
  }
  sl_streams_start(s);
  return SL_OK;
}

void sl_streams_free(struct sl_streams *s)
{
  free(s->warp);
  free(s->stream);
  free(s->vector);
  free(s->epoch);
  free(s->epoch_vector);
  free(s->read);
  free(s->write);
  free(s->write_address);
  *s = (struct sl_streams){0};
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static SL_SCHEMA(engine_schema, struct sl_stream_engine, NULL, SL_SET_OF(SL_LIMIT_ALL_LANES, lanes),
                 SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp, last), SL_ANY(slot, address));
static SL_SCHEMA(unit_schema, struct sl_stream_unit, NULL, SL_DERIVED(fetching, draining),
                 SL_STRUCTS(engine_schema, fetch, drain));
static SL_SCHEMA(counters_schema, struct sl_stream_counters, NULL,
                 SL_ANY(elements_read, elements_written, lines_read, lines_written, local_lines, dropped));
static SL_SCHEMA(state_schema, struct sl_streams_state, NULL, SL_STRUCTS(unit_schema, unit), SL_ANY(turn),
                 SL_STRUCTS(counters_schema, counters));

static bool mapping_valid(uint32_t mapping)
{
  const uint32_t known = (SL_STREAM_REDIRECT << 1) - 1;
  const bool named = (mapping & (SL_STREAM_REG | SL_STREAM_FLOAT)) != 0;
  return (mapping & ~known) == 0 && (mapping >> 7 & 7) <= 2 && (named || !(mapping & SL_STREAM_REDIRECT));
}

static SL_CHECKED_SCHEMA(stream_schema, struct sl_stream, mapping_valid(self->mapping),
                         SL_ANY(mapping, limit, row_length, product), SL_SET_OF(SL_LIMIT_ALL_LANES, lanes),
                         SL_ANY(read_index, write_index, first_epoch, epochs, begun, opened, read_head, reads, valid),
                         SL_ANY(write_head, writes, filled));
static SL_SCHEMA(epoch_schema, struct sl_stream_epoch, NULL, SL_SET_OF(SL_LIMIT_ALL_LANES, lanes),
                 SL_ANY(number, limit, counted, row_length, over, read_end, write_end, fetched, written));
static SL_SCHEMA(read_schema, struct sl_stream_read, NULL, SL_ANY(element, generation, lines, sent));
static SL_SCHEMA(write_schema, struct sl_stream_write, NULL, SL_SET_OF(SL_LIMIT_ALL_LANES, lanes), SL_ANY(filled));

void sl_streams_walk(void *streams, struct sl_archive *archive)
{
  struct sl_streams *s = streams;
  const size_t words = sl_stream_vector_words(s);
  sl_archive_structs(archive, "streams", state_schema, &s->s, 1);
  sl_archive_structs(archive, "stream", stream_schema, s->stream, stream_count(s));
  SL_ARCHIVE_ARRAY(archive, s->vector, stream_count(s) * words);
  sl_archive_structs(archive, "epoch", epoch_schema, s->epoch, epoch_count(s));
  SL_ARCHIVE_ARRAY(archive, s->epoch_vector, epoch_count(s) * words);
  sl_archive_structs(archive, "read", read_schema, s->read, slot_count(s));
  sl_archive_structs(archive, "write", write_schema, s->write, slot_count(s));
  SL_ARCHIVE_ARRAY(archive, s->write_address, slot_count(s) * s->lanes);
}

/* Builds the warp's table from registers to units, from the mappings. */
static void map(struct sl_streams *s, unsigned warp)
{
  struct sl_warp_streams *ws = &s->warp[warp];
  ws->redirecting = 0;
  memset(ws->read_of, -1, sizeof ws->read_of);
  memset(ws->write_of, -1, sizeof ws->write_of);
  for (unsigned unit = 0; unit < s->spec.count; unit++) {
    const uint32_t mapping = sl_stream_of(s, warp, unit)->mapping;
    if (!(mapping & SL_STREAM_REDIRECT))
      continue;
    ws->redirecting = (uint8_t)(ws->redirecting | 1u << unit);
    const unsigned reg = mapping & (SL_STREAM_REG | SL_STREAM_FLOAT);
    if (sl_stream_reads(mapping))
      ws->read_of[reg] = (int8_t)unit;
    if (mapping & SL_STREAM_WRITE)
      ws->write_of[reg] = (int8_t)unit;
  }
}

void sl_streams_derive(void *streams)
{
  struct sl_streams *s = streams;
  for (unsigned unit = 0; unit < SL_STREAMS_MAX; unit++)
    s->s.unit[unit].fetching = s->s.unit[unit].draining = 0;
  for (unsigned warp = 0; warp < s->warps; warp++) {
    map(s, warp);
    for (unsigned unit = 0; unit < s->spec.count; unit++)
      sl_stream_refresh(s, warp, unit);
  }
}

void sl_streams_start(struct sl_streams *s)
{
  const size_t words = sl_stream_vector_words(s);
  s->s = (struct sl_streams_state){0};
  memset(s->stream, 0, stream_count(s) * sizeof *s->stream);
  memset(s->vector, 0, stream_count(s) * words * sizeof *s->vector);
  memset(s->epoch, 0, epoch_count(s) * sizeof *s->epoch);
  memset(s->epoch_vector, 0, epoch_count(s) * words * sizeof *s->epoch_vector);
  memset(s->read, 0, slot_count(s) * sizeof *s->read);
  memset(s->write, 0, slot_count(s) * sizeof *s->write);
  memset(s->write_address, 0, slot_count(s) * s->lanes * sizeof *s->write_address);
  for (unsigned warp = 0; warp < s->warps; warp++)
    map(s, warp);
}

void sl_streams_stop(struct sl_streams *s, unsigned warp)
{
  for (unsigned unit = 0; unit < s->spec.count; unit++) {
    struct sl_stream *stream = sl_stream_of(s, warp, unit);
    supersede(s, warp, unit);
    stream->mapping = stream->limit = stream->row_length = 0;
    stream->lanes = 0;
    stream->product = 0;
    memset(sl_stream_vectors(s, stream), 0, sl_stream_vector_words(s) * sizeof *s->vector);
  }
  map(s, warp);
}

static unsigned element_bytes(uint32_t mapping)
{
  return 4u >> (mapping >> 7 & 7);
}

/* Checks that all addresses of the stream are multiples of the element size. */
static const char *check_alignment(const struct sl_streams *s, const struct sl_stream *stream)
{
  const uint32_t *base = sl_stream_vectors(s, stream), *stride = base + s->lanes, *row_stride = stride + s->lanes;
  uint32_t bits = 0;
  for (sl_lanes rest = stream->lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    bits |= base[lane] | stride[lane] | (stream->row_length ? row_stride[lane] : 0);
  }
  return (bits & (element_bytes(stream->mapping) - 1)) != 0
             ? "begins a stream whose base or stride is not a multiple of its element size"
             : NULL;
}

static const char *begin_epoch(struct sl_streams *s, unsigned warp, unsigned unit, bool *begun)
{
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  const char *illegal = check_alignment(s, stream);
  if (illegal != NULL)
    return illegal;
  supersede(s, warp, unit);
  if (stream->epochs == sl_stream_epoch_slots(s)) /* the caller has exceeded its window */
    return "restarts a stream more often than the simulator can track";
  struct sl_stream_epoch *e = sl_stream_epoch(s, stream, stream->epochs++);
  *e = (struct sl_stream_epoch){.number = ++stream->begun,
                                .limit = stream->limit ? stream->limit : stream->product,
                                .counted = stream->limit != 0,
                                .lanes = stream->lanes,
                                .row_length = stream->row_length};
  memcpy(sl_stream_epoch_vectors(s, e), sl_stream_vectors(s, stream), sl_stream_vector_words(s) * sizeof *s->vector);
  stream->read_index = stream->write_index = 0;
  if (begun != NULL)
    *begun = true;
  else
    stream->opened = stream->begun;
  sl_stream_refresh(s, warp, unit);
  return NULL;
}

void sl_streams_open(struct sl_streams *s, unsigned warp, unsigned csr)
{
  const unsigned unit = sl_extension_csr_unit(csr);
  sl_stream_of(s, warp, unit)->opened++;
  sl_stream_refresh(s, warp, unit);
}

static bool enabled(uint32_t mapping)
{
  return (mapping & (SL_STREAM_PREFETCH | SL_STREAM_REDIRECT)) != 0;
}

/* Checks a mapping with the redirect bit. */
static const char *check_mapping(const struct sl_streams *s, unsigned warp, unsigned unit, uint32_t mapping)
{
  const struct sl_warp_streams *ws = &s->warp[warp];
  const uint32_t now = sl_stream_of(s, warp, unit)->mapping;
  const unsigned reg = mapping & (SL_STREAM_REG | SL_STREAM_FLOAT);
  const uint32_t fixed = SL_STREAM_REG | SL_STREAM_FLOAT | SL_STREAM_WRITE | SL_STREAM_SIZE;
  if (reg == 0)
    return "maps register x0 to a stream";
  if (now & SL_STREAM_REDIRECT) {
    const bool turns = (now & SL_STREAM_WRITE) && sl_stream_reads(now) != sl_stream_reads(mapping);
    if (((now ^ mapping) & fixed) != 0 || turns)
      return "changes the mapping of a stream while it redirects a register; clear the redirect bit first";
  }
  const int reader = ws->read_of[reg], writer = ws->write_of[reg];
  if (sl_stream_reads(mapping) && reader >= 0 && reader != (int)unit)
    return "maps two read streams to one register";
  if ((mapping & SL_STREAM_WRITE) && writer >= 0 && writer != (int)unit)
    return "maps two write streams to one register";
  return NULL;
}

static const char *write_mapping(struct sl_streams *s, unsigned warp, unsigned unit, uint32_t value, bool *begun)
{
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  const uint32_t known = (SL_STREAM_REDIRECT << 1) - 1, before = stream->mapping;
  const uint32_t kept = SL_STREAM_REG | SL_STREAM_FLOAT | SL_STREAM_WRITE | SL_STREAM_SIZE;
  if ((value & ~known) != 0 || (value >> 7 & 7) > 2)
    return "writes a stream mapping with reserved bits or element size";
  const char *illegal = value & SL_STREAM_REDIRECT ? check_mapping(s, warp, unit, value) : NULL;
  if (illegal != NULL)
    return illegal;
  const bool sets_prefetch = (value & ~before & SL_STREAM_PREFETCH) != 0;
  const bool begins = enabled(value) && (!enabled(before) || sets_prefetch || ((before ^ value) & kept) != 0);
  if ((before & ~value & SL_STREAM_REDIRECT) != 0)
    stream->lanes = 0;
  if (sets_prefetch)
    stream->product = s->loops ? sl_loops_product(s->loops, warp) : UINT64_MAX;
  stream->mapping = value;
  map(s, warp);
  if (begins)
    return begin_epoch(s, warp, unit, begun);
  if (!enabled(value))
    supersede(s, warp, unit);
  sl_stream_refresh(s, warp, unit);
  return NULL;
}

static void write_vector(const struct sl_streams *s, struct sl_stream *stream, enum sl_stream_vector which,
                         sl_lanes active, const uint32_t *values)
{
  uint32_t *vector = sl_stream_vectors(s, stream) + (size_t)which * s->lanes;
  for (; active != 0; active &= active - 1)
    vector[sl_lowest(active)] = values[sl_lowest(active)];
}

const char *sl_streams_csr_write(struct sl_streams *s, unsigned warp, unsigned csr, sl_lanes active,
                                 const uint32_t *values, bool *begun)
{
  const unsigned unit = sl_extension_csr_unit(csr);
  if (begun != NULL)
    *begun = false;
  if (unit >= s->spec.count)
    return UNIT_NOT_THERE;
  if (active == 0)
    return NULL;
  struct sl_stream *stream = sl_stream_of(s, warp, unit);
  const uint32_t value = values[sl_lowest(active)];
  switch ((enum sl_stream_register)sl_extension_csr_register(csr)) {
  case SL_STREAM_BASE:
    write_vector(s, stream, SL_VECTOR_BASE, active, values);
    stream->lanes |= active;
    return enabled(stream->mapping) ? begin_epoch(s, warp, unit, begun) : NULL;
  case SL_STREAM_MAPPING: return write_mapping(s, warp, unit, value, begun);
  case SL_STREAM_STRIDE_ALIAS:
  case SL_STREAM_STRIDE: write_vector(s, stream, SL_VECTOR_STRIDE, active, values); return NULL;
  case SL_STREAM_ROW_STRIDE: write_vector(s, stream, SL_VECTOR_ROW_STRIDE, active, values); return NULL;
  case SL_STREAM_LIMIT: stream->limit = value; return NULL;
  case SL_STREAM_ROW_LENGTH: stream->row_length = value; return NULL;
  case SL_STREAM_USED: break;
  }
  return "writes the number of elements that a stream has used, which is read-only";
}

static uint32_t scalar_register(const struct sl_stream *stream, enum sl_stream_register reg)
{
  const bool reads = sl_stream_reads(stream->mapping);
  switch (reg) {
  case SL_STREAM_MAPPING: return stream->mapping;
  case SL_STREAM_LIMIT: return stream->limit;
  case SL_STREAM_ROW_LENGTH: return stream->row_length;
  default: return (uint32_t)(reads ? stream->read_index : stream->write_index);
  }
}

const char *sl_streams_csr_read(const struct sl_streams *s, unsigned warp, unsigned csr, uint32_t *values)
{
  const unsigned unit = sl_extension_csr_unit(csr);
  if (unit >= s->spec.count)
    return UNIT_NOT_THERE;
  const struct sl_stream *stream = sl_stream_of(s, warp, unit);
  const enum sl_stream_register reg = (enum sl_stream_register)sl_extension_csr_register(csr);
  const uint32_t *vector = NULL;
  if (reg == SL_STREAM_BASE)
    vector = sl_stream_vectors(s, stream);
  else if (reg == SL_STREAM_STRIDE || reg == SL_STREAM_STRIDE_ALIAS)
    vector = sl_stream_vectors(s, stream) + (size_t)SL_VECTOR_STRIDE * s->lanes;
  else if (reg == SL_STREAM_ROW_STRIDE)
    vector = sl_stream_vectors(s, stream) + (size_t)SL_VECTOR_ROW_STRIDE * s->lanes;
  for (unsigned lane = 0; lane < s->lanes; lane++)
    values[lane] = vector ? vector[lane] : scalar_register(stream, reg);
  return NULL;
}

/* Accesses an element with an instruction made for it. Its addresses are in a separate stream register. */
static const char *access_element(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active, unsigned unit,
                                  bool write, const struct sl_insn *original)
{
  static const uint8_t loads[2][3] = {{SL_OP_LW, SL_OP_LH, SL_OP_LB}, {SL_OP_LW, SL_OP_LHU, SL_OP_LBU}};
  static const uint8_t stores[3] = {SL_OP_SW, SL_OP_SH, SL_OP_SB};
  const struct sl_stream *stream = sl_stream_of(s, warp, unit);
  const struct sl_stream_epoch *e = sl_stream_epoch(s, stream, stream->epochs - 1);
  const unsigned data = SL_IPDOM_FIRST_STREAM + unit, pointer = data + SL_STREAMS_MAX;
  const unsigned size = stream->mapping >> 7 & 3, as_float = (stream->mapping & SL_STREAM_FLOAT) != 0;
  const uint64_t element = write ? stream->write_index : stream->read_index;
  if ((active & ~e->lanes) != 0)
    return "uses a stream in lanes that have not written its base";
  if (e->counted && element >= e->limit)
    return "uses more elements of a stream than its count limit";
  sl_stream_addresses(s, e, element, sl_ipdom_register(s->w, warp, pointer));
  const struct sl_insn insn = {.op = write ? stores[size] : loads[as_float][size],
                               .kind = write ? SL_KIND_STORE : SL_KIND_LOAD,
                               .rd = (uint8_t)(write ? 0 : data),
                               .rs1 = (uint8_t)pointer,
                               .rs2 = (uint8_t)(write ? data : 0),
                               .width = (uint8_t)(4u >> size),
                               .word = original->word};
  uint32_t address[SL_MAX_LANES];
  struct sl_ipdom_execution ex = {.insn = &insn, .pc = pc, .active = active, .address = address};
  if (active != 0 && !s->spec.access(s->w, warp, &ex)) {
    s->w->fault.insn = *original;
    return write ? "stores a stream's element" : "loads a stream's element";
  }
  return NULL;
}

/* The unit that supplies the value of a source field, -1: none. */
static int source_unit(const struct sl_warp_streams *ws, bool reads, uint32_t reg)
{
  return reads && reg < SL_IPDOM_FIRST_STREAM ? ws->read_of[reg] : -1;
}

static uint8_t stream_register(int unit)
{
  return (uint8_t)(SL_IPDOM_FIRST_STREAM + unit);
}

static const char *read_sources(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                                const struct sl_insn *original, unsigned reads)
{
  for (; reads != 0; reads &= reads - 1) {
    const unsigned unit = sl_lowest(reads);
    struct sl_stream *stream = sl_stream_of(s, warp, unit);
    if (!(stream->mapping & SL_STREAM_PREFETCH))
      return "reads a stream whose prefetch is off";
    const char *illegal = access_element(s, warp, pc, active, unit, false, original);
    if (illegal != NULL)
      return illegal;
    stream->read_index++;
    sl_stream_refresh(s, warp, unit);
  }
  return NULL;
}

const char *sl_streams_rename_slowly(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                                     struct sl_insn *copy, struct sl_stream_use *use)
{
  const struct sl_warp_streams *ws = &s->warp[warp];
  const struct sl_insn original = *copy;
  const int rs1 = source_unit(ws, sl_reads_rs1(copy), copy->rs1);
  const int rs2 = source_unit(ws, sl_reads_rs2(copy), copy->rs2);
  const int rs3 = source_unit(ws, sl_reads_rs3(copy), copy->rs3);
  const int rd = sl_writes_rd(copy) && copy->rd < SL_IPDOM_FIRST_STREAM ? ws->write_of[copy->rd] : -1;
  unsigned reads = 0;
  if (rs1 >= 0) {
    reads |= 1u << rs1;
    copy->rs1 = stream_register(rs1);
  }
  if (rs2 >= 0) {
    reads |= 1u << rs2;
    copy->rs2 = stream_register(rs2);
  }
  if (rs3 >= 0) {
    reads |= 1u << rs3;
    copy->rs3 = stream_register(rs3);
  }
  if (rd >= 0)
    copy->rd = stream_register(rd);
  *use = (struct sl_stream_use){.reads = (uint8_t)reads, .write = (int8_t)rd};
  return read_sources(s, warp, pc, active, &original, reads);
}

const char *sl_streams_finish(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                              const struct sl_insn *insn, const struct sl_stream_use *use)
{
  if (use->write < 0)
    return NULL;
  const char *illegal = access_element(s, warp, pc, active, (unsigned)use->write, true, insn);
  if (illegal == NULL)
    sl_stream_of(s, warp, (unsigned)use->write)->write_index++;
  return illegal;
}
