/* The trace of a host program's timed launches: option TRACE (observe/trace/trace.h). The file is opened when the first
 * of them begins, so a device that launches nothing leaves none. */
#ifndef SL_HOST_HOST_TRACE_H
#define SL_HOST_HOST_TRACE_H

#include "host/host_device.h"
#include "isa/probe.h"

/* Creates device->trace if the options ask for it. SL_USAGE: a wrong part or format, or another option that excludes a
 * trace. */
enum sl_status sl_host_trace_open(struct sl_host_device *device, struct sl_error *err);

/* The observer; NULL: no trace is wanted. */
struct sl_probes *sl_host_trace_probes(struct sl_host_device *device);

/* A module has been loaded. */
void sl_host_trace_module(struct sl_host_device *device, const struct sl_gpu_module *module,
                          const struct sl_host_code *code);

/* A launch of a module begins. */
void sl_host_trace_begin(struct sl_host_device *device, const struct sl_gpu_module *module, bool timed);

/* Ends the trace. */
void sl_host_trace_close(struct sl_host_device *device);

#endif
