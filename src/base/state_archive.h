/* A serializer (archive) for checkpoint state: one function per struct measures, saves, restores or lists it.
 *
 * sl_archive_structs walks structs by their tables (base/schema.h). When it restores, it validates every field. State
 * whose size or shape depends on the operations in flight uses the other functions. Restored bytes may come from an
 * untrusted file. After the first invalid value the archive is bad and returns zeros. */
#ifndef SL_BASE_STATE_ARCHIVE_H
#define SL_BASE_STATE_ARCHIVE_H

#include "base/schema.h"

/* A number, as a listing shows it. */
struct sl_value {
  const char *path; /* "fpu.fifo[3].tag" */
  enum sl_type type;
  uint64_t bits; /* sign-extended if signed; of bytes: the first eight */
};

/* The array that pointers to items point into, and one item outside it. */
struct sl_items {
  const uint8_t *first;
  size_t bytes; /* of an item */
  uint32_t count;
  const void *other;
};

struct sl_archive {
  uint8_t *to;         /* destination of a save; NULL: measuring, restoring or listing */
  const uint8_t *from; /* source of a restore; NULL: not restoring */
  size_t at;           /* current position in bytes */
  size_t size;         /* size of the source */
  bool trusted;        /* the source is a state of this process: no validation */
  bool bad;            /* the restored bytes are not a valid state */
  bool no_memory;      /* an allocation failed; `bad` is set, too */
  struct sl_limits limits;
  void (*see)(void *context, const struct sl_value *value); /* a listing calls it with each number; else NULL */
  /* Called with each struct, or with NULL for an empty array. NULL: not called. */
  void (*meet)(void *context, const char *name, const struct sl_schema *schema, const void *object);
  void *context;
  struct sl_items items;
  const void *whole;        /* the machine, for the walks of its parts */
  uint64_t secret, balance; /* of sl_archive_give */
  size_t length;            /* of the path of the struct whose walk is running */
  char path[160];
};

static inline bool sl_archive_reads(const struct sl_archive *archive)
{
  return archive->from != NULL;
}

/* Sets the limits of an SM: its warps, and the lanes of a warp. */
static inline void sl_archive_shape(struct sl_archive *archive, unsigned warps, sl_lanes lanes)
{
  archive->limits.value[SL_LIMIT_WARPS] = warps;
  archive->limits.value[SL_LIMIT_ALL_WARPS] = (int64_t)sl_low_bits(warps);
  archive->limits.value[SL_LIMIT_ALL_LANES] = (int64_t)lanes;
}

/* Visits `count` structs of a table. When restoring, it validates their fields, then the rules of each struct. A field
 * that is a key's value must equal the present value. */
void sl_archive_structs(struct sl_archive *archive, const char *name, const struct sl_schema *(*schema)(void),
                        const void *first, size_t count);
#define SL_ARCHIVE_STRUCT(archive, schema, object) sl_archive_structs(archive, #object, schema, &(object), 1)

/* Visits the used items of a ring, whose first item and number have been visited. */
void sl_archive_ring(struct sl_archive *archive, const char *name, const struct sl_schema *(*schema)(void),
                     const void *items, size_t room, size_t first, size_t count);

/* Visits an array of numbers, of any value or of values that obey a rule. */
void sl_archive_numbers(struct sl_archive *archive, const char *name, struct sl_state_field field, const void *first,
                        size_t count);
#define SL_ARCHIVE_ARRAY(archive, first, count)                                                                        \
  sl_archive_numbers(archive, #first, (struct sl_state_field){.type = SL_TYPE_OF(first)}, first, count)
#define SL_ARCHIVE_BELOW(archive, bound, first, count)                                                                 \
  sl_archive_numbers(                                                                                                  \
      archive, #first,                                                                                                 \
      (struct sl_state_field){.type = SL_TYPE_OF(first), .rule = SL_RULE_RANGE, .most = (int64_t)(bound)-1}, first,    \
      count)

/* Calls `see` with the name and value of each number of a struct. */
void sl_schema_each(const struct sl_schema *(*schema)(void), const void *object,
                    void (*see)(void *context, const struct sl_value *value), void *context);

/* Writes a value as text: a decimal number, a boolean, or hexadecimal bytes. Returns as snprintf does. */
int sl_value_text(const struct sl_value *value, char *text, size_t size);

/* Visits the bytes of an object without pointers. */
void sl_archive_bytes(struct sl_archive *archive, void *object, size_t size);
#define SL_ARCHIVE(archive, object) sl_archive_bytes(archive, &(object), sizeof(object))

void sl_archive_bool(struct sl_archive *archive, bool *value);

/* Visits a number from 0 to `most`. */
uint32_t sl_archive_number(struct sl_archive *archive, uint32_t value, uint32_t most);

/* Marks the archive as bad unless the condition holds. Returns whether it is good. */
bool sl_archive_expect(struct sl_archive *archive, bool holds);

/* What one part of the state holds and another awaits, as a packet and the load that waits for it: an item, of an
 * owner, of a kind. It must be taken as many times as it is given, in any order. Each has a random weight, and only the
 * sum is kept: it is 0 if all is taken, else with a probability of 2^-64, because nobody knows the weights. */
void sl_archive_give(struct sl_archive *archive, unsigned kind, uint64_t owner, uint64_t item, uint64_t times);

static inline void sl_archive_take(struct sl_archive *archive, unsigned kind, uint64_t owner, uint64_t item,
                                   uint64_t times)
{
  sl_archive_give(archive, kind, owner, item, 0 - times);
}

/* Gives the items of a set once. */
void sl_archive_give_set(struct sl_archive *archive, unsigned kind, uint64_t owner, uint64_t set);

/* Takes the first items once: each is in one place. */
void sl_archive_take_all(struct sl_archive *archive, unsigned kind, uint64_t owner, uint64_t count);

/* Marks the archive as bad unless all given items have been taken. */
bool sl_archive_balance(struct sl_archive *archive);

/* Marks the archive as bad if an allocation returned NULL. Returns whether it is good. */
bool sl_archive_memory(struct sl_archive *archive, const void *memory);

#endif
