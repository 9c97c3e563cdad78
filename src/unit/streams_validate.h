/* Validation of the streams' checkpoint state (base/validate.h): FIFOs, epochs and engines, and the elements that
 * in-flight instructions will take from them. */
#ifndef SL_UNIT_STREAMS_VALIDATE_H
#define SL_UNIT_STREAMS_VALIDATE_H

#include "warp/extensions/streams.h"

/* Elements of each stream that unissued instructions will take. */
struct sl_stream_uses {
  unsigned unissued[SL_MAX_WARPS][SL_STREAMS_MAX];
};

bool sl_stream_use_valid(const struct sl_streams *s, const struct sl_stream_use *use);

bool sl_streams_valid(const struct sl_streams *s, const struct sl_stream_uses *uses);

#endif
