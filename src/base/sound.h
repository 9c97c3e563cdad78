/* Whether state that comes from a file can be what it says: a file may hold any bytes, written by someone who means
 * harm. Functions called sl_..._sound look at a struct before anything uses it: every index, count and enumeration,
 * that what is counted is there, and that no time is so far off that reaching it would not end. The size of a shape is
 * the machine's, not the file's. */
#ifndef SL_BASE_SOUND_H
#define SL_BASE_SOUND_H

#include "base/queues.h"

struct sl_shape {
  unsigned warps;
  sl_lanes lanes; /* of a warp */
};

/* Cycles that a kernel could have come to. */
#define SL_CYCLES_MAX (INT64_C(1) << 60)

/* A bool as a byte of a file may be anything; to read it as a bool would be undefined. */
static inline bool sl_bool_sound(const bool *value)
{
  return *(const unsigned char *)value <= 1;
}

static inline bool sl_bools_sound(const bool *const *value, size_t count)
{
  bool sound = true;
  for (size_t i = 0; i < count; i++)
    sound = sound && sl_bool_sound(value[i]);
  return sound;
}

/* SL_BOOLS_SOUND(&a, &b, ...) */
#define SL_BOOLS_SOUND(...)                                                                                            \
  sl_bools_sound((const bool *const[]){__VA_ARGS__}, sizeof((const bool *const[]){__VA_ARGS__}) / sizeof(const bool *))

/* -1 for none, or a number below. */
static inline bool sl_index_sound(int64_t index, unsigned below)
{
  return index >= -1 && index < (int64_t)below;
}

static inline bool sl_warps_sound(sl_warps warps, struct sl_shape shape)
{
  return (warps & ~sl_low_bits(shape.warps)) == 0;
}

static inline bool sl_cycle_sound(int64_t cycle)
{
  return cycle >= -1 && cycle < SL_CYCLES_MAX;
}

/* Of the 32 registers; nothing else in the tag. */
static inline bool sl_response_sound(struct sl_response r, struct sl_shape shape)
{
  return sl_response_warp(r) < shape.warps && r.tag >> 8 < 32 && (r.lanes & ~shape.lanes) == 0;
}

static inline bool sl_responses_sound(const struct sl_response *r, size_t count, struct sl_shape shape)
{
  for (size_t i = 0; i < count; i++)
    if (!sl_response_sound(r[i], shape))
      return false;
  return true;
}

static inline bool sl_pipeline_queue_sound(const struct sl_pipeline_queue *q, struct sl_shape shape)
{
  return sl_bool_sound(&q->full) && sl_response_sound(q->item, shape);
}

static inline bool sl_shift_queue_sound(const struct sl_shift_queue *q, struct sl_shape shape)
{
  return sl_bool_sound(&q->full) && sl_cycle_sound(q->drained) && sl_response_sound(q->item, shape);
}

static inline bool sl_register_queue_sound(const struct sl_register_queue *q, struct sl_shape shape)
{
  return q->count <= 2 && sl_cycle_sound(q->drained) && sl_responses_sound(q->item, 2, shape);
}

#endif
