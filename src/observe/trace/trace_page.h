/* A page while its run goes on: what is recorded, and what the viewer needs to know at the end (trace_html.c). */
#ifndef SL_OBSERVE_TRACE_PAGE_H
#define SL_OBSERVE_TRACE_PAGE_H

#include <jansson.h>
#include <string.h>

#include "base/error.h"
#include "base/types.h"
#include "isa/probe.h"
#include "observe/output.h"
#include "observe/trace/trace.h"

/* A relay of events: the simulating thread writes each into a buffer, and a second thread makes the trace from it.
 *
 * There are two buffers. While the second thread reads one, the run fills the other; then it waits for the thread. An
 * event is a record (isa/probe.h) that the machine or sl_relay_tell writes. Events with data have more behind
 * it: the values and addresses of lanes, for the kinds that the format reads them of, and a decoded instruction if no
 * event before had one of its pc. So the thread hears what the formats of traces read (trace.h), without what belongs
 * to the machine: a block, stored values, or a warp of PTX. */

struct sl_relay;

/* Values by lane: of 32 bits, or of 64 if there are none of these; or none. */
struct sl_trace_values {
  const uint32_t *narrow;
  const uint64_t *wide;
};

/* What an execution has of its lanes. */
struct sl_trace_data {
  struct sl_trace_values results, addresses;
};

/* What is behind a record of a life. */
struct sl_relay_life {
  const struct sl_record_life *life;
  const struct sl_insn *insn; /* NULL: there has been one of the same pc, or it has not executed */
  struct sl_trace_data data;
};

struct sl_relay_hearer {
  unsigned arrays; /* kinds of the events that have their lanes' values and addresses */
  /* Hears an event. False: stop. It is an observer of its own thread. */
  bool (*hear)(void *context, const struct sl_probe *probe);
  /* Hears an event by its record alone, which takes less time. False: it does not, and `hear` has to. */
  bool (*hear_record)(void *context, const struct sl_probe_record *record, unsigned launch);
  /* Hears the life of an instruction (SL_RECORD_LIFE). NULL: it comes as events. False: stop. */
  bool (*hear_life)(void *context, const struct sl_probe_record *record, const struct sl_relay_life *life,
                    unsigned launch);
  void *context;
};

/* Returns NULL if out of memory. */
struct sl_relay *sl_relay_create(struct sl_relay_hearer hearer);

/* The observer of the run. A launch, and what happens to buffers, is heard before it returns. False: `hear` has
 * returned false for an earlier event. */
bool sl_relay_tell(void *relay, const struct sl_probe *probe);

/* Where machines write the observer's records. */
struct sl_probe_records *sl_relay_records(struct sl_relay *relay);

/* Adds `base` to the pcs of later events. */
void sl_relay_rebase(struct sl_relay *relay, uint64_t base);

/* Waits until all events are heard. */
void sl_relay_drain(struct sl_relay *relay);

void sl_relay_free(struct sl_relay *relay);

/* Pieces of data in a page: bytes that a script element holds in base64, deflated (zlib, RFC 1950), or as they are
 * behind a byte 0, with which no deflated ones begin. A browser unpacks a piece when it needs it, with
 * DecompressionStream.
 *
 * Integers are variable-length: 7 bits a byte, lowest first; bit 7 marks that another byte follows. A signed integer is
 * stored as 2n, or -2n - 1 if n is negative, as in protocol buffers. */

struct sl_piece {
  uint8_t *bytes;
  size_t count, room;
  uint64_t rows;        /* records in it */
  uint64_t first, last; /* range of its records' times */
  bool lost;            /* out of memory */
};

bool sl_piece_grow(struct sl_piece *piece, size_t more);

/* Makes room for `more` bytes; false: out of memory. */
static inline bool sl_piece_room(struct sl_piece *piece, size_t more)
{
  return piece->count + more <= piece->room || sl_piece_grow(piece, more);
}

/* Append an integer. The caller has made room: 10 bytes each. Up to 35 bits, its groups of 7 bits are spread at once.
 */
static inline void sl_piece_number(struct sl_piece *piece, uint64_t value)
{
  if (value >= 0x80 && value >> 35 == 0) {
    const unsigned bytes = (70 - (unsigned)__builtin_clzll(value)) / 7;
    const uint64_t spread = (value & 0x7f) | (value & 0x3f80) << 1 | (value & 0x1fc000) << 2 |
                            (value & 0xfe00000) << 3 | (value & UINT64_C(0x7f0000000)) << 4;
    const uint64_t word = spread | (UINT64_C(0x8080808080) & ((UINT64_C(1) << 8 * (bytes - 1)) - 1));
    memcpy(piece->bytes + piece->count, &word, sizeof word);
    piece->count += bytes;
    return;
  }
  for (; value >= 0x80; value >>= 7)
    piece->bytes[piece->count++] = (uint8_t)(value | 0x80);
  piece->bytes[piece->count++] = (uint8_t)value;
}

/* The same at a place that is not the piece's, for as many integers as a function writes. Returns the place behind it.
 */
static inline uint8_t *sl_piece_put(uint8_t *at, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    *at++ = (uint8_t)(value | 0x80);
  *at++ = (uint8_t)value;
  return at;
}

static inline void sl_piece_signed(struct sl_piece *piece, uint64_t value)
{
  sl_piece_number(piece, value << 1 ^ (0 - (value >> 63)));
}

/* Counts a record that covers times FROM to TO. */
static inline void sl_piece_record(struct sl_piece *piece, uint64_t from, uint64_t to)
{
  if (piece->rows++ == 0 || from < piece->first)
    piece->first = from;
  if (piece->rows == 1 || to > piece->last)
    piece->last = to;
}

void sl_piece_free(struct sl_piece *piece);

/* Writes pieces as script elements into a file. A thread of its own packs and writes a piece while the run fills the
 * next: packing takes as long as all the rest of a trace. */
struct sl_packer;

/* The kinds of pieces. */
enum sl_piece_kind {
  SL_PIECE_ROWS,
  SL_PIECE_VALUES,
  SL_PIECE_SLOTS,
  SL_PIECE_SWITCHES,
  SL_PIECE_LEVEL,
  SL_PIECE_SERIES,
  SL_PIECE_KINDS
};

/* Returns NULL if out of memory. Until sl_packer_wait only the packer writes into the file. */
struct sl_packer *sl_packer_create(struct sl_trace_file *file);

/* Takes the contents of a piece and empties it. Its kind and `name` become data-kind and data-name. Returns the bytes
 * in the file of the pieces before it, which does not depend on the thread's speed. */
uint64_t sl_packer_write(struct sl_packer *packer, struct sl_piece *piece, enum sl_piece_kind kind, const char *name);

/* Waits until all is written. Returns false if memory was lacking. */
bool sl_packer_wait(struct sl_packer *packer);

void sl_packer_free(struct sl_packer *packer);

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Numbers of 64-bit keys, in the order of their first use. */

#define SL_NO_NUMBER UINT32_MAX

struct sl_numbers {
  uint64_t *keys;
  uint32_t *table; /* number + 1 by hash; 0: free */
  size_t count, room;
};

/* ---- picture ----------------------------------------------------------------------------------------------------- */

/* The picture of a whole run: rows of bins, of which each has the category that most of its cycles have.
 *
 * A row is a warp or an issue slot. The bins begin with 2^6 cycles; when all rows together have too many, every pair
 * becomes one. A bin keeps a candidate and its lead (the majority vote of Boyer and Moore): a category with more than
 * half of a bin's cycles is the one shown. Coarser levels combine four bins each. Series count amounts per bin. */

/* A category in the lower half, 0: none, and its lead in the upper half. */
typedef uint32_t sl_picture_bin;

enum { SL_PICTURE_LEAD = 16, SL_PICTURE_CATEGORY = (1 << SL_PICTURE_LEAD) - 1, SL_PICTURE_MOST = UINT16_MAX };

struct sl_picture_row {
  sl_picture_bin *bins;
  size_t count;
};

struct sl_picture_series {
  uint64_t *amount; /* per bin */
  size_t count;
};

struct sl_picture {
  struct sl_picture_row *rows;
  size_t row_count, row_room;
  struct sl_picture_series *series;
  size_t series_count;
  unsigned shift; /* a bin has 2^shift cycles */
  size_t bins;    /* of all rows and series together */
  bool lost;      /* out of memory */
};

/* Sets the number of series. */
bool sl_picture_open(struct sl_picture *picture, size_t series);

/* A bin to which at most SL_PICTURE_MOST cycles of a category are given. */
static inline sl_picture_bin sl_picture_vote_few(sl_picture_bin bin, uint32_t category, uint32_t cycles)
{
  const uint32_t lead = cycles << SL_PICTURE_LEAD, all = ~(uint32_t)SL_PICTURE_CATEGORY;
  if ((bin & SL_PICTURE_CATEGORY) == category)
    return bin <= UINT32_MAX - lead ? bin + lead : category | all;
  return bin >= lead ? bin - lead : category | (lead - (bin & all));
}

static inline sl_picture_bin sl_picture_vote(sl_picture_bin bin, uint32_t category, uint64_t cycles)
{
  const uint64_t lead = (bin & SL_PICTURE_CATEGORY) == category ? 0 : bin >> SL_PICTURE_LEAD;
  if (cycles <= SL_PICTURE_MOST)
    return sl_picture_vote_few(bin, category, (uint32_t)cycles);
  const uint64_t next = cycles - lead < SL_PICTURE_MOST ? cycles - lead : SL_PICTURE_MOST;
  return category | (uint32_t)next << SL_PICTURE_LEAD;
}

/* Whether a row has the bin of a time. */
static inline bool sl_picture_has(const struct sl_picture *picture, size_t row, uint64_t bin)
{
  return row < picture->row_count && bin < picture->rows[row].count;
}

/* For the functions below: makes room, and any time. */
bool sl_picture_reach_row(struct sl_picture *picture, size_t row, uint64_t last);
void sl_picture_add_bins(struct sl_picture *picture, size_t series, uint64_t from, uint64_t to, uint64_t amount);

/* Paints `category`, from 1, in a row from cycle `from` to before `to`. */
static inline void sl_picture_paint(struct sl_picture *picture, size_t row, uint64_t from, uint64_t to,
                                    uint32_t category)
{
  if (from >= to)
    return;
  if (__builtin_expect(!sl_picture_has(picture, row, (to - 1) >> picture->shift), 0) &&
      !sl_picture_reach_row(picture, row, to - 1))
    return;
  const unsigned shift = picture->shift;
  sl_picture_bin *bin = &picture->rows[row].bins[from >> shift];
  for (uint64_t next = ((from >> shift) + 1) << shift; next < to; next += UINT64_C(1) << shift, bin++) {
    *bin = sl_picture_vote(*bin, category, next - from);
    from = next;
  }
  *bin = sl_picture_vote(*bin, category, to - from);
}

/* The same for a single cycle. */
static inline void sl_picture_dot(struct sl_picture *picture, size_t row, uint64_t time, uint32_t category)
{
  const uint64_t at = time >> picture->shift;
  if (__builtin_expect(!sl_picture_has(picture, row, at), 0)) {
    sl_picture_paint(picture, row, time, time + 1, category);
    return;
  }
  sl_picture_bin *const bin = &picture->rows[row].bins[at];
  *bin = sl_picture_vote_few(*bin, category, 1);
}

/* Adds to a series an amount per cycle of this time. */
static inline void sl_picture_add(struct sl_picture *picture, size_t series, uint64_t from, uint64_t to,
                                  uint64_t amount)
{
  const uint64_t bin = from >> picture->shift;
  if (from >= to)
    return;
  if (bin != (to - 1) >> picture->shift || bin >= picture->series[series].count)
    sl_picture_add_bins(picture, series, from, to, amount);
  else
    picture->series[series].amount[bin] += amount * (to - from);
}

/* Writes all levels as pieces "level", named by the plane, and the series that have amounts as pieces "series", named
 * by their numbers. The range of a piece begins with its shift. A level has the number of categories N, and then the
 * bins of one row after another, as runs of equal ones: (bins - 1) * N + category. Consumes the picture. `cycles`: of
 * the run; categories: 0 and those painted. */
void sl_picture_write(struct sl_picture *picture, const char *plane, unsigned categories, uint64_t cycles,
                      struct sl_packer *packer);

void sl_picture_free(struct sl_picture *picture);

/* ---- rows and slots ---------------------------------------------------------------------------------------------- */

/* Records of a page about instructions ("rows") and issue slots ("slots"). A record has only what differs from its
 * prediction, so most have two bytes.
 *
 * The prediction is what was true the last time: an instruction follows the one that it followed in its warp before,
 * with the lanes, the end and the cycles of its last execution. The viewer predicts in the same way (1_data.js). Each
 * piece can be read by itself: predictions begin from zeros.
 *
 * A record of an instruction begins with a byte of flags, enum sl_row_flags. Bits 5 to 7 are the difference of its
 * start to that of the record before of its length (zigzag), or 7 if it follows as a number. Then: warp; [code];
 * [start]; [row: signed difference to the row of that record, if it is not that of the starts]; [mask]; [end, with
 * SL_ROW_SLOT]; [a byte with the set of stages whose cycles differ, and those cycles]. Instructions of one length leave
 * in the order in which they began, mostly: the length is the number of bits of all cycles of the code's last record,
 * at most 31.
 *
 * A record of a slot begins with a byte of flags, enum sl_slot_flags. Bits 6 and 7 tell its time after the record
 * before: 0: as many cycles later as it has; 1: at the same time; 2: a signed difference follows. Then: [core];
 * [warp + 1; 0: none]; [time]; [code]; [reason]; [cycles]. */

enum sl_row_flags { SL_ROW_CODE = 1, SL_ROW_MASK = 2, SL_ROW_END = 4, SL_ROW_CYCLES = 8, SL_ROW_NUMBER = 16 };
enum sl_slot_flags { SL_SLOT_CORE = 1, SL_SLOT_WARP = 2, SL_SLOT_CODE = 4, SL_SLOT_REASON = 8, SL_SLOT_CYCLES = 16 };

/* Bytes of the longest record of each. */
enum { SL_ROW_BYTES = 10 * (7 + SL_TRACE_STAGES), SL_SLOT_BYTES = 70 };

enum { SL_ROW_LENGTHS = 32 };

/* The last record of a length. */
struct sl_page_rows_before {
  uint64_t start, row;
};

/* The last records of an instruction of the program. */
struct sl_page_rows_code {
  uint32_t next, next_slot; /* the code that followed it in its warp, and in the slot of its warp */
  uint32_t mask, end, length, reason;
  uint32_t spent[SL_TRACE_STAGES];
  uint64_t cycles;
};

struct sl_page_rows {
  struct sl_page_rows_code *code; /* by number of the code */
  uint32_t *warp, *slot;          /* by warp, and by warp + 1: number of the last code */
  size_t codes, warps;            /* room */
  struct sl_page_rows_before before[SL_ROW_LENGTHS];
  uint64_t time; /* of the last record of a slot */
  unsigned core, slot_warp;
  unsigned stages;
};

/* Make room for the numbers below. Return false if out of memory. */
bool sl_page_rows_reach_code(struct sl_page_rows *rows, size_t codes);
bool sl_page_rows_reach_warp(struct sl_page_rows *rows, size_t warps);

struct sl_page_row {
  uint64_t row, began;
  uint64_t left; /* `began` and the cycles in all stages */
  uint32_t warp, code, mask;
  uint32_t end;                    /* enum sl_trace_end, and SL_ROW_SLOT */
  uint32_t spent[SL_TRACE_STAGES]; /* in the machine's stages */
};

/* The issue slot of its core has spent a cycle on the instruction, the one after its first stage, which has no record
 * of its own: it has issued, or if it was RETRIED, retried. */
enum { SL_ROW_SLOT = 8 };

/* Append records. The caller has made room in the piece and for the codes and warps. The first record of a piece begins
 * its predictions. */
void sl_page_rows_put(struct sl_page_rows *rows, struct sl_piece *piece, const struct sl_page_row *row, size_t count);

struct sl_page_rows_slot {
  uint64_t time; /* of its end */
  unsigned core;
  unsigned warp; /* + 1; 0: none */
  uint32_t code, reason;
  uint64_t cycles;
};

void sl_page_rows_put_slot(struct sl_page_rows *rows, struct sl_piece *piece, const struct sl_page_rows_slot *slot);

void sl_page_rows_free(struct sl_page_rows *rows);

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Executions with data in a page ("values"): results and addresses of the active lanes.
 *
 * A record begins with a byte: the shape of the results in bits 0 and 1, that of the addresses in bits 2 and 3; bit 4
 * if the lanes' mask is not that of the record before; and in bits 5 to 7 the instruction's row after that of the
 * record before, or 0 if it follows as a signed difference. Then: [row], [number of the mask], results, addresses.
 *
 * Shapes: 0 none; 1 a value that all lanes have; 2 the first value and the signed difference from each active lane to
 * the next; 3 the first value, and each lane's difference to it: their bits (at most 64), and the
 * differences as zigzag, lowest bits first; or 0 and the distance in bytes to the same differences. Programs compute
 * and load the same patterns over and over: this finds them in less time than deflate.
 *
 * The first value, the difference and the distance are words: integers of as many bytes as the lowest bit that is set
 * in the first byte, counted from 1, and the value is above that bit, lowest byte first; or 0 and 8 bytes. So they have
 * the same length as integers of 7 bits a byte, and their writer has no loop. */

/* Active lanes, at least one. */
struct sl_trace_mask {
  sl_lanes active;
  uint32_t number;
  unsigned lanes; /* how many */
};

enum { SL_TRACE_VECTORS = 1 << 12 };

/* The record before, and where values of shape 3 are, by their hash. */
struct sl_trace_valued {
  uint64_t row;
  uint32_t mask;
  uint32_t vector[SL_TRACE_VECTORS];
};

/* Bytes of the longest record, and of what is written behind it. */
enum { SL_VALUES_BYTES = 2 * (8 * SL_MAX_LANES + 11) + 30 };

/* Appends a record of an instruction's number. The caller has made room; the first record of a piece follows one of
 * zeros. */
typedef void sl_trace_values_put(struct sl_piece *piece, struct sl_trace_valued *before, uint64_t row,
                                 const struct sl_trace_mask *mask, const struct sl_trace_data *data);

/* The function for this host. */
sl_trace_values_put *sl_trace_values_putter(void);

/* ---- page -------------------------------------------------------------------------------------------------------- */

/* Series after those of the stages' occupancy. */
enum { SL_SERIES_TRANSACTIONS, SL_SERIES_QUEUED, SL_SERIES_BANKS, SL_SERIES_COUNT };

/* An instruction of the program, and its totals. */
struct sl_page_code {
  uint64_t pc;
  char *text; /* NULL: it has not executed */
  uint32_t line;
  uint64_t executed, threads;
  int64_t cycles[SL_MAX_STALL_REASONS];
};

enum { SL_PAGE_CODES = 1 << 10, SL_PAGE_MASKS = 1 << 6, SL_PAGE_BATCH = 64 };

struct sl_page {
  struct sl_numbers codes, masks;
  struct sl_page_code *code;
  size_t code_room;
  struct {
    uint64_t pc;
    uint32_t number;                                /* + 1; 0: none */
  } at_hand[SL_PAGE_CODES];                         /* codes by a hash of their pc */
  const struct sl_trace_mask *mask;                 /* the latest one, at hand */
  struct sl_trace_mask mask_at_hand[SL_PAGE_MASKS]; /* by a hash of their lanes */
  uint32_t no_lanes;                                /* number of the mask without lanes, + 1; 0: none */
  struct sl_piece rows, values, slots, switches;
  struct sl_page_row batch[SL_PAGE_BATCH]; /* that are painted and recorded next */
  size_t batched, recorded;                /* those in it, and the first ones that are recorded */
  struct sl_page_rows records;
  struct sl_trace_valued valued;
  sl_trace_values_put *put_values;
  uint64_t last_switch;
  struct sl_picture stage, reason, slot;
  uint64_t *arrived; /* per warp, time of its arrival at a barrier + 1; 0: it does not wait */
  uint32_t *core;
  size_t warps, warp_room;
  struct sl_packer *packer;
  unsigned lanes;
  unsigned retried; /* stall reason of instructions that are RETRIED */
  json_t *launches;
};

/* Functions of the format. */
void sl_page_leave(struct sl_trace *trace, struct sl_trace_insn *insn, enum sl_trace_end how, uint64_t time);
void sl_page_lived(struct sl_trace *trace, const struct sl_probe_record *record, const struct sl_relay_life *life,
                   uint64_t row, struct sl_trace_note *goes_on);
void sl_page_counted(struct sl_trace *trace, enum sl_probe_kind kind, uint64_t count, uint64_t time);
void sl_page_event(struct sl_trace *trace, const struct sl_probe *probe, const struct sl_trace_insn *insn,
                   uint64_t time);

/* Writes the last records, and the picture of so many cycles. */
void sl_page_write(struct sl_trace *trace, uint64_t cycles);

void sl_page_free(struct sl_page *page);

#endif
