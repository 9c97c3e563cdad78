/* CSRs of the host CPU: console, cycle counter, the host interface of the SM (SIMTight's published SoC). */
#ifndef SL_GPU_HOST_CSR_H
#define SL_GPU_HOST_CSR_H

#include "gpu/device_state.h"

/* Performs the CSR instruction the host CPU has stopped at. */
enum sl_status sl_device_host_csr(struct sl_device *device, struct sl_error *err);

#endif
