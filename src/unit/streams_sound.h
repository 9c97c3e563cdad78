/* Whether streams can be what a file says (base/sound.h): FIFOs, epochs and engines, and the elements that instructions
 * in flight will take from them. */
#ifndef SL_UNIT_STREAMS_SOUND_H
#define SL_UNIT_STREAMS_SOUND_H

#include "warp/extensions/streams.h"

/* Elements of each stream that instructions which have not issued will take. */
struct sl_stream_uses {
  unsigned unissued[SL_MAX_WARPS][SL_STREAMS_MAX];
};

bool sl_stream_use_sound(const struct sl_streams *s, const struct sl_stream_use *use);

bool sl_streams_sound(const struct sl_streams *s, const struct sl_stream_uses *uses);

#endif
