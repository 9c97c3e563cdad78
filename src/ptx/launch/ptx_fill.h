/* Initial contents of buffers, and their checksums. */
#ifndef SL_PTX_LAUNCH_PTX_FILL_H
#define SL_PTX_LAUNCH_PTX_FILL_H

#include "base/error.h"
#include "base/types.h"

enum sl_ptx_fill_kind {
  SL_PTX_FILL_ZERO,
  SL_PTX_FILL_IOTA,  /* words 0, 1, 2, ... */
  SL_PTX_FILL_CONST, /* words of a value */
  SL_PTX_FILL_RANDU, /* words below a modulus */
  SL_PTX_FILL_RANDF, /* f32 from 0 to below 1 in steps of 2^-16 */
  SL_PTX_FILL_CSR,   /* running sums of random numbers: rows of a sparse matrix */
  SL_PTX_FILL_FILE
};

struct sl_ptx_fill {
  enum sl_ptx_fill_kind kind;
  uint64_t value, seed; /* value: the constant, the modulus, the average */
  char path[512];
};

/* Fills `bytes` at `to`, which are zero. */
enum sl_status sl_ptx_fill(const struct sl_ptx_fill *fill, uint8_t *to, uint64_t bytes, struct sl_error *err);

/* FNV-1a of 64 bits, from the offset basis 1469598103934665603: that of the recorded sums in reference/ptx. */
uint64_t sl_ptx_sum(const uint8_t *bytes, uint64_t count);

#endif
