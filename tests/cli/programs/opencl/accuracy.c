/* Built-in functions of float and double against MPFR, within the bounds of OpenCL 1.2 (section 7.4), on every device.
 * Arguments are random: half of them even over the range, half over the exponents in it. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1024, GROUP = 64, DEVICES = 16, PRECISION = 300, ARGUMENTS = 3 };

typedef int one(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int two(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int three(mpfr_t, const mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int with_integer(mpfr_t, const mpfr_t, long, mpfr_rnd_t);

static int divide(mpfr_t r, const mpfr_t a, mpfr_rnd_t m)
{
  return mpfr_ui_div(r, 1, a, m);
}
static int exact_floor(mpfr_t r, const mpfr_t a, mpfr_rnd_t m)
{
  return mpfr_rint_floor(r, a, m);
}
static int exact_round(mpfr_t r, const mpfr_t a, mpfr_rnd_t m)
{
  return mpfr_rint_round(r, a, m);
}
static int nearest_even(mpfr_t r, const mpfr_t a, mpfr_rnd_t m)
{
  (void)m;
  return mpfr_rint(r, a, MPFR_RNDN);
}

/* Bounds in units in the last place: of float, of double. Ranges of the arguments; those of integers are of b. */
static const struct function {
  const char *name, *call; /* call: the expression of a, b, c and n; NULL: name(a) */
  one *one;
  two *two;
  three *three;
  with_integer *integer;
  double bound[2], least, most, b_least, b_most;
} functions[] = {
    {"sin", .one = mpfr_sin, .bound = {4, 4}, .least = -1000, .most = 1000},
    {"cos", .one = mpfr_cos, .bound = {4, 4}, .least = -1000, .most = 1000},
    {"tan", .one = mpfr_tan, .bound = {5, 5}, .least = -1000, .most = 1000},
    {"sinpi", .one = mpfr_sinpi, .bound = {4, 4}, .least = -100, .most = 100},
    {"cospi", .one = mpfr_cospi, .bound = {4, 4}, .least = -100, .most = 100},
    {"tanpi", .one = mpfr_tanpi, .bound = {6, 6}, .least = -100, .most = 100},
    {"asin", .one = mpfr_asin, .bound = {4, 4}, .least = -1, .most = 1},
    {"acos", .one = mpfr_acos, .bound = {4, 4}, .least = -1, .most = 1},
    {"atan", .one = mpfr_atan, .bound = {5, 5}, .least = -1e6, .most = 1e6},
    {"asinpi", .one = mpfr_asinpi, .bound = {5, 5}, .least = -1, .most = 1},
    {"acospi", .one = mpfr_acospi, .bound = {5, 5}, .least = -1, .most = 1},
    {"atanpi", .one = mpfr_atanpi, .bound = {5, 5}, .least = -1e6, .most = 1e6},
    {"sinh", .one = mpfr_sinh, .bound = {4, 4}, .least = -88, .most = 88},
    {"cosh", .one = mpfr_cosh, .bound = {4, 4}, .least = -88, .most = 88},
    {"tanh", .one = mpfr_tanh, .bound = {5, 5}, .least = -20, .most = 20},
    {"asinh", .one = mpfr_asinh, .bound = {4, 4}, .least = -1e6, .most = 1e6},
    {"acosh", .one = mpfr_acosh, .bound = {4, 4}, .least = 1, .most = 1e6},
    {"atanh", .one = mpfr_atanh, .bound = {5, 5}, .least = -1, .most = 1},
    {"exp", .one = mpfr_exp, .bound = {3, 3}, .least = -103, .most = 88},
    {"exp2", .one = mpfr_exp2, .bound = {3, 3}, .least = -148, .most = 127},
    {"exp10", .one = mpfr_exp10, .bound = {3, 3}, .least = -44, .most = 38},
    {"expm1", .one = mpfr_expm1, .bound = {3, 3}, .least = -80, .most = 88},
    {"log", .one = mpfr_log, .bound = {3, 3}, .least = 1e-30, .most = 1e30},
    {"log2", .one = mpfr_log2, .bound = {3, 3}, .least = 1e-30, .most = 1e30},
    {"log10", .one = mpfr_log10, .bound = {3, 3}, .least = 1e-30, .most = 1e30},
    {"log1p", .one = mpfr_log1p, .bound = {2, 2}, .least = -0.999, .most = 1e6},
    {"sqrt", .one = mpfr_sqrt, .bound = {3, 0.5}, .least = 1e-30, .most = 1e30},
    {"rsqrt", .one = mpfr_rec_sqrt, .bound = {2, 2}, .least = 1e-30, .most = 1e30},
    {"cbrt", .one = mpfr_cbrt, .bound = {2, 2}, .least = -1e30, .most = 1e30},
    {"erf", .one = mpfr_erf, .bound = {16, 16}, .least = -5, .most = 5},
    {"erfc", .one = mpfr_erfc, .bound = {16, 16}, .least = -5, .most = 9},
    {"tgamma", .one = mpfr_gamma, .bound = {16, 16}, .least = -33, .most = 34},
    {"floor", .one = exact_floor, .bound = {0.5, 0.5}, .least = -1e9, .most = 1e9},
    {"round", .one = exact_round, .bound = {0.5, 0.5}, .least = -1e9, .most = 1e9},
    {"rint", .one = nearest_even, .bound = {0.5, 0.5}, .least = -1e9, .most = 1e9},
    {"1 / a", .call = "1 / a", .one = divide, .bound = {2.5, 0.5}, .least = 1e-30, .most = 1e30},
    {"a / b", .call = "a / b", .two = mpfr_div, .bound = {2.5, 0.5}, .least = -1e15, .most = 1e15, .b_least = 1e-15,
     .b_most = 1e15},
    {"atan2", .two = mpfr_atan2, .bound = {6, 6}, .least = -1e6, .most = 1e6, .b_least = -1e6, .b_most = 1e6},
    {"atan2pi", .two = mpfr_atan2pi, .bound = {6, 6}, .least = -1e6, .most = 1e6, .b_least = -1e6, .b_most = 1e6},
    {"hypot", .two = mpfr_hypot, .bound = {4, 4}, .least = -1e25, .most = 1e25, .b_least = -1e25, .b_most = 1e25},
    {"pow", .two = mpfr_pow, .bound = {16, 16}, .least = 1e-6, .most = 1e6, .b_least = -6, .b_most = 6},
    {"powr", .two = mpfr_pow, .bound = {16, 16}, .least = 1e-6, .most = 1e6, .b_least = -6, .b_most = 6},
    {"fmod", .two = mpfr_fmod, .bound = {0, 0}, .least = -1e9, .most = 1e9, .b_least = 1e-3, .b_most = 1e6},
    {"remainder", .two = mpfr_remainder, .bound = {0, 0}, .least = -1e9, .most = 1e9, .b_least = 1e-3, .b_most = 1e6},
    {"fdim", .two = mpfr_dim, .bound = {0.5, 0.5}, .least = -1e6, .most = 1e6, .b_least = -1e6, .b_most = 1e6},
    {"fma", .call = "fma(a, b, c)", .three = mpfr_fma, .bound = {0.5, 0.5}, .least = -1e6, .most = 1e6, .b_least = -1e6,
     .b_most = 1e6},
    {"pown", .call = "pown(a, n)", .integer = mpfr_pow_si, .bound = {16, 16}, .least = -100, .most = 100,
     .b_least = -15, .b_most = 15},
    {"rootn", .call = "rootn(a, n)", .integer = mpfr_rootn_si, .bound = {16, 16}, .least = 1e-6, .most = 1e6,
     .b_least = 1, .b_most = 9},
    {"ldexp", .call = "ldexp(a, n)", .integer = mpfr_mul_2si, .bound = {0.5, 0.5}, .least = -1e6, .most = 1e6,
     .b_least = -160, .b_most = 60},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static uint64_t state = 1;

/* Even in [0, 1): Steele and others, "Fast splittable pseudorandom number generators" (2014). */
static double even(void)
{
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static double pick(double least, double most)
{
  const double value = least + (most - least) * even(), size = exp2(-145 * even());
  const double small = least > 0 ? least * pow(most / least, even()) : value * size;
  return even() < 0.5 || small < least || small > most ? value : small;
}

/* A number of the type. */
static double of_type(bool is_double, double value)
{
  return is_double ? value : (double)(float)value;
}

static double ulps(bool is_double, double got, const mpfr_t wanted)
{
  mpfr_t off;
  const int digits = is_double ? DBL_MANT_DIG : FLT_MANT_DIG, least = is_double ? DBL_MIN_EXP : FLT_MIN_EXP;
  if (mpfr_nan_p(wanted) || mpfr_inf_p(wanted) || fabs(mpfr_get_d(wanted, MPFR_RNDN)) > (is_double ? 1e300 : 1e38))
    return 0;
  if (!isfinite(got))
    return INFINITY;
  const long exponent = mpfr_zero_p(wanted) || mpfr_get_exp(wanted) < least ? least : mpfr_get_exp(wanted);
  mpfr_init2(off, PRECISION);
  mpfr_sub_d(off, wanted, got, MPFR_RNDN);
  mpfr_mul_2si(off, off, digits - exponent, MPFR_RNDN);
  const double result = fabs(mpfr_get_d(off, MPFR_RNDU));
  mpfr_clear(off);
  return result;
}

static void compute(const struct function *f, const double *x, int n, mpfr_t r)
{
  mpfr_t v[ARGUMENTS];
  for (int i = 0; i < ARGUMENTS; i++) {
    mpfr_init2(v[i], DBL_MANT_DIG);
    mpfr_set_d(v[i], x[i], MPFR_RNDN);
  }
  if (f->one != NULL)
    f->one(r, v[0], MPFR_RNDN);
  else if (f->two != NULL)
    f->two(r, v[0], v[1], MPFR_RNDN);
  else if (f->three != NULL)
    f->three(r, v[0], v[1], v[2], MPFR_RNDN);
  else
    f->integer(r, v[0], n, MPFR_RNDN);
  for (int i = 0; i < ARGUMENTS; i++)
    mpfr_clear(v[i]);
}

static char *source_of(bool is_double)
{
  char *text = calloc(FUNCTIONS + 1, 300);
  const char *type = is_double ? "double" : "float";
  if (text == NULL)
    exit(2);
  for (size_t i = 0; i < FUNCTIONS; i++) {
    const struct function *f = &functions[i];
    char call[80];
    snprintf(call, sizeof call, f->two != NULL ? "%s(a, b)" : "%s(a)", f->name);
    sprintf(text + strlen(text),
            "kernel void k%zu(global const %s *x, global const int *m, global %s *y) { int i = get_global_id(0), "
            "n = m[i]; %s a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2]; y[i] = %s; }\n",
            i, type, type, type, f->call != NULL ? f->call : call);
  }
  return text;
}

struct run {
  bool is_double;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_mem x, m, y;
};

static void move(const struct run *r, double *values, size_t count, cl_mem memory, bool to)
{
  float *words = malloc(count * sizeof *words);
  for (size_t i = 0; i < count; i++)
    words[i] = (float)values[i];
  void *bytes = r->is_double ? (void *)values : words;
  const size_t size = count * (r->is_double ? sizeof *values : sizeof *words);
  const cl_int error = to ? clEnqueueWriteBuffer(r->queue, memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL)
                          : clEnqueueReadBuffer(r->queue, memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL);
  if (error != CL_SUCCESS)
    printf("a copy failed: %d\n", error);
  for (size_t i = 0; i < count && !to && !r->is_double; i++)
    values[i] = (double)words[i];
  free(words);
}

static int try_function(const struct run *r, size_t number)
{
  const struct function *f = &functions[number];
  static double x[ITEMS][ARGUMENTS], y[ITEMS];
  static cl_int n[ITEMS];
  const size_t global = ITEMS, local = GROUP;
  double worst = 0;
  int at = 0;
  char name[16];
  cl_int error;
  for (int i = 0; i < ITEMS; i++) {
    x[i][0] = of_type(r->is_double, pick(f->least, f->most));
    for (int a = 1; a < ARGUMENTS; a++)
      x[i][a] = of_type(r->is_double, pick(f->b_least, f->b_most));
    n[i] = (cl_int)rint(pick(f->b_least, f->b_most));
    if (f->three != NULL && i % 4 == 0) /* the product cancels */
      x[i][2] = of_type(r->is_double, -x[i][0] * x[i][1]);
    if (f->one == mpfr_gamma && i % 4 == 0) /* near integers */
      x[i][0] = of_type(r->is_double, rint(x[i][0]) + ldexp(i % 8 ? 1 : -1, -2 - i % 21));
  }
  snprintf(name, sizeof name, "k%zu", number);
  cl_kernel kernel = clCreateKernel(r->program, name, &error);
  move(r, &x[0][0], ITEMS * ARGUMENTS, r->x, true);
  error |= clEnqueueWriteBuffer(r->queue, r->m, CL_TRUE, 0, sizeof n, n, 0, NULL, NULL);
  error |= clSetKernelArg(kernel, 0, sizeof r->x, &r->x) | clSetKernelArg(kernel, 1, sizeof r->m, &r->m) |
           clSetKernelArg(kernel, 2, sizeof r->y, &r->y);
  error |= clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  move(r, y, ITEMS, r->y, false);
  clReleaseKernel(kernel);
  mpfr_t wanted;
  mpfr_init2(wanted, PRECISION);
  for (int i = 0; i < ITEMS; i++) {
    compute(f, x[i], n[i], wanted);
    const double off = ulps(r->is_double, y[i], wanted);
    if (off > worst) {
      worst = off;
      at = i;
    }
  }
  mpfr_clear(wanted);
  if (error == CL_SUCCESS && worst <= f->bound[r->is_double])
    return 0;
  printf("  %s %s, a = %a, b = %a, n = %d: %.1f ulp off, %.1f are allowed (error %d)\n",
         r->is_double ? "double" : "float", f->name, x[at][0], x[at][1], n[at], worst, f->bound[r->is_double], error);
  return 1;
}

static int try_device(cl_device_id device, bool is_double)
{
  char name[64] = "", log[4096] = "";
  int failures = 0;
  cl_int error;
  char *text = source_of(is_double);
  const char *source = text;
  struct run r = {.is_double = is_double};
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
  r.context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  r.queue = clCreateCommandQueue(r.context, device, 0, &error);
  r.program = clCreateProgramWithSource(r.context, 1, &source, NULL, &error);
  if (clBuildProgram(r.program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
    clGetProgramBuildInfo(r.program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    printf("%s\n", log);
    failures = FUNCTIONS;
  }
  r.x = clCreateBuffer(r.context, 0, ITEMS * ARGUMENTS * sizeof(double), NULL, &error);
  r.m = clCreateBuffer(r.context, 0, ITEMS * sizeof(cl_int), NULL, &error);
  r.y = clCreateBuffer(r.context, 0, ITEMS * sizeof(double), NULL, &error);
  for (size_t i = 0; i < FUNCTIONS && failures < FUNCTIONS; i++)
    failures += try_function(&r, i);
  printf("%s, %s: %d functions, %d failures\n", name, is_double ? "double" : "float", FUNCTIONS, failures);
  clReleaseMemObject(r.x);
  clReleaseMemObject(r.m);
  clReleaseMemObject(r.y);
  clReleaseProgram(r.program);
  clReleaseCommandQueue(r.queue);
  clReleaseContext(r.context);
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
  for (cl_uint i = 0; i < count && i < DEVICES; i++) {
    cl_device_fp_config doubles = 0;
    clGetDeviceInfo(devices[i], CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    failures += try_device(devices[i], false);
    if (doubles != 0)
      failures += try_device(devices[i], true);
  }
  mpfr_free_cache();
  return failures > 0;
}
