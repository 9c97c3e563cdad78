/* The CUDA driver interface: initialisation, the device, its context, streams, events, and the profiler. */
#include "runtime/cuda/cudart.h"

#include <stdio.h>
#include <string.h>

enum { API_VERSION = 3020 }; /* that of functions with _v2 */

/* How often the context is on this thread's stack. Another generation's stack is empty. */
static _Thread_local unsigned stacked;
static _Thread_local uint64_t generation;

static unsigned *stack_of(const struct cudart *r)
{
  if (generation != r->generation)
    stacked = 0;
  generation = r->generation;
  return &stacked;
}

static bool is_current(const struct cudart *r)
{
  return *stack_of(r) > 0 || r->implied;
}

CUresult sl_driver_enter(struct cudart **runtime, enum sl_driver_need need, cudaError_t *last)
{
  const cudaError_t error = sl_cudart_enter(runtime, false);
  struct cudart *r = *runtime;
  r->in_driver++;
  *last = sl_cudart_last(false);
  if (error != cudaSuccess && (need == SL_DRIVER_CONTEXT || r->failed))
    return sl_cudart_result(error);
  if (!r->initialised && !r->implied)
    return CUDA_ERROR_NOT_INITIALIZED;
  return need == SL_DRIVER_CONTEXT && !is_current(r) ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult sl_driver_leave(struct cudart *r, const char *function, CUresult result, cudaError_t last)
{
  const char *name;
  r->in_driver--;
  if (r->log >= 2 && cuGetErrorName(result, &name) == CUDA_SUCCESS)
    sl_cudart_say("%s: %s", function, name);
  sl_cudart_leave(r, function, cudaErrorNotReady); /* which is not kept */
  sl_cudart_restore_last(last);
  return result;
}

SL_CUDART_API CUresult cuInit(unsigned flags)
{
  struct cudart *r;
  cudaError_t last;
  CUresult result = sl_driver_enter(&r, SL_DRIVER_INIT, &last);
  if (result == CUDA_SUCCESS || !r->failed) {
    r->initialised |= flags == 0;
    result = flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
  return sl_driver_leave(r, __func__, result, last);
}

SL_CUDART_API CUresult cuDriverGetVersion(int *version)
{
  if (version == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

/* ---- device ------------------------------------------------------------------------------------------------------ */

SL_CUDART_API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
  DRIVER_CALL(SL_DRIVER_INIT, ordinal != 0 ? cudaErrorInvalidDevice : cudaGetDevice(device));
}

SL_CUDART_API CUresult cuDeviceGetCount(int *count)
{
  DRIVER_CALL(SL_DRIVER_INIT, cudaGetDeviceCount(count));
}

static cudaError_t device_name(char *name, int length, CUdevice device)
{
  struct cudaDeviceProp p;
  const cudaError_t error = name != NULL && length > 0 ? cudaGetDeviceProperties(&p, device) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    snprintf(name, (size_t)length, "%s", p.name);
  return error;
}

SL_CUDART_API CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
  DRIVER_CALL(SL_DRIVER_INIT, device_name(name, length, device));
}

static cudaError_t device_uuid(CUuuid *uuid, CUdevice device)
{
  static const char bytes[sizeof uuid->bytes] = "simtlab device";
  if (uuid == NULL || device != 0)
    return uuid == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
  memcpy(uuid->bytes, bytes, sizeof bytes);
  return cudaSuccess;
}

SL_CUDART_API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
  DRIVER_CALL(SL_DRIVER_INIT, device_uuid(uuid, device));
}

static cudaError_t device_memory(size_t *bytes, CUdevice device)
{
  struct cudaDeviceProp p;
  const cudaError_t error = bytes != NULL ? cudaGetDeviceProperties(&p, device) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *bytes = p.totalGlobalMem;
  return error;
}

SL_CUDART_API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
  DRIVER_CALL(SL_DRIVER_INIT, device_memory(bytes, device));
}

SL_CUDART_API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
  DRIVER_CALL(SL_DRIVER_INIT, cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

SL_CUDART_API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
  DRIVER_CALL(SL_DRIVER_INIT, major == NULL || minor == NULL
                                  ? cudaErrorInvalidValue
                                  : (cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device),
                                     cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device)));
}

SL_CUDART_API CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device)
{
  DRIVER_CALL(SL_DRIVER_INIT, cudaDeviceGetPCIBusId(id, length, device));
}

SL_CUDART_API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
  DRIVER_CALL(SL_DRIVER_INIT, cudaDeviceCanAccessPeer(can, device, peer));
}

/* ---- the context ------------------------------------------------------------------------------------------------- */

static CUcontext handle_of(struct cudart *r)
{
  return (CUcontext)(void *)r;
}

static CUresult check_context(struct cudart *r, CUcontext context)
{
  return context == handle_of(r) && (r->contexts > 0 || r->implied) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* One more user of the context. */
static CUresult use(struct cudart *r, CUcontext *context, CUdevice device, bool push)
{
  if (context == NULL || device != 0)
    return context == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_DEVICE;
  const cudaError_t error = cudaStreamSynchronize(NULL); /* opens the device */
  if (error != cudaSuccess)
    return sl_cudart_result(error);
  r->contexts++;
  *stack_of(r) += push;
  *context = handle_of(r);
  return CUDA_SUCCESS;
}

/* The last user is gone. What the runtime interface has opened stays. */
static CUresult drop(struct cudart *r, CUcontext context)
{
  const CUresult result = check_context(r, context);
  if (result != CUDA_SUCCESS || r->contexts == 0)
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_CONTEXT;
  if (*stack_of(r) > 0)
    --*stack_of(r);
  return --r->contexts > 0 || r->implied ? CUDA_SUCCESS : sl_cudart_result(cudaDeviceReset());
}

SL_CUDART_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
  DRIVER_RESULT(SL_DRIVER_INIT, use(r, context, device, false));
}

static CUresult release(struct cudart *r, CUdevice device)
{
  if (device != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  if (r->contexts == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  return --r->contexts > 0 || r->implied ? CUDA_SUCCESS : sl_cudart_result(cudaDeviceReset());
}

SL_CUDART_API CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
  DRIVER_RESULT(SL_DRIVER_INIT, release(r, device));
}

SL_CUDART_API CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
  DRIVER_CALL(SL_DRIVER_INIT, device != 0 ? cudaErrorInvalidDevice : cudaDeviceReset());
}

SL_CUDART_API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
  DRIVER_CALL(SL_DRIVER_INIT, device != 0 ? cudaErrorInvalidDevice : cudaSetDeviceFlags(flags));
}

static CUresult primary_state(const struct cudart *r, CUdevice device, unsigned *flags, int *active)
{
  if (device != 0 || flags == NULL || active == NULL)
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
  *flags = r->device_flags;
  *active = r->contexts > 0 || r->implied;
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
  DRIVER_RESULT(SL_DRIVER_INIT, primary_state(r, device, flags, active));
}

SL_CUDART_API CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device)
{
  DRIVER_RESULT(SL_DRIVER_INIT,
                (flags & ~(unsigned)cudaDeviceMask) != 0 ? CUDA_ERROR_INVALID_VALUE : use(r, context, device, true));
}

SL_CUDART_API CUresult cuCtxDestroy(CUcontext context)
{
  DRIVER_RESULT(SL_DRIVER_INIT, drop(r, context));
}

static CUresult push(struct cudart *r, CUcontext context)
{
  const CUresult result = check_context(r, context);
  *stack_of(r) += result == CUDA_SUCCESS;
  return result;
}

SL_CUDART_API CUresult cuCtxPushCurrent(CUcontext context)
{
  DRIVER_RESULT(SL_DRIVER_INIT, push(r, context));
}

static CUresult pop(struct cudart *r, CUcontext *context)
{
  if (*stack_of(r) == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  --*stack_of(r);
  if (context != NULL)
    *context = handle_of(r);
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuCtxPopCurrent(CUcontext *context)
{
  DRIVER_RESULT(SL_DRIVER_INIT, pop(r, context));
}

/* Replaces the top of the stack. */
static CUresult set_current(struct cudart *r, CUcontext context)
{
  unsigned *stack = stack_of(r);
  const CUresult result = context != NULL ? check_context(r, context) : CUDA_SUCCESS;
  if (context == NULL)
    *stack -= *stack > 0;
  else if (result == CUDA_SUCCESS)
    *stack += *stack == 0;
  return result;
}

SL_CUDART_API CUresult cuCtxSetCurrent(CUcontext context)
{
  DRIVER_RESULT(SL_DRIVER_INIT, set_current(r, context));
}

static CUresult get_current(struct cudart *r, CUcontext *context)
{
  if (context == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *context = is_current(r) ? handle_of(r) : NULL;
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuCtxGetCurrent(CUcontext *context)
{
  DRIVER_RESULT(SL_DRIVER_INIT, get_current(r, context));
}

SL_CUDART_API CUresult cuCtxGetDevice(CUdevice *device)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaGetDevice(device));
}

SL_CUDART_API CUresult cuCtxGetFlags(unsigned *flags)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaGetDeviceFlags(flags));
}

SL_CUDART_API CUresult cuCtxSynchronize(void)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaDeviceSynchronize());
}

SL_CUDART_API CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

SL_CUDART_API CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

SL_CUDART_API CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaDeviceGetCacheConfig((enum cudaFuncCache *)config));
}

SL_CUDART_API CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

SL_CUDART_API CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaDeviceGetSharedMemConfig((enum cudaSharedMemConfig *)config));
}

SL_CUDART_API CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

static CUresult api_version(struct cudart *r, CUcontext context, unsigned *version)
{
  const CUresult result = context != NULL ? check_context(r, context) : CUDA_SUCCESS;
  if (result != CUDA_SUCCESS || version == NULL)
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  *version = API_VERSION;
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
  DRIVER_RESULT(SL_DRIVER_INIT, api_version(r, context, version));
}

SL_CUDART_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaDeviceGetStreamPriorityRange(least, greatest));
}

/* ---- streams and events ------------------------------------------------------------------------------------------ */

SL_CUDART_API CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaStreamCreateWithFlags(stream, flags));
}

SL_CUDART_API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaStreamCreateWithPriority(stream, flags, priority));
}

SL_CUDART_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, flags != 0 ? cudaErrorInvalidValue : cudaStreamWaitEvent(stream, event, flags));
}

SL_CUDART_API CUresult cuStreamQuery(CUstream stream)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaStreamQuery(stream));
}

SL_CUDART_API CUresult cuStreamSynchronize(CUstream stream)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaStreamSynchronize(stream));
}

SL_CUDART_API CUresult cuStreamDestroy(CUstream stream)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaStreamDestroy(stream));
}

static CUresult check_current(void)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaSuccess);
}

/* Callbacks execute without the lock. */
SL_CUDART_API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags)
{
  const cudaStreamCallback_t function = (cudaStreamCallback_t)(void (*)(void))callback;
  const CUresult result = check_current();
  return result == CUDA_SUCCESS ? sl_cudart_result(cudaStreamAddCallback(stream, function, data, flags)) : result;
}

SL_CUDART_API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
  const CUresult result = check_current();
  return result == CUDA_SUCCESS ? sl_cudart_result(cudaLaunchHostFunc(stream, function, data)) : result;
}

SL_CUDART_API CUresult cuEventCreate(CUevent *event, unsigned flags)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaEventCreateWithFlags(event, flags));
}

SL_CUDART_API CUresult cuEventRecord(CUevent event, CUstream stream)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaEventRecord(event, stream));
}

SL_CUDART_API CUresult cuEventQuery(CUevent event)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaEventQuery(event));
}

SL_CUDART_API CUresult cuEventSynchronize(CUevent event)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaEventSynchronize(event));
}

SL_CUDART_API CUresult cuEventDestroy(CUevent event)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaEventDestroy(event));
}

SL_CUDART_API CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaEventElapsedTime(ms, start, end));
}

SL_CUDART_API CUresult cuProfilerStart(void)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaSuccess);
}

SL_CUDART_API CUresult cuProfilerStop(void)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaSuccess);
}

/* Names without a version, of functions whose first version has the same parameters. Programs look them up. */
#define UNVERSIONED(name)                                                                                              \
  extern __typeof__(name##_v2) sl_##name##_v1 __asm__(#name) __attribute__((alias(#name "_v2"), visibility("defaul"    \
                                                                                                           "t")))
#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuStreamDestroy
#undef cuEventDestroy
UNVERSIONED(cuCtxCreate);
UNVERSIONED(cuCtxDestroy);
UNVERSIONED(cuCtxPushCurrent);
UNVERSIONED(cuCtxPopCurrent);
UNVERSIONED(cuStreamDestroy);
UNVERSIONED(cuEventDestroy);
