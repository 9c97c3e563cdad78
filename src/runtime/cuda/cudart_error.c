/* Errors of the CUDA runtime and of the driver interface: their names, their texts, and which is which. */
#include <cuda.h>

#include "runtime/cuda/cudart.h"

static const struct error_row {
  cudaError_t error;
  CUresult result;
  const char *name, *result_name, *text;
} rows[] = {
#define ERROR(error, result, text)                                                                                     \
  {                                                                                                                    \
    error, result, #error, #result, text                                                                               \
  }
    ERROR(cudaSuccess, CUDA_SUCCESS, "no error"),
    ERROR(cudaErrorInvalidValue, CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    ERROR(cudaErrorInitializationError, CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
    ERROR(cudaErrorCudartUnloading, CUDA_ERROR_DEINITIALIZED, "driver shutting down"),
    ERROR(cudaErrorProfilerDisabled, CUDA_ERROR_PROFILER_DISABLED,
          "profiler disabled while using external profiling tool"),
    ERROR(cudaErrorInvalidConfiguration, CUDA_ERROR_INVALID_VALUE, "invalid configuration argument"),
    ERROR(cudaErrorInvalidPitchValue, CUDA_ERROR_INVALID_VALUE, "invalid pitch argument"),
    ERROR(cudaErrorInvalidSymbol, CUDA_ERROR_NOT_FOUND, "invalid device symbol"),
    ERROR(cudaErrorInvalidHostPointer, CUDA_ERROR_INVALID_VALUE, "invalid host pointer"),
    ERROR(cudaErrorInvalidDevicePointer, CUDA_ERROR_INVALID_VALUE, "invalid device pointer"),
    ERROR(cudaErrorInvalidTexture, CUDA_ERROR_INVALID_VALUE, "invalid texture reference"),
    ERROR(cudaErrorInvalidTextureBinding, CUDA_ERROR_INVALID_VALUE, "texture is not bound to a pointer"),
    ERROR(cudaErrorInvalidChannelDescriptor, CUDA_ERROR_INVALID_VALUE, "invalid channel descriptor"),
    ERROR(cudaErrorInvalidMemcpyDirection, CUDA_ERROR_INVALID_VALUE, "invalid copy direction for memcpy"),
    ERROR(cudaErrorInvalidFilterSetting, CUDA_ERROR_INVALID_VALUE, "linear filtering not supported for non-float type"),
    ERROR(cudaErrorInvalidNormSetting, CUDA_ERROR_INVALID_VALUE,
          "read as normalized float not supported for 32-bit non float type"),
    ERROR(cudaErrorInvalidSurface, CUDA_ERROR_INVALID_VALUE, "invalid surface reference"),
    ERROR(cudaErrorMissingConfiguration, CUDA_ERROR_INVALID_VALUE, "__global__ function call is not configured"),
    ERROR(cudaErrorInvalidDeviceFunction, CUDA_ERROR_INVALID_HANDLE, "invalid device function"),
    ERROR(cudaErrorNoDevice, CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    ERROR(cudaErrorInvalidDevice, CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    ERROR(cudaErrorInvalidKernelImage, CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    ERROR(cudaErrorDeviceUninitialized, CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    ERROR(cudaErrorMapBufferObjectFailed, CUDA_ERROR_MAP_FAILED, "mapping of buffer object failed"),
    ERROR(cudaErrorUnmapBufferObjectFailed, CUDA_ERROR_UNMAP_FAILED, "unmapping of buffer object failed"),
    ERROR(cudaErrorArrayIsMapped, CUDA_ERROR_ARRAY_IS_MAPPED, "array is mapped"),
    ERROR(cudaErrorAlreadyMapped, CUDA_ERROR_ALREADY_MAPPED, "resource already mapped"),
    ERROR(cudaErrorNoKernelImageForDevice, CUDA_ERROR_NO_BINARY_FOR_GPU,
          "no kernel image is available for execution on the device"),
    ERROR(cudaErrorAlreadyAcquired, CUDA_ERROR_ALREADY_ACQUIRED, "resource already acquired"),
    ERROR(cudaErrorNotMapped, CUDA_ERROR_NOT_MAPPED, "resource not mapped"),
    ERROR(cudaErrorNotMappedAsArray, CUDA_ERROR_NOT_MAPPED_AS_ARRAY, "resource not mapped as array"),
    ERROR(cudaErrorNotMappedAsPointer, CUDA_ERROR_NOT_MAPPED_AS_POINTER, "resource not mapped as pointer"),
    ERROR(cudaErrorECCUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error encountered"),
    ERROR(cudaErrorUnsupportedLimit, CUDA_ERROR_UNSUPPORTED_LIMIT, "limit is not supported on this architecture"),
    ERROR(cudaErrorDeviceAlreadyInUse, CUDA_ERROR_CONTEXT_ALREADY_IN_USE,
          "exclusive-thread device already in use by a different thread"),
    ERROR(cudaErrorPeerAccessUnsupported, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
          "peer access is not supported between these two devices"),
    ERROR(cudaErrorInvalidPtx, CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    ERROR(cudaErrorInvalidGraphicsContext, CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, "invalid OpenGL or DirectX context"),
    ERROR(cudaErrorNvlinkUncorrectable, CUDA_ERROR_NVLINK_UNCORRECTABLE,
          "uncorrectable NVLink error detected during the execution"),
    ERROR(cudaErrorJitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "PTX JIT compiler library not found"),
    ERROR(cudaErrorInvalidSource, CUDA_ERROR_INVALID_SOURCE, "device kernel image is invalid"),
    ERROR(cudaErrorFileNotFound, CUDA_ERROR_FILE_NOT_FOUND, "file not found"),
    ERROR(cudaErrorSharedObjectSymbolNotFound, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND,
          "shared object symbol not found"),
    ERROR(cudaErrorSharedObjectInitFailed, CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "shared object initialization failed"),
    ERROR(cudaErrorOperatingSystem, CUDA_ERROR_OPERATING_SYSTEM,
          "OS call failed or operation not supported on this OS"),
    ERROR(cudaErrorInvalidResourceHandle, CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    ERROR(cudaErrorIllegalState, CUDA_ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state"),
    ERROR(cudaErrorSymbolNotFound, CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    ERROR(cudaErrorNotReady, CUDA_ERROR_NOT_READY, "device not ready"),
    ERROR(cudaErrorIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    ERROR(cudaErrorLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    ERROR(cudaErrorLaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
    ERROR(cudaErrorLaunchIncompatibleTexturing, CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING,
          "launch uses incompatible texturing mode"),
    ERROR(cudaErrorPeerAccessAlreadyEnabled, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled"),
    ERROR(cudaErrorPeerAccessNotEnabled, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access has not been enabled"),
    ERROR(cudaErrorSetOnActiveProcess, CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE,
          "cannot set while device is active in this process"),
    ERROR(cudaErrorContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED, "context is destroyed"),
    ERROR(cudaErrorAssert, CUDA_ERROR_ASSERT, "device-side assert triggered"),
    ERROR(cudaErrorTooManyPeers, CUDA_ERROR_TOO_MANY_PEERS, "peer mapping resources exhausted"),
    ERROR(cudaErrorHostMemoryAlreadyRegistered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
          "part or all of the requested memory range is already mapped"),
    ERROR(cudaErrorHostMemoryNotRegistered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
          "pointer does not correspond to a registered memory region"),
    ERROR(cudaErrorHardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR, "hardware stack error"),
    ERROR(cudaErrorIllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered"),
    ERROR(cudaErrorMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    ERROR(cudaErrorInvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE,
          "operation not supported on global/shared address space"),
    ERROR(cudaErrorInvalidPc, CUDA_ERROR_INVALID_PC, "invalid program counter"),
    ERROR(cudaErrorLaunchFailure, CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    ERROR(cudaErrorCooperativeLaunchTooLarge, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
          "too many blocks in cooperative launch"),
    ERROR(cudaErrorNotPermitted, CUDA_ERROR_NOT_PERMITTED, "operation not permitted"),
    ERROR(cudaErrorNotSupported, CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    ERROR(cudaErrorSystemNotReady, CUDA_ERROR_SYSTEM_NOT_READY, "system not yet initialized"),
    ERROR(cudaErrorStreamCaptureUnsupported, CUDA_ERROR_INVALID_VALUE,
          "operation not permitted when stream is capturing"),
    ERROR(cudaErrorStreamCaptureInvalidated, CUDA_ERROR_INVALID_VALUE,
          "operation failed due to a previous error during capture"),
    ERROR(cudaErrorStreamCaptureMerge, CUDA_ERROR_INVALID_VALUE,
          "operation would result in a merge of separate capture sequences"),
    ERROR(cudaErrorStreamCaptureUnmatched, CUDA_ERROR_INVALID_VALUE,
          "capture was not ended in the same stream as it began"),
    ERROR(cudaErrorStreamCaptureUnjoined, CUDA_ERROR_INVALID_VALUE, "capturing stream has unjoined work"),
    ERROR(cudaErrorStreamCaptureIsolation, CUDA_ERROR_INVALID_VALUE,
          "dependency created on uncaptured work in another stream"),
    ERROR(cudaErrorStreamCaptureImplicit, CUDA_ERROR_INVALID_VALUE,
          "operation would make the legacy stream depend on a capturing blocking stream"),
    ERROR(cudaErrorCapturedEvent, CUDA_ERROR_INVALID_VALUE,
          "operation not permitted on an event last recorded in a capturing stream"),
    ERROR(cudaErrorStreamCaptureWrongThread, CUDA_ERROR_INVALID_VALUE,
          "attempt to terminate a thread-local capture sequence from another thread"),
    ERROR(cudaErrorTimeout, CUDA_ERROR_INVALID_VALUE, "wait operation timed out"),
    ERROR(cudaErrorGraphExecUpdateFailure, CUDA_ERROR_INVALID_VALUE,
          "the graph update was not performed because it included changes which violated constraints specific to "
          "instantiated graph update"),
    ERROR(cudaErrorUnknown, CUDA_ERROR_UNKNOWN, "unknown error"),
#undef ERROR
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct error_row *row_of(cudaError_t error)
{
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].error == error)
      return &rows[i];
  return NULL;
}

/* The row of a result: the one whose numbers are equal. */
static const struct error_row *row_with(CUresult result)
{
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].result == result && (unsigned)rows[i].error == (unsigned)result)
      return &rows[i];
  return NULL;
}

CUresult sl_cudart_result(cudaError_t error)
{
  const struct error_row *row = row_of(error);
  return row != NULL ? row->result : CUDA_ERROR_UNKNOWN;
}

SL_CUDART_API const char *cudaGetErrorName(cudaError_t error)
{
  const struct error_row *row = row_of(error);
  return row != NULL ? row->name : "unrecognized error code";
}

SL_CUDART_API const char *cudaGetErrorString(cudaError_t error)
{
  const struct error_row *row = row_of(error);
  return row != NULL ? row->text : "unrecognized error code";
}

SL_CUDART_API CUresult cuGetErrorName(CUresult error, const char **text)
{
  const struct error_row *row = row_with(error);
  if (text != NULL)
    *text = row != NULL ? row->result_name : NULL;
  return text != NULL && row != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

SL_CUDART_API CUresult cuGetErrorString(CUresult error, const char **text)
{
  const struct error_row *row = row_with(error);
  if (text != NULL)
    *text = row != NULL ? row->text : NULL;
  return text != NULL && row != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
