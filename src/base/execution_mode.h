/* Execution modes of the functional simulation. All give identical results and differ only in host time. */
#ifndef SL_BASE_EXECUTION_MODE_H
#define SL_BASE_EXECUTION_MODE_H

enum sl_execution_mode {
  SL_MODE_EMITTED,      /* JIT: as SL_MODE_BLOCKS, with hot blocks as host machine code where available */
  SL_MODE_EMITTED_AVX2, /* likewise, with no instructions beyond AVX2 */
  SL_MODE_BLOCKS,       /* one basic block at a time */
  SL_MODE_INSTRUCTIONS, /* one instruction at a time */
  /* For comparison tests: compile every block at once; switch modes at random. */
  SL_MODE_EAGER,
  SL_MODE_EAGER_AVX2,
  SL_MODE_SWITCHING
};

#endif
