/* Launches two kernels three times, on the first device: one that diverges and reads a variable of the program, and one
 * with local memory and barriers. Prints the sums. With an argument it is wrong: "race" leaves out the barriers,
 * "stray" has a buffer for all results but the last. */
#include "check.h"

static const char source[] = "__constant float half_of[2] = {0.5f, 0.25f};\n"
                             "__kernel void scale(__global float *a, float f)\n"
                             "{\n"
                             "  const int i = get_global_id(0);\n"
                             "  if (i % 3 == 0)\n"
                             "    a[i] = a[i] * f;\n"
                             "  else\n"
                             "    a[i] = a[i] + half_of[i & 1];\n"
                             "}\n"
                             "__kernel void sum(__global const float *a, __global float *out, __local float *t)\n"
                             "{\n"
                             "  const int l = get_local_id(0);\n"
                             "  t[l] = a[get_global_id(0)];\n"
                             "  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
                             "    WAIT;\n"
                             "    if (l < s)\n"
                             "      t[l] += t[l + s];\n"
                             "  }\n"
                             "  if (l == 0)\n"
                             "    out[get_group_id(0)] = t[0];\n"
                             "}\n";

enum { ITEMS = 1024, GROUP = 256, GROUPS = ITEMS / GROUP };

static void launch(cl_kernel kernel)
{
  const size_t items = ITEMS, group = GROUP;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
}

int main(int argc, char **argv)
{
  const char *wrong = argc > 1 ? argv[1] : "";
  float in[ITEMS], out[GROUPS] = {0};
  const float factor = 2;
  begin(0);
  cl_program program = build(source, strcmp(wrong, "race") == 0 ? "-D WAIT=" : "-D WAIT=barrier(CLK_LOCAL_MEM_FENCE)");
  cl_kernel scale = kernel_of(program, "scale"), sum = kernel_of(program, "sum");
  for (int i = 0; i < ITEMS; i++)
    in[i] = (float)i;
  cl_mem a = buffer(sizeof in, in), b = buffer(sizeof out - (strcmp(wrong, "stray") == 0 ? sizeof *out : 0), NULL);
  OK(clSetKernelArg(scale, 0, sizeof a, &a));
  OK(clSetKernelArg(scale, 1, sizeof factor, &factor));
  OK(clSetKernelArg(sum, 0, sizeof a, &a));
  OK(clSetKernelArg(sum, 1, sizeof b, &b));
  OK(clSetKernelArg(sum, 2, GROUP * sizeof *in, NULL));
  launch(scale);
  launch(sum);
  launch(scale);
  if (wrong[0] != '\0')
    return clFinish(queue) == 12345;
  OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  for (int i = 0; i < GROUPS; i++)
    printf("%g\n", out[i]);
  OK(clReleaseMemObject(a));
  OK(clReleaseMemObject(b));
  OK(clReleaseKernel(scale));
  OK(clReleaseKernel(sum));
  OK(clReleaseProgram(program));
  return end();
}
