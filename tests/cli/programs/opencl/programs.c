/* Programs: logs, options, headers, compile and link, binaries; and faults of kernels. */
#include "check.h"

static cl_program source_of(const char *text)
{
  cl_int error;
  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  OK(error);
  return p;
}

static int run(cl_program p, const char *name)
{
  int value = 20;
  cl_mem m = buffer(sizeof value, &value);
  cl_kernel k = kernel_of(p, name);
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  OK(clEnqueueTask(queue, k, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
  OK(clReleaseKernel(k));
  OK(clReleaseMemObject(m));
  return value;
}

static void logs(void)
{
  char log[4000];
  cl_build_status status;
  cl_program p = source_of("kernel void k(global int *p) { *p = nonsense; }\n");
  IS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
  OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  CHECK(strstr(log, "<kernel>:1:") != NULL && strstr(log, "nonsense") != NULL);
  OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  CHECK(status == CL_BUILD_ERROR);
  MAKE_IS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, "k", &error));
  OK(clReleaseProgram(p));
  p = source_of("void missing(void); kernel void k(void) { missing(); }\n");
  IS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
  OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  CHECK(strstr(log, "missing is called but not defined") != NULL);
  OK(clReleaseProgram(p));
  p = source_of("kernel void k(global int *p) { *p = A + B; }\n");
  IS(CL_INVALID_BUILD_OPTIONS, clBuildProgram(p, 0, NULL, "-fno-such-option", NULL, NULL));
  OK(clBuildProgram(p, 0, NULL, "-D A=3 -DB='(2 + 2)' -cl-fast-relaxed-math -cl-nv-verbose", NULL, NULL));
  OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  CHECK(strstr(log, "-cl-nv-verbose has no effect") != NULL);
  CHECK(run(p, "k") == 7);
  MAKE_IS(CL_INVALID_KERNEL_NAME, clCreateKernel(p, "nothing", &error));
  cl_kernel k = kernel_of(p, "k");
  IS(CL_INVALID_OPERATION, clBuildProgram(p, 0, NULL, "-DA=1 -DB=2", NULL, NULL));
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(p));
}

static void CL_CALLBACK built(cl_program program, void *user)
{
  *(cl_program *)user = program;
}

static void parts(void)
{
  cl_int error;
  cl_program told = NULL;
  cl_program header = source_of("int add(int a, int b);\n");
  cl_program library = source_of("#include \"sub/add.h\"\nint add(int a, int b) { return a + b; }\n");
  cl_program main_part = source_of("#include \"sub/add.h\"\nkernel void k(global int *p) { *p = add(*p, 22); }\n");
  const char *name = "sub/add.h";
  OK(clCompileProgram(library, 0, NULL, NULL, 1, &header, &name, NULL, NULL));
  OK(clCompileProgram(main_part, 1, &device, "-cl-mad-enable", 1, &header, &name, built, &told));
  CHECK(told == main_part);
  IS(CL_COMPILE_PROGRAM_FAILURE, clCompileProgram(header, 0, NULL, "-D int=nonsense", 0, NULL, NULL, NULL, NULL));
  cl_program archive = clLinkProgram(context, 0, NULL, "-create-library", 1, &library, NULL, NULL, &error);
  OK(error);
  cl_program_binary_type type;
  OK(clGetProgramBuildInfo(archive, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
  CHECK(type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
  const cl_program both[] = {main_part, archive};
  cl_program p = clLinkProgram(context, 0, NULL, NULL, 2, both, NULL, NULL, &error);
  OK(error);
  CHECK(run(p, "k") == 42);
  cl_program alone = clLinkProgram(context, 0, NULL, NULL, 1, &main_part, NULL, NULL, &error);
  IS(CL_LINK_PROGRAM_FAILURE, error);
  if (alone != NULL)
    clReleaseProgram(alone);
  const cl_program all[] = {header, library, main_part, archive, p};
  for (int i = 0; i < 5; i++)
    OK(clReleaseProgram(all[i]));
}

static void binaries(void)
{
  size_t size = 0, length;
  cl_int error, status;
  char names[64];
  cl_program p = build("kernel void a(global int *p) { *p = 1; } kernel void b(global int *p) { *p += 2; }\n", NULL);
  OK(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, &length));
  CHECK(strcmp(names, "a;b") == 0 && length == 4);
  OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *bytes = malloc(size + 1);
  OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
  OK(clReleaseProgram(p));
  p = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&bytes, &status, &error);
  OK(error);
  OK(status);
  OK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
  CHECK(run(p, "b") == 22);
  OK(clReleaseProgram(p));
  bytes[size / 2] ^= 1;
  MAKE_IS(CL_INVALID_BINARY,
          clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&bytes, &status, &error));
  free(bytes);
}

static char said[2000];
static void CL_CALLBACK hear(const char *text, const void *data, size_t size, void *user)
{
  (void)data;
  (void)size;
  (void)user;
  snprintf(said, sizeof said, "%s", text);
}

static void faults(void)
{
  cl_int error, status;
  cl_context own = clCreateContext(NULL, 1, &device, hear, NULL, &error);
  OK(error);
  cl_command_queue q = clCreateCommandQueue(own, device, 0, &error);
  const char *text = "kernel void wild(global int *p) { p[get_global_id(0) + (1ul << 36)] = 1; }\n"
                     "kernel void spin(volatile global int *p) { while (*p == 0) ; }\n"
                     "kernel void good(global int *p) { *p = 9; }\n";
  cl_program p = clCreateProgramWithSource(own, 1, &text, NULL, &error);
  OK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
  int value = 0;
  cl_mem m = clCreateBuffer(own, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &error);
  const char *const names[] = {"wild", "spin", "good"};
  for (int i = 0; i < 3; i++) {
    cl_event event;
    cl_kernel k = kernel_of(p, names[i]);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    said[0] = '\0';
    OK(clEnqueueTask(q, k, 0, NULL, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    if (i < 2) {
      CHECK(status < 0 && strstr(said, names[i]) != NULL);
      IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
      IS(CL_OUT_OF_RESOURCES, clFinish(q));
    } else
      CHECK(status == CL_COMPLETE);
    OK(clFinish(q));
    OK(clReleaseEvent(event));
    OK(clReleaseKernel(k));
  }
  OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
  CHECK(value == 9);
  OK(clReleaseMemObject(m));
  OK(clReleaseProgram(p));
  OK(clReleaseCommandQueue(q));
  OK(clReleaseContext(own));
}

int main(void)
{
  begin(0);
  logs();
  parts();
  binaries();
  faults();
  return end();
}
