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
#ifndef SL_OBSERVE_TRACE_VALUES_H
#define SL_OBSERVE_TRACE_VALUES_H

#include "base/types.h"
#include "observe/trace/trace_pieces.h"
#include "observe/trace/trace_relay.h"

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

#endif
