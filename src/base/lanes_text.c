#include "base/lanes_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sl_lanes_format(sl_lanes lanes, char *text, size_t size)
{
  size_t used = 0;
  if (size > 0)
    text[0] = '\0';
  for (const char *comma = ""; lanes != 0 && used < size; comma = ",") {
    const unsigned first = sl_lowest(lanes);
    unsigned last = first;
    while (last + 1 < SL_MAX_LANES && (lanes >> (last + 1) & 1))
      last++;
    const int n = first == last ? snprintf(text + used, size - used, "%s%u", comma, first)
                                : snprintf(text + used, size - used, "%s%u-%u", comma, first, last);
    used += n > 0 ? (size_t)n : 0;
    lanes &= last + 1 < SL_MAX_LANES ? ~sl_low_bits(last + 1) : 0;
  }
}
