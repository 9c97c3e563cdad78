/* Memory for machine code that the process has written itself, of one size, never writable and executable at once.
 *
 * None of it is there on hosts that are not x86-64, and none where the system forbids it: whoever asks must be able to
 * go on without. */
#ifndef SL_BASE_EXECUTABLE_H
#define SL_BASE_EXECUTABLE_H

#include "base/types.h"

struct sl_executable {
  uint8_t *code;
  size_t bytes, used; /* of all; of what has been written */
};

/* So many bytes of address space; false: there are none to be had. */
bool sl_executable_open(struct sl_executable *e, size_t bytes);
void sl_executable_close(struct sl_executable *e);

/* Until the next of these calls its bytes can be written, and not executed, or the other way round. False: the system
 * does not let them, and nothing in it may be executed any more. */
bool sl_executable_write(struct sl_executable *e);
bool sl_executable_seal(struct sl_executable *e);

#endif
