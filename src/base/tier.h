/* Execution modes of the functional simulation. All give identical results and differ only in host time. */
#ifndef SL_BASE_TIER_H
#define SL_BASE_TIER_H

enum sl_tier {
  SL_TIER_EMITTED,      /* JIT: as SL_TIER_BLOCKS, with hot blocks as host machine code where available */
  SL_TIER_EMITTED_AVX2, /* likewise, with no instructions beyond AVX2 */
  SL_TIER_BLOCKS,       /* one basic block at a time */
  SL_TIER_INSTRUCTIONS, /* one instruction at a time */
  /* For comparison tests: compile every block at once; switch modes at random. */
  SL_TIER_EAGER,
  SL_TIER_EAGER_AVX2,
  SL_TIER_SWITCHING
};

#endif
