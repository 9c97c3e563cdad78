/* The file of a checkpoint: a header that says what may read it, and what it holds, compressed; a checksum over all of
 * it. What is read is either, byte for byte, what was written, or an error. */
#ifndef SL_GPU_CHECKPOINT_FILE_H
#define SL_GPU_CHECKPOINT_FILE_H

#include "base/error.h"
#include "base/types.h"

struct sl_checkpoint_header {
  char magic[8];
  uint32_t format, byte_order;
  uint64_t device_bytes, sm_bytes; /* sizes of the structs in this build */
  uint64_t configuration, program;
  uint64_t launches, pages;
  uint64_t fast;         /* 1: without timing */
  uint64_t size, packed; /* bytes of what it holds, and as they are in the file */
  uint64_t checksum[2];  /* XXH3, 128 bits, of the header without it and the packed bytes */
};

/* Why a checkpoint with that header is none of what would have `own`, or NULL. */
const char *sl_checkpoint_mismatch(const struct sl_checkpoint_header *header, const struct sl_checkpoint_header *own);

/* What a checkpoint holds, in memory. */
struct sl_checkpoint {
  struct sl_checkpoint_header header;
  uint8_t *bytes;
  size_t size, capacity;
  size_t taken; /* of them, read so far */
  bool lost;    /* there was no memory for some */
};

/* Adds bytes at the end, or takes the next ones; false when there are not so many. */
void sl_checkpoint_put(struct sl_checkpoint *checkpoint, const void *bytes, size_t size);
bool sl_checkpoint_take(struct sl_checkpoint *checkpoint, void *bytes, size_t size);
/* The next bytes in place; NULL when there are not so many. */
const uint8_t *sl_checkpoint_next(struct sl_checkpoint *checkpoint, size_t size);
void sl_checkpoint_free(struct sl_checkpoint *checkpoint);

/* Writes it; the file that was there stays unless all of the new one is on the disk. */
enum sl_status sl_checkpoint_write(struct sl_checkpoint *checkpoint, const char *path, struct sl_error *err);

/* Reads one; of what it holds not more than `most` bytes. To be freed in any case. SL_USAGE: the file is no checkpoint,
 * cut, or damaged. */
enum sl_status sl_checkpoint_read(struct sl_checkpoint *checkpoint, const char *path, size_t most,
                                  struct sl_error *err);

#endif
