# simtlab gdb on an OpenCL program: kernels of PTX stop at lines of the OpenCL C source, forwards and backwards.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_host.sh"
if [ ! -f "$BUILD/libsimtlab-opencl.so" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL in this build, or no loader"
  exit 77
fi
sanitized "$BUILD/libsimtlab-opencl.so"
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache"

cat >halve.c <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
static const char *source[] = {
    "kernel void halve(global int *x, local int *part)\n"
    "{\n"
    "  const int i = get_global_id(0), l = get_local_id(0);\n"
    "  part[l] = x[i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  x[i] = part[get_local_size(0) - 1 - l] / 2;\n"
    "}\n",
    "kernel void add(global int *x, int by)\n"
    "{\n"
    "  x[get_global_id(0)] += by;\n"
    "}\n"};
int main(void)
{
  cl_platform_id platform;
  cl_device_id device;
  cl_int error, by = 7, y[128];
  const size_t all = 128, group = 64;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  for (int i = 0; i < 128; i++)
    y[i] = 2 * i;
  cl_mem x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof y, y, &error);
  for (int k = 0; k < 2; k++) {
    cl_program program = clCreateProgramWithSource(context, 1, &source[k], NULL, &error);
    if (clBuildProgram(program, 1, &device, "-g", NULL, NULL) != CL_SUCCESS)
      return 1;
    cl_kernel kernel = clCreateKernel(program, k == 0 ? "halve" : "add", &error);
    clSetKernelArg(kernel, 0, sizeof x, &x);
    if (k == 0)
      clSetKernelArg(kernel, 1, 256, NULL);
    else
      clSetKernelArg(kernel, 1, sizeof by, &by);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, &group, 0, NULL, NULL) != CL_SUCCESS)
      return 1;
    clFinish(queue);
  }
  clEnqueueReadBuffer(queue, x, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL);
  printf("%d %d\n", y[0], y[127]);
  return 0;
}
C
expect 0 gcc -O1 -Wall -Werror -o halve halve.c -lOpenCL
for options in "-m sm7-1 --fast" "-m sm7-1"; do
  debugged 0 halve <<'GDB'
break 6 if $block == 1 && $tid == 63
set breakpoint pending on
break add if $block == 1
info breakpoints
continue
monitor code
monitor shared 0 1
watch *(int *)0x90000000
reverse-continue
delete 3
reverse-continue
continue
continue
monitor warps
delete
continue
GDB
  in_order "halve () at ./halve.gdb/module-0.cl:2" "hit Breakpoint 1" "x[i] = part[get_local_size(0) - 1 - l] / 2;" \
    "=> ./halve.gdb/module-0.ptx" "shared 0x0: 0x00000080 128" "shared 0x4: 0x00000082 130" "Old value = 128" "New value = 0" \
    "part[l] = x[i];" "No more reverse-execution history" "hit Breakpoint 1" "hit Breakpoint 2, add () at ./halve.gdb/module-1.cl:3" \
    "x[get_global_id(0)] += by;" "module-1.ptx" "exited normally"
  [ "$(cat program)" = "70 71" ] || complain "the program prints: $(cat program)"
done
finish
