/* Initial contents of buffers, and their checksums. */
#ifndef SL_PTX_LAUNCH_PTX_FILL_H
#define SL_PTX_LAUNCH_PTX_FILL_H

#include "base/error.h"
#include "base/types.h"

enum sl_ptx_fill_kind {
  SL_PTX_FILL_ZERO,
  SL_PTX_FILL_IOTA,  /* words 0, 1, 2, ... */
  SL_PTX_FILL_CONST, /* a constant in each word */
  SL_PTX_FILL_RANDU, /* random words below a modulus */
  SL_PTX_FILL_RANDF, /* random f32 in [0, 1) in steps of 2^-16 */
  SL_PTX_FILL_CSR,   /* running sums of random numbers: row offsets of a sparse matrix */
  SL_PTX_FILL_FILE
};

struct sl_ptx_fill {
  enum sl_ptx_fill_kind kind;
  uint64_t value, seed; /* value: the constant, the modulus, the average */
  char path[512];
};

/* Fills `bytes` at `to`; they must be zero before. */
enum sl_status sl_ptx_fill(const struct sl_ptx_fill *fill, uint8_t *to, uint64_t bytes, struct sl_error *err);

/* 64-bit FNV-1a with the offset basis 1469598103934665603, as for the recorded sums in reference/ptx. */
uint64_t sl_ptx_sum(const uint8_t *bytes, uint64_t count);

#endif
