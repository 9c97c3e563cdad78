/* Initial contents of buffers, and their checksums. */
#ifndef SL_DEVICE_SCRIPT_FILL_H
#define SL_DEVICE_SCRIPT_FILL_H

#include "base/error.h"
#include "base/types.h"

enum sl_script_fill_kind {
  SL_SCRIPT_FILL_ZERO,
  SL_SCRIPT_FILL_IOTA,  /* words 0, 1, 2, ... */
  SL_SCRIPT_FILL_CONST, /* a constant in each word */
  SL_SCRIPT_FILL_RANDU, /* random words below a modulus */
  SL_SCRIPT_FILL_RANDF, /* random f32 in [0, 1) in steps of 2^-16 */
  SL_SCRIPT_FILL_CSR,   /* running sums of random numbers: row offsets of a sparse matrix */
  SL_SCRIPT_FILL_FILE
};

struct sl_script_fill {
  enum sl_script_fill_kind kind;
  uint64_t value, seed; /* value: the constant, the modulus, the average */
  char path[512];
};

/* Fills `bytes` at `to`; they must be zero before. */
enum sl_status sl_script_fill(const struct sl_script_fill *fill, uint8_t *to, uint64_t bytes, struct sl_error *err);

/* 64-bit FNV-1a with the offset basis 1469598103934665603, as for the recorded sums in reference/ptx. */
uint64_t sl_script_sum(const uint8_t *bytes, uint64_t count);

#endif
