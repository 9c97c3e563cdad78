#include "cli/run/place_option.h"

#include <string.h>

#include "cli/options.h"

bool sl_choose_place(struct sl_place *place, const char *text)
{
  static const struct {
    const char *text;
    enum sl_place_by by;
  } ways[] = {{"launch=", SL_PLACE_LAUNCH}, {"instructions=", SL_PLACE_INSTRUCTIONS}, {"kernel=", SL_PLACE_KERNEL}};
  const char *value = NULL;
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
    if (strncmp(text, ways[i].text, strlen(ways[i].text)) == 0) {
      value = text + strlen(ways[i].text);
      place->by = ways[i].by;
    }
  if (value == NULL || *value == '\0')
    return false;
  place->kernel = value;
  return place->by == SL_PLACE_KERNEL || sl_read_number(value, &place->number);
}
