/* Built-in functions of float against the host's of double, within the bounds of OpenCL 1.2 (table 7.1), on every
 * device. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1024, GROUP = 64, DEVICES = 16 };

static double rsqrt_of(double a)
{
  return 1 / sqrt(a);
}
static double sinpi_of(double a)
{
  return sin(M_PI * fmod(a, 2));
}
static double cospi_of(double a)
{
  return cos(M_PI * fmod(a, 2));
}

static const struct function {
  const char *name;
  double (*host)(double);
  double bound, least, most; /* in units in the last place; range of arguments */
} functions[] = {
    {"sin", sin, 4, -1000, 1000},      {"cos", cos, 4, -1000, 1000},    {"tan", tan, 5, -100, 100},
    {"asin", asin, 4, -1, 1},          {"acos", acos, 4, -1, 1},        {"atan", atan, 5, -100, 100},
    {"sinh", sinh, 4, -80, 80},        {"cosh", cosh, 4, -80, 80},      {"tanh", tanh, 5, -10, 10},
    {"asinh", asinh, 4, -1000, 1000},  {"acosh", acosh, 4, 1, 1000},    {"atanh", atanh, 5, -1, 1},
    {"exp", exp, 3, -80, 80},          {"exp2", exp2, 3, -120, 120},    {"exp10", exp10, 3, -35, 35},
    {"expm1", expm1, 3, -10, 80},      {"log", log, 3, 1e-3, 1e6},      {"log2", log2, 3, 1e-3, 1e6},
    {"log10", log10, 3, 1e-3, 1e6},    {"log1p", log1p, 2, -0.99, 1e3}, {"sqrt", sqrt, 3, 0, 1e6},
    {"rsqrt", rsqrt_of, 2, 1e-3, 1e6}, {"cbrt", cbrt, 2, -1e6, 1e6},    {"erf", erf, 16, -4, 4},
    {"erfc", erfc, 16, -4, 9},         {"tgamma", tgamma, 16, -33, 34}, {"sinpi", sinpi_of, 4, -100, 100},
    {"cospi", cospi_of, 4, -100, 100},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static double ulps(double got, double wanted)
{
  int exponent;
  if (isnan(wanted) || isinf((float)wanted))
    return 0;
  frexp(wanted, &exponent);
  const double unit = ldexp(1, (exponent < FLT_MIN_EXP ? FLT_MIN_EXP : exponent) - FLT_MANT_DIG);
  return isnan(got) ? INFINITY : fabs(got - wanted) / unit;
}

static char *source_of(void)
{
  char *text = calloc(FUNCTIONS, 160);
  for (size_t i = 0; text != NULL && i < FUNCTIONS; i++)
    sprintf(text + strlen(text),
            "kernel void k%zu(global const float *x, global float *y) { int i = get_global_id(0); y[i] = %s(x[i]); }\n",
            i, functions[i].name);
  return text;
}

/* Arguments of even distances; near integers for tgamma. */
static void fill(const struct function *f, float *x)
{
  for (int i = 0; i < ITEMS; i++) {
    x[i] = (float)(f->least + (f->most - f->least) * (i + 0.5) / ITEMS);
    if (f->host == tgamma && i % 4 == 0)
      x[i] = rintf(x[i]) + ldexpf(i % 8 ? 1 : -1, -2 - i % 21);
  }
}

static int try_function(size_t number, cl_program program, cl_command_queue queue, cl_mem in, cl_mem out)
{
  const struct function *f = &functions[number];
  static float x[ITEMS], y[ITEMS];
  const size_t global = ITEMS, local = GROUP;
  double worst = 0;
  float at = 0;
  char name[16];
  cl_int error;
  snprintf(name, sizeof name, "k%zu", number);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  fill(f, x);
  error |= clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL);
  error |= clSetKernelArg(kernel, 0, sizeof in, &in) | clSetKernelArg(kernel, 1, sizeof out, &out);
  error |= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  error |= clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL);
  clReleaseKernel(kernel);
  for (int i = 0; i < ITEMS; i++) {
    const double off = ulps((double)y[i], f->host((double)x[i]));
    if (off > worst) {
      worst = off;
      at = x[i];
    }
  }
  if (error == CL_SUCCESS && worst <= f->bound)
    return 0;
  printf("  %s(%a): %.1f ulp off, %.0f are allowed (error %d)\n", f->name, (double)at, worst, f->bound, error);
  return 1;
}

static int try_device(cl_device_id device)
{
  char name[64] = "", log[4096] = "";
  int failures = 0;
  cl_int error;
  char *text = source_of();
  const char *source = text;
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    printf("%s\n", log);
    failures = FUNCTIONS;
  }
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY, ITEMS * sizeof(float), NULL, &error);
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, ITEMS * sizeof(float), NULL, &error);
  for (size_t i = 0; i < FUNCTIONS && failures < FUNCTIONS; i++)
    failures += try_function(i, program, queue, in, out);
  printf("%s: %d failures\n", name, failures);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(text);
  return failures;
}

int main(void)
{
  cl_platform_id platform;
  cl_device_id devices[DEVICES];
  cl_uint count = 0;
  int failures = 0;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &count) != CL_SUCCESS)
    return 1;
  for (cl_uint i = 0; i < count && i < DEVICES; i++)
    failures += try_device(devices[i]);
  return failures > 0;
}
