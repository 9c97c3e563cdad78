#include "base/state_archive.h"

#include <string.h>

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

void sl_archive_bool(struct sl_archive *archive, bool *value)
{
  *value = sl_archive_number(archive, *value, 1) != 0;
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

bool sl_archive_memory(struct sl_archive *archive, const void *memory)
{
  if (memory == NULL)
    archive->bad = archive->no_memory = true;
  return !archive->bad;
}
