/* A fixed-size code buffer for machine code that the process generates. Its pages are never writable and executable at
 * once.
 *
 * Code is appended piece by piece. A sealed piece stays unchanged: making its pages writable again costs more than
 * writing most pieces. The buffer is not available on hosts other than x86-64, nor where the system forbids it. Callers
 * must be able to work without it. */
#ifndef SL_BASE_EXECUTABLE_H
#define SL_BASE_EXECUTABLE_H

#include "base/types.h"

struct sl_executable {
  uint8_t *code;
  size_t bytes,
      sealed; /* bytes: size, a multiple of the page size; sealed: size of the executable part at the beginning */
};

/* Reserves address space for `bytes` bytes, all writable. Returns false if that fails. */
bool sl_executable_open(struct sl_executable *e, size_t bytes);
void sl_executable_close(struct sl_executable *e);

/* Makes the code before byte `used` executable and no longer writable; the next piece begins at `sealed`. Returns false
 * if the system refuses. No code in the buffer may be executed then. */
bool sl_executable_seal(struct sl_executable *e, size_t used);

/* Makes the whole buffer writable again. Returns false if the system refuses. */
bool sl_executable_reset(struct sl_executable *e);

#endif
