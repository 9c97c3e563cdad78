/* Validation of untrusted checkpoint state. A file may hold arbitrary, even malicious, bytes. Functions named
 * sl_..._valid check a struct before anything uses it. They check every index, count and enumeration, that counts match
 * their sets, and that no time is unreachably far in the future. The shape comes from the machine, not from the
 * file. */
#ifndef SL_BASE_VALIDATE_H
#define SL_BASE_VALIDATE_H

#include "base/queues.h"
#include "base/schema.h"

struct sl_shape {
  unsigned warps;
  sl_lanes lanes; /* of a warp */
};

/* Checks that a bool from a file is 0 or 1. Reading another byte as a bool would be undefined. */
static inline bool sl_bool_valid(const bool *value)
{
  return *(const unsigned char *)value <= 1;
}

static inline bool sl_bools_valid(const bool *const *value, size_t count)
{
  bool valid = true;
  for (size_t i = 0; i < count; i++)
    valid = valid && sl_bool_valid(value[i]);
  return valid;
}

/* SL_BOOLS_VALID(&a, &b, ...) */
#define SL_BOOLS_VALID(...)                                                                                            \
  sl_bools_valid((const bool *const[]){__VA_ARGS__}, sizeof((const bool *const[]){__VA_ARGS__}) / sizeof(const bool *))

/* Checks for -1 (none) or a number less than `below`. */
static inline bool sl_index_valid(int64_t index, unsigned below)
{
  return index >= -1 && index < (int64_t)below;
}

static inline bool sl_warps_valid(sl_warps warps, struct sl_shape shape)
{
  return (warps & ~sl_low_bits(shape.warps)) == 0;
}

static inline bool sl_cycle_valid(int64_t cycle)
{
  return cycle >= -1 && cycle < SL_CYCLES_MAX;
}

/* Checks warp and lanes, that rd is one of 32 registers, and that the tag contains nothing else. */
static inline bool sl_response_valid(struct sl_response r, struct sl_shape shape)
{
  return sl_response_warp(r) < shape.warps && r.tag >> 8 < 32 && (r.lanes & ~shape.lanes) == 0;
}

static inline bool sl_responses_valid(const struct sl_response *r, size_t count, struct sl_shape shape)
{
  for (size_t i = 0; i < count; i++)
    if (!sl_response_valid(r[i], shape))
      return false;
  return true;
}

static inline bool sl_pipeline_queue_valid(const struct sl_pipeline_queue *q, struct sl_shape shape)
{
  return sl_bool_valid(&q->full) && sl_response_valid(q->item, shape);
}

static inline bool sl_shift_queue_valid(const struct sl_shift_queue *q, struct sl_shape shape)
{
  return sl_bool_valid(&q->full) && sl_cycle_valid(q->drained) && sl_response_valid(q->item, shape);
}

static inline bool sl_register_queue_valid(const struct sl_register_queue *q, struct sl_shape shape)
{
  return q->count <= 2 && sl_cycle_valid(q->drained) && sl_responses_valid(q->item, 2, shape);
}

#endif
