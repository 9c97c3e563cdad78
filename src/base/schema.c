#include "base/schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

size_t sl_field_element(const struct sl_state_field *field)
{
  static const uint8_t bytes[] = {[SL_TYPE_ITEM] = 8, [SL_TYPE_BOOL] = 1, [SL_TYPE_U8] = 1,    [SL_TYPE_U16] = 2,
                                  [SL_TYPE_U32] = 4,  [SL_TYPE_U64] = 8,  [SL_TYPE_I8] = 1,    [SL_TYPE_I16] = 2,
                                  [SL_TYPE_I32] = 4,  [SL_TYPE_I64] = 8,  [SL_TYPE_DOUBLE] = 8};
  return field->type == SL_TYPE_STRUCT  ? field->of()->bytes
         : field->type == SL_TYPE_BYTES ? field->bytes
                                        : bytes[field->type];
}

static bool is_signed(const struct sl_state_field *field)
{
  return field->type >= SL_TYPE_I8 && field->type <= SL_TYPE_I64;
}

/* A number as 64 bits, sign-extended if its type is signed. */
static uint64_t bits_of(const struct sl_state_field *field, const void *element)
{
  const size_t size = sl_field_element(field);
  const unsigned unused = size < sizeof(uint64_t) ? 64 - 8 * (unsigned)size : 0;
  uint64_t bits = 0;
  memcpy(&bits, element, size < sizeof bits ? size : sizeof bits); /* the host is little-endian */
  return is_signed(field) ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

static bool in_range(const struct sl_state_field *field, uint64_t bits, int64_t bound)
{
  if (is_signed(field))
    return (int64_t)bits >= field->least && (int64_t)bits <= bound;
  return bound >= 0 && bits <= (uint64_t)bound && (field->least < 0 || bits >= (uint64_t)field->least);
}

/* Whether a value obeys the field's rule; not for keys. */
static bool is_valid(const struct sl_state_field *field, uint64_t bits, const struct sl_limits *limits)
{
  const int64_t limit = limits->value[field->limit], bound = limit + field->most;
  const uint64_t none = ~UINT64_C(0) >> (64 - 8 * sl_field_element(field));
  if (field->type == SL_TYPE_BOOL && bits > 1)
    return false;
  switch ((enum sl_rule)field->rule) {
  case SL_RULE_RANGE: return in_range(field, bits, bound);
  case SL_RULE_LIMIT: return in_range(field, bits, field->most);
  case SL_RULE_OR_NONE: return (bits & none) == none || in_range(field, bits, bound);
  case SL_RULE_TIME:
    return (int64_t)bits == SL_NEVER ||
           ((int64_t)bits >= -SL_SOON && (int64_t)bits <= limits->value[SL_LIMIT_NOW] + limit + SL_SOON);
  case SL_RULE_SET: return (bits & none & ~(uint64_t)(limit | field->most)) == 0;
  default: return true;
  }
}

/* ---- the archive ------------------------------------------------------------------------------------------------- */

void sl_archive_bytes(struct sl_archive *archive, void *object, size_t size)
{
  if (archive->from == NULL) {
    if (archive->to != NULL && size > 0)
      memcpy(archive->to + archive->at, object, size);
    archive->at += size;
    return;
  }
  if (size > archive->size - archive->at)
    archive->bad = true;
  if (size > 0 && archive->bad)
    memset(object, 0, size);
  else if (size > 0)
    memcpy(object, archive->from + archive->at, size);
  if (!archive->bad)
    archive->at += size;
}

uint32_t sl_archive_number(struct sl_archive *archive, uint32_t value, uint32_t most)
{
  SL_ARCHIVE(archive, value);
  return sl_archive_reads(archive) && !sl_archive_expect(archive, value <= most) ? 0 : value;
}

bool sl_archive_expect(struct sl_archive *archive, bool holds)
{
  if (sl_archive_reads(archive) && !holds)
    archive->bad = true;
  return !archive->bad;
}

bool sl_archive_memory(struct sl_archive *archive, bool suffices)
{
  if (!suffices)
    archive->bad = archive->no_memory = true;
  return !archive->bad;
}

bool sl_archive_block(struct sl_archive *archive, void **block, size_t size)
{
  if (sl_archive_reads(archive)) {
    *block = sl_archive_expect(archive, size <= archive->size - archive->at) ? calloc(1, size + 1) : NULL;
    if (archive->bad || !sl_archive_memory(archive, *block != NULL))
      return false;
  }
  sl_archive_bytes(archive, *block, size);
  return !archive->bad;
}

/* ---- items in flight --------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

bool sl_archive_give(struct sl_archive *archive, unsigned kind, uint64_t owner, uint64_t item, uint64_t times)
{
  if (!sl_archive_reads(archive) || archive->trusted)
    return true;
  while (archive->secret == 0 && !archive->bad)
    archive->bad = getrandom(&archive->secret, sizeof archive->secret, 0) != sizeof archive->secret;
  archive->balance += times * mix(mix(mix(archive->secret ^ kind) + owner) + item);
  return true;
}

void sl_archive_give_set(struct sl_archive *archive, unsigned kind, uint64_t owner, uint64_t set)
{
  for (uint64_t rest = set; rest; rest &= rest - 1)
    sl_archive_give(archive, kind, owner, sl_lowest(rest), 1);
}

void sl_archive_take_all(struct sl_archive *archive, unsigned kind, uint64_t owner, uint64_t count)
{
  for (uint64_t i = 0; i < count && !archive->bad; i++)
    sl_archive_take(archive, kind, owner, i, 1);
}

bool sl_archive_balance(struct sl_archive *archive)
{
  return sl_archive_expect(archive, archive->balance == 0);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* Appends a name and an index to the path, which ends at `length`. Returns the new end. */
static size_t enter(struct sl_archive *archive, size_t length, const char *name, size_t index, size_t count)
{
  const size_t room = sizeof archive->path - length;
  const int added = count > 1 ? snprintf(archive->path + length, room, "%s%s[%zu]", length > 0 ? "." : "", name, index)
                              : snprintf(archive->path + length, room, "%s%s", length > 0 ? "." : "", name);
  return added > 0 && (size_t)added < room ? length + (size_t)added : sizeof archive->path - 1;
}

/* A key's value in the source must be the machine's. */
static void compare(struct sl_archive *archive, const void *own, size_t size)
{
  if (size > archive->size - archive->at || memcmp(own, archive->from + archive->at, size) != 0)
    archive->bad = true;
  if (!archive->bad)
    archive->at += size;
}

static void validate(struct sl_archive *archive, const struct sl_state_field *field, const uint8_t *first)
{
  const size_t size = sl_field_element(field);
  if ((field->rule == SL_RULE_ANY && field->type != SL_TYPE_BOOL) || field->type == SL_TYPE_BYTES)
    return;
  for (size_t at = 0; at < field->bytes; at += size) {
    const uint64_t bits = bits_of(field, first + at);
    archive->bad |= !is_valid(field, bits, &archive->limits);
    if (field->rule == SL_RULE_TAKES)
      sl_archive_take(archive, (unsigned)field->least, (uint64_t)archive->limits.value[SL_LIMIT_OWNER], at / size,
                      bits);
  }
  if (archive->bad)
    memset((void *)(uintptr_t)first, 0, field->bytes);
}

/* Pointers are saved as the numbers of their items. */
enum { NO_ITEM, OTHER_ITEM, FIRST_ITEM };

static uint32_t number_of(const struct sl_items *items, const void *item)
{
  if (item == NULL || item == items->other)
    return item == NULL ? NO_ITEM : OTHER_ITEM;
  return (uint32_t)((size_t)((const uint8_t *)item - items->first) / items->bytes) + FIRST_ITEM;
}

static const void *item_of(const struct sl_items *items, uint32_t number)
{
  return number == NO_ITEM      ? NULL
         : number == OTHER_ITEM ? items->other
                                : items->first + (number - FIRST_ITEM) * items->bytes;
}

static void visit_items(struct sl_archive *archive, const struct sl_state_field *field, const void **item)
{
  for (size_t i = 0; i < field->bytes / sizeof *item; i++) {
    uint32_t number = sl_archive_reads(archive) ? NO_ITEM : number_of(&archive->items, item[i]);
    SL_ARCHIVE(archive, number);
    if (!sl_archive_reads(archive))
      continue;
    sl_archive_expect(archive,
                      number >= FIRST_ITEM ? number - FIRST_ITEM < archive->items.count : field->rule == SL_RULE_ANY);
    item[i] = archive->bad ? NULL : item_of(&archive->items, number);
  }
}

static void list(struct sl_archive *archive, const struct sl_state_field *field, const uint8_t *first)
{
  const size_t size = sl_field_element(field), count = field->bytes / size;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = bits_of(field, first + i * size);
    if (field->type == SL_TYPE_ITEM)
      bits = number_of(&archive->items, *(const void *const *)(const void *)(first + i * size));
    enter(archive, archive->length, field->name, i, count);
    archive->see(archive->context,
                 &(struct sl_value){.path = archive->path, .type = (enum sl_type)field->type, .bits = bits});
  }
}

static void visit_numbers(struct sl_archive *archive, const struct sl_state_field *field, const uint8_t *first)
{
  if (field->rule == SL_RULE_DERIVED)
    return;
  if (archive->see != NULL)
    list(archive, field, first);
  else if (field->type == SL_TYPE_ITEM) {
    visit_items(archive, field, (const void **)(uintptr_t)first);
    return;
  } else if (sl_archive_validates(archive) && field->rule == SL_RULE_KEY)
    compare(archive, first, field->bytes);
  else
    sl_archive_bytes(archive, (void *)(uintptr_t)first, field->bytes);
  if (sl_archive_validates(archive))
    validate(archive, field, first);
  if (field->rule == SL_RULE_LIMIT)
    archive->limits.value[field->limit] = (int64_t)bits_of(field, first);
}

/* A struct, an array of structs or a ring in an object. */
static void visit_structs(struct sl_archive *archive, const struct sl_state_field *field, const uint8_t *object)
{
  const size_t room = field->bytes / field->of()->bytes;
  uint32_t first = 0, count = (uint32_t)room;
  if (field->rule == SL_RULE_RING) {
    if (field->first != SL_NO_WORD)
      memcpy(&first, object + field->first, sizeof first);
    memcpy(&count, object + field->count, sizeof count);
  }
  sl_archive_ring(archive, field->name, field->of, object + field->offset, room, first, count);
}

/* From `first` on, in a circle. */
void sl_archive_ring(struct sl_archive *archive, const char *name, const struct sl_schema *(*of)(void),
                     const void *items, size_t room, size_t first, size_t count)
{
  const struct sl_schema *schema = of();
  const size_t outer = archive->length;
  if (!sl_archive_expect(archive, (first < room && count <= room) || (room == 0 && count == 0)))
    return;
  if (archive->meet != NULL && count == 0)
    archive->meet(archive->context, name, schema, NULL);
  for (size_t i = 0; i < count && !archive->bad; i++) {
    const uint8_t *object = (const uint8_t *)items + (first + i) % room * schema->bytes;
    if (archive->meet != NULL)
      archive->meet(archive->context, name, schema, object);
    archive->length = archive->see != NULL && name != NULL ? enter(archive, outer, name, i, room) : outer;
    for (const struct sl_state_field *f = schema->field; f < schema->field + schema->fields && !archive->bad; f++)
      if (f->rule == SL_RULE_SET_TO)
        archive->limits.value[f->limit] = f->most + f->least * (int64_t)i;
      else if (f->type == SL_TYPE_STRUCT)
        visit_structs(archive, f, object);
      else
        visit_numbers(archive, f, object + f->offset);
    if (schema->walk != NULL && !archive->bad)
      schema->walk(archive, (void *)(uintptr_t)object);
  }
  archive->length = outer;
}

void sl_archive_structs(struct sl_archive *archive, const char *name, const struct sl_schema *(*schema)(void),
                        const void *first, size_t count)
{
  sl_archive_ring(archive, name, schema, first, count, 0, count);
}

void sl_archive_numbers(struct sl_archive *archive, const char *name, struct sl_state_field field, const void *first,
                        size_t count)
{
  field.name = name;
  field.bytes = (uint32_t)(count * sl_field_element(&field));
  if (count > 0)
    visit_numbers(archive, &field, first);
}

int sl_value_text(const struct sl_value *value, char *text, size_t size)
{
  double number;
  switch (value->type) {
  case SL_TYPE_BOOL: return snprintf(text, size, "%s", value->bits != 0 ? "true" : "false");
  case SL_TYPE_I8:
  case SL_TYPE_I16:
  case SL_TYPE_I32:
  case SL_TYPE_I64: return snprintf(text, size, "%" PRId64, (int64_t)value->bits);
  case SL_TYPE_BYTES: return snprintf(text, size, "0x%" PRIx64, value->bits);
  case SL_TYPE_DOUBLE: memcpy(&number, &value->bits, sizeof number); return snprintf(text, size, "%.17g", number);
  default: return snprintf(text, size, "%" PRIu64, value->bits);
  }
}
