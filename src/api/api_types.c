#include "api/api_types.h"

#include <stdio.h>

/* The codes are the same; the public error is another type so that the library's own can change. */
enum simtlab_status sl_api_report(enum sl_status code, const struct sl_error *from, struct simtlab_error *to)
{
  const enum simtlab_status status = (enum simtlab_status)code;
  if (to == NULL)
    return status;
  to->status = status;
  if (code == SL_OK || code == SL_PAUSED || code == SL_STOPPED)
    to->text[0] = '\0';
  else
    snprintf(to->text, sizeof to->text, "%s", from->text);
  return status;
}
