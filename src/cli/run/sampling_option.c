#include "cli/run/sampling_option.h"

#include <string.h>

#include "cli/options.h"

/* Parses a comma and a number, if text is left. */
static bool take_seed(const char *text, uint64_t *seed)
{
  if (*text == '\0')
    return true;
  return *text == ',' && sl_read_number(text + 1, seed);
}

static bool take_plan(const char *text, struct sl_sampling *plan)
{
  uint64_t *const number[] = {&plan->measured, &plan->warm, &plan->skipped};
  for (size_t i = 0; i < 3; i++) {
    if (i > 0 && *text++ != ',')
      return false;
    if (!sl_take_digits(&text, number[i]) || *number[i] > UINT32_MAX)
      return false;
  }
  return take_seed(text, &plan->seed) && plan->measured >= 2 && plan->skipped > 0;
}

enum sl_status sl_choose_sampling(struct sl_sampling_choice *choice, const char *text, struct sl_error *err)
{
  static const char automatic[] = "auto";
  const size_t length = sizeof automatic - 1;
  *choice = (struct sl_sampling_choice){.wanted = true, .plan = {.seed = 1}};
  const bool good = strncmp(text, automatic, length) == 0 ? take_seed(text + length, &choice->plan.seed)
                                                          : take_plan(text, &choice->plan);
  return good ? SL_OK
              : sl_fail(err, SL_USAGE,
                        "--sample takes U,W,K or auto, and after either a comma and a SEED: warp instructions to "
                        "measure (2 or more), to warm up, and to skip (1 or more), each of 32 bits; not '%.80s'",
                        text);
}
