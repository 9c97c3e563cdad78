/* simtlab verify sm7: compares runs of the recorded PTX programs with GPGPU-Sim, cycle by cycle. */
#ifndef SL_CLI_VERIFY_SM7_H
#define SL_CLI_VERIFY_SM7_H

#include "config/config.h"

struct sl_verify_sm7 {
  const struct sl_config *config;
  const char *only, *json; /* shell pattern of names (NULL: all); output file (NULL: none) */
  uint64_t jobs;
  bool variants; /* also kernels on modified machines */
  bool quiet;    /* print only differences */
};

/* SL_CHECK_FAILED unless all recorded figures of all programs are equal. */
enum sl_status sl_verify_sm7(const struct sl_verify_sm7 *verify, struct sl_error *err);

#endif
