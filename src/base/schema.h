/* Tables of the fields of state structs, and the archive that walks them: it measures, saves, restores, validates or
 * lists.
 *
 * One table serves all uses of a struct: the name, type, place and valid values of each field. A table is a function
 * that SL_SCHEMA defines from rows. A row names one rule and all the fields that obey it; offset, size and type come
 * from the struct. Every field of a struct is in a row: the test `states` compares the tables with the debugging
 * information. Bounds that the configuration determines are limits (enum sl_limit), which the walk carries. An
 * expression tests rules over several fields, and says what a struct holds for another.
 *
 * sl_archive_structs walks structs by their tables. When it restores, it validates every field. State whose size or
 * shape depends on the operations in flight uses the other functions. Restored bytes may come from an untrusted file.
 * After the first invalid value the archive is bad and returns zeros. */
#ifndef SL_BASE_SCHEMA_H
#define SL_BASE_SCHEMA_H

#include "base/queues.h"
#include "base/types.h"

/* Upper limit on the cycles of a kernel. */
#define SL_CYCLES_MAX (INT64_C(1) << 60)

/* Cycles beyond memory's latency in which every event of known time happens. */
#define SL_SOON (INT64_C(1) << 20)

enum sl_type {
  SL_TYPE_STRUCT,
  SL_TYPE_ITEM,  /* a pointer to an element of an array outside the state (struct sl_items) */
  SL_TYPE_BYTES, /* opaque: the struct's check validates them */
  SL_TYPE_BOOL,
  SL_TYPE_U8,
  SL_TYPE_U16,
  SL_TYPE_U32,
  SL_TYPE_U64,
  SL_TYPE_I8,
  SL_TYPE_I16,
  SL_TYPE_I32,
  SL_TYPE_I64,
  SL_TYPE_DOUBLE
};

/* Valid values of a field. The bound is the sum of a limit and a constant. A bool is 0 or 1 under every rule. */
enum sl_rule {
  SL_RULE_ANY,
  SL_RULE_RANGE,   /* from `least` to the bound */
  SL_RULE_OR_NONE, /* from 0 to the bound, or all ones for none */
  SL_RULE_SET,     /* a set whose elements are in the bound */
  SL_RULE_KEY,     /* the value that the machine has: it comes from the keys */
  SL_RULE_TIME,    /* SL_NEVER, or the time of an event in the past or in the near future */
  SL_RULE_RING,    /* an array of structs, of which a ring is in use */
  SL_RULE_DERIVED, /* it follows from other fields and keys, or is wiring: neither saved nor restored */
  SL_RULE_TAKES, /* a number of items in flight of kind `least`, of the owner; in an array, of the item of its index */
  SL_RULE_LIMIT, /* from `least` to the constant; it becomes the limit for the fields that follow */
  SL_RULE_SET_TO /* no field: the limit is `most`, plus the struct's index times `least` */
};

/* Bounds from the configuration. SL_LIMIT_NONE is always 0. Each machine has its own meanings from SL_LIMIT_OWN on. */
enum sl_limit {
  SL_LIMIT_NONE,
  SL_LIMIT_WARPS,
  SL_LIMIT_ALL_WARPS, /* sets of all warps and of all lanes */
  SL_LIMIT_ALL_LANES,
  SL_LIMIT_NOW,         /* the cycle */
  SL_LIMIT_LATENCY,     /* of memory, in cycles */
  SL_LIMIT_OUTSTANDING, /* reads of memory */
  SL_LIMIT_OWNER,       /* of the items in flight that rows take */
  SL_LIMIT_OWN,
  SL_LIMITS = 20
};

struct sl_limits {
  int64_t value[SL_LIMITS];
};

struct sl_state_field {
  const char *name;
  const struct sl_schema *(*of)(void); /* of a struct */
  uint32_t offset, bytes;              /* all elements of an array */
  uint32_t first, count;               /* of a ring: offsets of its members, of 32 bits */
  uint8_t type, rule, limit;           /* enum sl_type, sl_rule, sl_limit */
  int64_t least, most;
};

struct sl_schema {
  const char *name;
  uint32_t bytes, fields;
  const struct sl_state_field *field;
  void (*walk)(struct sl_archive *archive, void *object); /* visits or checks the rest, after the fields; or NULL */
};

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* The type of a number, or of the elements of an array of numbers of one or two dimensions. */
#define SL_TYPE_IS(c, type) c * : type, c(*)[] : type, c : type
#define SL_TYPE_OF(x)                                                                                                  \
  _Generic((x), SL_TYPE_IS(bool, SL_TYPE_BOOL), SL_TYPE_IS(uint8_t, SL_TYPE_U8), SL_TYPE_IS(uint16_t, SL_TYPE_U16),     \
      SL_TYPE_IS(uint32_t, SL_TYPE_U32), SL_TYPE_IS(uint64_t, SL_TYPE_U64), SL_TYPE_IS(int8_t, SL_TYPE_I8),             \
      SL_TYPE_IS(int16_t, SL_TYPE_I16), SL_TYPE_IS(int32_t, SL_TYPE_I32), SL_TYPE_IS(int64_t, SL_TYPE_I64),             \
      SL_TYPE_IS(double, SL_TYPE_DOUBLE), char * : SL_TYPE_U8)

#define SL_ROW(m, ...)                                                                                                 \
  {                                                                                                                    \
    .name = #m, .offset = offsetof(sl_self, m), .bytes = sizeof(((sl_self *)0)->m), __VA_ARGS__                        \
  }
#define SL_WORD_AT(m) offsetof(sl_self, m) + 0 * sizeof(char[sizeof(((sl_self *)0)->m) == sizeof(uint32_t) ? 1 : -1])
#define SL_NO_WORD UINT32_MAX
#define SL_ROW_OF(m, element, rule_, limit_, least_, most_)                                                            \
  SL_ROW(m, .type = SL_TYPE_OF(((sl_self *)0)->element), .rule = (rule_), .limit = (limit_),                           \
         .least = (int64_t)(least_), .most = (int64_t)(most_))
#define SL_ROW_RULE(m, ...) SL_ROW_OF(m, m, __VA_ARGS__)
#define SL_ROW_CUBE(m, ...) SL_ROW_OF(m, m[0][0], __VA_ARGS__)
#define SL_ROW_STRUCT(m, schema) SL_ROW(m, .of = (schema), .type = SL_TYPE_STRUCT)
#define SL_ROW_TYPE(m, type_, rule_) SL_ROW(m, .type = (type_), .rule = (rule_))

/* SL_EACH(row, (arguments), a, b, ...): row(a, arguments) row(b, arguments) ... for up to 64 fields. */
#define SL_APPLY(row, ...) row(__VA_ARGS__)
#define SL_OPEN(...) __VA_ARGS__
#define SL_AGAIN(...) SL_AGAIN_16(SL_AGAIN_16(SL_AGAIN_16(SL_AGAIN_16(__VA_ARGS__))))
#define SL_AGAIN_16(...) SL_AGAIN_4(SL_AGAIN_4(SL_AGAIN_4(SL_AGAIN_4(__VA_ARGS__))))
#define SL_AGAIN_4(...) SL_AGAIN_1(SL_AGAIN_1(SL_AGAIN_1(SL_AGAIN_1(__VA_ARGS__))))
#define SL_AGAIN_1(...) __VA_ARGS__
#define SL_NO_ARGUMENTS ()
#define SL_EACH(r, a, ...) SL_AGAIN(SL_EACH_NEXT(r, a, __VA_ARGS__))
#define SL_EACH_NEXT(r, a, m, ...)                                                                                     \
  SL_APPLY(r, m, SL_OPEN a) __VA_OPT__(, SL_EACH_LATER SL_NO_ARGUMENTS(r, a, __VA_ARGS__))
#define SL_EACH_LATER() SL_EACH_NEXT

#define SL_ANY(...) SL_EACH(SL_ROW_RULE, (SL_RULE_ANY, SL_LIMIT_NONE, 0, 0), __VA_ARGS__)
#define SL_RANGE(least, limit, most, ...) SL_EACH(SL_ROW_RULE, (SL_RULE_RANGE, limit, least, most), __VA_ARGS__)
#define SL_MOST(most, ...) SL_RANGE(0, SL_LIMIT_NONE, most, __VA_ARGS__)
#define SL_BELOW(count, ...) SL_RANGE(0, SL_LIMIT_NONE, (count)-1, __VA_ARGS__)
#define SL_BELOW_LIMIT(limit, ...) SL_RANGE(0, limit, -1, __VA_ARGS__)
#define SL_UP_TO_LIMIT(limit, ...) SL_RANGE(0, limit, 0, __VA_ARGS__)
#define SL_BELOW_OR_NONE(count, ...) SL_EACH(SL_ROW_RULE, (SL_RULE_OR_NONE, SL_LIMIT_NONE, 0, (count)-1), __VA_ARGS__)
#define SL_BELOW_LIMIT_OR_NONE(limit, ...) SL_EACH(SL_ROW_RULE, (SL_RULE_OR_NONE, limit, 0, -1), __VA_ARGS__)
#define SL_SET_OF(limit, ...) SL_EACH(SL_ROW_RULE, (SL_RULE_SET, limit, 0, 0), __VA_ARGS__)
#define SL_BITS(mask, ...) SL_EACH(SL_ROW_RULE, (SL_RULE_SET, SL_LIMIT_NONE, 0, mask), __VA_ARGS__)
#define SL_KEYS(...) SL_EACH(SL_ROW_RULE, (SL_RULE_KEY, SL_LIMIT_NONE, 0, 0), __VA_ARGS__)
#define SL_TAKES(kind, ...) SL_EACH(SL_ROW_RULE, (SL_RULE_TAKES, SL_LIMIT_OWNER, kind, 0), __VA_ARGS__)
#define SL_IS_LIMIT(limit, most, ...) SL_EACH(SL_ROW_RULE, (SL_RULE_LIMIT, limit, 0, most), __VA_ARGS__)

/* Rows without a field: a limit for the fields that follow, a constant or the index of the struct in its array. */
#define SL_ROW_SETS(...)                                                                                               \
  {                                                                                                                    \
    .name = "", .type = SL_TYPE_U8, .rule = SL_RULE_SET_TO, __VA_ARGS__                                                \
  }
#define SL_SET_LIMIT(limit_, value) SL_ROW_SETS(.limit = (limit_), .most = (value))
#define SL_INDEX_IS_LIMIT(limit_, step) SL_ROW_SETS(.limit = (limit_), .least = (step))

/* A cycle, -1 for none; the time of an event. */
#define SL_CYCLES(...) SL_RANGE(-1, SL_LIMIT_NONE, SL_CYCLES_MAX - 1, __VA_ARGS__)
#define SL_TIMES(...) SL_EACH(SL_ROW_RULE, (SL_RULE_TIME, SL_LIMIT_LATENCY, 0, 0), __VA_ARGS__)

#define SL_ANY_CUBE(...) SL_EACH(SL_ROW_CUBE, (SL_RULE_ANY, SL_LIMIT_NONE, 0, 0), __VA_ARGS__)

/* Pointers to items; the others may also be NULL or the item that is none of the array. */
#define SL_ITEMS(...) SL_EACH(SL_ROW_TYPE, (SL_TYPE_ITEM, SL_RULE_RANGE), __VA_ARGS__)
#define SL_ITEMS_OR_OTHERS(...) SL_EACH(SL_ROW_TYPE, (SL_TYPE_ITEM, SL_RULE_ANY), __VA_ARGS__)

/* Structs and arrays of structs of one table; a ring, after its first item and number; the first ones, after their
 * number; opaque bytes; what the struct's
 * walk visits; what nobody saves. */
#define SL_STRUCTS(schema, ...) SL_EACH(SL_ROW_STRUCT, (schema), __VA_ARGS__)
#define SL_RING_OF(schema, m, first_, count_)                                                                          \
  SL_ROW(m, .of = (schema), .type = SL_TYPE_STRUCT, .rule = SL_RULE_RING, .first = SL_WORD_AT(first_),                 \
         .count = SL_WORD_AT(count_))
#define SL_LIST_OF(schema, m, count_)                                                                                  \
  SL_ROW(m, .of = (schema), .type = SL_TYPE_STRUCT, .rule = SL_RULE_RING, .first = SL_NO_WORD,                         \
         .count = SL_WORD_AT(count_))
#define SL_BYTES(...) SL_EACH(SL_ROW_TYPE, (SL_TYPE_BYTES, SL_RULE_ANY), __VA_ARGS__)
#define SL_WALKED(...) SL_DERIVED(__VA_ARGS__)
#define SL_DERIVED(...) SL_EACH(SL_ROW_TYPE, (SL_TYPE_BYTES, SL_RULE_DERIVED), __VA_ARGS__)

/* SL_SCHEMA(function, struct tag, walk or NULL, rows). SL_CHECKED_SCHEMA has an expression for the walk, which must
 * hold when all fields are valid: its names are `self`, the struct, `limit`, the bounds, and `t`, the archive. */
#define SL_SCHEMA(id, type, walk_, ...)                                                                                \
  const struct sl_schema *id(void)                                                                                     \
  {                                                                                                                    \
    typedef type sl_self;                                                                                              \
    static const struct sl_state_field rows[] = {__VA_ARGS__};                                                         \
    static const struct sl_schema schema = {.name = #type,                                                             \
                                            .bytes = sizeof(sl_self),                                                  \
                                            .fields = sizeof rows / sizeof *rows,                                      \
                                            .field = rows,                                                             \
                                            .walk = (walk_)};                                                          \
    return &schema;                                                                                                    \
  }                                                                                                                    \
  struct sl_schema
#define SL_WALKED_SCHEMA(...) SL_SCHEMA(__VA_ARGS__)
#define SL_CHECKED_SCHEMA(id, type, expression, ...)                                                                   \
  const struct sl_schema *id(void); /* the storage class before the macro is the function's */                         \
  static void id##_walk(struct sl_archive *t, void *object)                                                            \
  {                                                                                                                    \
    const type *self = object;                                                                                         \
    const int64_t *limit = t->limits.value;                                                                            \
    (void)limit;                                                                                                       \
    if (sl_archive_validates(t) && !(expression))                                                                      \
      t->bad = true;                                                                                                   \
  }                                                                                                                    \
  SL_SCHEMA(id, type, id##_walk, __VA_ARGS__)

/* Marks an index in a set. Returns whether it is below `size` and new: each item of an array has one owner. */
static inline bool sl_once(uint64_t *seen, size_t index, size_t size)
{
  if (index >= size || (seen[index / 64] >> index % 64 & 1))
    return false;
  seen[index / 64] |= UINT64_C(1) << index % 64;
  return true;
}

/* Marks all of an array. */
static inline bool sl_all_once(uint64_t *seen, const uint8_t *index, size_t count, size_t size)
{
  bool once = true;
  for (size_t i = 0; i < count; i++)
    once &= sl_once(seen, index[i], size);
  return once;
}

/* Bytes of an element; opaque bytes are one element. */
size_t sl_field_element(const struct sl_state_field *field);

/* ---- the archive ------------------------------------------------------------------------------------------------- */

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
  bool timing;         /* the state is to resume with timing */
  bool bad;            /* the restored bytes are not a valid state */
  bool no_memory;      /* an allocation failed; `bad` is set, too */
  struct sl_limits limits;
  void (*see)(void *context, const struct sl_value *value); /* a listing calls it with each number; else NULL */
  /* Called with each struct, or with NULL for an empty array. NULL: not called. */
  void (*meet)(void *context, const char *name, const struct sl_schema *schema, const void *object);
  void *context;
  struct sl_items items;
  const void *whole; /* the machine, for the walks of its parts */
  /* The machine's: gives a read that a cache or memory holds to who awaits it. NULL: nobody does. */
  void (*read)(struct sl_archive *archive, uint64_t tag, uint32_t line);
  uint64_t secret, balance; /* of sl_archive_give */
  size_t length;            /* of the path of the struct that is visited */
  char path[160];
};

static inline bool sl_archive_reads(const struct sl_archive *archive)
{
  return archive->from != NULL;
}

/* Whether the archive restores untrusted bytes, all of them valid so far. */
static inline bool sl_archive_validates(const struct sl_archive *archive)
{
  return sl_archive_reads(archive) && !archive->bad && !archive->trusted;
}

/* Tells the machine of a read in flight, if it is one. Returns true, for the check of a table. */
static inline bool sl_archive_read(struct sl_archive *archive, bool is_read, uint64_t tag, uint32_t line)
{
  if (is_read && archive->read != NULL && sl_archive_validates(archive))
    archive->read(archive, tag, line);
  return true;
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

/* Writes a value as text: a decimal number, a boolean, or hexadecimal bytes. Returns as snprintf does. */
int sl_value_text(const struct sl_value *value, char *text, size_t size);

/* Visits the bytes of an object without pointers. */
void sl_archive_bytes(struct sl_archive *archive, void *object, size_t size);
#define SL_ARCHIVE(archive, object) sl_archive_bytes(archive, &(object), sizeof(object))

/* Visits a number from 0 to `most`. */
uint32_t sl_archive_number(struct sl_archive *archive, uint32_t value, uint32_t most);
#define SL_ARCHIVE_NUMBER(archive, object, most)                                                                       \
  ((object) = (__typeof__(object))sl_archive_number(archive, (object), most))

/* Marks the archive as bad unless the condition holds. Returns whether it is good. */
bool sl_archive_expect(struct sl_archive *archive, bool holds);

/* What one part of the state holds and another awaits, as a packet and the load that waits for it: an item, of an
 * owner, of a kind. It must be taken as many times as it is given, in any order. Each has a random weight, and only the
 * sum is kept: it is 0 if all is taken, else with a probability of 2^-64, because nobody knows the weights. Returns
 * true, for the check of a table. */
bool sl_archive_give(struct sl_archive *archive, unsigned kind, uint64_t owner, uint64_t item, uint64_t times);

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

/* Marks the archive as bad if memory did not suffice. Returns whether it is good. */
bool sl_archive_memory(struct sl_archive *archive, bool suffices);

/* Visits a block of bytes, which a restore allocates, with a zero behind it. Returns whether the archive is good. */
bool sl_archive_block(struct sl_archive *archive, void **block, size_t size);

#endif
