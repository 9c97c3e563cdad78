/* A register's values over the lanes of a warp, in a piece of a trace (trace_html.c): the shape, 0 if there are none;
 * then one value if it is that of all lanes (1), the first value and the signed difference per lane (2), or the values
 * one by one, each as the signed difference to the lane before (3). */
#ifndef SL_OBSERVE_TRACE_VALUES_H
#define SL_OBSERVE_TRACE_VALUES_H

#include "base/types.h"
#include "observe/trace/trace_pieces.h"

/* Values by lane: of 32 bits, or of 64 if there are none of these; or none. */
struct sl_trace_values {
  const uint32_t *narrow;
  const uint64_t *wide;
};

/* Appends the values of the active lanes, of which there is at least one. The caller has made room for 10 bytes a lane
 * and 20 more. */
void sl_trace_values_put(struct sl_piece *piece, struct sl_trace_values values, sl_lanes active);

#endif
