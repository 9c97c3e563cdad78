/* CSRs of the host CPU: console, cycle counter, and the SM's host interface. Source: SIMTight's published SoC. */
#ifndef SL_GPU_HOST_CSR_H
#define SL_GPU_HOST_CSR_H

#include "gpu/device_state.h"

/* Performs the CSR instruction at which the host CPU has stopped. */
enum sl_status sl_device_host_csr(struct sl_device *device, struct sl_error *err);

#endif
