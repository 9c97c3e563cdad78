/* What writes the trace of gdb's `monitor trace`. */
#ifndef SL_DEBUG_TRACER_H
#define SL_DEBUG_TRACER_H

#include "base/error.h"
#include "isa/probe.h"

/* An observer of a part of the run. */
struct sl_debug_tracer {
  /* Opens the file; the trace's observer is in `probes`. */
  enum sl_status (*open)(void *context, const char *path, struct sl_probes *probes, struct sl_error *err);
  enum sl_status (*close)(void *context, uint64_t *instructions, struct sl_error *err);
  void *context;
};

#endif
