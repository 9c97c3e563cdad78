/* Streaming lanes (func/extensions/streams.h, timing/pipeline/stream_engine.h) as an extension. It renames stream
 * registers before execution, stores results after it, and fetches and drains elements through the data cache's ports.
 */
#ifndef SL_UNIT_STREAMS_EXTENSION_H
#define SL_UNIT_STREAMS_EXTENSION_H

#include "func/extensions/extension.h"

/* The extension's state is a heap-allocated struct sl_streams. */
extern const struct sl_extension_kind sl_streams_extension;

#endif
