/* Wrong arguments: each of the 89 functions answers with the error of the standard's table (sections 4 and 5). */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#include "check.h"

#include <CL/cl_ext.h>
#include <stdint.h>

static const char source[] =
    "kernel void add(global int *p, local int *l, int v, constant int *c) { l[0] = c[0]; p[get_global_id(0)] += v; }\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int *p) { p[0] = 1; }\n"
    "kernel void look(read_only image2d_t i, sampler_t s, global float4 *o) { *o = read_imagef(i, s, (float2)(0)); }\n"
    "kernel void put(write_only image2d_t i) { write_imagef(i, (int2)(0), (float4)(1)); }\n"
    "kernel void none(void) { }\n";
static cl_program program;
static cl_kernel add, fixed, look, put;
static cl_context other; /* with its own objects */
static cl_command_queue other_queue;
static cl_event other_event;
static cl_mem other_buffer, mem, image;
static const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, most[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
static char bytes[4096];
#define NO_EVENTS 0, NULL, NULL

static void CL_CALLBACK hear_event(cl_event event, cl_int status, void *user)
{
  (void)event;
  (void)status;
  (void)user;
}

static void platforms(void)
{
  cl_uint count;
  cl_device_id devices[2];
  const cl_platform_id wrong = (cl_platform_id)queue;
  IS(CL_INVALID_VALUE, clGetPlatformIDs(0, &platform, NULL));
  IS(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0x1234, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 2, bytes, NULL));
  IS(CL_INVALID_PLATFORM, clGetPlatformInfo(wrong, CL_PLATFORM_NAME, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_PLATFORM, clGetDeviceIDs(wrong, CL_DEVICE_TYPE_ALL, 1, devices, NULL));
  IS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 1, devices, NULL));
  IS(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, devices, NULL));
  IS(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL));
  IS(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, devices, NULL));
  IS(CL_INVALID_DEVICE, clGetDeviceInfo((cl_device_id)queue, CL_DEVICE_NAME, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, 8, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetDeviceInfo(device, 0, sizeof bytes, bytes, NULL));
  const cl_device_partition_property none[] = {0}, equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  IS(CL_INVALID_VALUE, clCreateSubDevices(device, none, 2, devices, &count));
  IS(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, 2, devices, &count));
  IS(CL_INVALID_VALUE, clCreateSubDevices(device, equally, 2, devices, &count));
  IS(CL_INVALID_DEVICE, clCreateSubDevices((cl_device_id)queue, equally, 2, devices, &count));
  OK(clRetainDevice(device));
  OK(clReleaseDevice(device));
  IS(CL_INVALID_DEVICE, clRetainDevice((cl_device_id)queue));
  IS(CL_INVALID_DEVICE, clReleaseDevice((cl_device_id)queue));
  IS(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(wrong));
  OK(clUnloadPlatformCompiler(platform));
  OK(clUnloadCompiler());
  CHECK(clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetPlatformIDsKHR") != NULL);
  CHECK(clGetExtensionFunctionAddress("clNoSuchFunctionKHR") == NULL);
}

static void contexts(void)
{
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, CL_CONTEXT_PLATFORM,
                                         (cl_context_properties)platform, 0};
  const cl_context_properties wrong[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)queue, 0};
  const cl_context_properties named[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
  cl_int user, error;
  MAKE_IS(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &error));
  MAKE_IS(CL_INVALID_PLATFORM, clCreateContext(wrong, 1, &device, NULL, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateContext(named, 1, NULL, NULL, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateContext(named, 0, &device, NULL, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateContext(named, 1, &device, NULL, &user, &error));
  MAKE_IS(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(named, 0, NULL, NULL, &error));
  MAKE_IS(CL_DEVICE_NOT_FOUND, clCreateContextFromType(named, CL_DEVICE_TYPE_CPU, NULL, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateContextFromType(named, CL_DEVICE_TYPE_GPU, NULL, &user, &error));
  IS(CL_INVALID_CONTEXT, clRetainContext((cl_context)queue));
  IS(CL_INVALID_CONTEXT, clReleaseContext((cl_context)queue));
  IS(CL_INVALID_CONTEXT, clGetContextInfo((cl_context)queue, CL_CONTEXT_DEVICES, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetContextInfo(context, 0, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetContextInfo(context, CL_CONTEXT_DEVICES, 1, bytes, NULL));
  size_t size;
  cl_context made = clCreateContextFromType(named, CL_DEVICE_TYPE_GPU, NULL, NULL, &error);
  OK(error);
  cl_context_properties back[3];
  OK(clGetContextInfo(made, CL_CONTEXT_PROPERTIES, sizeof back, back, &size));
  CHECK(size == sizeof named && memcmp(back, named, sizeof named) == 0);
  OK(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, 0, NULL, &size));
  CHECK(size == 0);
  OK(clReleaseContext(made));
}

static void queues(void)
{
  cl_command_queue_properties old;
  cl_uint count;
  MAKE_IS(CL_INVALID_CONTEXT, clCreateCommandQueue((cl_context)queue, device, 0, &error));
  MAKE_IS(CL_INVALID_DEVICE, clCreateCommandQueue(context, (cl_device_id)queue, 0, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateCommandQueue(context, device, (cl_command_queue_properties)-1, &error));
  IS(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue((cl_command_queue)context));
  IS(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue((cl_command_queue)context));
  IS(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo((cl_command_queue)context, CL_QUEUE_DEVICE, 8, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, 4, bytes, NULL));
  IS(CL_INVALID_VALUE, clSetCommandQueueProperty(queue, 1 << 9, CL_TRUE, &old));
  IS(CL_INVALID_COMMAND_QUEUE,
     clSetCommandQueueProperty((cl_command_queue)context, CL_QUEUE_PROFILING_ENABLE, 1, &old));
  IS(CL_INVALID_COMMAND_QUEUE, clFlush((cl_command_queue)context));
  IS(CL_INVALID_COMMAND_QUEUE, clFinish((cl_command_queue)context));
  IS(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier((cl_command_queue)context));
  IS(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList((cl_command_queue)context, NO_EVENTS));
  IS(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList((cl_command_queue)context, NO_EVENTS));
  IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL));
  IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(queue, 0, &other_event, NULL));
  IS(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList(queue, 1, &other_event, NULL));
  IS(CL_INVALID_VALUE, clEnqueueMarker(queue, NULL));
  IS(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, NULL));
  IS(CL_INVALID_EVENT, clEnqueueWaitForEvents(queue, 1, (cl_event *)&queue));
  IS(CL_INVALID_OPERATION, clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, NO_EVENTS));
  OK(clRetainCommandQueue(queue));
  OK(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
  CHECK(count == 2);
  OK(clReleaseCommandQueue(queue));
}

static void buffers(void)
{
  cl_ulong limit;
  OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof limit, &limit, NULL));
  MAKE_IS(CL_INVALID_CONTEXT, clCreateBuffer((cl_context)queue, 0, 4, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateBuffer(context, 1 << 20, 4, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, bytes, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 4, NULL, &error));
  MAKE_IS(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, limit + 1, NULL, &error));
  MAKE_IS(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, SIZE_MAX, NULL, &error));
  MAKE_IS(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4, NULL, &error));
  MAKE_IS(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 4, bytes, &error));
  const cl_buffer_region inside = {0, 128}, empty = {0, 0}, past = {128, SIZE_MAX}, odd = {1, 8};
  cl_int error;
  cl_mem read_only = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 256, NULL, &error);
  MAKE_IS(CL_INVALID_MEM_OBJECT, clCreateSubBuffer((cl_mem)queue, 0, CL_BUFFER_CREATE_TYPE_REGION, &inside, &error));
  MAKE_IS(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &inside, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, 0, &inside, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &error));
  MAKE_IS(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &past, &error));
  MAKE_IS(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &error));
  MAKE_IS(CL_INVALID_VALUE,
          clCreateSubBuffer(mem, CL_MEM_COPY_HOST_PTR, CL_BUFFER_CREATE_TYPE_REGION, &inside, &error));
  MAKE_IS(CL_INVALID_VALUE,
          clCreateSubBuffer(read_only, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &inside, &error));
  MAKE_IS(CL_INVALID_VALUE,
          clCreateSubBuffer(read_only, CL_MEM_HOST_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &inside, &error));
  IS(CL_INVALID_OPERATION, clEnqueueReadBuffer(queue, read_only, CL_TRUE, 0, 4, bytes, NO_EVENTS));
  MAKE_IS(CL_INVALID_OPERATION, clEnqueueMapBuffer(queue, read_only, CL_TRUE, CL_MAP_READ, 0, 4, NO_EVENTS, &error));
  OK(clReleaseMemObject(read_only));
  IS(CL_INVALID_MEM_OBJECT, clRetainMemObject((cl_mem)queue));
  IS(CL_INVALID_MEM_OBJECT, clReleaseMemObject((cl_mem)queue));
  IS(CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback((cl_mem)queue, NULL, NULL));
  IS(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(mem, NULL, NULL));
  IS(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo((cl_mem)queue, CL_MEM_SIZE, 8, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetMemObjectInfo(mem, CL_MEM_SIZE, 4, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetMemObjectInfo(mem, 0, sizeof bytes, bytes, NULL));
}

/* Checks that all transfers of buffers share. */
#define TRANSFER_ERRORS(name, ...)                                                                                     \
  do {                                                                                                                 \
    IS(CL_INVALID_COMMAND_QUEUE, name((cl_command_queue)context, mem, __VA_ARGS__, NO_EVENTS));                        \
    IS(CL_INVALID_MEM_OBJECT, name(queue, (cl_mem)queue, __VA_ARGS__, NO_EVENTS));                                     \
    IS(CL_INVALID_MEM_OBJECT, name(queue, image, __VA_ARGS__, NO_EVENTS));                                             \
    IS(CL_INVALID_CONTEXT, name(queue, other_buffer, __VA_ARGS__, NO_EVENTS));                                         \
    IS(CL_INVALID_EVENT_WAIT_LIST, name(queue, mem, __VA_ARGS__, 1, NULL, NULL));                                      \
    IS(CL_INVALID_EVENT_WAIT_LIST, name(queue, mem, __VA_ARGS__, 0, &other_event, NULL));                              \
    IS(CL_INVALID_EVENT_WAIT_LIST, name(queue, mem, __VA_ARGS__, 1, (cl_event *)&queue, NULL));                        \
    IS(CL_INVALID_CONTEXT, name(queue, mem, __VA_ARGS__, 1, &other_event, NULL));                                      \
  } while (0)

static void transfers(void)
{
  TRANSFER_ERRORS(clEnqueueReadBuffer, CL_TRUE, 0, 4, bytes);
  TRANSFER_ERRORS(clEnqueueWriteBuffer, CL_TRUE, 0, 4, bytes);
  TRANSFER_ERRORS(clEnqueueReadBufferRect, CL_TRUE, zero, zero, one, 0, 0, 0, 0, bytes);
  TRANSFER_ERRORS(clEnqueueWriteBufferRect, CL_TRUE, zero, zero, one, 0, 0, 0, 0, bytes);
  TRANSFER_ERRORS(clEnqueueFillBuffer, bytes, 1, 0, 4);
  TRANSFER_ERRORS(clEnqueueCopyBuffer, mem, 0, 8, 4);
  TRANSFER_ERRORS(clEnqueueCopyBufferRect, mem, zero, one, one, 16, 256, 16, 256);
  IS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(queue, mem, (cl_mem)queue, 0, 0, 4, NO_EVENTS));
  IS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(queue, mem, NULL, 0, 0, 4, NO_EVENTS));
  IS(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(queue, mem, other_buffer, 0, 0, 4, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, mem, CL_TRUE, SIZE_MAX, 4, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, mem, CL_TRUE, 4, SIZE_MAX, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, mem, mem, SIZE_MAX, 0, 4, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, mem, mem, 0, 0, SIZE_MAX, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, mem, NULL, 4, 0, 4, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, mem, bytes, 0, 0, 4, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, mem, bytes, 256, 0, 256, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, mem, bytes, 4, 2, 4, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, mem, bytes, 4, 0, 6, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, mem, bytes, 4, SIZE_MAX - 3, 8, NO_EVENTS));
  /* Boxes: origins, regions and pitches whose products overflow, too */
  const size_t half[3] = {SIZE_MAX / 2 + 1, 2, 1}, tall[3] = {1, SIZE_MAX, 2}, empty[3] = {1, 0, 1};
  const size_t *const regions[] = {NULL, empty, most, half, tall};
  for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
    IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, zero, zero, regions[i], 0, 0, 0, 0, bytes, NO_EVENTS));
    IS(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, mem, 1, zero, zero, regions[i], 0, 0, 0, 0, bytes, NO_EVENTS));
    IS(CL_INVALID_VALUE, clEnqueueCopyBufferRect(queue, mem, mem, zero, zero, regions[i], 0, 0, 0, 0, NO_EVENTS));
  }
  const size_t wide[3] = {4, 2, 2}, far[3] = {0, SIZE_MAX / 8, SIZE_MAX / 8};
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, most, zero, wide, 0, 0, 0, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, far, zero, wide, 64, 0, 0, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, NULL, zero, wide, 0, 0, 0, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, zero, NULL, wide, 0, 0, 0, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, zero, zero, wide, 0, 0, 0, 0, NULL, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, zero, zero, wide, 3, 0, 0, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, zero, zero, wide, 8, 15, 0, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, zero, zero, wide, 8, 17, 0, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, zero, zero, wide, 0, 0, 3, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, mem, 1, zero, zero, wide, SIZE_MAX, 0, 0, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueCopyBufferRect(queue, mem, mem, zero, wide, wide, 16, 64, 8, 64, NO_EVENTS));
  const cl_mem both[] = {mem, image}, wrong[] = {mem, (cl_mem)queue}, foreign[] = {mem, other_buffer};
  OK(clEnqueueMigrateMemObjects(queue, 2, both, CL_MIGRATE_MEM_OBJECT_HOST, NO_EVENTS));
  OK(clEnqueueMigrateMemObjects(queue, 2, both, 0, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, both, 0, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, NULL, 0, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 2, both, 4, NO_EVENTS));
  IS(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(queue, 2, wrong, 0, NO_EVENTS));
  IS(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(queue, 2, foreign, 0, NO_EVENTS));
  IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMigrateMemObjects(queue, 2, both, 0, 1, NULL, NULL));
  IS(CL_INVALID_COMMAND_QUEUE, clEnqueueMigrateMemObjects((cl_command_queue)context, 2, both, 0, NO_EVENTS));
}

#define MAP(...) clEnqueueMapBuffer(__VA_ARGS__, &error)
static void maps(void)
{
  MAKE_IS(CL_INVALID_COMMAND_QUEUE, MAP((cl_command_queue)context, mem, 1, CL_MAP_READ, 0, 4, NO_EVENTS));
  MAKE_IS(CL_INVALID_MEM_OBJECT, MAP(queue, (cl_mem)queue, 1, CL_MAP_READ, 0, 4, NO_EVENTS));
  MAKE_IS(CL_INVALID_MEM_OBJECT, MAP(queue, image, 1, CL_MAP_READ, 0, 4, NO_EVENTS));
  MAKE_IS(CL_INVALID_CONTEXT, MAP(queue, other_buffer, 1, CL_MAP_READ, 0, 4, NO_EVENTS));
  MAKE_IS(CL_INVALID_VALUE, MAP(queue, mem, 1, CL_MAP_READ, 0, 0, NO_EVENTS));
  MAKE_IS(CL_INVALID_VALUE, MAP(queue, mem, 1, CL_MAP_READ, SIZE_MAX, 2, NO_EVENTS));
  MAKE_IS(CL_INVALID_VALUE, MAP(queue, mem, 1, 1 << 8, 0, 4, NO_EVENTS));
  MAKE_IS(CL_INVALID_VALUE, MAP(queue, mem, 1, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4, NO_EVENTS));
  MAKE_IS(CL_INVALID_EVENT_WAIT_LIST, MAP(queue, mem, 1, CL_MAP_READ, 0, 4, 1, NULL, NULL));
  IS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, mem, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, mem, NULL, NO_EVENTS));
  IS(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(queue, (cl_mem)queue, bytes, NO_EVENTS));
  IS(CL_INVALID_COMMAND_QUEUE, clEnqueueUnmapMemObject((cl_command_queue)context, mem, bytes, NO_EVENTS));
  size_t row, slice;
#define MAP_IMAGE(...) clEnqueueMapImage(queue, __VA_ARGS__, NO_EVENTS, &error)
  MAKE_IS(CL_INVALID_MEM_OBJECT, MAP_IMAGE(mem, 1, CL_MAP_READ, zero, one, &row, &slice));
  MAKE_IS(CL_INVALID_VALUE, MAP_IMAGE(image, 1, CL_MAP_READ, zero, one, NULL, &slice));
  MAKE_IS(CL_INVALID_VALUE, MAP_IMAGE(image, 1, CL_MAP_READ, zero, zero, &row, &slice));
  MAKE_IS(CL_INVALID_VALUE, MAP_IMAGE(image, 1, CL_MAP_READ, zero, most, &row, &slice));
  MAKE_IS(CL_INVALID_VALUE, MAP_IMAGE(image, 1, CL_MAP_READ, most, one, &row, &slice));
  MAKE_IS(CL_INVALID_VALUE, MAP_IMAGE(image, 1, CL_MAP_READ, NULL, one, &row, &slice));
  MAKE_IS(CL_INVALID_VALUE, MAP_IMAGE(image, 1, CL_MAP_READ, zero, NULL, &row, &slice));
  MAKE_IS(CL_INVALID_VALUE, MAP_IMAGE(image, 1, 1 << 8, zero, one, &row, &slice));
}

#define IMAGE_ERRORS(name, ...)                                                                                        \
  do {                                                                                                                 \
    IS(CL_INVALID_COMMAND_QUEUE, name((cl_command_queue)context, image, __VA_ARGS__, NO_EVENTS));                      \
    IS(CL_INVALID_MEM_OBJECT, name(queue, (cl_mem)queue, __VA_ARGS__, NO_EVENTS));                                     \
    IS(CL_INVALID_MEM_OBJECT, name(queue, mem, __VA_ARGS__, NO_EVENTS));                                               \
    IS(CL_INVALID_EVENT_WAIT_LIST, name(queue, image, __VA_ARGS__, 1, NULL, NULL));                                    \
    IS(CL_INVALID_CONTEXT, name(queue, image, __VA_ARGS__, 1, &other_event, NULL));                                    \
  } while (0)

static void images(void)
{
  const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8}, none = {0, 0}, odd = {CL_RGB, CL_FLOAT};
  const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
  cl_image_desc d = flat;
  cl_uint count;
  cl_int error;
  MAKE_IS(CL_INVALID_CONTEXT, clCreateImage((cl_context)queue, 0, &rgba, &flat, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateImage(context, 1 << 20, &rgba, &flat, NULL, &error));
  MAKE_IS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, NULL, &flat, NULL, &error));
  MAKE_IS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, &none, &flat, NULL, &error));
  MAKE_IS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, &odd, &flat, NULL, &error));
  MAKE_IS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, NULL, NULL, &error));
  MAKE_IS(CL_INVALID_HOST_PTR, clCreateImage(context, CL_MEM_COPY_HOST_PTR, &rgba, &flat, NULL, &error));
  MAKE_IS(CL_INVALID_HOST_PTR, clCreateImage(context, 0, &rgba, &flat, bytes, &error));
  d.image_width = 0;
  MAKE_IS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &d, NULL, &error));
  d.image_width = SIZE_MAX;
  MAKE_IS(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &rgba, &d, NULL, &error));
  d = flat;
  d.image_row_pitch = 32;
  MAKE_IS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &d, NULL, &error));
  d.image_row_pitch = 33;
  MAKE_IS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, CL_MEM_COPY_HOST_PTR, &rgba, &d, bytes, &error));
  d = flat;
  d.num_samples = 1;
  MAKE_IS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &d, NULL, &error));
  d = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 8};
  MAKE_IS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &d, NULL, &error));
  d.buffer = (cl_mem)queue;
  MAKE_IS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &d, NULL, &error));
  d.image_type = 77;
  MAKE_IS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &d, NULL, &error));
  MAKE_IS(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &rgba, 0, 8, 0, NULL, &error));
  MAKE_IS(CL_INVALID_IMAGE_SIZE, clCreateImage3D(context, 0, &rgba, 8, 8, 1 << 20, 0, 0, NULL, &error));
  IS(CL_INVALID_CONTEXT, clGetSupportedImageFormats((cl_context)queue, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
  IS(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 1 << 20, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
  IS(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &count));
  cl_image_format format;
  IS(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &format, &count));
  IS(CL_INVALID_MEM_OBJECT, clGetImageInfo((cl_mem)queue, CL_IMAGE_WIDTH, 8, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetImageInfo(image, 0, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetImageInfo(image, CL_IMAGE_WIDTH, 4, bytes, NULL));
  IMAGE_ERRORS(clEnqueueReadImage, CL_TRUE, zero, one, 0, 0, bytes);
  IMAGE_ERRORS(clEnqueueWriteImage, CL_TRUE, zero, one, 0, 0, bytes);
  IMAGE_ERRORS(clEnqueueFillImage, bytes, zero, one);
  IMAGE_ERRORS(clEnqueueCopyImage, image, zero, (size_t[3]){4, 4, 0}, one);
  IMAGE_ERRORS(clEnqueueCopyImageToBuffer, mem, zero, one, 0);
  IS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferToImage(queue, image, image, 0, zero, one, NO_EVENTS));
  IS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferToImage(queue, mem, mem, 0, zero, one, NO_EVENTS));
  IS(CL_INVALID_CONTEXT, clEnqueueCopyBufferToImage(queue, other_buffer, image, 0, zero, one, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueCopyBufferToImage(queue, mem, image, SIZE_MAX, zero, one, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer(queue, image, mem, zero, one, 1024, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueCopyImage(queue, image, image, zero, most, one, NO_EVENTS));
  IS(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(queue, image, image, zero, zero, one, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, NULL, zero, one, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, 1, zero, one, 3, 0, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, 1, zero, one, 0, 64, bytes, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, 1, zero, one, 0, 0, NULL, NO_EVENTS));
  IS(CL_INVALID_VALUE, clEnqueueWriteImage(queue, image, 1, zero, most, 0, 0, bytes, NO_EVENTS));
  const cl_image_format other_format = {CL_R, CL_FLOAT};
  cl_mem single = clCreateImage(context, 0, &other_format, &flat, NULL, &error);
  IS(CL_IMAGE_FORMAT_MISMATCH, clEnqueueCopyImage(queue, image, single, zero, zero, one, NO_EVENTS));
  OK(clReleaseMemObject(single));
  const cl_addressing_mode edge = CL_ADDRESS_CLAMP_TO_EDGE;
  MAKE_IS(CL_INVALID_CONTEXT, clCreateSampler((cl_context)queue, CL_TRUE, edge, CL_FILTER_NEAREST, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateSampler(context, 7, edge, CL_FILTER_NEAREST, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateSampler(context, CL_TRUE, 7, CL_FILTER_NEAREST, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateSampler(context, CL_TRUE, edge, 7, &error));
  IS(CL_INVALID_SAMPLER, clRetainSampler((cl_sampler)queue));
  IS(CL_INVALID_SAMPLER, clReleaseSampler((cl_sampler)queue));
  IS(CL_INVALID_SAMPLER, clGetSamplerInfo((cl_sampler)queue, CL_SAMPLER_CONTEXT, 8, bytes, NULL));
}

static void programs(void)
{
  const char *texts[] = {source, NULL};
  const unsigned char junk[64] = "junk", *binary = junk;
  const size_t size = sizeof junk;
  cl_int status, error, user;
  const cl_program wrong = (cl_program)queue;
  MAKE_IS(CL_INVALID_CONTEXT, clCreateProgramWithSource((cl_context)queue, 1, texts, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, texts, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateProgramWithSource(context, 2, texts, NULL, &error));
#define BINARY(...) clCreateProgramWithBinary(__VA_ARGS__, &status, &error)
  MAKE_IS(CL_INVALID_CONTEXT, BINARY((cl_context)queue, 1, &device, &size, &binary));
  MAKE_IS(CL_INVALID_VALUE, BINARY(context, 0, &device, &size, &binary));
  MAKE_IS(CL_INVALID_VALUE, BINARY(context, 1, NULL, &size, &binary));
  MAKE_IS(CL_INVALID_VALUE, BINARY(context, 1, &device, NULL, &binary));
  MAKE_IS(CL_INVALID_VALUE, BINARY(context, 1, &device, &size, NULL));
  MAKE_IS(CL_INVALID_VALUE, BINARY(context, 1, &device, zero, &binary));
  MAKE_IS(CL_INVALID_DEVICE, BINARY(context, 1, (cl_device_id *)&queue, &size, &binary));
  MAKE_IS(CL_INVALID_BINARY, BINARY(context, 1, &device, &size, &binary));
  CHECK(status == CL_INVALID_BINARY);
  MAKE_IS(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, "nothing", &error));
  IS(CL_INVALID_PROGRAM, clRetainProgram(wrong));
  IS(CL_INVALID_PROGRAM, clReleaseProgram(wrong));
  IS(CL_INVALID_PROGRAM, clBuildProgram(wrong, 0, NULL, NULL, NULL, NULL));
  IS(CL_INVALID_VALUE, clBuildProgram(program, 1, NULL, NULL, NULL, NULL));
  IS(CL_INVALID_VALUE, clBuildProgram(program, 0, &device, NULL, NULL, NULL));
  IS(CL_INVALID_VALUE, clBuildProgram(program, 0, NULL, NULL, NULL, &user));
  IS(CL_INVALID_DEVICE, clBuildProgram(program, 1, (cl_device_id *)&queue, NULL, NULL, NULL));
  IS(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, NULL, NULL, NULL)); /* it has kernels */
  cl_program text = clCreateProgramWithSource(context, 1, texts, NULL, &error);
  IS(CL_INVALID_BUILD_OPTIONS, clBuildProgram(text, 0, NULL, "-D", NULL, NULL));
  IS(CL_INVALID_COMPILER_OPTIONS, clCompileProgram(text, 0, NULL, "-fplugin=x", 0, NULL, NULL, NULL, NULL));
  IS(CL_INVALID_PROGRAM, clCompileProgram(wrong, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  IS(CL_INVALID_VALUE, clCompileProgram(text, 0, NULL, NULL, 1, NULL, NULL, NULL, NULL));
  IS(CL_INVALID_VALUE, clCompileProgram(text, 0, NULL, NULL, 0, &text, NULL, NULL, NULL));
  IS(CL_INVALID_VALUE, clCompileProgram(text, 0, NULL, NULL, 0, NULL, NULL, NULL, &user));
  IS(CL_INVALID_DEVICE, clCompileProgram(text, 1, (cl_device_id *)&queue, NULL, 0, NULL, NULL, NULL, NULL));
#define LINK(...) clLinkProgram(__VA_ARGS__, &error)
  MAKE_IS(CL_INVALID_CONTEXT, LINK((cl_context)queue, 0, NULL, NULL, 1, &text, NULL, NULL));
  MAKE_IS(CL_INVALID_VALUE, LINK(context, 0, NULL, NULL, 0, NULL, NULL, NULL));
  MAKE_IS(CL_INVALID_VALUE, LINK(context, 1, NULL, NULL, 1, &text, NULL, NULL));
  MAKE_IS(CL_INVALID_VALUE, LINK(context, 0, NULL, NULL, 1, &text, NULL, &user));
  MAKE_IS(CL_INVALID_PROGRAM, LINK(context, 0, NULL, NULL, 1, &wrong, NULL, NULL));
  MAKE_IS(CL_INVALID_DEVICE, LINK(context, 1, (cl_device_id *)&queue, NULL, 1, &text, NULL, NULL));
  MAKE_IS(CL_INVALID_OPERATION, LINK(context, 0, NULL, NULL, 1, &text, NULL, NULL)); /* not compiled */
  IS(CL_INVALID_PROGRAM, clGetProgramInfo(wrong, CL_PROGRAM_SOURCE, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetProgramInfo(program, 0, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_SOURCE, 1, bytes, NULL));
  IS(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(text, CL_PROGRAM_NUM_KERNELS, 8, bytes, NULL));
  IS(CL_INVALID_PROGRAM, clGetProgramBuildInfo(wrong, device, CL_PROGRAM_BUILD_LOG, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_DEVICE, clGetProgramBuildInfo(program, (cl_device_id)queue, CL_PROGRAM_BUILD_LOG, 9, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetProgramBuildInfo(program, device, 0, sizeof bytes, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, 1, bytes, NULL));
  cl_build_status built;
  OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof built, &built, NULL));
  CHECK(built == CL_BUILD_SUCCESS);
  MAKE_IS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(text, "add", &error));
  OK(clReleaseProgram(text));
}

static void kernels(void)
{
  cl_kernel all[5];
  cl_uint count;
  const cl_kernel wrong = (cl_kernel)queue;
  MAKE_IS(CL_INVALID_PROGRAM, clCreateKernel((cl_program)queue, "add", &error));
  MAKE_IS(CL_INVALID_VALUE, clCreateKernel(program, NULL, &error));
  MAKE_IS(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "nothing", &error));
  IS(CL_INVALID_PROGRAM, clCreateKernelsInProgram((cl_program)queue, 5, all, &count));
  IS(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, all, &count));
  OK(clCreateKernelsInProgram(program, 5, all, &count));
  CHECK(count == 5);
  for (cl_uint i = 0; i < count; i++)
    OK(clReleaseKernel(all[i]));
  IS(CL_INVALID_KERNEL, clRetainKernel(wrong));
  IS(CL_INVALID_KERNEL, clReleaseKernel(wrong));
  IS(CL_INVALID_KERNEL, clSetKernelArg(wrong, 0, 8, &mem));
  IS(CL_INVALID_ARG_INDEX, clSetKernelArg(add, 4, 8, &mem));
  IS(CL_INVALID_ARG_SIZE, clSetKernelArg(add, 0, 1, &mem));
  IS(CL_INVALID_ARG_SIZE, clSetKernelArg(add, 1, 0, NULL));
  IS(CL_INVALID_ARG_VALUE, clSetKernelArg(add, 1, 4, bytes));
  IS(CL_INVALID_ARG_VALUE, clSetKernelArg(add, 2, 4, NULL));
  IS(CL_INVALID_ARG_SIZE, clSetKernelArg(add, 2, 8, bytes));
  IS(CL_INVALID_MEM_OBJECT, clSetKernelArg(add, 0, 8, &image));
  IS(CL_INVALID_MEM_OBJECT, clSetKernelArg(look, 0, 8, &mem));
  IS(CL_INVALID_SAMPLER, clSetKernelArg(look, 1, 8, &mem));
  IS(CL_INVALID_ARG_SIZE, clSetKernelArg(look, 1, 4, &mem));
  IS(CL_INVALID_KERNEL, clGetKernelInfo(wrong, CL_KERNEL_NUM_ARGS, 4, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetKernelInfo(add, 0, 4, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetKernelInfo(add, CL_KERNEL_FUNCTION_NAME, 1, bytes, NULL));
  IS(CL_INVALID_KERNEL, clGetKernelArgInfo(wrong, 0, CL_KERNEL_ARG_NAME, 9, bytes, NULL));
  IS(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(add, 9, CL_KERNEL_ARG_NAME, 9, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetKernelArgInfo(add, 0, 0, 9, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetKernelArgInfo(add, 0, CL_KERNEL_ARG_TYPE_NAME, 1, bytes, NULL));
  IS(CL_INVALID_KERNEL, clGetKernelWorkGroupInfo(wrong, device, CL_KERNEL_WORK_GROUP_SIZE, 8, bytes, NULL));
  IS(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(add, (cl_device_id)queue, CL_KERNEL_WORK_GROUP_SIZE, 8, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(add, device, 0, 8, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(add, device, CL_KERNEL_GLOBAL_WORK_SIZE, 24, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(add, device, CL_KERNEL_WORK_GROUP_SIZE, 4, bytes, NULL));
}

static void launches(void)
{
  const size_t eight[3] = {8, 8, 8}, three[3] = {3, 1, 1}, huge[3] = {2048, 1, 1}, block[3] = {64, 64, 1};
  const size_t required[3] = {4, 2, 1}, wide[3] = {4096, 64, 1};
  const int value = 1;
#define LAUNCH(kernel, dimensions, offset, global, local)                                                              \
  clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, NO_EVENTS)
  IS(CL_INVALID_KERNEL_ARGS, LAUNCH(add, 1, NULL, eight, NULL));
  OK(clSetKernelArg(add, 0, sizeof mem, &mem));
  OK(clSetKernelArg(add, 1, 64, NULL));
  OK(clSetKernelArg(add, 2, sizeof value, &value));
  IS(CL_INVALID_KERNEL_ARGS, LAUNCH(add, 1, NULL, eight, NULL));
  IS(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, add, NO_EVENTS));
  OK(clSetKernelArg(add, 3, sizeof mem, &mem));
  OK(clSetKernelArg(fixed, 0, sizeof mem, &mem));
  OK(LAUNCH(add, 1, NULL, eight, NULL));
  IS(CL_INVALID_COMMAND_QUEUE, clEnqueueNDRangeKernel((cl_command_queue)context, add, 1, NULL, eight, NULL, NO_EVENTS));
  IS(CL_INVALID_KERNEL, LAUNCH((cl_kernel)queue, 1, NULL, eight, NULL));
  IS(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(other_queue, add, 1, NULL, eight, NULL, NO_EVENTS));
  IS(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(queue, add, 1, NULL, eight, NULL, 1, &other_event, NULL));
  IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueNDRangeKernel(queue, add, 1, NULL, eight, NULL, 1, NULL, NULL));
  IS(CL_INVALID_WORK_DIMENSION, LAUNCH(add, 0, NULL, eight, NULL));
  IS(CL_INVALID_WORK_DIMENSION, LAUNCH(add, 4, NULL, eight, NULL));
  IS(CL_INVALID_GLOBAL_WORK_SIZE, LAUNCH(add, 1, NULL, NULL, NULL));
  IS(CL_INVALID_GLOBAL_WORK_SIZE, LAUNCH(add, 3, NULL, zero, NULL));
  IS(CL_INVALID_GLOBAL_OFFSET, LAUNCH(add, 1, most, eight, NULL));
  IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(add, 1, NULL, eight, three));
  IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(add, 1, NULL, eight, zero));
  IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(add, 2, NULL, wide, block));
  IS(CL_INVALID_WORK_ITEM_SIZE, LAUNCH(add, 1, NULL, wide, huge));
  IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(fixed, 2, NULL, eight, NULL));
  IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(fixed, 2, NULL, eight, eight));
  OK(LAUNCH(fixed, 2, NULL, eight, required));
  OK(clSetKernelArg(add, 1, 1 << 20, NULL));
  IS(CL_OUT_OF_RESOURCES, LAUNCH(add, 1, NULL, eight, NULL));
  OK(clSetKernelArg(add, 1, SIZE_MAX, NULL));
  IS(CL_OUT_OF_RESOURCES, LAUNCH(add, 1, NULL, eight, NULL));
  OK(clSetKernelArg(add, 1, 64, NULL));
  OK(LAUNCH(add, 1, NULL, eight, NULL));
}

static void events(void)
{
  cl_int error, status;
  cl_event event, user = clCreateUserEvent(context, &error);
  OK(error);
  const cl_event wrong = (cl_event)queue, pair[] = {user, wrong}, foreign[] = {user, other_event};
  MAKE_IS(CL_INVALID_CONTEXT, clCreateUserEvent((cl_context)queue, &error));
  IS(CL_INVALID_VALUE, clWaitForEvents(0, NULL));
  IS(CL_INVALID_VALUE, clWaitForEvents(1, NULL));
  IS(CL_INVALID_EVENT, clWaitForEvents(2, pair));
  IS(CL_INVALID_CONTEXT, clWaitForEvents(2, foreign));
  IS(CL_INVALID_EVENT, clRetainEvent(wrong));
  IS(CL_INVALID_EVENT, clReleaseEvent(wrong));
  IS(CL_INVALID_EVENT, clGetEventInfo(wrong, CL_EVENT_CONTEXT, 8, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetEventInfo(user, 0, 8, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetEventInfo(user, CL_EVENT_CONTEXT, 4, bytes, NULL));
  IS(CL_INVALID_EVENT, clSetUserEventStatus(wrong, CL_COMPLETE));
  IS(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_RUNNING));
  IS(CL_INVALID_EVENT, clSetEventCallback(wrong, CL_COMPLETE, hear_event, NULL));
  IS(CL_INVALID_VALUE, clSetEventCallback(user, CL_COMPLETE, NULL, NULL));
  IS(CL_INVALID_VALUE, clSetEventCallback(user, CL_QUEUED, hear_event, NULL));
  IS(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, 8, bytes, NULL));
  IS(CL_INVALID_EVENT, clGetEventProfilingInfo(wrong, CL_PROFILING_COMMAND_END, 8, bytes, NULL));
  OK(clGetEventInfo(user, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  CHECK(status == CL_SUBMITTED);
  cl_command_queue q = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
  OK(clEnqueueMarker(q, &event));
  OK(clFinish(q));
  IS(CL_INVALID_VALUE, clGetEventProfilingInfo(event, 0, 8, bytes, NULL));
  IS(CL_INVALID_VALUE, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 4, bytes, NULL));
  OK(clReleaseEvent(event));
  OK(clReleaseCommandQueue(q));
  OK(clSetUserEventStatus(user, CL_COMPLETE));
  IS(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
  OK(clReleaseEvent(user));
}

int main(void)
{
  cl_int error;
  begin(0);
  const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
  program = build(source, NULL);
  add = kernel_of(program, "add");
  fixed = kernel_of(program, "fixed");
  look = kernel_of(program, "look");
  put = kernel_of(program, "put");
  mem = buffer(1024, NULL);
  image = clCreateImage(context, 0, &rgba, &flat, NULL, &error);
  other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  other_queue = clCreateCommandQueue(other, device, 0, &error);
  other_event = clCreateUserEvent(other, &error);
  other_buffer = clCreateBuffer(other, 0, 64, NULL, &error);
  OK(error);
  platforms();
  contexts();
  queues();
  buffers();
  transfers();
  maps();
  images();
  programs();
  kernels();
  launches();
  events();
  OK(clReleaseEvent(other_event));
  OK(clReleaseMemObject(other_buffer));
  OK(clReleaseCommandQueue(other_queue));
  OK(clReleaseContext(other));
  OK(clReleaseMemObject(mem));
  OK(clReleaseMemObject(image));
  const cl_kernel all[] = {add, fixed, look, put};
  for (int i = 0; i < 4; i++)
    OK(clReleaseKernel(all[i]));
  OK(clReleaseProgram(program));
  return end();
}
