/* Memory for machine code that the process has written itself, of one size, never writable and executable at once.
 *
 * It is written piece by piece from its beginning on. A piece that has been sealed stays as it is: to turn its pages
 * back would cost more than most pieces take to write. None of it is there on hosts that are not x86-64, and none
 * where the system forbids it: whoever asks must be able to go on without. */
#ifndef SL_BASE_EXECUTABLE_H
#define SL_BASE_EXECUTABLE_H

#include "base/types.h"

struct sl_executable {
  uint8_t *code;
  size_t bytes, sealed; /* of all, a multiple of pages; of what can be executed, from the beginning on */
};

/* So many bytes of address space, all of which can be written; false: there are none to be had. */
bool sl_executable_open(struct sl_executable *e, size_t bytes);
void sl_executable_close(struct sl_executable *e);

/* What is before byte `used` can be executed and no longer written; the next piece begins at `sealed`. False: the
 * system does not let it, and nothing may be executed any more. */
bool sl_executable_seal(struct sl_executable *e, size_t used);

/* All of it can be written again. False: the system does not let it. */
bool sl_executable_reset(struct sl_executable *e);

#endif
