/* What the OpenCL test programs share: a context on the first device, checks that name what is wrong. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition)                                                                                               \
  do                                                                                                                   \
    if (!(condition)) {                                                                                                \
      printf("line %d: %s\n", __LINE__, #condition);                                                                   \
      failures++;                                                                                                      \
    }                                                                                                                  \
  while (0)
#define IS(wanted, call)                                                                                               \
  do {                                                                                                                 \
    const cl_int got_ = (call);                                                                                        \
    if (got_ != (wanted)) {                                                                                            \
      printf("line %d: %s: %d instead of %d\n", __LINE__, #call, got_, (int)(wanted));                                 \
      failures++;                                                                                                      \
    }                                                                                                                  \
  } while (0)
#define OK(call) IS(CL_SUCCESS, call)
/* A call that makes an object and stores its error in `error`. */
#define MAKE_IS(wanted, call)                                                                                          \
  do {                                                                                                                 \
    cl_int error = 12345;                                                                                              \
    void *made_ = (void *)(call);                                                                                      \
    if (error != (wanted) || ((wanted) != CL_SUCCESS && made_ != NULL)) {                                              \
      printf("line %d: %s: %d instead of %d\n", __LINE__, #call, error, (int)(wanted));                                \
      failures++;                                                                                                      \
    }                                                                                                                  \
  } while (0)

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static inline void begin(cl_command_queue_properties properties)
{
  cl_int error;
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
  queue = clCreateCommandQueue(context, device, properties, &error);
  OK(error);
  if (failures > 0)
    exit(1);
}

static inline cl_program build(const char *source, const char *options)
{
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  OK(error);
  error = clBuildProgram(program, 1, &device, options, NULL, NULL);
  if (error != CL_SUCCESS) {
    char log[8000] = "";
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("build: %d\n%s\n", error, log);
    exit(1);
  }
  return program;
}

static inline cl_kernel kernel_of(cl_program program, const char *name)
{
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  OK(error);
  return kernel;
}

static inline cl_mem buffer(size_t size, const void *contents)
{
  cl_int error;
  cl_mem mem = clCreateBuffer(context, contents != NULL ? CL_MEM_COPY_HOST_PTR : 0, size, (void *)contents, &error);
  OK(error);
  return mem;
}

static inline int end(void)
{
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
  printf("%d failures\n", failures);
  return failures > 0;
}
