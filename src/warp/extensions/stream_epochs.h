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
  uint32_t *vector; /* SL_STREAM_VECTORS x lanes */
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
  uint32_t *vector; /* SL_STREAM_VECTORS x lanes */
  /* Function, in the newest epoch. */
  uint64_t read_index, write_index;
  /* Epochs under way, the newest last. */
  unsigned first_epoch, epochs;
  uint64_t begun, opened; /* numbers: those up to `opened` may be fetched */
  struct sl_stream_epoch *epoch;
  /* FIFOs. */
  unsigned read_head, reads, valid, write_head, writes, filled;
  struct sl_stream_read *read;
  struct sl_stream_write *write;
  uint32_t *write_address; /* credits x lanes */
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

struct sl_streams {
  struct sl_streams_spec spec;
  struct sl_ipdom_warps *w;
  struct sl_loops *loops; /* NULL: none */
  unsigned lanes, warps;
  struct sl_warp_streams *warp;
  struct sl_stream *stream; /* warps x units */
  struct sl_stream_unit unit[SL_STREAMS_MAX];
  unsigned turn; /* unit that goes first among equals */
  struct sl_stream_counters counters;
  void *storage; /* of what is in `stream` */
};

static inline struct sl_stream *sl_stream_of(const struct sl_streams *s, unsigned warp, unsigned unit)
{
  return &s->stream[warp * s->spec.count + unit];
}

static inline struct sl_stream_epoch *sl_stream_epoch(const struct sl_streams *s, const struct sl_stream *stream,
                                                      unsigned i)
{
  return &stream->epoch[(stream->first_epoch + i) % (s->spec.window + 2)];
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
