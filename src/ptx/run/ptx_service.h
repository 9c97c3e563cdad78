/* Services: functions of the host that kernels call. A module declares them .extern and does not define them. */
#ifndef SL_PTX_RUN_PTX_SERVICE_H
#define SL_PTX_RUN_PTX_SERVICE_H

#include "ptx/run/ptx_block.h"
#include "ptx/run/ptx_fault.h"

enum sl_ptx_service {
  SL_PTX_SERVICE_VPRINTF,   /* (format, arguments): the arguments are packed at their natural alignment */
  SL_PTX_SERVICE_MALLOC,    /* (bytes): the result is an address, 0 if there is no room */
  SL_PTX_SERVICE_FREE,      /* (address) */
  SL_PTX_SERVICE_ASSERTFAIL /* (message, file, line, function, character size): always ends the launch, without a call
                               of the host */
};

enum { SL_PTX_SERVICE_ARGUMENTS = 5 };

/* A call by the lanes of a warp, which count as callers in ascending order. */
struct sl_ptx_service_call {
  enum sl_ptx_service service;
  const struct sl_ptx_warp *warp; /* block, index in the block, launch */
  uint32_t pc, lanes;
  uint64_t argument[SL_PTX_SERVICE_ARGUMENTS][SL_PTX_LANES]; /* of the lanes in `lanes` */
  uint64_t result[SL_PTX_LANES];                             /* zeros at first */
};

/* The host's side. Calls come one at a time and in the same order on any number of host threads: by cycle, then by SM,
 * then in order of issue. A service must not use the GPU other than through the functions below. */
struct sl_ptx_services {
  void *context;
  void (*call)(void *context, struct sl_ptx_service_call *call);
};

/* Reads `bytes` bytes at a generic address as a lane sees it. False: not all of them are in memory. */
bool sl_ptx_service_read(const struct sl_ptx_service_call *call, unsigned lane, uint64_t address, void *to,
                         size_t bytes);

/* The service of a name and its numbers of parameters and results. False: there is none. */
bool sl_ptx_service_find(const char *name, enum sl_ptx_service *service, unsigned *parameters, unsigned *results);

/* Performs an instruction of kind SERVICE for the given lanes; first checks that it can be performed. False: a fault.
 */
bool sl_ptx_service_check(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t lanes,
                          struct sl_ptx_fault *fault);
void sl_ptx_service_perform(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t lanes);

#endif
