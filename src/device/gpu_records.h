/* The records of a GPU's launches, and their totals. */
#ifndef SL_DEVICE_GPU_RECORDS_H
#define SL_DEVICE_GPU_RECORDS_H

#include "base/state_archive.h"
#include "device/gpu_kind.h"

/* Appends the record of a launch that begins; NULL: out of memory. */
struct sl_gpu_record *sl_gpu_record_begin(struct sl_gpu *gpu, const struct sl_gpu_launch *launch);

/* The current launch has ended, and counts in the totals from now on. */
void sl_gpu_record_end(struct sl_gpu *gpu, enum sl_status code);

/* Serialises the records of a GPU for PTX before the current launch, and the cycles of its engine. A restore needs a
 * GPU without launches. */
void sl_gpu_records_archive(struct sl_archive *archive, struct sl_gpu *gpu, uint64_t *cycles);

#endif
