/* The interface: buffers, maps, events, queues, programs, and the errors of wrong arguments. */
#include "check.h"

static const char source[] = "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }\n";
static cl_kernel twice;

static void transfers(void)
{
  enum { W = 16, H = 8, D = 4, N = W * H * D };
  unsigned char bytes[N], back[N], packed[5 * 3 * 2];
  for (int i = 0; i < N; i++)
    bytes[i] = (unsigned char)i;
  cl_mem a = buffer(N, bytes), b = buffer(N, NULL);
  OK(clEnqueueFillBuffer(queue, b, "ab", 2, 4, N - 4, 0, NULL, NULL));
  OK(clEnqueueCopyBuffer(queue, a, b, 0, 100, 50, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, N, back, 0, NULL, NULL));
  CHECK(back[0] == 0 && back[4] == 'a' && back[5] == 'b' && back[N - 1] == 'b' && memcmp(back + 100, bytes, 50) == 0);
  const size_t origin[3] = {3, 2, 1}, zero[3] = {0, 0, 0}, region[3] = {5, 3, 2};
  OK(clEnqueueReadBufferRect(queue, a, CL_TRUE, origin, zero, region, W, W * H, 0, 0, packed, 0, NULL, NULL));
  int wrong = 0;
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 5; x++)
        wrong += packed[(z * 3 + y) * 5 + x] != bytes[((z + 1) * H + y + 2) * W + x + 3];
  CHECK(wrong == 0);
  memset(packed, 0xee, sizeof packed);
  OK(clEnqueueWriteBufferRect(queue, a, CL_TRUE, origin, zero, region, W, W * H, 0, 0, packed, 0, NULL, NULL));
  OK(clEnqueueCopyBufferRect(queue, a, b, origin, zero, region, W, W * H, W, W * H, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, N, back, 0, NULL, NULL));
  CHECK(back[0] == 0xee && back[4] == 0xee && back[5] == 'b' && back[W * H + 2 * W + 4] == 0xee);
  IS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, a, a, 0, 10, 11, 0, NULL, NULL));
  OK(clEnqueueCopyBuffer(queue, a, a, 0, 10, 10, 0, NULL, NULL));
  IS(CL_MEM_COPY_OVERLAP,
     clEnqueueCopyBufferRect(queue, a, a, zero, origin, region, W, W * H, W, W * H, 0, NULL, NULL));
  IS(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, a, CL_TRUE, 1, N, back, 0, NULL, NULL));
  IS(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, a, CL_TRUE, 0, N, NULL, 0, NULL, NULL));
  IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, a, "abc", 3, 0, 3, 0, NULL, NULL));
  IS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, NULL, CL_TRUE, 0, N, back, 0, NULL, NULL));
  IS(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(NULL, a, CL_TRUE, 0, N, back, 0, NULL, NULL));
  IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, a, CL_TRUE, 0, N, back, 1, NULL, NULL));
  OK(clReleaseMemObject(a));
  OK(clReleaseMemObject(b));
}

static int destroyed;
static void CL_CALLBACK count_destroyed(cl_mem mem, void *user)
{
  (void)mem;
  destroyed = destroyed * 10 + *(int *)user;
}

static void maps(void)
{
  enum { N = 256 };
  static int host[N];
  cl_int error;
  int one = 1, two = 2;
  for (int i = 0; i < N; i++)
    host[i] = i;
  cl_mem m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof host, host, &error);
  OK(error);
  OK(clSetMemObjectDestructorCallback(m, count_destroyed, &one));
  OK(clSetMemObjectDestructorCallback(m, count_destroyed, &two));
  OK(clSetKernelArg(twice, 0, sizeof m, &m));
  OK(clEnqueueNDRangeKernel(queue, twice, 1, NULL, (size_t[]){N}, NULL, 0, NULL, NULL));
  int *p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 64, 128, 0, NULL, NULL, &error);
  OK(error);
  if (p == NULL)
    exit(1);
  CHECK(p == host + 16 && p[0] == 32 && host[0] == 0);
  cl_uint count;
  OK(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
  CHECK(count == 1);
  p[0] = 1000;
  OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
  IS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
  const cl_buffer_region region = {128, 256}, misaligned = {4, 64}, outside = {1024, 8};
  cl_mem sub = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  OK(error);
  int value;
  OK(clEnqueueReadBuffer(queue, sub, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
  CHECK(value == 64);
  MAKE_IS(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &misaligned, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &error));
  MAKE_IS(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  OK(clReleaseMemObject(m));
  CHECK(destroyed == 0);
  OK(clReleaseMemObject(sub));
  CHECK(destroyed == 21);
  MAKE_IS(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &error));
  MAKE_IS(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, NULL, &error));
  MAKE_IS(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, 4, host, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &error));
  MAKE_IS(CL_INVALID_CONTEXT, clCreateBuffer(NULL, 0, 4, NULL, &error));
  m = clCreateBuffer(context, CL_MEM_HOST_READ_ONLY, 4, NULL, &error);
  IS(CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
  OK(clReleaseMemObject(m));
}

static int called;
static void CL_CALLBACK count_called(cl_event event, cl_int status, void *user)
{
  cl_event gate = user;
  CHECK(status == CL_COMPLETE);
  (void)event;
  called++;
  if (gate != NULL)
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
}

static void events(cl_command_queue_properties properties)
{
  int value = 1;
  cl_int error, status;
  cl_ulong t[4];
  cl_mem m = buffer(sizeof value, &value);
  cl_command_queue q = clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, &error);
  OK(error);
  cl_event gate = clCreateUserEvent(context, &error), first, last, barrier, other;
  OK(error);
  OK(clSetKernelArg(twice, 0, sizeof m, &m));
  OK(clEnqueueNDRangeKernel(q, twice, 1, NULL, (size_t[]){1}, NULL, 1, &gate, &first));
  OK(clEnqueueReadBuffer(q, m, CL_FALSE, 0, sizeof value, &value, 1, &first, &last));
  OK(clEnqueueBarrierWithWaitList(q, 0, NULL, &barrier));
  OK(clEnqueueMarkerWithWaitList(q, 0, NULL, &other));
  called = 0;
  OK(clSetEventCallback(first, CL_COMPLETE, count_called, NULL));
  OK(clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  CHECK(status == CL_QUEUED && value == 1 && called == 0);
  IS(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, 8, t, NULL));
  IS(CL_INVALID_VALUE, clSetUserEventStatus(gate, CL_SUBMITTED));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  IS(CL_INVALID_OPERATION, clSetUserEventStatus(gate, CL_COMPLETE));
  IS(CL_INVALID_EVENT, clSetUserEventStatus(first, CL_COMPLETE));
  OK(clWaitForEvents(1, &other));
  CHECK(value == 2 && called == 1);
  OK(clSetEventCallback(last, CL_COMPLETE, count_called, NULL));
  CHECK(called == 2);
  cl_ulong before = 0;
  const cl_event order[] = {first, last, barrier};
  for (int e = 0; e < 3; e++) {
    for (cl_uint i = 0; i < 4; i++)
      OK(clGetEventProfilingInfo(order[e], CL_PROFILING_COMMAND_QUEUED + i, sizeof t[i], &t[i], NULL));
    CHECK(t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3] && t[2] >= before);
    before = t[3];
  }
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(first));
  OK(clReleaseEvent(last));
  OK(clReleaseEvent(barrier));
  OK(clReleaseEvent(other));

  /* A failed event fails what waits for it. The callback of a command opens the gate of a later one. */
  gate = clCreateUserEvent(context, &error);
  OK(clEnqueueMarkerWithWaitList(q, 1, &gate, &first));
  OK(clSetUserEventStatus(gate, -7));
  IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &first));
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(first));
  clFinish(q);
  gate = clCreateUserEvent(context, &error);
  cl_event start = clCreateUserEvent(context, &error);
  OK(clEnqueueMarkerWithWaitList(q, 1, &start, &first));
  OK(clSetEventCallback(first, CL_COMPLETE, count_called, gate));
  OK(clEnqueueReadBuffer(q, m, CL_FALSE, 0, sizeof value, &value, 1, &gate, NULL));
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(q));
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(start));
  OK(clReleaseEvent(first));
  OK(clReleaseMemObject(m));
  OK(clReleaseCommandQueue(q));
}

/* In a queue without order a command overtakes one that waits. */
static void overtake(void)
{
  int value = 5;
  cl_int error;
  cl_mem m = buffer(sizeof value, &value);
  cl_command_queue q = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  cl_event gate = clCreateUserEvent(context, &error);
  OK(clSetKernelArg(twice, 0, sizeof m, &m));
  OK(clEnqueueNDRangeKernel(q, twice, 1, NULL, (size_t[]){1}, NULL, 1, &gate, NULL));
  OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
  CHECK(value == 5);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(q));
  OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
  CHECK(value == 10);
  OK(clReleaseEvent(gate));
  OK(clReleaseMemObject(m));
  OK(clReleaseCommandQueue(q));
}

static void queries(void)
{
  size_t size, wanted;
  cl_uint number;
  char text[200];
  OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, 0, NULL, &size));
  CHECK(size == 3 * sizeof(size_t));
  IS(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_NAME, 1, text, NULL));
  IS(CL_INVALID_VALUE, clGetDeviceInfo(device, 0x9999, sizeof text, text, NULL));
  IS(CL_INVALID_DEVICE, clGetDeviceInfo(NULL, CL_DEVICE_NAME, sizeof text, text, NULL));
  IS(CL_INVALID_VALUE, clGetPlatformIDs(0, NULL, NULL));
  IS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &device, NULL));
  IS(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 0, NULL, &number));
  OK(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof number, &number, NULL));
  CHECK(number == 1);
  MAKE_IS(CL_INVALID_VALUE, clCreateContext(NULL, 0, NULL, NULL, NULL, &error));
  const cl_context_properties wrong[] = {0x1234, 1, 0};
  MAKE_IS(CL_INVALID_PROPERTY, clCreateContext(wrong, 1, &device, NULL, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateCommandQueue(context, device, 1 << 10, &error));
  MAKE_IS(CL_INVALID_DEVICE, clCreateCommandQueue(context, NULL, 0, &error));
  IS(CL_INVALID_VALUE,
     clCreateSubDevices(device, (cl_device_partition_property[]){CL_DEVICE_PARTITION_EQUALLY, 2, 0}, 0, NULL, &number));
  IS(CL_INVALID_OPERATION, clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
  OK(clGetKernelWorkGroupInfo(twice, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof size, &size, NULL));
  CHECK(size == 32);
  OK(clGetKernelWorkGroupInfo(twice, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof wanted, &wanted, NULL));
  CHECK(wanted >= 256 && wanted % 32 == 0);
  cl_mem m = buffer(4, NULL);
  IS(CL_INVALID_ARG_INDEX, clSetKernelArg(twice, 1, sizeof m, &m));
  IS(CL_INVALID_ARG_SIZE, clSetKernelArg(twice, 0, 4, &m));
  IS(CL_INVALID_MEM_OBJECT, clSetKernelArg(twice, 0, sizeof queue, &queue));
  IS(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, sizeof m, &m));
  OK(clReleaseMemObject(m));
  CHECK(clGetExtensionFunctionAddressForPlatform(platform, "clNothing") == NULL);
}

int main(void)
{
  begin(0);
  cl_program p = build(source, NULL);
  twice = kernel_of(p, "twice");
  queries();
  transfers();
  maps();
  events(0);
  events(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  overtake();
  OK(clReleaseKernel(twice));
  OK(clReleaseProgram(p));
  return end();
}
