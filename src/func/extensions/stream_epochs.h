/* State of the streams and its lifetime: epochs, FIFOs, and the warps for which a unit has work. streams.h has the
 * effect of instructions on streams; timing/pipeline/stream_engine.h has the timing of line requests. */
#ifndef SL_WARP_STREAM_EPOCHS_H
#define SL_WARP_STREAM_EPOCHS_H

#include "func/extensions/hardware_loops.h"
#include "func/ipdom_execution.h"

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

/* Fields of SL_STREAM_MAPPING. */
enum {
  SL_STREAM_REG = 0x1f,
  SL_STREAM_FLOAT = 1 << 5,
  SL_STREAM_WRITE = 1 << 6,
  SL_STREAM_SIZE = 7 << 7,
  SL_STREAM_PREFETCH = 1 << 10,
  SL_STREAM_REDIRECT = 1 << 11
};

struct sl_streams_spec {
  unsigned count, credits; /* number of units; FIFO entries per warp */
  unsigned lines;          /* lines of one element that a unit may request per cycle */
  bool timed;              /* the caller uses the timing functions; else the streams are functional only */
  unsigned window;         /* greatest number of a warp's instructions between function and issue */
  uint32_t local_base, local_bytes;
  /* Performs the load or store of an element. Returns false on a fault; see w->fault. */
  bool (*access)(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);
};

/* An instruction's use of streams, kept with it until commit. */
struct sl_stream_use {
  uint8_t reads; /* set of units */
  int8_t write;  /* unit, -1: none */
  uint8_t slot;  /* slot of the write FIFO, from issue on */
};

/* Per-lane values that software has written, one vector per row. */
enum sl_stream_vector { SL_VECTOR_BASE, SL_VECTOR_STRIDE, SL_VECTOR_ROW_STRIDE, SL_STREAM_VECTORS };

/* The address parameters of a stream and the progress of its elements. */
struct sl_stream_epoch {
  uint64_t number;
  uint64_t limit; /* prefetch limit */
  bool counted;   /* it is the count limit, which also binds instructions */
  sl_lanes lanes;
  uint32_t row_length;
  bool over;
  uint64_t read_end, write_end; /* once over: elements that instructions use */
  uint64_t fetched;             /* elements whose fetch has begun */
  uint64_t written;             /* elements that have a write slot */
};

/* An entry of a read FIFO. */
struct sl_stream_read {
  uint64_t element;
  uint32_t generation; /* of the slot; identifies lines that return late */
  uint16_t lines;      /* lines in flight */
  bool sent;           /* all lines have been requested */
};

/* An entry of a write FIFO. */
struct sl_stream_write {
  sl_lanes lanes;
  bool filled;
};

/* One unit for one warp. */
struct sl_stream {
  /* Values of the CSRs. */
  uint32_t mapping, limit, row_length;
  sl_lanes lanes;
  uint64_t product; /* product of the loop bounds when prefetch was set */
  /* Functional positions in the newest epoch. */
  uint64_t read_index, write_index;
  /* Epochs in progress, the newest last. */
  unsigned first_epoch, epochs;
  uint64_t begun, opened; /* epoch numbers: epochs up to `opened` may be fetched */
  /* FIFOs. */
  unsigned read_head, reads, valid, write_head, writes, filled;
};

/* The rest of the element that a unit's engine is working on. */
struct sl_stream_engine {
  sl_lanes lanes; /* remaining lanes; 0: no element */
  unsigned warp, slot;
  unsigned last; /* warp served last */
  uint32_t address[SL_MAX_LANES];
};

struct sl_stream_unit {
  sl_warps fetching, draining; /* warps with elements to fetch or to drain */
  struct sl_stream_engine fetch, drain;
};

struct sl_warp_streams {
  uint8_t redirecting;                   /* set of units */
  int8_t read_of[SL_IPDOM_FIRST_STREAM]; /* unit that maps this register, -1: none */
  int8_t write_of[SL_IPDOM_FIRST_STREAM];
};

struct sl_stream_counters {
  uint64_t elements_read, elements_written; /* counted at issue */
  uint64_t lines_read, lines_written;
  uint64_t local_lines; /* part of the two above */
  uint64_t dropped;     /* fetched elements that no instruction used */
};

/* Plain data without pointers: the state, together with the arrays. */
struct sl_streams_state {
  struct sl_stream_unit unit[SL_STREAMS_MAX];
  unsigned turn; /* unit with priority on a tie */
  struct sl_stream_counters counters;
};

struct sl_streams {
  struct sl_streams_state s;
  /* Wiring: values derived from the keys, and external objects. */
  struct sl_streams_spec spec;
  struct sl_ipdom_warps *w;
  struct sl_loops *loops; /* NULL: none */
  unsigned lanes, warps;
  struct sl_warp_streams *warp;
  struct sl_stream *stream;      /* warps x units */
  uint32_t *vector;              /* of each, SL_STREAM_VECTORS x lanes */
  struct sl_stream_epoch *epoch; /* of each stream, sl_stream_epoch_slots */
  uint32_t *epoch_vector;        /* of each epoch, SL_STREAM_VECTORS x lanes */
  struct sl_stream_read *read;   /* of each stream, credits */
  struct sl_stream_write *write; /* the same */
  uint32_t *write_address;       /* of each entry, one address per lane */
};

static inline struct sl_stream *sl_stream_of(const struct sl_streams *s, unsigned warp, unsigned unit)
{
  return &s->stream[warp * s->spec.count + unit];
}

static inline size_t sl_stream_number(const struct sl_streams *s, const struct sl_stream *stream)
{
  return (size_t)(stream - s->stream);
}

/* Number of epochs that a stream can have in progress. */
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

/* Entries of the FIFOs, and the addresses of a write entry. */
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

/* Computes the addresses of an element, for all lanes. */
void sl_stream_addresses(const struct sl_streams *s, const struct sl_stream_epoch *e, uint64_t element,
                         uint32_t *address);

/* Ends the newest epoch: no later instruction uses it. */
void sl_stream_supersede(struct sl_streams *s, unsigned warp, unsigned unit);

/* Returns the oldest epoch with elements to fetch, or NULL. */
struct sl_stream_epoch *sl_stream_epoch_to_fetch(const struct sl_streams *s, const struct sl_stream *stream);

/* Drops epochs that no instruction needs. */
void sl_stream_retire(struct sl_streams *s, struct sl_stream *stream);

/* The FIFO slot `i` places after `head`. */
static inline unsigned sl_stream_slot(const struct sl_streams *s, unsigned head, unsigned i)
{
  const unsigned p = head + i;
  return p >= s->spec.credits ? p - s->spec.credits : p;
}

/* Returns true if all lines of an element have arrived. */
static inline bool sl_stream_is_valid(const struct sl_stream_read *r)
{
  return r->sent && r->lines == 0;
}

/* Recomputes the engines' work for a stream after a change. */
void sl_stream_refresh(struct sl_streams *s, unsigned warp, unsigned unit);

#endif
