/* Launches that end in faults, commands that are refused, and builds with wrong options: the standard's errors, the
 * sentences by the context's callback, and a device that works afterwards. A kernel never ends with
 * SIMTLAB_OPENCL_MAX_CYCLES. */
#include "check.h"

enum { ITEMS = 64, MOST_BUFFERS = 64 };

static const char source[] =
    "__kernel void null(__global int *a) { ((__global int *)16)[get_global_id(0)] = 1; }\n"
    "__kernel void spin(volatile __global int *a) { while (*a != 77) ; }\n"
    "__kernel void endless(volatile __global int *a) { for (;;) a[1]++; }\n"
    "__kernel void half_of(__global int *a) { if (get_local_id(0) < 16) barrier(CLK_LOCAL_MEM_FENCE); a[0] = 1; }\n"
    "__kernel void good(__global int *a) { a[get_global_id(0)] = 9; }\n"
    "__kernel void local_bytes(__global int *a, __local int *l) { l[0] = 1; a[0] = l[0]; }\n";

static char said[2000];

static void CL_CALLBACK hear(const char *text, const void *data, size_t size, void *user)
{
  (void)data;
  (void)size;
  (void)user;
  snprintf(said, sizeof said, "%s", text);
}

static void works(cl_program program)
{
  const size_t items = ITEMS;
  int value = 0;
  cl_kernel k = kernel_of(program, "good");
  cl_mem m = buffer(ITEMS * sizeof value, NULL);
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, &items, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
  CHECK(value == 9);
  OK(clReleaseMemObject(m));
  OK(clReleaseKernel(k));
}

/* Two failed launches of a kernel in a row, the second with good memory again. */
static void fault(cl_program program, const char *name, const char *sentence)
{
  const size_t items = ITEMS;
  cl_kernel k = kernel_of(program, name);
  cl_mem m = buffer(ITEMS * sizeof(int), NULL);
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  for (int i = 0; i < 2; i++) {
    cl_event event;
    cl_int status;
    said[0] = '\0';
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, &items, 0, NULL, &event));
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status < 0);
    IS(CL_OUT_OF_RESOURCES, clFinish(queue));
    OK(clFinish(queue));
    if (strstr(said, sentence) == NULL || strstr(said, name) == NULL)
      printf("%s: %s\n", name, said);
    CHECK(strstr(said, sentence) != NULL && strstr(said, name) != NULL);
    OK(clReleaseEvent(event));
    works(program);
  }
  OK(clReleaseMemObject(m));
  OK(clReleaseKernel(k));
}

static void refused(cl_program program)
{
  const size_t items = ITEMS, many = 1 << 20;
  cl_kernel good = kernel_of(program, "good"), local = kernel_of(program, "local_bytes");
  cl_mem m = buffer(many * sizeof(int), NULL);
  OK(clSetKernelArg(good, 0, sizeof m, &m));
  IS(CL_INVALID_WORK_ITEM_SIZE, clEnqueueNDRangeKernel(queue, good, 1, NULL, &many, &many, 0, NULL, NULL));
  OK(clSetKernelArg(local, 0, sizeof m, &m));
  OK(clSetKernelArg(local, 1, 1 << 22, NULL));
  IS(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(queue, local, 1, NULL, &items, &items, 0, NULL, NULL));
  OK(clReleaseMemObject(m));
  OK(clReleaseKernel(good));
  OK(clReleaseKernel(local));
}

/* Buffers until the device has no room. */
static void out_of_memory(void)
{
  cl_mem mem[MOST_BUFFERS];
  cl_ulong most;
  const int value = 1;
  cl_int error = CL_SUCCESS;
  int count = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
  MAKE_IS(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, most + 1, NULL, &error));
  error = CL_SUCCESS;
  while (error == CL_SUCCESS && count < MOST_BUFFERS) {
    mem[count] = clCreateBuffer(context, 0, most, NULL, &error);
    if (error == CL_SUCCESS)
      error = clEnqueueFillBuffer(queue, mem[count++], &value, sizeof value, 0, 4096, 0, NULL, NULL);
  }
  IS(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
  CHECK(count > 1);
  CHECK(strstr(said, "no room for a buffer") != NULL);
  while (count > 0)
    OK(clReleaseMemObject(mem[--count]));
  clFinish(queue);
}

static void bad_build(const char *text, const char *options, cl_int wanted, const char *sentence)
{
  char log[4000] = "";
  cl_int error;
  cl_build_status status;
  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  IS(wanted, clBuildProgram(p, 1, &device, options, NULL, NULL));
  OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  CHECK(status == CL_BUILD_ERROR && strstr(log, sentence) != NULL);
  OK(clReleaseProgram(p));
}

int main(void)
{
  cl_int error;
  cl_ulong local;
  char name[200] = "";
  begin(0);
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
  context = clCreateContext(NULL, 1, &device, hear, NULL, &error);
  OK(error);
  queue = clCreateCommandQueue(context, device, 0, &error);
  OK(error);
  OK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
  OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL));
  CHECK(local >= 32 * 1024);
  cl_program program = build(source, NULL);
  fault(program, "null", "is outside");
  CHECK(strstr(name, "sm7") != NULL || strstr(said, "work-item (") != NULL);
  /* The limit is below the time in which a livelock is found. */
  if (getenv("SIMTLAB_OPENCL_MAX_CYCLES") == NULL)
    fault(program, "spin", "livelock");
  else
    fault(program, "endless", "after 200");
  if (strstr(name, "sm7") == NULL)
    fault(program, "half_of",
          strstr(name, "vortex-") != NULL  ? "" /* another core may be found to wait for ever */
          : strstr(name, "vortex") != NULL ? "no warp can continue"
                                           : "lanes of the warp");
  refused(program);
  out_of_memory();
  bad_build("__kernel void a(void) { }", "-bogus", CL_INVALID_BUILD_OPTIONS, "option -bogus is not known");
  bad_build("__kernel void a(void) { nothing(); }", "", CL_BUILD_PROGRAM_FAILURE, "nothing");
  bad_build("void other(void); __kernel void a(void) { other(); }", "", CL_BUILD_PROGRAM_FAILURE,
            "other is called but not defined");
  works(program);
  OK(clReleaseProgram(program));
  return end();
}
