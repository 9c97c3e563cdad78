/* A page while its run goes on: what is recorded, and what the viewer needs to know at the end (trace_html.c). */
#ifndef SL_OBSERVE_TRACE_PAGE_H
#define SL_OBSERVE_TRACE_PAGE_H

#include <jansson.h>

#include "observe/trace/trace.h"
#include "observe/trace/trace_numbers.h"
#include "observe/trace/trace_picture.h"
#include "observe/trace/trace_pieces.h"
#include "observe/trace/trace_relay.h"
#include "observe/trace/trace_rows.h"
#include "observe/trace/trace_values.h"

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
