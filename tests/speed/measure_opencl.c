/* Measures the OpenCL client on the first device against its gates, and prints a table. Run it with OCL_ICD_VENDORS and
 * SIMTLAB_OPENCL_DEVICES, through the loader. Exit status 1: a gate fails.
 *
 * Times are CPU times of this process and its children, the least of several runs, so other processes disturb them
 * little. What a launch costs beyond its simulation is the median over launches with their waits, statistics included.
 * Buffers have 1 GiB, or what the device allows. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { LAUNCHES = 400, BUILDS = 5, COPIES = 3 };

static const char source[] =
    "__kernel void gemm(__global const float *a, __global const float *b, __global float *c, int n)\n"
    "{\n"
    "  const int x = get_global_id(0), y = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++)\n"
    "    sum += a[y * n + k] * b[k * n + x];\n"
    "  c[y * n + x] = sum;\n"
    "}\n"
    "__kernel void empty(void)\n"
    "{\n"
    "}\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static bool failed;

static void require(cl_int error, const char *what)
{
  if (error == CL_SUCCESS)
    return;
  fprintf(stderr, "%s: error %d\n", what, error);
  exit(2);
}

static void row(const char *what, double value, double gate, const char *unit, bool least)
{
  const bool good = least ? value >= gate : value <= gate;
  printf("%-44s %10.3g %s %10.3g %-5s %s\n", what, value, least ? ">=" : "<=", gate, unit, good ? "ok" : "FAILS");
  failed |= !good;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double used(void)
{
  struct rusage self, children;
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  const struct timeval *all[] = {&self.ru_utime, &self.ru_stime, &children.ru_utime, &children.ru_stime};
  double seconds = 0;
  for (int i = 0; i < 4; i++)
    seconds += (double)all[i]->tv_sec + 1e-6 * (double)all[i]->tv_usec;
  return seconds;
}

static void open_device(void)
{
  cl_platform_id platform;
  cl_int error;
  require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  require(error, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &error);
  require(error, "clCreateCommandQueue");
}

static cl_program build(const char *text)
{
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  require(error, "clCreateProgramWithSource");
  require(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
  return program;
}

/* The first build of a source has a comment that no other has. */
static void builds(void)
{
  char text[sizeof source + 64];
  double first = 1e9, again = 1e9;
  for (int i = 0; i < BUILDS; i++) {
    snprintf(text, sizeof text, "/* %ld %.9f */\n%s", (long)getpid(), now(), source);
    double start = used();
    clReleaseProgram(build(text));
    first = used() - start < first ? used() - start : first;
    start = used();
    clReleaseProgram(build(text));
    again = used() - start < again ? used() - start : again;
  }
  row("build, first time", first, 0.5, "s", false);
  row("build, from the cache", 1e3 * again, 5, "ms", false);
}

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
  qsort(values, count, sizeof *values, by_value);
  return count > 0 ? values[count / 2] : 0;
}

/* Launches with their waits; each takes took[i] seconds. */
static void launch_all(double *took)
{
  const size_t size = 1;
  cl_int error;
  cl_program program = build(source);
  cl_kernel kernel = clCreateKernel(program, "empty", &error);
  require(error, "clCreateKernel");
  for (int i = 0; i < LAUNCHES; i++) {
    const double start = now();
    require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    require(clFinish(queue), "clFinish");
    took[i] = now() - start;
  }
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

/* The simulation of each launch is in the statistics, which are written within the launch. */
static void launches(const char *path)
{
  static char line[65536];
  double took[LAUNCHES], beyond[LAUNCHES];
  size_t count = 0;
  launch_all(took);
  FILE *stats = fopen(path, "r");
  while (stats != NULL && count < LAUNCHES && fgets(line, sizeof line, stats) != NULL) {
    const char *at = strstr(line, "\"kernel\":\"empty\"") != NULL ? strstr(line, "\"host_seconds\":") : NULL;
    if (at == NULL)
      continue;
    beyond[count] = took[count] - strtod(at + strlen("\"host_seconds\":"), NULL);
    count++;
  }
  if (stats != NULL)
    fclose(stats);
  unlink(path);
  if (count != LAUNCHES) {
    fprintf(stderr, "the statistics have %zu launches instead of %d\n", count, LAUNCHES);
    exit(2);
  }
  printf("%-44s %10.3g us\n", "empty launch", 1e6 * median(took, LAUNCHES));
  row("empty launch beyond simulation", 1e6 * median(beyond, LAUNCHES), 50, "us", false);
}

static void copies(size_t size)
{
  cl_int error;
  double up = 1e9, down = 1e9;
  void *bytes = malloc(size);
  cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &error);
  require(error, "clCreateBuffer");
  if (bytes == NULL)
    exit(2);
  memset(bytes, 7, size);
  for (int i = 0; i < COPIES; i++) {
    double start = used();
    require(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, size, bytes, 0, NULL, NULL), "clEnqueueWriteBuffer");
    up = used() - start < up ? used() - start : up;
    start = used();
    require(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, size, bytes, 0, NULL, NULL), "clEnqueueReadBuffer");
    down = used() - start < down ? used() - start : down;
  }
  row("buffer written", 1e-9 * (double)size / up, 1, "GB/s", true);
  row("buffer read", 1e-9 * (double)size / down, 1, "GB/s", true);
  clReleaseMemObject(mem);
  free(bytes);
}

int main(void)
{
  char name[200] = "", path[] = "/tmp/measure-opencl-XXXXXX";
  cl_ulong most = 0;
  const int file = mkstemp(path);
  if (file < 0 || setenv("SIMTLAB_OPENCL_STATS", path, 1) != 0)
    return 2;
  close(file);
  open_device();
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
  clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
  printf("%s\n", name);
  builds();
  launches(path);
  copies(most < (cl_ulong)1 << 30 ? (size_t)most : (size_t)1 << 30);
  return failed;
}
