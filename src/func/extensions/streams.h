/* Streaming lanes: DMSL, the data-access part of the extension of "Decoupled Control Flow and Data Access in RISC-V
 * GPGPUs" (arXiv 2512.00032), section IV-C; registers: its Table I.
 *
 * A unit maps a register of a warp to a stream: a sequence of elements in memory for each lane. Reading the register
 * takes the next element of a read stream. A prefetch engine has fetched it into a FIFO of the warp. Writing the
 * register appends to the FIFO of a write stream, which drains to memory. An epoch begins when software writes a base
 * or enables the stream; its configuration holds until the next epoch.
 *
 * Function and timing are separate. Function, in program order and not after the first sl_streams_ready:
 * sl_streams_rename replaces mapped register fields of a copy by stream registers (64 + unit) and loads the elements
 * into them, the copy executes, and sl_streams_finish stores the result. Timing: sl_streams_ready, sl_streams_issue and
 * sl_streams_commit, with the struct sl_stream_use that rename has filled in. An epoch knows how many elements were
 * used functionally; the unit fetches and issues these before those of the next epoch.
 *
 * Timing contract: per cycle a unit requests one line, for a prefetch or a drain. The units with the greatest need get
 * the free ports of the data cache. Local memory serves one more line. The caller passes the free ports: port 0 is
 * shared with the load-store unit, which has priority.
 *
 * The paper leaves these points open:
 * - decision: registers of a unit: 0 base, 1 mapping, 2 stride (the same as 5), 3 count limit (0: none), 4 row stride,
 *   5 stride, 6 row length (0: no rows), 7 elements used (read-only). Bases and strides are per lane; a write changes
 *   the active lanes. The others are per warp, from the lowest active lane.
 * - decision: element i is at base + i * stride; in rows of n, at base + (i / n) * row stride + (i % n) * stride.
 * - decision: mapping: bits 4:0 register, 5 floating-point, 6 write, 9:7 size (0: 32, 1: 16, 2: 8 bits), 10 prefetch,
 *   11 redirect. Read: bit 6 clear. Write: bit 6 without prefetch. Read-write: bit 6 with prefetch, or two units.
 * - decision: 8 and 16 bits are sign-extended to integer registers, zero-extended to floating-point ones.
 * - decision: a destination that only a read stream maps is the register; so is a source that only a write stream maps.
 * - decision: an instruction takes one element, also when two sources name the register or no lane is active.
 * - decision: read-write has two positions in the same sequence, for sources and for destinations.
 * - decision: lanes of a warp advance together. The lanes that have written a base since redirect was last clear take
 *   part; an instruction with other lanes active is illegal. A base written in some lanes restarts the stream in all.
 * - decision: writing the base of an enabled stream, enabling it, and setting prefetch each begin an epoch. Strides,
 *   rows and limit written meanwhile apply from the next epoch on.
 * - decision: the unit drops prefetched elements of an old epoch that no instruction uses, and ignores their lines.
 * - decision: prefetch stops at the count limit; without one, at the product of the bounds of the loops that were
 *   enabled when prefetch was set; without loops, when it is disabled. The unit drops over-fetched elements. It always
 *   fetches elements that instructions are known to use. Using more elements than the count limit is illegal.
 * - decision: a unit's engine serves the warp with the fewest entries, valid or in flight, below `streams.credits`; on
 *   a tie, round robin. It coalesces the lanes' addresses by line and requests `streams.lines` of them per cycle
 *   (default 1).
 * - decision: an entry holds an element of all lanes that take part, including those outside the tail mask. It is valid
 *   when all its lines have returned. `streams.latency`, from grant to use, includes the return path; the caller models
 *   it.
 * - decision: a slot of the write FIFO is taken at issue and filled at commit. It drains in order from the next cycle
 *   on, with as many lines per cycle, and is free with its last line. Lanes outside the mask are not written.
 * - decision: the need of a read is the number of credits without a valid entry, that of a write the number of filled
 *   entries, each of the served warp. Ties rotate. A unit gets a second line in a cycle only when every other unit has
 *   one.
 * - decision: loads and stores are not ordered with streams. Clearing the redirect bit of a write stream waits until it
 *   has drained (sl_streams_busy).
 * - decision: fetch waits for a write of a mapping to execute (sl_streams_csr_blocks). The write waits until no
 *   instruction in flight writes the mapped register. Other CSR writes do not block.
 * - decision: these are illegal: register x0, two streams of one direction on a register, another mapping while
 *   redirecting, reading while prefetch is off, and bases or strides that are not a multiple of the element size.
 * - decision: switching the warp off disables all; elements that it has written still drain. */
#ifndef SL_WARP_STREAMS_H
#define SL_WARP_STREAMS_H

#include "func/extensions/hardware_loops.h"
#include "func/ipdom_warps.h"

/* State of the streams and its lifetime: epochs, FIFOs, and the warps for which a unit has work. streams.h has the
 * effect of instructions on streams; timing/pipeline/stream_engine.h has the timing of line requests. */

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

/* `w` must be initialised; the streams use its registers 64 to 79. */
enum sl_status sl_streams_init(struct sl_streams *s, const struct sl_streams_spec *spec, struct sl_ipdom_warps *w,
                               struct sl_loops *loops, struct sl_error *err);
void sl_streams_free(struct sl_streams *s);

/* Resets all streams and counters. */
void sl_streams_start(struct sl_streams *s);

/* Stops the streams of a warp that starts or is switched off. */
void sl_streams_stop(struct sl_streams *s, unsigned warp);

/* CSR accesses, for a CSR with sl_is_extension_csr(csr, SL_UNIT_STREAM). Return NULL or a message: the rest
 * of a sentence that begins with the instruction. `values` has one value per lane; read sets all of them.
 *
 * A write that begins an epoch sets *begun. Its prefetch starts with sl_streams_open, when the instruction executes.
 * With begun == NULL it starts at once. */
const char *sl_streams_csr_read(const struct sl_streams *s, unsigned warp, unsigned csr, uint32_t *values);
const char *sl_streams_csr_write(struct sl_streams *s, unsigned warp, unsigned csr, sl_lanes active,
                                 const uint32_t *values, bool *begun);
void sl_streams_open(struct sl_streams *s, unsigned warp, unsigned csr);

/* Returns true if the warp's fetch waits until a write to this CSR has executed. */
static inline bool sl_streams_csr_blocks(unsigned csr)
{
  return (csr & 7) == SL_STREAM_MAPPING;
}

/* The general case of sl_streams_rename. */
const char *sl_streams_rename_slowly(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                                     struct sl_insn *copy, struct sl_stream_use *use);

/* Renames before execution: changes *copy to the instruction to execute. Returns NULL or a message; for memory
 * faults w->fault is set. */
static inline const char *sl_streams_rename(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                                            struct sl_insn *copy, struct sl_stream_use *use)
{
  *use = (struct sl_stream_use){.write = -1};
  return s->warp[warp].redirecting == 0 ? NULL : sl_streams_rename_slowly(s, warp, pc, active, copy, use);
}

/* Completes an instruction after execution, if use->write >= 0. `insn` is the fetched instruction. */
const char *sl_streams_finish(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                              const struct sl_insn *insn, const struct sl_stream_use *use);

static inline bool sl_stream_used(const struct sl_stream_use *use)
{
  return use->reads != 0 || use->write >= 0;
}

/* Functions of an extension (extension.h). walk visits the state, for streams of the same spec; derive recomputes
 * mapped registers and the units' work. */
void sl_streams_walk(void *streams, struct sl_archive *archive);
void sl_streams_derive(void *streams);

#endif
