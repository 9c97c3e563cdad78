/* What streams consist of, and which of it is still needed: epochs, FIFOs, and the warps of which a unit has something
 * to do. What instructions do with streams is in streams.h, when lines are asked for in unit/stream_engine.h. */
#ifndef SL_WARP_STREAM_EPOCHS_H
#define SL_WARP_STREAM_EPOCHS_H

#include "warp/extensions/hardware_loops.h"
#include "warp/ipdom_execution.h"

enum { SL_STREAMS_MAX = 8, SL_STREAM_CREDITS_MAX = 32, SL_STREAM_PORTS_MAX = 8 };

enum sl_stream_register {
  SL_STREAM_BASE,
  SL_STREAM_MAPPING,
  SL_STREAM_STRIDE_ALIAS,
  SL_STREAM_LIMIT,
  SL_STREAM_ROW_STRIDE,
  SL_STREAM_STRIDE,
  SL_STREAM_ROW_LENGTH,
  SL_STREAM_USED
};

/* Of SL_STREAM_MAPPING. */
enum {
  SL_STREAM_REG = 0x1f,
  SL_STREAM_FLOAT = 1 << 5,
  SL_STREAM_WRITE = 1 << 6,
  SL_STREAM_SIZE = 7 << 7,
  SL_STREAM_PREFETCH = 1 << 10,
  SL_STREAM_REDIRECT = 1 << 11
};

struct sl_streams_spec {
  unsigned count, credits; /* units, entries of a FIFO of a warp */
  unsigned lines;          /* of one element that a unit may ask for in a cycle */
  bool timed;              /* the timing functions are used; else only function is kept */
  unsigned window;         /* instructions of a warp at most between function and issue */
  uint32_t local_base, local_bytes;
  /* Performs a load or store that is made for an element; false: w->fault is filled in. */
  bool (*access)(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);
};

/* What an instruction takes from streams: kept with it until it has committed. */
struct sl_stream_use {
  uint8_t reads; /* set of units */
  int8_t write;  /* unit, -1: none */
  uint8_t slot;  /* of the write FIFO, from issue on */
};

/* A vector per row of what lanes have written. */
enum sl_stream_vector { SL_VECTOR_BASE, SL_VECTOR_STRIDE, SL_VECTOR_ROW_STRIDE, SL_STREAM_VECTORS };

/* What a stream's addresses are made of, with what has become of its elements. */
struct sl_stream_epoch {
  uint64_t number;
  uint64_t limit; /* of prefetch */
  bool counted;   /* it is the count limit, which instructions must keep to */
  sl_lanes lanes;
  uint32_t row_length;
  bool over;
  uint64_t read_end, write_end; /* over: elements that instructions use */
  uint64_t fetched;             /* begun to be */
  uint64_t written;             /* slots taken */
};

/* An element in a read FIFO. */
struct sl_stream_read {
  uint64_t element;
  uint32_t generation; /* of the slot, for lines that return late */
  uint16_t lines;      /* in flight */
  bool sent;           /* all of them */
};

/* An element in a write FIFO. */
struct sl_stream_write {
  sl_lanes lanes;
  bool filled;
};

/* One unit for one warp. */
struct sl_stream {
  /* As CSRs have it. */
  uint32_t mapping, limit, row_length;
  sl_lanes lanes;
  uint64_t product; /* of loop bounds, when prefetch was set */
  /* Function, in the newest epoch. */
  uint64_t read_index, write_index;
  /* Epochs under way, the newest last. */
  unsigned first_epoch, epochs;
  uint64_t begun, opened; /* numbers: those up to `opened` may be fetched */
  /* FIFOs. */
  unsigned read_head, reads, valid, write_head, writes, filled;
};

/* The element that an engine of a unit is at: what remains of it. */
struct sl_stream_engine {
  sl_lanes lanes; /* 0: none */
  unsigned warp, slot;
  unsigned last; /* warp served before */
  uint32_t address[SL_MAX_LANES];
};

struct sl_stream_unit {
  sl_warps fetching, draining; /* warps that have something to do */
  struct sl_stream_engine fetch, drain;
};

struct sl_warp_streams {
  uint8_t redirecting;                   /* set of units */
  int8_t read_of[SL_IPDOM_FIRST_STREAM]; /* unit that maps a register, -1: none */
  int8_t write_of[SL_IPDOM_FIRST_STREAM];
};

struct sl_stream_counters {
  uint64_t elements_read, elements_written; /* at issue */
  uint64_t lines_read, lines_written;
  uint64_t local_lines; /* of these two */
  uint64_t dropped;     /* elements fetched in vain */
};

/* Plain data: with the arrays, the state. No pointers. */
struct sl_streams_state {
  struct sl_stream_unit unit[SL_STREAMS_MAX];
  unsigned turn; /* unit that goes first among equals */
  struct sl_stream_counters counters;
};

struct sl_streams {
  struct sl_streams_state s;
  /* Wiring: what follows from the keys, and what is outside. */
  struct sl_streams_spec spec;
  struct sl_ipdom_warps *w;
  struct sl_loops *loops; /* NULL: none */
  unsigned lanes, warps;
  struct sl_warp_streams *warp;
  struct sl_stream *stream;      /* warps x units */
  uint32_t *vector;              /* of each, SL_STREAM_VECTORS x lanes */
  struct sl_stream_epoch *epoch; /* of each, as many as there may be */
  uint32_t *epoch_vector;        /* of each epoch, SL_STREAM_VECTORS x lanes */
  struct sl_stream_read *read;   /* of each stream, credits */
  struct sl_stream_write *write; /* the same, */
  uint32_t *write_address;       /* with lanes addresses each */
};

static inline struct sl_stream *sl_stream_of(const struct sl_streams *s, unsigned warp, unsigned unit)
{
  return &s->stream[warp * s->spec.count + unit];
}

static inline size_t sl_stream_number(const struct sl_streams *s, const struct sl_stream *stream)
{
  return (size_t)(stream - s->stream);
}

/* Epochs that a stream can have under way. */
static inline unsigned sl_stream_epoch_slots(const struct sl_streams *s)
{
  return s->spec.window + 2;
}

static inline struct sl_stream_epoch *sl_stream_epoch(const struct sl_streams *s, const struct sl_stream *stream,
                                                      unsigned i)
{
  const unsigned slots = sl_stream_epoch_slots(s);
  return &s->epoch[sl_stream_number(s, stream) * slots + (stream->first_epoch + i) % slots];
}

static inline size_t sl_stream_vector_words(const struct sl_streams *s)
{
  return (size_t)SL_STREAM_VECTORS * s->lanes;
}

static inline uint32_t *sl_stream_vectors(const struct sl_streams *s, const struct sl_stream *stream)
{
  return s->vector + sl_stream_number(s, stream) * sl_stream_vector_words(s);
}

static inline uint32_t *sl_stream_epoch_vectors(const struct sl_streams *s, const struct sl_stream_epoch *e)
{
  return s->epoch_vector + (size_t)(e - s->epoch) * sl_stream_vector_words(s);
}

/* Slots of the FIFOs, and the addresses of one to be written. */
static inline struct sl_stream_read *sl_stream_read_slot(const struct sl_streams *s, const struct sl_stream *stream,
                                                         unsigned slot)
{
  return &s->read[sl_stream_number(s, stream) * s->spec.credits + slot];
}

static inline struct sl_stream_write *sl_stream_write_slot(const struct sl_streams *s, const struct sl_stream *stream,
                                                           unsigned slot)
{
  return &s->write[sl_stream_number(s, stream) * s->spec.credits + slot];
}

static inline uint32_t *sl_stream_write_address(const struct sl_streams *s, const struct sl_stream *stream,
                                                unsigned slot)
{
  return s->write_address + (sl_stream_number(s, stream) * s->spec.credits + slot) * s->lanes;
}

static inline bool sl_stream_reads(uint32_t mapping)
{
  return !(mapping & SL_STREAM_WRITE) || (mapping & SL_STREAM_PREFETCH);
}

/* Addresses of an element, of all lanes. */
void sl_stream_addresses(const struct sl_streams *s, const struct sl_stream_epoch *e, uint64_t element,
                         uint32_t *address);

/* No instruction to come uses the newest epoch. */
void sl_stream_supersede(struct sl_streams *s, unsigned warp, unsigned unit);

/* The oldest epoch that has something to fetch, or NULL. */
struct sl_stream_epoch *sl_stream_epoch_to_fetch(const struct sl_streams *s, const struct sl_stream *stream);

/* Epochs that no instruction needs any more are forgotten. */
void sl_stream_retire(struct sl_streams *s, struct sl_stream *stream);

/* The slot of a FIFO so many after one. */
static inline unsigned sl_stream_slot(const struct sl_streams *s, unsigned head, unsigned i)
{
  const unsigned p = head + i;
  return p >= s->spec.credits ? p - s->spec.credits : p;
}

/* Whether all of an element has come. */
static inline bool sl_stream_is_valid(const struct sl_stream_read *r)
{
  return r->sent && r->lines == 0;
}

/* What the engines may do for a stream has changed. */
void sl_stream_refresh(struct sl_streams *s, unsigned warp, unsigned unit);

#endif
