/* The CUDA driver interface, above the runtime interface: there is one context, which both share. A driver handle of a
 * stream or event is that of the runtime, a function is the stub of itself, and a module is struct cudart_module.
 *
 * Source: CUDA Driver API 10.1, Reference Manual. */
#ifndef SL_CUDART_CUDART_DRIVER_H
#define SL_CUDART_CUDART_DRIVER_H

#include <cuda.h>

#include "runtime/cuda/cudart.h"

enum sl_driver_need { SL_DRIVER_INIT, SL_DRIVER_CONTEXT };

/* Locks the runtime and checks that cuInit has been called, and that the thread has a context. Errors of the runtime
 * interface stay as they are. Call sl_driver_leave in any case. */
CUresult sl_driver_enter(struct cudart **runtime, enum sl_driver_need need, cudaError_t *last);
CUresult sl_driver_leave(struct cudart *runtime, const char *function, CUresult result, cudaError_t last);

/* The body of a function: an expression over the runtime `r`, a CUresult; or a cudaError_t. */
#define DRIVER_RESULT(need, expression)                                                                                \
  do {                                                                                                                 \
    struct cudart *r;                                                                                                  \
    cudaError_t last_;                                                                                                 \
    CUresult result_ = sl_driver_enter(&r, need, &last_);                                                              \
    if (result_ == CUDA_SUCCESS)                                                                                       \
      result_ = (expression);                                                                                          \
    return sl_driver_leave(r, __func__, result_, last_);                                                               \
  } while (0)
#define DRIVER_CALL(need, expression) DRIVER_RESULT(need, sl_cudart_result(expression))

CUresult sl_cudart_result(cudaError_t error);

static inline void *sl_driver_pointer(CUdeviceptr address)
{
  return (void *)(uintptr_t)address;
}

#endif
