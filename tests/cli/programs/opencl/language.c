/* OpenCL C: arguments of all kinds, work-item functions, local and constant memory, atomics, printf, vectors, double.
 */
#include "check.h"

static const char source[] =
    "struct s { int a; float b[3]; };\n"
    "constant int table[4] = {10, 20, 30, 40};\n"
    "kernel void arguments(global int *out, constant int *c, constant int *d, local int *l, local double *m, struct s "
    "st,"
    "  float4 v, char ch, int3 i3, ulong big, ushort us, char2 pair, uchar2 upair)\n"
    "{\n"
    "  size_t i = get_local_id(0), n = get_local_size(0);\n"
    "  local int own[64];\n"
    "  l[i] = (int)i; m[i] = i * 2.0; own[i] = (int)i * 3;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  size_t o = (i + 1) % n;\n"
    "  out[get_global_id(0)] = l[o] + (int)m[o] + own[o] + c[i] + d[i] + st.a + (int)st.b[2] + (int)v.w + ch + i3.z"
    "    + (int)(big >> 32) + us + table[i & 3] + 2 * pair.x + 3 * pair.y + 5 * upair.x + 7 * upair.y;\n"
    "}\n"
    "kernel void ids(global ulong *out)\n"
    "{\n"
    "  size_t g = (get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - "
    "get_global_offset(1);\n"
    "  g = g * get_global_size(0) + get_global_id(0) - get_global_offset(0);\n"
    "  out[g] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2) + 1000000 * get_group_id(0)\n"
    "    + 10000000 * get_group_id(1) + 100000000 * get_num_groups(2) + 1000000000ul * get_work_dim()\n"
    "    + 10000000000ul * get_local_id(1) + 100000000000ul * get_global_id(3) + 1000000000000ul * get_local_size(5);\n"
    "}\n"
    "kernel void far(global int *out) { if (get_global_id(0) == 0) out[get_group_id(1)] = (int)get_num_groups(1); }\n"
    "kernel __attribute__((reqd_work_group_size(8, 4, 1))) void fixed(global int *out) { out[0] = 1; }\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "kernel void atomics(global int *w, global long *x, global float *f)\n"
    "{\n"
    "  local int l; local ulong m;\n"
    "  if (get_local_id(0) == 0) { l = 0; m = 0; }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  int i = (int)get_global_id(0);\n"
    "  atomic_add(&w[0], i); atomic_inc(&w[1]); atomic_max(&w[2], i); atomic_min(&w[3], -i); atomic_or(&w[4], 1 << (i "
    "& 31));\n"
    "  atom_add(&x[0], (long)i << 32); atom_max(&x[1], (long)i << 33); atom_inc(&x[2]); atom_xor(&x[3], (long)i << "
    "40);\n"
    "  atomic_add(&l, 1); atom_add(&m, 1ul << 32);\n"
    "  for (float old = *f, next;; old = next)\n"
    "    if ((next = as_float(atomic_cmpxchg((volatile global uint *)f, as_uint(old), as_uint(old + 1)))) == old) "
    "break;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (get_local_id(0) == 0) { atomic_add(&w[5], l); atom_add(&x[4], (long)m); }\n"
    "}\n"
    "kernel void prints(void)\n"
    "{\n"
    "  printf(\"%d %5.2f %s %c %%\\n\", -7, 1.5f, \"text\", 'x');\n"
    "  printf(\"%v4hld|%v2hlf|%v3hhd|%v2lu|%v4hx\\n\", (int4)(1, -2, 3, 4), (float2)(0.5f, -1), (char3)(-1, 2, 3),"
    "    (ulong2)(1ul << 40, 5), (ushort4)(1, 2, 255, 65535));\n"
    "}\n"
    "kernel void copies(global const float4 *in, global float4 *out, local float4 *l)\n"
    "{\n"
    "  event_t e = async_work_group_copy(l, in, 32, 0);\n"
    "  prefetch(in, 32);\n"
    "  wait_group_events(1, &e);\n"
    "  size_t i = get_local_id(0);\n"
    "  ushort h[2]; vstore_half_rte(l[i].x, 0, (half *)h);\n"
    "  l[i].y = vload_half(0, (const half *)h) + l[i].s3; l[i].zw = l[i].wz;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  e = async_work_group_copy(out, l, 32, 0);\n"
    "  wait_group_events(1, &e);\n"
    "}\n";

static void run(cl_kernel k, cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local)
{
  OK(clEnqueueNDRangeKernel(queue, k, dimensions, offset, global, local, 0, NULL, NULL));
  OK(clFinish(queue));
}

static void arguments(cl_program p)
{
  enum { N = 64 };
  struct {
    int a;
    float b[3];
  } st = {5, {0, 0, 7}};
  const cl_float v[4] = {0, 0, 0, 9};
  const cl_int i3[4] = {0, 0, 11, 0};
  const cl_char ch = -3;
  const cl_ulong big = 13ull << 32;
  const cl_ushort us = 40000;
  const cl_char pair[2] = {-100, 90};
  const cl_uchar upair[2] = {200, 250};
  int c[N], d[N], out[2 * N];
  for (int i = 0; i < N; i++) {
    c[i] = 1000 * i;
    d[i] = 100000 * i;
  }
  cl_kernel k = kernel_of(p, "arguments");
  cl_mem mo = buffer(sizeof out, NULL), mc = buffer(sizeof c, c), md = buffer(sizeof d, d);
  OK(clSetKernelArg(k, 0, sizeof mo, &mo));
  OK(clSetKernelArg(k, 1, sizeof mc, &mc));
  OK(clSetKernelArg(k, 2, sizeof md, &md));
  OK(clSetKernelArg(k, 3, N * sizeof(int), NULL));
  OK(clSetKernelArg(k, 4, N * sizeof(double), NULL));
  OK(clSetKernelArg(k, 5, sizeof st, &st));
  OK(clSetKernelArg(k, 6, sizeof v, v));
  OK(clSetKernelArg(k, 7, sizeof ch, &ch));
  OK(clSetKernelArg(k, 8, sizeof i3, i3));
  OK(clSetKernelArg(k, 9, sizeof big, &big));
  IS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, k, 1, NULL, (size_t[]){N}, NULL, 0, NULL, NULL));
  OK(clSetKernelArg(k, 10, sizeof us, &us));
  OK(clSetKernelArg(k, 11, sizeof pair, pair));
  OK(clSetKernelArg(k, 12, sizeof upair, upair));
  run(k, 1, NULL, (size_t[]){2 * N}, (size_t[]){N});
  OK(clEnqueueReadBuffer(queue, mo, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  for (int g = 0; g < 2 * N; g++) {
    const int i = g % N, o = (i + 1) % N;
    const int wanted = o + 2 * o + 3 * o + c[i] + d[i] + 5 + 7 + 9 - 3 + 11 + 13 + 40000 + 10 * (i % 4 + 1) - 2 * 100 +
                       3 * 90 + 5 * 200 + 7 * 250;
    if (out[g] != wanted) {
      printf("arguments: %d: %d instead of %d\n", g, out[g], wanted);
      failures++;
      break;
    }
  }
  cl_ulong bytes;
  OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
  CHECK(bytes >= N * (4 + 8 + 4));
  char text[64];
  cl_kernel_arg_address_qualifier space;
  cl_kernel_arg_type_qualifier qualifiers;
  OK(clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
  CHECK(space == CL_KERNEL_ARG_ADDRESS_CONSTANT);
  OK(clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL));
  CHECK(qualifiers == CL_KERNEL_ARG_TYPE_CONST);
  OK(clGetKernelArgInfo(k, 6, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
  CHECK(strcmp(text, "float4") == 0);
  OK(clGetKernelArgInfo(k, 9, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
  CHECK(strcmp(text, "big") == 0);
  clReleaseMemObject(mo);
  clReleaseMemObject(mc);
  clReleaseMemObject(md);
  clReleaseKernel(k);
}

static void ids(cl_program p)
{
  enum { X = 8, Y = 6, Z = 4 };
  cl_ulong out[X * Y * Z];
  cl_kernel k = kernel_of(p, "ids");
  cl_mem m = buffer(sizeof out, NULL);
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  run(k, 3, (size_t[]){3, 2, 1}, (size_t[]){X, Y, Z}, (size_t[]){4, 3, 2});
  OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  for (cl_ulong z = 0, at = 0; z < Z; z++)
    for (cl_ulong y = 0; y < Y; y++)
      for (cl_ulong x = 0; x < X; x++, at++) {
        const cl_ulong wanted = x + 3 + 100 * (y + 2) + 10000 * (z + 1) + 1000000 * (x / 4) + 10000000 * (y / 3) +
                                100000000 * 2 + 1000000000ull * 3 + 10000000000ull * (y % 3) + 1000000000000ull;
        if (out[at] != wanted) {
          printf("ids: %llu: %llu instead of %llu\n", (unsigned long long)at, (unsigned long long)out[at],
                 (unsigned long long)wanted);
          failures++;
          return;
        }
      }
  clReleaseMemObject(m);
  clReleaseKernel(k);
}

/* More groups in the second dimension than a grid has. */
static void far(cl_program p)
{
  enum { GROUPS = 66000 };
  int *out = calloc(GROUPS, sizeof *out), wrong = 0;
  cl_kernel k = kernel_of(p, "far");
  cl_mem m = buffer(GROUPS * sizeof *out, NULL);
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  run(k, 2, NULL, (size_t[]){1, GROUPS}, (size_t[]){1, 1});
  OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, GROUPS * sizeof *out, out, 0, NULL, NULL));
  for (int i = 0; i < GROUPS; i++)
    wrong += out[i] != GROUPS;
  CHECK(wrong == 0);
  free(out);
  clReleaseMemObject(m);
  clReleaseKernel(k);
}

static void sizes(cl_program p)
{
  cl_kernel k = kernel_of(p, "fixed");
  size_t size[3];
  char text[64];
  cl_mem m = buffer(64, NULL);
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size, size, NULL));
  CHECK(size[0] == 8 && size[1] == 4 && size[2] == 1);
  OK(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
  CHECK(strcmp(text, "reqd_work_group_size(8,4,1)") == 0);
  const size_t global[] = {16, 16}, wrong[] = {4, 8}, right[] = {8, 4}, large[] = {2000, 1}, odd[] = {15, 16};
  IS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 2, NULL, global, NULL, 0, NULL, NULL));
  IS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 2, NULL, global, wrong, 0, NULL, NULL));
  IS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 2, NULL, odd, right, 0, NULL, NULL));
  IS(CL_INVALID_WORK_ITEM_SIZE, clEnqueueNDRangeKernel(queue, k, 2, NULL, global, large, 0, NULL, NULL));
  IS(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(queue, k, 4, NULL, global, right, 0, NULL, NULL));
  IS(CL_INVALID_GLOBAL_WORK_SIZE, clEnqueueNDRangeKernel(queue, k, 2, NULL, NULL, right, 0, NULL, NULL));
  run(k, 2, NULL, global, right);
  clReleaseMemObject(m);
  clReleaseKernel(k);
}

static void atomics(cl_program p)
{
  enum { N = 256, GROUPS = 4 };
  int w[6] = {0, 0, -1, 1, 0, 0};
  cl_long x[5] = {0};
  float f = 0;
  cl_kernel k = kernel_of(p, "atomics");
  cl_mem mw = buffer(sizeof w, w), mx = buffer(sizeof x, x), mf = buffer(sizeof f, &f);
  OK(clSetKernelArg(k, 0, sizeof mw, &mw));
  OK(clSetKernelArg(k, 1, sizeof mx, &mx));
  OK(clSetKernelArg(k, 2, sizeof mf, &mf));
  run(k, 1, NULL, (size_t[]){N}, (size_t[]){N / GROUPS});
  OK(clEnqueueReadBuffer(queue, mw, CL_TRUE, 0, sizeof w, w, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, mx, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, mf, CL_TRUE, 0, sizeof f, &f, 0, NULL, NULL));
  CHECK(w[0] == N * (N - 1) / 2 && w[1] == N && w[2] == N - 1 && w[3] == 1 - N && w[4] == -1 && w[5] == N);
  CHECK(x[0] == (cl_long)(N * (N - 1) / 2) << 32 && x[1] == (cl_long)(N - 1) << 33 && x[2] == N && x[3] == 0);
  CHECK(x[4] == (cl_long)N << 32 && f == N);
  clReleaseMemObject(mw);
  clReleaseMemObject(mx);
  clReleaseMemObject(mf);
  clReleaseKernel(k);
}

static void copies(cl_program p)
{
  enum { N = 32 };
  cl_float in[4 * N], out[4 * N];
  int wrong = 0;
  for (int i = 0; i < 4 * N; i++)
    in[i] = (float)i;
  cl_kernel k = kernel_of(p, "copies");
  cl_mem mi = buffer(sizeof in, in), mo = buffer(sizeof out, NULL);
  OK(clSetKernelArg(k, 0, sizeof mi, &mi));
  OK(clSetKernelArg(k, 1, sizeof mo, &mo));
  OK(clSetKernelArg(k, 2, sizeof in, NULL));
  run(k, 1, NULL, (size_t[]){N}, (size_t[]){N});
  OK(clEnqueueReadBuffer(queue, mo, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  for (int i = 0; i < N; i++)
    wrong += out[4 * i] != in[4 * i] || out[4 * i + 1] != in[4 * i] + in[4 * i + 3] ||
             out[4 * i + 2] != in[4 * i + 3] || out[4 * i + 3] != in[4 * i + 2];
  CHECK(wrong == 0);
  clReleaseMemObject(mi);
  clReleaseMemObject(mo);
  clReleaseKernel(k);
}

int main(void)
{
  begin(0);
  cl_program p = build(source, "");
  arguments(p);
  ids(p);
  far(p);
  sizes(p);
  atomics(p);
  copies(p);
  cl_kernel k = kernel_of(p, "prints");
  OK(clEnqueueTask(queue, k, 0, NULL, NULL));
  OK(clFinish(queue));
  clReleaseKernel(k);
  OK(clReleaseProgram(p));
  return end();
}
