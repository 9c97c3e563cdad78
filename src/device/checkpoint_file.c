#include "device/checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/whole_file.h"
#include "program/elf_append.h"
#include "program/program.h"

enum { FORMAT = 13, BYTE_ORDER_MARK = 0x01020304 };

static const char magic[8] = "simtlab";

const char *sl_checkpoint_mismatch(const struct sl_checkpoint_header *header, const struct sl_checkpoint_header *own)
{
  if (header->device_bytes != own->device_bytes)
    return "it was saved by another build of simtlab";
  if (header->configuration != own->configuration)
    return "it was saved on a machine with different keys";
  if (header->program != own->program)
    return "it was saved with another program";
  return header->fast != own->fast ? "it was saved in the other mode (fast or not)" : NULL;
}

uint8_t *sl_checkpoint_put(struct sl_checkpoint *checkpoint, const void *bytes, size_t size)
{
  uint8_t *grown = realloc(checkpoint->bytes, checkpoint->size + size + 1);
  if (grown == NULL)
    return NULL;
  checkpoint->bytes = grown;
  grown += checkpoint->size;
  if (bytes != NULL)
    memcpy(grown, bytes, size);
  checkpoint->size += size;
  return grown;
}

const uint8_t *sl_checkpoint_next(struct sl_checkpoint *checkpoint, size_t size)
{
  if (checkpoint->size - checkpoint->taken < size)
    return NULL;
  const uint8_t *next = checkpoint->bytes + checkpoint->taken;
  checkpoint->taken += size;
  return next;
}

bool sl_checkpoint_take(struct sl_checkpoint *checkpoint, void *bytes, size_t size)
{
  const uint8_t *next = sl_checkpoint_next(checkpoint, size);
  if (next != NULL && size > 0)
    memcpy(bytes, next, size);
  return next != NULL;
}

void sl_checkpoint_free(struct sl_checkpoint *checkpoint)
{
  free(checkpoint->bytes);
  checkpoint->bytes = NULL;
}

static bool checksum_of(const struct sl_checkpoint_header *header, const void *packed, size_t size, uint64_t sum[2])
{
  struct sl_checkpoint_header without = *header;
  XXH3_state_t *state = XXH3_createState();
  if (state == NULL)
    return false;
  memset(without.checksum, 0, sizeof without.checksum);
  XXH3_128bits_reset(state);
  XXH3_128bits_update(state, &without, sizeof without);
  XXH3_128bits_update(state, packed, size);
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  sum[0] = hash.low64;
  sum[1] = hash.high64;
  return true;
}

static void complete(struct sl_checkpoint_header *header, uint64_t size, uint64_t packed)
{
  memcpy(header->magic, magic, sizeof magic);
  header->format = FORMAT;
  header->byte_order = BYTE_ORDER_MARK;
  header->size = size;
  header->packed = packed;
}

static enum sl_status write_packed(struct sl_checkpoint_header *header, const void *packed, const char *path,
                                   struct sl_error *err)
{
  struct sl_whole_file whole;
  if (!checksum_of(header, packed, header->packed, header->checksum))
    return sl_no_memory(err, sizeof *header);
  if (sl_whole_file_open(&whole, path, err) != SL_OK) {
    sl_error_prefix(err, "the checkpoint: ");
    return err->code;
  }
  fwrite(header, sizeof *header, 1, whole.file); /* a failure is reported at the close */
  fwrite(packed, 1, header->packed, whole.file);
  const enum sl_status code = sl_whole_file_close(&whole, true, err);
  if (code != SL_OK)
    sl_error_prefix(err, "the checkpoint: ");
  return code;
}

enum sl_status sl_checkpoint_write(struct sl_checkpoint *checkpoint, const char *path, struct sl_error *err)
{
  struct sl_checkpoint_header *header = &checkpoint->header;
  const size_t bound = ZSTD_compressBound(checkpoint->size);
  void *packed = malloc(bound);
  const size_t size = packed != NULL ? ZSTD_compress(packed, bound, checkpoint->bytes, checkpoint->size, 1) : 0;
  enum sl_status code;
  if (packed == NULL || ZSTD_isError(size)) {
    code = sl_no_memory(err, bound);
  } else {
    complete(header, checkpoint->size, size);
    code = write_packed(header, packed, path, err);
  }
  free(packed);
  return code;
}

static enum sl_status wrong(const char *path, const char *what, struct sl_error *err)
{
  return sl_fail(err, SL_USAGE, "%.500s: the checkpoint cannot be used: %s", path, what);
}

static enum sl_status check_header(const struct sl_checkpoint_header *header, const char *path, size_t size,
                                   struct sl_error *err)
{
  if (size < sizeof magic || memcmp(header->magic, magic, sizeof magic) != 0)
    return wrong(path, "it is not a checkpoint of simtlab", err);
  if (size >= sizeof magic + 8 && (header->format != FORMAT || header->byte_order != BYTE_ORDER_MARK))
    return wrong(path, "it was saved by another build of simtlab", err);
  if (size < sizeof *header || size - sizeof *header < header->packed)
    return wrong(path, "it is truncated", err);
  return size - sizeof *header > header->packed ? wrong(path, "it is damaged: it is longer than its header says", err)
                                                : SL_OK;
}

static enum sl_status unpack(struct sl_checkpoint *checkpoint, const char *path, const char *packed, size_t most,
                             struct sl_error *err)
{
  const struct sl_checkpoint_header *header = &checkpoint->header;
  uint64_t sum[2];
  char *bytes;
  size_t size;
  if (!checksum_of(header, packed, header->packed, sum))
    return sl_no_memory(err, sizeof *header);
  if (memcmp(sum, header->checksum, sizeof sum) != 0)
    return wrong(path, "it is damaged: its checksum differs", err);
  const enum sl_status code = sl_unpack(path, packed, header->packed, most, &bytes, &size, err);
  if (code != SL_OK)
    return code;
  checkpoint->bytes = (uint8_t *)bytes;
  checkpoint->size = size;
  return size == header->size ? SL_OK
                              : wrong(path, "it is damaged: its contents have another size than its header says", err);
}

enum sl_status sl_checkpoint_read(struct sl_checkpoint *checkpoint, const char *path, size_t most, struct sl_error *err)
{
  char *file;
  size_t size;
  *checkpoint = (struct sl_checkpoint){0};
  enum sl_status code = sl_file_bytes_read(path, &file, &size, err);
  if (code != SL_OK) {
    sl_error_prefix(err, "the checkpoint: ");
    return code;
  }
  memcpy(&checkpoint->header, file, size < sizeof checkpoint->header ? size : sizeof checkpoint->header);
  code = check_header(&checkpoint->header, path, size, err);
  if (code == SL_OK)
    code = unpack(checkpoint, path, file + sizeof checkpoint->header, most, err);
  free(file);
  return code;
}

enum sl_status sl_checkpoint_pack(const struct sl_checkpoint *checkpoint, void **bytes, size_t *size,
                                  struct sl_error *err)
{
  struct sl_checkpoint_header header = checkpoint->header;
  const size_t all = sizeof header + checkpoint->size;
  uint8_t *to = *bytes = malloc(all);
  if (to == NULL)
    return sl_no_memory(err, all);
  complete(&header, checkpoint->size, 0);
  memcpy(to, &header, sizeof header);
  memcpy(to + sizeof header, checkpoint->bytes, checkpoint->size);
  *size = all;
  return SL_OK;
}

enum sl_status sl_checkpoint_unpack(struct sl_checkpoint *checkpoint, const void *bytes, size_t size,
                                    struct sl_error *err)
{
  struct sl_checkpoint_header header;
  *checkpoint = (struct sl_checkpoint){.bytes = NULL};
  if (size < sizeof header)
    return sl_fail(err, SL_USAGE, "the checkpoint in memory cannot be used: it has only %zu bytes", size);
  memcpy(&header, bytes, sizeof header);
  if (memcmp(header.magic, magic, sizeof magic) != 0 || header.format != FORMAT ||
      header.byte_order != BYTE_ORDER_MARK || header.packed != 0 || header.size != size - sizeof header)
    return sl_fail(err, SL_USAGE, "the checkpoint in memory cannot be used: it is damaged, or of another build");
  checkpoint->header = header;
  checkpoint->size = size - sizeof header;
  checkpoint->bytes = malloc(checkpoint->size + 1);
  if (checkpoint->bytes == NULL)
    return sl_no_memory(err, checkpoint->size);
  memcpy(checkpoint->bytes, (const uint8_t *)bytes + sizeof header, checkpoint->size);
  return SL_OK;
}
