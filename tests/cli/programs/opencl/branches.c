/* Branches that no annotation lets reconverge: a kernel with one is refused with its line, on machines whose lanes need
 * annotations. Assembly in a kernel stands for code generation, which makes branches of other instructions. */
#include "check.h"

#define JUMP(over) "  __asm__ volatile(\"beqz %0, 1f\\n\\t" over "\\n1:\" : : \"r\"(x) : \"memory\");\n"
#define LONG "fence\\n\\tfence\\n\\tfence\\n\\tfence\\n\\tfence\\n\\tfence\\n\\tfence\\n\\tfence"

/* A branch on `x`, over many instructions, in line 3. */
#define KERNEL(x, jump, rest) "__kernel void k(__global int *a, int n) {\n  int x = " x ";\n" jump rest "}\n"

/* As many branches as before code generation: the machine has an instruction for the select, which counts as one. */
#define SELECT "  a[1] = n > 5 ? a[2] : n * 3;\n"

/* Registers do not suffice, so the condition of a select is a byte of a word that is loaded from the stack. */
#define BYTE                                                                                                           \
  "__kernel void k(__global int *a, int n, float f) {\n"                                                               \
  "  const int i = get_global_id(0), m = n * n;\n"                                                                     \
  "  a[0] = m;\n"                                                                                                      \
  "  int16 x = vload16(i, a), y = vload16(i + 9, a);\n"                                                                \
  "  barrier(CLK_GLOBAL_MEM_FENCE); x = x * y + x.s0; y = x ^ y + y.s0;\n"                                             \
  "  barrier(CLK_GLOBAL_MEM_FENCE); x = x * y + x.s0; y = x ^ y + y.s0;\n"                                             \
  "  vstore16(x, i + 20, a); vstore16(y, i + 40, a);\n"                                                                \
  "  a[n + 77] = (uchar)m == 7 ? f * f : f;\n"                                                                         \
  "}\n"

/* A divergent loop with a condition of several comparisons, as that of words of 64 bits is. */
#define LOOP                                                                                                           \
  "__kernel void k(__global int *a, long n, int m) {\n"                                                                \
  "  for (long i = get_global_id(0); i < n; i += m) a[i] *= 3;\n"                                                      \
  "}\n"

static void is_refused(const char *source)
{
  char log[8000] = "";
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  OK(error);
  IS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", NULL, NULL));
  OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  CHECK(strstr(log, "<kernel>:3") != NULL);
  CHECK(strstr(log, "lanes may diverge at this branch") != NULL);
  OK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
  (void)argv;
  begin(0);
  if (argc == 1) {
    is_refused(KERNEL("get_global_id(0) & 4", JUMP("nop"), ""));
    is_refused(KERNEL("get_global_id(0) & 4", JUMP(LONG), ""));
    is_refused(KERNEL("get_global_id(0) & 4", JUMP(LONG), SELECT SELECT));
  } else
    OK(clReleaseProgram(build(KERNEL("get_global_id(0) & 4", JUMP(LONG), SELECT), "")));
  OK(clReleaseProgram(build(BYTE, "")));
  OK(clReleaseProgram(build(LOOP, "")));
  OK(clReleaseProgram(build(KERNEL("n & 4", JUMP(LONG), ""), "")));
  return end();
}
