// Runs the kernel `k` of each file on all devices, in groups of 64 and of 40. Results must equal the first device's.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 16, N = 640, BINS = 8, INPUTS = 256, TEXT = 100000 };
static cl_device_id devices[DEVICES];
static cl_context contexts[DEVICES];
static cl_command_queue queues[DEVICES];
static char text[TEXT];

static cl_int launch(cl_uint device, cl_kernel k, size_t local, int *out)
{
  const size_t global = N;
  const int u = 13;
  int in[INPUTS];
  cl_int error;
  for (unsigned i = 0; i < INPUTS; i++)
    in[i] = (int)(i * 2654435761u >> i % 5 * 6);
  memset(out, 0, (N + BINS) * sizeof *out);
  cl_mem min = clCreateBuffer(contexts[device], CL_MEM_COPY_HOST_PTR, sizeof in, in, &error);
  cl_mem mout = clCreateBuffer(contexts[device], CL_MEM_COPY_HOST_PTR, N * sizeof *out, out, &error);
  cl_mem mbins = clCreateBuffer(contexts[device], CL_MEM_COPY_HOST_PTR, BINS * sizeof *out, out, &error);
  clSetKernelArg(k, 0, sizeof mout, &mout);
  clSetKernelArg(k, 1, sizeof min, &min);
  clSetKernelArg(k, 2, sizeof mbins, &mbins);
  clSetKernelArg(k, 3, sizeof u, &u);
  error = clEnqueueNDRangeKernel(queues[device], k, 1, NULL, &global, &local, 0, NULL, NULL);
  if (error == CL_SUCCESS)
    error = clEnqueueReadBuffer(queues[device], mout, CL_TRUE, 0, N * sizeof *out, out, 0, NULL, NULL);
  if (error == CL_SUCCESS)
    error = clEnqueueReadBuffer(queues[device], mbins, CL_TRUE, 0, BINS * sizeof *out, out + N, 0, NULL, NULL);
  clReleaseMemObject(min);
  clReleaseMemObject(mout);
  clReleaseMemObject(mbins);
  return error;
}

// Returns the number of differences and errors.
static int compare(const char *file, cl_uint count)
{
  static const size_t locals[] = {64, 40};
  static int first[2][N + BINS], out[N + BINS];
  const char *source = text;
  char log[2000];
  int bad = 0;
  for (cl_uint d = 0; d < count; d++) {
    cl_int error;
    cl_program program = clCreateProgramWithSource(contexts[d], 1, &source, NULL, &error);
    error = clBuildProgram(program, 1, &devices[d], "-w", NULL, NULL);
    clGetProgramBuildInfo(program, devices[d], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    if (error != CL_SUCCESS || strstr(log, "no reconvergence annotation") != NULL) {
      printf("%s, device %u: %s\n", file, d, log);
      bad++;
    }
    cl_kernel k = clCreateKernel(program, "k", &error);
    for (size_t l = 0; l < 2 && error == CL_SUCCESS; l++) {
      const cl_int failed = launch(d, k, locals[l], d == 0 ? first[l] : out);
      if (failed == CL_SUCCESS && (d == 0 || memcmp(first[l], out, sizeof out) == 0))
        continue;
      printf("%s, device %u, groups of %zu: %s %d\n", file, d, locals[l], failed ? "error" : "other results", failed);
      bad++;
    }
    if (k != NULL)
      clReleaseKernel(k);
    clReleaseProgram(program);
  }
  return bad;
}

int main(int argc, char **argv)
{
  cl_platform_id platform;
  cl_uint count;
  cl_int error = clGetPlatformIDs(1, &platform, NULL);
  if (error != CL_SUCCESS || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &count) != CL_SUCCESS)
    return 2;
  for (cl_uint d = 0; d < count; d++) {
    contexts[d] = clCreateContext(NULL, 1, &devices[d], NULL, NULL, &error);
    queues[d] = clCreateCommandQueue(contexts[d], devices[d], 0, &error);
  }
  int bad = 0;
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "r");
    if (file == NULL)
      return 2;
    text[fread(text, 1, TEXT - 1, file)] = '\0';
    fclose(file);
    bad += compare(argv[i], count);
  }
  printf("%d kernels on %u devices: %d differences\n", argc - 1, count, bad);
  return bad > 0;
}
