#include "base/schema.h"

#include <string.h>

size_t sl_field_element(const struct sl_state_field *field)
{
  static const uint8_t bytes[] = {[SL_TYPE_ITEM] = 8, [SL_TYPE_BOOL] = 1, [SL_TYPE_U8] = 1,    [SL_TYPE_U16] = 2,
                                  [SL_TYPE_U32] = 4,  [SL_TYPE_U64] = 8,  [SL_TYPE_I8] = 1,    [SL_TYPE_I16] = 2,
                                  [SL_TYPE_I32] = 4,  [SL_TYPE_I64] = 8,  [SL_TYPE_DOUBLE] = 8};
  return field->type == SL_TYPE_STRUCT  ? field->of()->bytes
         : field->type == SL_TYPE_BYTES ? field->bytes
                                        : bytes[field->type];
}

uint64_t sl_field_bits(const struct sl_state_field *field, const void *element)
{
  const size_t size = sl_field_element(field);
  const unsigned unused = size < sizeof(uint64_t) ? 64 - 8 * (unsigned)size : 0;
  uint64_t bits = 0;
  memcpy(&bits, element, size < sizeof bits ? size : sizeof bits); /* the host is little-endian */
  return sl_type_is_signed((enum sl_type)field->type) ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

static bool in_range(const struct sl_state_field *field, uint64_t bits, int64_t bound)
{
  if (sl_type_is_signed((enum sl_type)field->type))
    return (int64_t)bits >= field->least && (int64_t)bits <= bound;
  return bound >= 0 && bits <= (uint64_t)bound && (field->least < 0 || bits >= (uint64_t)field->least);
}

bool sl_field_valid(const struct sl_state_field *field, uint64_t bits, const struct sl_limits *limits)
{
  const int64_t limit = limits->value[field->limit], bound = limit + field->most;
  const uint64_t none = ~UINT64_C(0) >> (64 - 8 * sl_field_element(field));
  if (field->type == SL_TYPE_BOOL && bits > 1)
    return false;
  switch ((enum sl_rule)field->rule) {
  case SL_RULE_ANY:
  case SL_RULE_KEY:
  case SL_RULE_RING:
  case SL_RULE_SET_TO:
  case SL_RULE_DERIVED: break;
  case SL_RULE_RANGE: return in_range(field, bits, bound);
  case SL_RULE_LIMIT: return in_range(field, bits, field->most);
  case SL_RULE_OR_NONE: return (bits & none) == none || in_range(field, bits, bound);
  case SL_RULE_TIME:
    return (int64_t)bits == SL_NEVER ||
           ((int64_t)bits >= -SL_SOON && (int64_t)bits <= limits->value[SL_LIMIT_NOW] + limit + SL_SOON);
  case SL_RULE_SET: return (bits & none & ~(uint64_t)(limit | field->most)) == 0;
  }
  return true;
}
