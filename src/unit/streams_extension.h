/* Streaming lanes (warp/extensions/streams.h, unit/stream_engine.h) as an extension: registers that are streams are
 * renamed before execution, results stored after it, elements fetched and drained at the data cache's ports. */
#ifndef SL_UNIT_STREAMS_EXTENSION_H
#define SL_UNIT_STREAMS_EXTENSION_H

#include "warp/extensions/extension.h"

/* Its state is a struct sl_streams from the heap. */
extern const struct sl_extension_kind sl_streams_extension;

#endif
