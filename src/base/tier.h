/* How instructions execute without timing. All ways come to the same in everything but the host's time. */
#ifndef SL_BASE_TIER_H
#define SL_BASE_TIER_H

enum sl_tier {
  SL_TIER_EMITTED,      /* as the next; what is executed often as machine code of the host, where that can be */
  SL_TIER_EMITTED_AVX2, /* likewise, with no instructions beyond AVX2 */
  SL_TIER_BLOCKS,       /* a stretch of code at a time */
  SL_TIER_INSTRUCTIONS, /* one by one */
  /* To be compared with the others: machine code at once, and only as a coin falls. */
  SL_TIER_EAGER,
  SL_TIER_EAGER_AVX2,
  SL_TIER_SWITCHING
};

#endif
