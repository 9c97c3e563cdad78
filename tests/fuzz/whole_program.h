/* Makes a program from a fuzzer's bytes: an image whose host launches a kernel from the bytes, or whose host code is
 * the bytes.
 *
 * Byte 0 has the flags below, byte 1 the number of data bytes; then come the data, then the code. */
#ifndef SL_TESTS_WHOLE_PROGRAM_H
#define SL_TESTS_WHOLE_PROGRAM_H

#include <elf.h>

#include "base/types.h"

enum {
  SL_WHOLE_LANES = 3 << 0,   /* 1, 4, 16 or 32 */
  SL_WHOLE_WARPS = 1 << 2,   /* 1 or 4 */
  SL_WHOLE_FPU = 1 << 3,     /* with floating point */
  SL_WHOLE_HOST = 1 << 4,    /* the code is the host's, else the kernel's */
  SL_WHOLE_ROWS = 1 << 5,    /* five bytes of code select a row and its operands, else four are a word */
  SL_WHOLE_DIVIDER = 1 << 6, /* the pipelined divider */
  SL_WHOLE_QUEUES = 1 << 7   /* queues of one entry */
};

enum {
  SL_WHOLE_CODE_BASE = 0x08000000,
  SL_WHOLE_CODE_WORDS = 512, /* the smallest instruction memory */
  SL_WHOLE_DATA_BASE = SL_WHOLE_CODE_BASE + 4 * SL_WHOLE_CODE_WORDS
};

struct sl_whole_program {
  Elf32_Ehdr header;
  Elf32_Phdr segments[2];
  uint32_t code[SL_WHOLE_CODE_WORDS];
  uint8_t data[256];
};

void sl_whole_program(struct sl_whole_program *program, const uint8_t *bytes, size_t size);

#endif
