/* The checker of a host program (observe/check/check.h): option CHECK. */
#ifndef SL_HOST_HOST_CHECK_H
#define SL_HOST_HOST_CHECK_H

#include "host/host_device.h"
#include "isa/probe.h"

/* Creates device->check if the options ask for it. */
enum sl_status sl_host_check_open(struct sl_host_device *device, struct sl_error *err);

/* The observer of the checker, or of it and of the profile. NULL: none is wanted. */
struct sl_probes *sl_host_check_probes(struct sl_host_device *device);

/* Functions of the host that kernels call. */
const struct sl_ptx_services *sl_host_check_services(struct sl_host_device *device);

/* A launch of a module begins. It has ended: passes its findings to options.say. */
void sl_host_check_begin(struct sl_host_device *device, const struct sl_gpu_module *module);
void sl_host_check_end(struct sl_host_device *device, enum sl_status code);

/* A module cannot be loaded, so its launches fail: a finding, which is passed on. Returns false without a checker. */
bool sl_host_check_refused(struct sl_host_device *device, const char *what);

/* From now on, commands of queues that nothing orders must not access the same memory. */
void sl_host_check_order(struct sl_host_device *device);

/* Reports the last findings, and writes the file. */
void sl_host_check_close(struct sl_host_device *device);

#endif
