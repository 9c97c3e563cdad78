/* Which values each location certainly holds, for the proof of an allocation. Values and locations are numbers. A write
 * gives a value a new version, which invalidates all copies elsewhere: each entry stores the version that was current
 * when it was added. */
#ifndef SL_BACKEND_HELD_VALUES_H
#define SL_BACKEND_HELD_VALUES_H

#include "base/types.h"

struct sl_held {
  uint32_t location, value;
};

/* Facts at a point, by location and value, in the form stored between blocks. */
struct sl_held_list {
  struct sl_held *at;
  size_t count;
  bool reached;
};

struct sl_noted {
  uint32_t value, version, next; /* next: 1 + index, 0 for the end */
};

struct sl_held_values {
  uint32_t *version; /* per value */
  uint32_t *head;    /* per location: 1 + index of the first entry, 0: holds nothing */
  struct sl_noted *note;
  size_t note_count, note_room;
  uint32_t locations, values, last_version;
  bool failed; /* an allocation of memory failed */
};

bool sl_held_init(struct sl_held_values *held, uint32_t locations, uint32_t values);
void sl_held_free(struct sl_held_values *held);

/* Starts from the facts at a point. */
void sl_held_start(struct sl_held_values *held, const struct sl_held_list *list);

/* Returns the current facts, sorted; the caller frees them. False: out of memory. */
bool sl_held_end(struct sl_held_values *held, struct sl_held_list *list);

bool sl_holds(const struct sl_held_values *held, uint32_t location, uint32_t value);
void sl_held_forget(struct sl_held_values *held, uint32_t location);

/* Adds a value to the values that the location holds. */
void sl_held_add(struct sl_held_values *held, uint32_t location, uint32_t value);

/* Gives the value a new version, which no location holds yet. */
void sl_held_renew(struct sl_held_values *held, uint32_t value);

/* Copies the values of `from` to `to`, replacing its own. */
void sl_held_move(struct sl_held_values *held, uint32_t to, uint32_t from);

/* Intersects *list with *other. Returns whether an entry was removed. */
bool sl_held_meet(struct sl_held_list *list, const struct sl_held_list *other);

#endif
