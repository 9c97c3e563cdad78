# simtlab gdb on an OpenCL program whose kernels are RISC-V code: stops at lines of the source, forwards and backwards,
# changes that the program sees, later modules, faults and the end.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_host.sh"
if [ ! -f "$BUILD/opencl/vortex.bc" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL in this build, or no loader"
  exit 77
fi
sanitized "$BUILD/libsimtlab-opencl.so"
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache"

# y[i] = 2 * i; shift's stores are misaligned if the program has an argument.
cat >shift.c <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
static const char *source[] = {
    "kernel void shift(global int *x, int by)\n"
    "{\n"
    "  const int i = get_global_id(0);\n"
    "  *(global int *)((global char *)(x + i) + by) = 2 * i;\n"
    "}\n",
    "kernel void add(global int *x, int by)\n"
    "{\n"
    "  x[get_global_id(0)] += by;\n"
    "}\n"};
int main(int count, char **words)
{
  cl_platform_id platform;
  cl_device_id device;
  cl_int error, by[] = {count > 1 ? 2 : 0, 7}, y[64] = {0};
  const size_t all = 64, group = 32;
  (void)words;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_mem x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof y, y, &error);
  for (int k = 0; k < 2; k++) {
    cl_program program = clCreateProgramWithSource(context, 1, &source[k], NULL, &error);
    if (clBuildProgram(program, 1, &device, "-g", NULL, NULL) != CL_SUCCESS)
      return 1;
    cl_kernel kernel = clCreateKernel(program, k == 0 ? "shift" : "add", &error);
    clSetKernelArg(kernel, 0, sizeof x, &x);
    clSetKernelArg(kernel, 1, sizeof by[k], &by[k]);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, &group, 0, NULL, NULL) != CL_SUCCESS)
      return 1;
    if (clFinish(queue) != CL_SUCCESS)
      return 3;
  }
  if (clEnqueueReadBuffer(queue, x, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL) != CL_SUCCESS)
    return 4;
  printf("%d %d\n", y[0], y[63]);
  return 0;
}
C
expect 0 gcc -O1 -Wall -Werror -o shift shift.c -lOpenCL
symbols=module-0.elf
for options in "-m opencl-simtight" "-m opencl-vortex --fast"; do
  debugged 0 shift <<'GDB'
directory shift.gdb
break k0000.cl:4 if $lane == 3
continue
print $lane
reverse-stepi
stepi
reverse-continue
delete
monitor stop-at-launch on
continue
symbol-file shift.gdb/module-1.elf
break k0001.cl:3
continue
delete
monitor stop-at-launch off
continue
GDB
  in_order "Breakpoint 1 at" "hit Breakpoint 1" "(x + i) + by) = 2 * i;" '$1 = 3' "(x + i) + by) = 2 * i;" \
    "No more reverse-execution history" "a kernel begins, whose module is ./shift.gdb/module-1.elf" \
    "Breakpoint 2 at" "hit Breakpoint 2" "x[get_global_id(0)] += by;" "exited normally"
  [ "$(cat program)" = "7 133" ] || complain "the program prints: $(cat program)"
done

# A fault stops before its instruction; then the program sees it. gdb's changes reach the program, and kill ends it.
options="-m opencl-simtight --fast"
debugged 1 shift fails <<'GDB'
directory shift.gdb
continue
backtrace 1
continue
GDB
in_order "received signal SIGBUS" "k0000.cl:4" "exited with code 03"
debugged 0 shift <<'GDB'
monitor stop-at-launch on
continue
set var *(int *)0x10000000 = 100
detach
GDB
[ "$(cat program)" = "107 133" ] || complain "the program prints: $(cat program)"
debugged 1 shift <<'GDB'
kill
GDB
[ ! -s program ] || complain "the program goes on: $(cat program)"
finish
