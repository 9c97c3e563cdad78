/* The contents of a device's checkpoint in memory: sl_device_save and sl_device_restore (device/device.h) without the
 * file; and the file.
 *
 * A checkpoint file is untrusted. It is validated completely before the device changes. */
#ifndef SL_GPU_CHECKPOINT_H
#define SL_GPU_CHECKPOINT_H

#include "base/error.h"
#include "base/types.h"
#include "device/device.h"

/* ---- the file (checkpoint.c) -------------------------------------------------------------------------------- */

/* A checkpoint has a header that identifies compatible readers, the contents, which are compressed in a file, and a
 * checksum over all of it. Reading returns exactly the written bytes or an error. */

/* What a checkpoint holds: a run on a device for RISC-V, a launch script of PTX, a device for PTX between launches. */
enum sl_checkpoint_kind { SL_CHECKPOINT_RISCV, SL_CHECKPOINT_SCRIPT, SL_CHECKPOINT_PTX };

struct sl_checkpoint_header {
  char magic[8];
  uint32_t format, byte_order;
  uint64_t kind;                   /* enum sl_checkpoint_kind */
  uint64_t device_bytes, sm_bytes; /* sizes of these structs in this build */
  uint64_t configuration, program;
  uint64_t launches, pages;
  uint64_t fast;         /* 1: without timing */
  uint64_t size, packed; /* bytes of the contents, uncompressed and compressed; packed 0: they are not compressed */
  uint64_t checksum[2];  /* XXH3, 128 bits, of the header without this field and of the bytes that follow it */
};

/* The reason why a reader with the header `own` cannot use a checkpoint with `header`, or NULL. */
const char *sl_checkpoint_mismatch(const struct sl_checkpoint_header *header, const struct sl_checkpoint_header *own);

/* The contents of a checkpoint in memory. */
struct sl_checkpoint {
  struct sl_checkpoint_header header;
  uint8_t *bytes;
  size_t size, taken; /* taken: bytes read so far */
};

/* Appends bytes, or room for them if `bytes` is NULL. Returns their place, or NULL: out of memory. */
uint8_t *sl_checkpoint_put(struct sl_checkpoint *checkpoint, const void *bytes, size_t size);
/* Reads the next bytes. False: fewer are left. */
bool sl_checkpoint_take(struct sl_checkpoint *checkpoint, void *bytes, size_t size);
/* The next bytes in place; NULL if fewer are left. */
const uint8_t *sl_checkpoint_next(struct sl_checkpoint *checkpoint, size_t size);
void sl_checkpoint_free(struct sl_checkpoint *checkpoint);

/* Copies a checkpoint to memory, uncompressed; the caller frees *bytes. And back; free the checkpoint then. SL_USAGE:
 * the bytes are not a checkpoint in memory, or are truncated or damaged. */
enum sl_status sl_checkpoint_pack(const struct sl_checkpoint *checkpoint, void **bytes, size_t *size,
                                  struct sl_error *err);
enum sl_status sl_checkpoint_unpack(struct sl_checkpoint *checkpoint, const void *bytes, size_t size,
                                    struct sl_error *err);

/* Writes a checkpoint. The previous file remains unless the new one is completely on the disk. */
enum sl_status sl_checkpoint_write(struct sl_checkpoint *checkpoint, const char *path, struct sl_error *err);

/* Reads a checkpoint with contents of at most `most` bytes. Call sl_checkpoint_free in any case. SL_USAGE: the file is
 * not a checkpoint, or is truncated or damaged. */
enum sl_status sl_checkpoint_read(struct sl_checkpoint *checkpoint, const char *path, size_t most,
                                  struct sl_error *err);

/* ---- the contents ------------------------------------------------------------------------------------------------ */

const struct sl_schema *sl_launch_schema(void);

/* Saves the device's state into an empty checkpoint, which the caller frees. */
enum sl_status sl_checkpoint_fill(const struct sl_device *device, struct sl_checkpoint *checkpoint,
                                  struct sl_error *err);

/* Restores the device's state from a checkpoint. Messages use `name` as the file name. */
enum sl_status sl_checkpoint_apply(struct sl_device *device, struct sl_checkpoint *checkpoint, const char *name,
                                   struct sl_error *err);

/* The same for a debugger within a launch without a host program: the device itself goes back during the launch, also
 * from a fault. The caller frees *bytes. */
enum sl_status sl_device_save_launch(const struct sl_device *device, void **bytes, size_t *size, struct sl_error *err);
enum sl_status sl_device_restore_launch(struct sl_device *device, const void *bytes, size_t size, struct sl_error *err);

#endif
