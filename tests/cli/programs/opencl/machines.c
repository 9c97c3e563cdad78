// Kernels on each device of the platform, with groups that fill warps and groups that do not. Results are compared with
// the host's; those of `mixed` with the first device's.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES(...) #__VA_ARGS__

static const char source[] = LINES(
    typedef struct {
      int a[30];
      float4 f;
      char c;
    } big;
    __kernel void gemm(__global const float *a, __global const float *b, __global float *c, int n, float alpha) {
      int x = get_global_id(0), y = get_global_id(1);
      float v = 0;
      if (x >= n || y >= n)
        return;
      for (int k = 0; k < n; k++)
        v += a[y * n + k] * b[k * n + x];
      c[y * n + x] = alpha * v;
    } __kernel void diverge(__global int *out, __global const int *in, int n) {
      int i = get_global_id(0);
      if (i >= n)
        return;
      int v = in[i], s = 0;
      while (v > 1) {
        if (v % 5 == 4)
          break;
        if (v & 1) {
          v = 3 * v + 1;
          if (v % 7 == 0)
            continue;
        } else
          v /= 2;
        for (int k = 0; k < v % 4; k++)
          for (int j = 0; j < 3; j++) {
            if ((s ^ j) % 11 == 10)
              goto out;
            s += j;
          }
        s++;
      }
    out:
      switch (s & 3) {
      case 0: s += 7;
      case 1: s ^= 5; break;
      default: s = s > 9 ? s - 1 : s * 2;
      }
      out[i] = s + v;
    } __kernel void sum(__global const float *in, __global float *out, __local float *part, uint n) {
      uint l = get_local_id(0), size = get_local_size(0);
      float v = 0;
      for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        v += in[i];
      part[l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint left = size; left > 1; left = (left + 1) / 2) {
        if (l < left / 2)
          part[l] += part[l + (left + 1) / 2];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0)
        out[get_group_id(0)] = part[0];
    } __kernel void count(__global int *h, __global const int *in) {
      __local int t[20];
      int l = get_local_id(0);
      t[l % 20] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_inc(&t[in[get_global_id(0)] % 20]);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < 20)
        atomic_add(&h[l], t[l]);
      union {
        int i;
        float f;
      } old, now;
      do {
        old.i = *(volatile __global int *)&h[20];
        now.f = old.f + 1;
      } while (atomic_cmpxchg((volatile __global int *)&h[20], old.i, now.i) != old.i);
    } __kernel void stencil(__global const int *in, __global int *out, int turns) {
      __local int a[2][66];
      int l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);
      a[0][l + 1] = in[i];
      if (l == 0)
        a[0][0] = a[1][0] = a[0][n + 1] = a[1][n + 1] = 0;
      for (int t = 0; t < turns; t++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        a[(t + 1) & 1][l + 1] = a[t & 1][l] + 2 * a[t & 1][l + 1] - a[t & 1][l + 2];
      }
      out[i] = a[turns & 1][l + 1];
    } __kernel void select_chain(__global const int *in, __global int *out, int least) {
      __local int a[200];
      int l = get_local_id(0), i = get_global_id(0), v = in[i], r = 0;
      if ((v & 78) <= (((l > least) && ((v * 3 + i) & 2)) ? 26 : 63))
        r = v / (l + 1);
      a[l] = r;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[i] = r + a[get_local_size(0) - 1 - l];
    } __kernel void functions(__global float *o, __global const float *in) {
      int g = get_global_id(0);
      float x = in[g];
      o[g] = sin(x) + exp(x) * pow(fabs(x), 0.3f) + native_cos(x) + rint(x) + floor(x) + round(x) + fma(x, x, 1.0f) +
             (isinf(x) ? 1 : 0);
    } __kernel void mixed(__global int *o, big s, __constant int *k, float3 v, char ch, long w, uchar4 u) {
      int t[40];
      int i = get_global_id(0);
      for (int j = 0; j < 40; j++)
        t[j] = 0;
      big c = s;
      c.a[i % 30] += i;
      for (int j = 0; j < 30; j++)
        t[j % (1 + i % 5)] += c.a[j];
      int r = (int)c.f.z;
      for (int j = 0; j < 40; j++)
        r += t[j] * j;
      r += (int)v.z + ch + (int)(w >> 33) + u.w + k[i % 4];
      long sh = w << (i % 60);
      ulong us = (ulong)w * i;
      r += (int)(sh >> 40) + (sh > 1000 ? 1 : 2) + (int)(us % 1000) + (int)(w / (i + 1)) + (int)rotate(us, (ulong)i);
      r += clz(i) + popcount(i) + (int)hadd(i, 5) + mul_hi(i, 0x7fffffff) + min(i, 7) + max(i, 3) + (int)abs(i - 20);
      r += convert_uchar_sat(i * 3) + convert_int_sat(v.x * 1e12f) + (int)(float)(us >> 3);
      int4 q = (int4)(i, i + 1, i + 2, i + 3);
      q = select(q, -q, q > 5).wzyx;
      o[i] = r + q.x * 3 + q.y;
    });

enum { N = 640, WIDTH = 40 };
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static int failures;

static void check(cl_int error, const char *what)
{
  if (error == CL_SUCCESS)
    return;
  printf("%s: error %d\n", what, error);
  exit(2);
}

static void judge(const char *what, size_t group, size_t wrong)
{
  if (wrong > 0)
    printf("%s, groups of %zu: %zu wrong\n", what, group, wrong);
  failures += wrong > 0;
}

static cl_mem buffer(size_t bytes, void *from)
{
  cl_int error;
  cl_mem mem = clCreateBuffer(context, from != NULL ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE, bytes, from, &error);
  check(error, "clCreateBuffer");
  return mem;
}

static cl_kernel kernel(const char *name)
{
  cl_int error;
  cl_kernel k = clCreateKernel(program, name, &error);
  check(error, name);
  return k;
}

// Clears the buffer, launches, and reads it back.
static void run(cl_kernel k, cl_uint dimensions, const size_t *global, const size_t *local, cl_mem out, void *to,
                size_t bytes)
{
  memset(to, 0, bytes);
  check(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "clEnqueueWriteBuffer");
  check(clEnqueueNDRangeKernel(queue, k, dimensions, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "clEnqueueReadBuffer");
}

#define ARGUMENT(k, i, value) check(clSetKernelArg(k, i, sizeof(value), &(value)), "clSetKernelArg")

static void test_gemm(void)
{
  static float a[WIDTH * WIDTH], b[WIDTH * WIDTH], c[WIDTH * WIDTH];
  static const size_t locals[][2] = {{16, 16}, {5, 20}, {1, 7}};
  const int n = WIDTH;
  const float alpha = 1.5f;
  for (int i = 0; i < n * n; i++) {
    a[i] = (float)(i % 7);
    b[i] = (float)(i % 5 - 2);
  }
  cl_mem ma = buffer(sizeof a, a), mb = buffer(sizeof b, b), mc = buffer(sizeof c, NULL);
  cl_kernel k = kernel("gemm");
  ARGUMENT(k, 0, ma);
  ARGUMENT(k, 1, mb);
  ARGUMENT(k, 2, mc);
  ARGUMENT(k, 3, n);
  ARGUMENT(k, 4, alpha);
  for (size_t l = 0; l < sizeof locals / sizeof *locals; l++) {
    const size_t *const local = locals[l];
    const size_t global[] = {(WIDTH + local[0] - 1) / local[0] * local[0],
                             (WIDTH + local[1] - 1) / local[1] * local[1]};
    size_t wrong = 0;
    run(k, 2, global, local, mc, c, sizeof c);
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++) {
        float v = 0;
        for (int i = 0; i < n; i++)
          v += a[y * n + i] * b[i * n + x];
        wrong += c[y * n + x] != alpha * v;
      }
    judge("gemm", local[0] * local[1], wrong);
  }
}

static int diverged(int v)
{
  int s = 0;
  while (v > 1) {
    if (v % 5 == 4)
      break;
    if (v & 1) {
      v = 3 * v + 1;
      if (v % 7 == 0)
        continue;
    } else
      v /= 2;
    for (int k = 0; k < v % 4; k++)
      for (int j = 0; j < 3; j++) {
        if ((s ^ j) % 11 == 10)
          goto out;
        s += j;
      }
    s++;
  }
out:
  switch (s & 3) {
  case 0: s += 7; /* fall through */
  case 1: s ^= 5; break;
  default: s = s > 9 ? s - 1 : s * 2;
  }
  return s + v;
}

// Kernels of one dimension, with each group size.
static void test_groups(size_t local)
{
  static int in[N], out[N], bins[24], turned[N];
  static float values[N], parts[N];
  const int n = N, turns = 5;
  const cl_uint count = N;
  const size_t global = N;
  size_t wrong = 0;
  double sum = 0, expected = 0;
  int want[20] = {0};
  for (int i = 0; i < N; i++) {
    in[i] = i * 7919 % 10007;
    values[i] = (float)(i % 13);
    expected += values[i];
    want[in[i] % 20]++;
  }
  cl_mem min = buffer(sizeof in, in), mout = buffer(sizeof out, NULL), mvalues = buffer(sizeof values, values);
  cl_kernel k = kernel("diverge");
  ARGUMENT(k, 0, mout);
  ARGUMENT(k, 1, min);
  ARGUMENT(k, 2, n);
  run(k, 1, &global, &local, mout, out, sizeof out);
  for (int i = 0; i < N; i++)
    wrong += out[i] != diverged(in[i]);
  judge("diverge", local, wrong);

  k = kernel("sum");
  ARGUMENT(k, 0, mvalues);
  ARGUMENT(k, 1, mout);
  check(clSetKernelArg(k, 2, local * sizeof(float), NULL), "clSetKernelArg");
  ARGUMENT(k, 3, count);
  run(k, 1, &global, &local, mout, parts, sizeof parts);
  for (size_t i = 0; i < N / local; i++)
    sum += parts[i];
  judge("sum", local, sum != expected);

  k = kernel("count");
  ARGUMENT(k, 0, mout);
  ARGUMENT(k, 1, min);
  float counted = 0;
  if (local >= 20) {
    run(k, 1, &global, &local, mout, bins, sizeof bins);
    memcpy(&counted, &bins[20], sizeof counted);
    wrong = counted != N;
    for (int i = 0; i < 20; i++)
      wrong += bins[i] != want[i];
    judge("count", local, wrong);
  }

  k = kernel("select_chain");
  ARGUMENT(k, 0, min);
  ARGUMENT(k, 1, mout);
  ARGUMENT(k, 2, turns);
  run(k, 1, &global, &local, mout, turned, sizeof turned);
  wrong = 0;
  for (int i = 0; i < N; i++) {
    int r[2] = {0};
    for (int other = 0; other < 2; other++) {
      const int own = i % (int)local, l = other ? (int)local - 1 - own : own, v = in[i - own + l];
      if ((v & 78) <= (l > turns && ((v * 3 + i - own + l) & 2) ? 26 : 63))
        r[other] = v / (l + 1);
    }
    wrong += turned[i] != r[0] + r[1];
  }
  judge("select_chain", local, wrong);

  k = kernel("stencil");
  ARGUMENT(k, 0, min);
  ARGUMENT(k, 1, mout);
  ARGUMENT(k, 2, turns);
  if (local <= 64) {
    int a[2][66] = {{0}};
    run(k, 1, &global, &local, mout, turned, sizeof turned);
    wrong = 0;
    for (size_t g = 0; g < N; g += local) {
      memset(a, 0, sizeof a);
      memcpy(a[0] + 1, in + g, local * sizeof(int));
      for (int t = 0; t < turns; t++)
        for (size_t l = 1; l <= local; l++)
          a[(t + 1) & 1][l] = a[t & 1][l - 1] + 2 * a[t & 1][l] - a[t & 1][l + 1];
      wrong += memcmp(turned + g, a[turns & 1] + 1, local * sizeof(int)) != 0;
    }
    judge("stencil", local, wrong);
  }
}

// A device has images and samplers, or refuses them.
static void test_images(cl_device_id device)
{
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  cl_bool supported;
  cl_uint formats;
  cl_int made, sampled;
  check(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof supported, &supported, NULL), "clGetDeviceInfo");
  check(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &formats), "formats");
  clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, NULL, &made);
  clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &sampled);
  const cl_int expected = supported ? CL_SUCCESS : CL_INVALID_OPERATION;
  judge("images", 0, made != expected || sampled != expected || (formats > 0) != supported);
}

static void test_functions(void)
{
  static float in[N], out[N];
  const size_t global = N;
  size_t wrong = 0;
  for (int i = 0; i < N; i++)
    in[i] = ((float)i - 300) * 0.0817f;
  cl_mem min = buffer(sizeof in, in), mout = buffer(sizeof out, NULL);
  cl_kernel k = kernel("functions");
  ARGUMENT(k, 0, mout);
  ARGUMENT(k, 1, min);
  run(k, 1, &global, NULL, mout, out, sizeof out);
  for (int i = 0; i < N; i++) {
    const double x = in[i],
                 v = sin(x) + exp(x) * pow(fabs(x), 0.3f) + cos(x) + rint(x) + floor(x) + round(x) + x * x + 1;
    const double scale = fabs(v) + exp(x) * pow(fabs(x), 0.3f) + 3 * fabs(x) + 3;
    wrong += !(fabs(out[i] - v) <= 1e-6 * scale);
  }
  judge("functions", 0, wrong);
}

static void test_mixed(void)
{
  struct {
    int a[30];
    cl_float4 f;
    char c;
  } big = {.f = {{1, 2, 3, 4}}};
  static int first[N], out[N], known;
  int table[4] = {3, 1, 4, 1};
  const cl_float3 v = {{7, 8, 9}};
  const cl_char ch = -5;
  const cl_long w = 0x123456789abcdefLL;
  const cl_uchar4 u = {{1, 2, 3, 200}};
  const size_t global = N;
  for (int i = 0; i < 30; i++)
    big.a[i] = i * i;
  cl_mem mtable = buffer(sizeof table, table), mout = buffer(sizeof out, NULL);
  cl_kernel k = kernel("mixed");
  ARGUMENT(k, 0, mout);
  ARGUMENT(k, 1, big);
  ARGUMENT(k, 2, mtable);
  ARGUMENT(k, 3, v);
  ARGUMENT(k, 4, ch);
  ARGUMENT(k, 5, w);
  ARGUMENT(k, 6, u);
  run(k, 1, &global, NULL, mout, out, sizeof out);
  if (known++ == 0)
    memcpy(first, out, sizeof first);
  judge("mixed", 0, memcmp(first, out, sizeof first) != 0);
}

int main(void)
{
  static const size_t locals[] = {64, 20, 128, 8, 160, 40};
  const char *text = source;
  cl_platform_id platform;
  cl_device_id devices[16];
  cl_uint count;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count), "clGetDeviceIDs");
  for (cl_uint i = 0; i < count; i++) {
    char name[200], log[8000];
    check(clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    context = clCreateContext(NULL, 1, &devices[i], NULL, NULL, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueue(context, devices[i], 0, &error);
    check(error, "clCreateCommandQueue");
    program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    check(error, "clCreateProgramWithSource");
    error = clBuildProgram(program, 1, &devices[i], "", NULL, NULL);
    if (error != CL_SUCCESS) {
      clGetProgramBuildInfo(program, devices[i], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
      printf("%s: %s\n", name, log);
      return 1;
    }
    const int before = failures;
    test_gemm();
    for (size_t l = 0; l < sizeof locals / sizeof *locals; l++)
      if (N % locals[l] == 0)
        test_groups(locals[l]);
    test_functions();
    test_mixed();
    test_images(devices[i]);
    printf("%s: %d failures\n", name, failures - before);
  }
  return failures > 0;
}
