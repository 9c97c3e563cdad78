/* simtlab verify sm7: our runs of the recorded PTX programs against GPGPU-Sim's, to the cycle. */
#ifndef SL_CLI_VERIFY_SM7_H
#define SL_CLI_VERIFY_SM7_H

#include "config/config.h"

struct sl_verify_sm7 {
  const struct sl_config *config;
  const char *only, *json; /* a shell pattern of names, a file; NULL: all, none */
  uint64_t jobs;
  bool variants; /* kernels on changed machines too */
  bool quiet;    /* tell differences only */
};

/* SL_CHECK_FAILED unless every recorded figure of every program is equal. */
enum sl_status sl_verify_sm7(const struct sl_verify_sm7 *verify, struct sl_error *err);

#endif
