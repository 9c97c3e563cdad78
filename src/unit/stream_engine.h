/* The timing of streaming lanes (warp/extensions/streams.h): FIFOs, prefetch and drain engines, and the arbiter of the
 * data cache's ports.
 *
 * Timing contract: in a cycle first sl_streams_cycle, then issue and commits; what they free or fill the engines see in
 * the next. A unit begins one element and asks for one line per cycle, of a prefetch or of a drain; those in greatest
 * need get the free ports, one line of local memory is served beside them. With `lines` above one, ports that are left
 * go to further lines of the same elements, a line for each unit in the same order, and again. (arXiv 2512.00032,
 * section IV-C; decisions in streams.h.) */
#ifndef SL_UNIT_STREAM_ENGINE_H
#define SL_UNIT_STREAM_ENGINE_H

#include "warp/extensions/extension.h"
#include "warp/extensions/streams.h"

/* Whether a unit has something to write for a warp. */
bool sl_streams_busy(const struct sl_streams *s, unsigned warp, unsigned unit);

/* Whether an instruction can issue as far as streams are concerned: elements of all its sources are valid, a slot is
 * free for its result. */
bool sl_streams_ready(const struct sl_streams *s, unsigned warp, const struct sl_stream_use *use);

/* It issues: elements are taken, the slot is reserved. */
void sl_streams_issue(struct sl_streams *s, unsigned warp, struct sl_stream_use *use);

/* Its result has come. Not needed when use->write < 0. */
void sl_streams_commit(struct sl_streams *s, unsigned warp, const struct sl_stream_use *use, sl_lanes active);

/* Whether sl_streams_cycle would do nothing. */
static inline bool sl_streams_idle(const struct sl_streams *s)
{
  sl_warps busy = 0;
  for (unsigned u = 0; u < s->spec.count; u++)
    busy |= s->s.unit[u].fetching | s->s.unit[u].draining | s->s.unit[u].fetch.lanes | s->s.unit[u].drain.lanes;
  return busy == 0;
}

/* A cycle of all units, before this cycle's issue and commits. `ports`: set of free ports of the data cache;
 * `local_free`: local memory takes a line. Requests are granted: the caller passes them on. Returns how many, at
 * most a unit's `lines` each. */
unsigned sl_streams_cycle(struct sl_streams *s, unsigned ports, bool local_free,
                          struct sl_extension_request out[SL_STREAMS_MAX]);

/* A line asked for is there, its data visible to issue. Those of dropped elements are ignored. */
void sl_streams_return(struct sl_streams *s, uint32_t tag);

/* Whether a line can have been asked for with this tag. */
bool sl_streams_tag_sound(const struct sl_streams *s, uint32_t tag);

#endif
