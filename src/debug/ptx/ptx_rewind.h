/* Checkpoints of one launch of a host program: the GPU's memory, and the launch. The host program waits inside the call
 * that launches, so nothing else changes meanwhile, except for what `beside` archives. */
#ifndef SL_DEBUG_PTX_REWIND_H
#define SL_DEBUG_PTX_REWIND_H

#include "base/schema.h"
#include "device/gpu.h"

struct sl_ptx_rewind {
  struct sl_gpu *gpu; /* NULL: a launch script */
  /* What kernels change outside of the GPU's memory; its size does not depend on who asks. */
  void (*beside)(void *context, struct sl_archive *archive);
  void *context;
  bool kept;                 /* launches of this GPU can be archived */
  uint64_t cycles;           /* of the engine, before the launch */
  struct sl_archive archive; /* of the latest restore */
};

/* The bytes of a checkpoint. `launch` NULL: the launch has not begun. */
size_t sl_ptx_rewind_size(const struct sl_ptx_rewind *rewind, const struct sl_ptx_under_way *launch);

/* Saves; the caller frees *bytes. */
enum sl_status sl_ptx_rewind_save(const struct sl_ptx_rewind *rewind, const struct sl_ptx_under_way *launch,
                                  void **bytes, size_t *size, struct sl_error *err);

/* Takes the GPU back. The launch then begins again; the bytes must live until it has begun. */
enum sl_status sl_ptx_rewind_restore(struct sl_ptx_rewind *rewind, const void *bytes, size_t size,
                                     struct sl_error *err);

#endif
