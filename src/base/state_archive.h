/* A bidirectional serializer (archive) for checkpoint state: one visitor function measures, saves or restores.
 *
 * It is for state whose size depends on the operations in flight; base/state_parts.h is for fixed-size state. Restored
 * bytes may come from an untrusted file. After the first invalid value the archive is bad and returns zeros. */
#ifndef SL_BASE_STATE_ARCHIVE_H
#define SL_BASE_STATE_ARCHIVE_H

#include "base/types.h"

struct sl_archive {
  uint8_t *to;         /* destination of a save; NULL: measuring or restoring */
  const uint8_t *from; /* source of a restore; NULL: not restoring */
  size_t at;           /* current position in bytes */
  size_t size;         /* size of the source */
  bool bad;            /* the restored bytes are not a valid state */
  bool no_memory;      /* an allocation failed; `bad` is set, too */
};

static inline bool sl_archive_reads(const struct sl_archive *archive)
{
  return archive->from != NULL;
}

/* Visits the bytes of an object without pointers. */
void sl_archive_bytes(struct sl_archive *archive, void *object, size_t size);
#define SL_ARCHIVE(archive, object) sl_archive_bytes(archive, &(object), sizeof(object))

void sl_archive_bool(struct sl_archive *archive, bool *value);

/* Visits a number from 0 to `most`. */
uint32_t sl_archive_number(struct sl_archive *archive, uint32_t value, uint32_t most);

/* Marks the archive as bad unless the condition holds. Returns whether it is good. */
bool sl_archive_expect(struct sl_archive *archive, bool holds);

/* Marks the archive as bad if an allocation returned NULL. Returns whether it is good. */
bool sl_archive_memory(struct sl_archive *archive, const void *memory);

#endif
