/* Which values each location surely holds, for the proof of an allocation. Values and locations are numbers. A value
 * that is written anew is a new one everywhere else: each carries the version that was current when it was noted. */
#ifndef SL_BACKEND_HELD_VALUES_H
#define SL_BACKEND_HELD_VALUES_H

#include "base/types.h"

struct sl_held {
  uint32_t location, value;
};

/* What is known at a point, by location and value, as it is kept between blocks. */
struct sl_held_list {
  struct sl_held *at;
  size_t count;
  bool reached;
};

struct sl_noted {
  uint32_t value, version, next; /* next: 1 + number, 0 for the end */
};

struct sl_held_values {
  uint32_t *version; /* of each value */
  uint32_t *head;    /* of each location: 1 + number of the first note, 0: holds nothing */
  struct sl_noted *note;
  size_t note_count, note_room;
  uint32_t locations, values, last_version;
  bool failed; /* there was no memory */
};

bool sl_held_init(struct sl_held_values *held, uint32_t locations, uint32_t values);
void sl_held_free(struct sl_held_values *held);

/* Starts from what is known at a point. */
void sl_held_start(struct sl_held_values *held, const struct sl_held_list *list);

/* What is known now, sorted; to be freed. False without memory. */
bool sl_held_end(struct sl_held_values *held, struct sl_held_list *list);

bool sl_holds(const struct sl_held_values *held, uint32_t location, uint32_t value);
void sl_held_forget(struct sl_held_values *held, uint32_t location);

/* The location holds this value besides what it holds. */
void sl_held_add(struct sl_held_values *held, uint32_t location, uint32_t value);

/* The value is a new one, which no location holds yet. */
void sl_held_renew(struct sl_held_values *held, uint32_t value);

/* `to` holds what `from` does, and nothing else. */
void sl_held_move(struct sl_held_values *held, uint32_t to, uint32_t from);

/* Keeps in *list what is in both. Whether something went. */
bool sl_held_meet(struct sl_held_list *list, const struct sl_held_list *other);

#endif
