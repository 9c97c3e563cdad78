/* The table of functions that the loader calls, and the functions that the loader asks for. */
#include "opencl/ocl.h"

#include <string.h>

#include <CL/cl_ext.h>

#define EXPORTED __attribute__((visibility("default")))

/* Functions of OpenCL 1.2 by name. */
#define EACH_FUNCTION(with)                                                                                            \
  with(clGetPlatformIDs) with(clGetPlatformInfo) with(clGetDeviceIDs) with(clGetDeviceInfo) with(clCreateContext)      \
      with(clCreateContextFromType) with(clRetainContext) with(clReleaseContext) with(clGetContextInfo) with(          \
          clCreateCommandQueue) with(clRetainCommandQueue) with(clReleaseCommandQueue) with(clGetCommandQueueInfo)     \
          with(clSetCommandQueueProperty) with(clCreateBuffer) with(clCreateImage2D) with(clCreateImage3D) with(       \
              clRetainMemObject) with(clReleaseMemObject) with(clGetSupportedImageFormats) with(clGetMemObjectInfo)    \
              with(clGetImageInfo) with(clCreateSampler) with(clRetainSampler) with(clReleaseSampler) with(            \
                  clGetSamplerInfo) with(clCreateProgramWithSource) with(clCreateProgramWithBinary)                    \
                  with(clRetainProgram) with(clReleaseProgram) with(clBuildProgram) with(clUnloadCompiler) with(       \
                      clGetProgramInfo) with(clGetProgramBuildInfo) with(clCreateKernel)                               \
                      with(clCreateKernelsInProgram) with(clRetainKernel) with(clReleaseKernel) with(                  \
                          clSetKernelArg) with(clGetKernelInfo) with(clGetKernelWorkGroupInfo) with(clWaitForEvents)   \
                          with(clGetEventInfo) with(clRetainEvent) with(clReleaseEvent) with(                          \
                              clGetEventProfilingInfo) with(clFlush) with(clFinish) with(clEnqueueReadBuffer)          \
                              with(clEnqueueWriteBuffer) with(clEnqueueCopyBuffer) with(clEnqueueReadImage) with(      \
                                  clEnqueueWriteImage) with(clEnqueueCopyImage) with(clEnqueueCopyImageToBuffer)       \
                                  with(clEnqueueCopyBufferToImage) with(clEnqueueMapBuffer) with(                      \
                                      clEnqueueMapImage) with(clEnqueueUnmapMemObject) with(clEnqueueNDRangeKernel)    \
                                      with(clEnqueueTask) with(clEnqueueNativeKernel) with(clEnqueueMarker) with(      \
                                          clEnqueueWaitForEvents) with(clEnqueueBarrier)                               \
                                          with(clGetExtensionFunctionAddress) with(clSetEventCallback) with(           \
                                              clCreateSubBuffer) with(clSetMemObjectDestructorCallback)                \
                                              with(clCreateUserEvent) with(clSetUserEventStatus) with(                 \
                                                  clEnqueueReadBufferRect) with(clEnqueueWriteBufferRect)              \
                                                  with(clEnqueueCopyBufferRect) with(clCreateSubDevices) with(         \
                                                      clRetainDevice) with(clReleaseDevice) with(clCreateImage)        \
                                                      with(clCreateProgramWithBuiltInKernels) with(clCompileProgram)   \
                                                          with(clLinkProgram) with(clUnloadPlatformCompiler)           \
                                                              with(clGetKernelArgInfo) with(clEnqueueFillBuffer) with( \
                                                                  clEnqueueFillImage) with(clEnqueueMigrateMemObjects) \
                                                                  with(clEnqueueMarkerWithWaitList)                    \
                                                                      with(clEnqueueBarrierWithWaitList) with(         \
                                                                          clGetExtensionFunctionAddressForPlatform)

#define ENTRY(name) .name = name,
const cl_icd_dispatch sl_ocl_dispatch = {EACH_FUNCTION(ENTRY)};

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
  return clGetPlatformIDs(room, platforms, count);
}

EXPORTED CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
  static const struct {
    const char *name;
    void (*function)(void);
  } functions[] = {
#define NAMED(name) {#name, (void (*)(void))name},
      EACH_FUNCTION(NAMED) NAMED(clIcdGetPlatformIDsKHR)};
  for (size_t i = 0; name != NULL && i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0)
      return (void *)(uintptr_t)functions[i].function;
  return NULL;
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
  return platform == sl_ocl_platform() ? clGetExtensionFunctionAddress(name) : NULL;
}
