/* Timing of streaming lanes (func/extensions/streams.h): FIFOs, prefetch and drain engines, and the arbiter of the data
 * cache's ports.
 *
 * Timing contract: each cycle runs sl_streams_cycle first, then issue and commits. The engines see their effects in the
 * next cycle. Per cycle, a unit begins one element and requests one line, of a prefetch or of a drain. The units in
 * greatest need get the free ports. In parallel, one line of local memory is served. With `lines` above one, remaining
 * ports serve further lines of the same elements: one line per unit in the same order, repeatedly.
 *
 * Source: arXiv 2512.00032, section IV-C; decisions in streams.h. */
#ifndef SL_UNIT_STREAM_ENGINE_H
#define SL_UNIT_STREAM_ENGINE_H

#include "func/extensions/extension.h"
#include "func/extensions/streams.h"

/* Streaming lanes (func/extensions/streams.h, timing/pipeline/stream_engine.h) as an extension. It renames stream
 * registers before execution, stores results after it, and fetches and drains elements through the data cache's ports.
 */

/* The extension's state is a heap-allocated struct sl_streams. */
extern const struct sl_extension_kind sl_streams_extension;

/* Whether a unit has data to write for a warp. */
bool sl_streams_busy(const struct sl_streams *s, unsigned warp, unsigned unit);

/* Whether the streams allow an instruction to issue: elements of all its sources are valid, and a slot is free for its
 * result. */
bool sl_streams_ready(const struct sl_streams *s, unsigned warp, const struct sl_stream_use *use);

/* Issues an instruction: takes the elements and reserves the slot. */
void sl_streams_issue(struct sl_streams *s, unsigned warp, struct sl_stream_use *use);

/* Delivers its result. Not needed if use->write < 0. */
void sl_streams_commit(struct sl_streams *s, unsigned warp, const struct sl_stream_use *use, sl_lanes active);

/* Whether sl_streams_cycle would have no effect. */
static inline bool sl_streams_idle(const struct sl_streams *s)
{
  sl_warps busy = 0;
  for (unsigned u = 0; u < s->spec.count; u++)
    busy |= s->s.unit[u].fetching | s->s.unit[u].draining | s->s.unit[u].fetch.lanes | s->s.unit[u].drain.lanes;
  return busy == 0;
}

/* Performs a cycle of all units, before this cycle's issue and commits. `ports` is the set of free ports of the data
 * cache; `local_free`: local memory can take a line. Returns the number of requests in out, at most `lines` per unit.
 * They are granted: the caller forwards them. */
unsigned sl_streams_cycle(struct sl_streams *s, unsigned ports, bool local_free,
                          struct sl_extension_request out[SL_STREAMS_MAX]);

/* Delivers a requested line; its data are visible to issue. Lines of dropped elements are ignored. */
void sl_streams_return(struct sl_streams *s, uint32_t tag);

#endif
