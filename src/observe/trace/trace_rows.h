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
#ifndef SL_OBSERVE_TRACE_ROWS_H
#define SL_OBSERVE_TRACE_ROWS_H

#include "observe/trace/trace.h"
#include "observe/trace/trace_pieces.h"

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

#endif
