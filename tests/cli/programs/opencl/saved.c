/* A host program as suites of benchmarks write them: it saves a program's binary in a file and makes a program of the
 * file, asks what kernels need, sums the times of many events, and uses many queues, whose commands wait for each
 * other's. */
#include "check.h"

enum { ITEMS = 512, PASSES = 10, QUEUES = 6 };

static const char source[] =
    "__kernel void triad(__global const float *a, __global const float *b, __global float *c, float s)\n"
    "{ const int i = get_global_id(0); c[i] = a[i] + s * b[i]; }\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void sum(__global const float *a, __global float *to)\n"
    "{ __local float t[64]; const int l = get_local_id(0); t[l] = a[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int n = 32; n > 0; n /= 2) { if (l < n) t[l] += t[l + n]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "  if (l == 0) to[get_group_id(0)] = t[0]; }\n"
    "__kernel void next(__global int *a) { a[get_global_id(0)] = a[get_global_id(0)] * 3 + 1; }\n";

static void CL_CALLBACK native(void *arguments)
{
  (void)arguments;
}

/* Saves the binary of the only device, and returns a program that is built of the file. */
static cl_program through_file(cl_program program, const char *path)
{
  size_t bytes = 0, read;
  cl_int status = 1, error;
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
  CHECK(bytes > 0);
  unsigned char *binary = malloc(bytes + 1);
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  FILE *file = fopen(path, "wb");
  CHECK(fwrite(binary, 1, bytes, file) == bytes && fclose(file) == 0);
  memset(binary, 0, bytes);
  file = fopen(path, "rb");
  read = fread(binary, 1, bytes + 1, file);
  fclose(file);
  CHECK(read == bytes);
  const unsigned char *given = binary;
  cl_program made = clCreateProgramWithBinary(context, 1, &device, &bytes, &given, &status, &error);
  OK(error);
  OK(status);
  OK(clBuildProgram(made, 1, &device, NULL, NULL, NULL));
  binary[bytes / 2] = 0;
  clCreateProgramWithBinary(context, 1, &device, &(size_t){0}, &given, NULL, &error);
  CHECK(error == CL_INVALID_VALUE);
  free(binary);
  return made;
}

static void ask(cl_program program)
{
  cl_kernel kernels[8];
  cl_uint count = 0;
  size_t most;
  OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
  OK(clCreateKernelsInProgram(program, 8, kernels, &count));
  CHECK(count == 3);
  for (cl_uint i = 0; i < count; i++) {
    char name[32];
    size_t group, multiple, wanted[3];
    cl_ulong local, own;
    OK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    OK(clGetKernelWorkGroupInfo(kernels[i], device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL));
    OK(clGetKernelWorkGroupInfo(kernels[i], device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                                &multiple, NULL));
    OK(clGetKernelWorkGroupInfo(kernels[i], device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof wanted, wanted, NULL));
    OK(clGetKernelWorkGroupInfo(kernels[i], device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL));
    OK(clGetKernelWorkGroupInfo(kernels[i], NULL, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof own, &own, NULL));
    const int sums = strcmp(name, "sum") == 0;
    CHECK(group >= 64 && group <= most && multiple > 0 && group % multiple == 0);
    CHECK(wanted[0] == (sums ? 64u : 0u) && wanted[1] == (sums ? 1u : 0u));
    CHECK(sums ? local >= 64 * sizeof(float) : local < 64 * sizeof(float));
    OK(clReleaseKernel(kernels[i]));
  }
}

/* The sum of the kernels' times is in the time from the first to the last. */
static void time_passes(cl_program program)
{
  float a[ITEMS], b[ITEMS], c[ITEMS], sums[ITEMS / 64];
  const size_t items = ITEMS, group = 64;
  const float s = 1.75f;
  cl_ulong total = 0, first = 0, last = 0;
  for (int i = 0; i < ITEMS; i++) {
    a[i] = (float)i;
    b[i] = (float)(i % 7);
  }
  cl_mem buffers[] = {buffer(sizeof a, a), buffer(sizeof b, b), buffer(sizeof c, NULL), buffer(sizeof sums, NULL)};
  cl_kernel triad = kernel_of(program, "triad"), sum = kernel_of(program, "sum");
  for (cl_uint i = 0; i < 3; i++)
    OK(clSetKernelArg(triad, i, sizeof *buffers, &buffers[i]));
  OK(clSetKernelArg(triad, 3, sizeof s, &s));
  OK(clSetKernelArg(sum, 0, sizeof *buffers, &buffers[2]));
  OK(clSetKernelArg(sum, 1, sizeof *buffers, &buffers[3]));
  IS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, sum, 1, NULL, &items, NULL, 0, NULL, NULL));
  for (int pass = 0; pass < PASSES; pass++) {
    cl_event event[2];
    OK(clEnqueueNDRangeKernel(queue, triad, 1, NULL, &items, &group, 0, NULL, &event[0]));
    OK(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &items, &group, 1, &event[0], &event[1]));
    OK(clWaitForEvents(2, event));
    for (int i = 0; i < 2; i++) {
      cl_ulong t[4];
      for (cl_uint k = 0; k < 4; k++)
        OK(clGetEventProfilingInfo(event[i], CL_PROFILING_COMMAND_QUEUED + k, sizeof t[k], &t[k], NULL));
      CHECK(t[0] <= t[1] && t[1] <= t[2] && t[2] < t[3] && t[2] >= last);
      first = pass == 0 && i == 0 ? t[2] : first;
      last = t[3];
      total += t[3] - t[2];
      OK(clReleaseEvent(event[i]));
    }
  }
  CHECK(total > 0 && total <= last - first);
  OK(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof c, c, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffers[3], CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
  for (int g = 0; g < ITEMS / 64; g++) {
    float wanted = 0; /* exact: multiples of 1/4 below 2^22 */
    for (int i = g * 64; i < g * 64 + 64; i++) {
      CHECK(c[i] == a[i] + s * b[i]);
      wanted += c[i];
    }
    CHECK(sums[g] == wanted);
  }
  for (int i = 0; i < 4; i++)
    OK(clReleaseMemObject(buffers[i]));
  OK(clReleaseKernel(triad));
  OK(clReleaseKernel(sum));
}

/* A chain of commands in turn on several queues, each after the one before. */
static void chain(cl_program program)
{
  const size_t items = ITEMS;
  int a[ITEMS], wanted[ITEMS];
  cl_command_queue queues[QUEUES];
  cl_event event = NULL, next;
  cl_int error;
  for (int i = 0; i < ITEMS; i++)
    a[i] = wanted[i] = i;
  cl_mem m = buffer(sizeof a, a);
  cl_kernel k = kernel_of(program, "next");
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  for (int q = 0; q < QUEUES; q++) {
    queues[q] = clCreateCommandQueue(context, device, q % 2 == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    OK(error);
  }
  for (int n = 0; n < 3 * QUEUES; n++) {
    OK(clEnqueueNDRangeKernel(queues[n % QUEUES], k, 1, NULL, &items, NULL, event != NULL,
                              event != NULL ? &event : NULL, &next));
    OK(clFlush(queues[n % QUEUES]));
    if (event != NULL)
      OK(clReleaseEvent(event));
    event = next;
    for (int i = 0; i < ITEMS; i++)
      wanted[i] = (int)((unsigned)wanted[i] * 3 + 1);
  }
  OK(clEnqueueReadBuffer(queues[0], m, CL_TRUE, 0, sizeof a, a, 1, &event, NULL));
  CHECK(memcmp(a, wanted, sizeof a) == 0);
  IS(CL_INVALID_OPERATION, clEnqueueNativeKernel(queues[0], native, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
  OK(clReleaseEvent(event));
  for (int q = 0; q < QUEUES; q++) {
    OK(clFinish(queues[q]));
    OK(clReleaseCommandQueue(queues[q]));
  }
  OK(clReleaseMemObject(m));
  OK(clReleaseKernel(k));
}

int main(int argc, char **argv)
{
  begin(CL_QUEUE_PROFILING_ENABLE);
  cl_program built = build(source, ""), program = through_file(built, argc > 1 ? argv[1] : "saved.bin");
  OK(clReleaseProgram(built));
  ask(program);
  time_passes(program);
  chain(program);
  OK(clReleaseProgram(program));
  return end();
}
