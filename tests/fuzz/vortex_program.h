/* Makes a program of a Vortex GPU from a fuzzer's bytes, after a prologue that starts the warps and puts addresses into
 * registers. */
#ifndef SL_TESTS_VORTEX_PROGRAM_H
#define SL_TESTS_VORTEX_PROGRAM_H

#include "base/types.h"

enum {
  SL_VORTEX_ROWS = 1 << 6, /* five bytes select a row and its operands, else four are a word */
  SL_VORTEX_OLD = 1 << 7   /* encoding 1.x */
};

enum { SL_VORTEX_WORDS = 256 };

/* Returns the number of words. */
size_t sl_vortex_program(uint32_t *code, unsigned flags, const uint8_t *bytes, size_t size);

/* The same instructions, of rows, in words of 64 bits. */
size_t sl_vortex_wide_program(uint64_t *code, const uint8_t *bytes, size_t size);

#endif
