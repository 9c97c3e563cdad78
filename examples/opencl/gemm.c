/* Product of two matrices on every OpenCL device, with tiles in local memory. Prints the simulated time of each device,
 * and compares the result with the host's. Usage: gemm [SIDE], a multiple of 8. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILE = 8, DEVICES = 16 };

static const char source[] =
    "#define TILE 8\n"
    "__kernel void gemm(__global const float *a, __global const float *b, __global float *c, int side)\n"
    "{\n"
    "  __local float ta[TILE][TILE], tb[TILE][TILE];\n"
    "  const int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < side; k += TILE) {\n"
    "    ta[ly][lx] = a[y * side + k + lx];\n"
    "    tb[ly][lx] = b[(k + ly) * side + x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = 0; i < TILE; i++)\n"
    "      sum += ta[ly][i] * tb[i][lx];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  c[y * side + x] = sum;\n"
    "}\n";

static void must(cl_int error, const char *what)
{
  if (error == CL_SUCCESS)
    return;
  fprintf(stderr, "gemm: %s: error %d\n", what, error);
  exit(1);
}

static cl_program build(cl_context context, cl_device_id device)
{
  const char *text = source;
  char log[4096] = "";
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  must(error, "clCreateProgramWithSource");
  error = clBuildProgram(program, 1, &device, "", NULL, NULL);
  if (error != CL_SUCCESS) {
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
  }
  must(error, "clBuildProgram");
  return program;
}

/* Returns the simulated time in nanoseconds. */
static cl_ulong multiply(cl_device_id device, const float *a, const float *b, float *c, int side)
{
  const size_t bytes = sizeof(float) * (size_t)side * (size_t)side;
  const size_t global[] = {(size_t)side, (size_t)side}, local[] = {TILE, TILE};
  cl_ulong begin = 0, end = 0;
  cl_event event;
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  must(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
  must(error, "clCreateCommandQueue");
  cl_program program = build(context, device);
  cl_kernel kernel = clCreateKernel(program, "gemm", &error);
  must(error, "clCreateKernel");
  cl_mem da = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)a, &error);
  must(error, "clCreateBuffer");
  cl_mem db = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)b, &error);
  must(error, "clCreateBuffer");
  cl_mem dc = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &error);
  must(error, "clCreateBuffer");
  must(clSetKernelArg(kernel, 0, sizeof da, &da), "clSetKernelArg");
  must(clSetKernelArg(kernel, 1, sizeof db, &db), "clSetKernelArg");
  must(clSetKernelArg(kernel, 2, sizeof dc, &dc), "clSetKernelArg");
  must(clSetKernelArg(kernel, 3, sizeof side, &side), "clSetKernelArg");
  must(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, &event), "clEnqueueNDRangeKernel");
  must(clEnqueueReadBuffer(queue, dc, CL_TRUE, 0, bytes, c, 0, NULL, NULL), "clEnqueueReadBuffer");
  must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL), "profiling");
  must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "profiling");
  clReleaseEvent(event);
  clReleaseMemObject(da);
  clReleaseMemObject(db);
  clReleaseMemObject(dc);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return end - begin;
}

/* All sums are of small integers, so they are exact in any order. */
static int is_product(const float *a, const float *b, const float *c, int side)
{
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      float sum = 0;
      for (int k = 0; k < side; k++)
        sum += a[y * side + k] * b[k * side + x];
      if (sum != c[y * side + x])
        return 0;
    }
  return 1;
}

int main(int argc, char **argv)
{
  const int side = argc > 1 ? atoi(argv[1]) : 64;
  if (side <= 0 || side > 4096 || side % TILE != 0) {
    fprintf(stderr, "usage: gemm [SIDE], a multiple of %d\n", TILE);
    return 2;
  }
  const size_t items = (size_t)side * (size_t)side;
  float *a = malloc(items * sizeof *a), *b = malloc(items * sizeof *b), *c = malloc(items * sizeof *c);
  cl_platform_id platform;
  cl_device_id devices[DEVICES];
  cl_uint count = 0;
  int failures = 0;
  if (a == NULL || b == NULL || c == NULL)
    return 1;
  for (size_t i = 0; i < items; i++) {
    a[i] = (float)(i * 7 % 11);
    b[i] = (float)(i * 5 % 13);
  }
  must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &count), "clGetDeviceIDs");
  printf("product of %d x %d matrices\n%-28s %12s %10s\n", side, side, "device", "time, us", "result");
  for (cl_uint i = 0; i < count && i < DEVICES; i++) {
    char name[64] = "";
    must(clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    const cl_ulong time = multiply(devices[i], a, b, c, side);
    const int right = is_product(a, b, c, side);
    printf("%-28s %12.2f %10s\n", name, (double)time / 1000, right ? "right" : "wrong");
    failures += !right;
  }
  free(a);
  free(b);
  free(c);
  return failures > 0;
}
