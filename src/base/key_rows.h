/* Macros for the rows of a key table. SPEC is the struct that the table describes; define it first.
 *   NUMBER(name, field, least, greatest, default, power of two, unit, meaning, source)
 *   BOOL(name, field, default, meaning, source)
 *   CHOICE(name, field, choices, default, meaning, source); choices is an array that ends with NULL */
#ifndef SL_BASE_KEY_ROWS_H
#define SL_BASE_KEY_ROWS_H

#include "base/keys.h"

#define NUMBER(name_, field, least_, greatest_, fallback_, pow2, unit_, meaning_, source_)                             \
  {                                                                                                                    \
    .name = name_, .type = SL_KEY_NUMBER, .offset = offsetof(SPEC, field), .least = least_, .greatest = greatest_,     \
    .fallback = fallback_, .power_of_two = pow2, .unit = unit_, .meaning = meaning_, .source = source_                 \
  }
#define BOOL(name_, field, fallback_, meaning_, source_)                                                               \
  {                                                                                                                    \
    .name = name_, .type = SL_KEY_BOOL, .offset = offsetof(SPEC, field), .greatest = 1, .fallback = fallback_,         \
    .unit = "", .meaning = meaning_, .source = source_                                                                 \
  }
#define CHOICE(name_, field, choices_, fallback_, meaning_, source_)                                                   \
  {                                                                                                                    \
    .name = name_, .type = SL_KEY_CHOICE, .offset = offsetof(SPEC, field),                                             \
    .greatest = sizeof(choices_) / sizeof(choices_)[0] - 2, .fallback = fallback_, .choices = choices_, .unit = "",    \
    .meaning = meaning_, .source = source_                                                                             \
  }

#endif
