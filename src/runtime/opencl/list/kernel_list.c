/* simtlab-cl: what an OpenCL device says of the kernels in a file. It is a host program of the OpenCL client, so it
 * sees what any program sees; `simtlab cl` runs it. Usage: simtlab-cl CLIENT.so FILE.cl CODE [BUILD OPTION]...
 * Prints the kernels; writes the code, PTX or an executable, to CODE. Exit status 1: the file has errors. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256, HEADER = 48, NO_OPENCL = 3 }; /* HEADER: of a program binary (ocl_code.c) */

static void *(*function_of)(const char *name);

/* A function of the client, with the type of the standard's header. */
#define CALL(name) ((__typeof__(&name))(uintptr_t)function_of(#name))

static int fail(int status, const char *what)
{
  fprintf(stderr, "%s\n", what);
  return status;
}

static char *read_text(const char *path)
{
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  long size = -1;
  if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
      (text = calloc((size_t)size + 1, 1)) != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
    free(text);
    text = NULL;
  }
  if (file != NULL)
    fclose(file);
  return text;
}

static void print_log(cl_program program, cl_device_id device)
{
  size_t size = 0;
  CALL(clGetProgramBuildInfo)(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = calloc(size + 1, 1);
  if (log != NULL && CALL(clGetProgramBuildInfo)(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL) == CL_SUCCESS)
    fputs(log, stderr);
  free(log);
}

static const char *space_of(cl_kernel_arg_address_qualifier space)
{
  return space == CL_KERNEL_ARG_ADDRESS_GLOBAL     ? "__global "
         : space == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "__constant "
         : space == CL_KERNEL_ARG_ADDRESS_LOCAL    ? "__local "
                                                   : "";
}

static void print_argument(cl_kernel kernel, cl_uint index)
{
  char type[NAME] = "", name[NAME] = "", whole[2 * NAME];
  cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  cl_kernel_arg_type_qualifier qualifiers = 0;
  CALL(clGetKernelArgInfo)(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL);
  CALL(clGetKernelArgInfo)(kernel, index, CL_KERNEL_ARG_NAME, sizeof name, name, NULL);
  CALL(clGetKernelArgInfo)(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
  CALL(clGetKernelArgInfo)(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL);
  snprintf(whole, sizeof whole, "%s%s%s%s", space_of(space), qualifiers & CL_KERNEL_ARG_TYPE_CONST ? "const " : "",
           qualifiers & CL_KERNEL_ARG_TYPE_VOLATILE ? "volatile " : "", type);
  printf("  %-32s %s\n", whole, name);
}

static void print_kernel(cl_kernel kernel, cl_device_id device)
{
  char name[NAME] = "";
  size_t items = 0, preferred = 0;
  cl_ulong local = 0, private_bytes = 0;
  cl_uint count = 0;
  CALL(clGetKernelInfo)(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  CALL(clGetKernelInfo)(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
  CALL(clGetKernelWorkGroupInfo)(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, NULL);
  CALL(clGetKernelWorkGroupInfo)
  (kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof preferred, &preferred, NULL);
  CALL(clGetKernelWorkGroupInfo)(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
  CALL(clGetKernelWorkGroupInfo)
  (kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof private_bytes, &private_bytes, NULL);
  printf(
      "kernel %s: groups of up to %zu work-items, best a multiple of %zu; %llu bytes of local memory, %llu private\n",
      name, items, preferred, (unsigned long long)local, (unsigned long long)private_bytes);
  for (cl_uint i = 0; i < count; i++)
    print_argument(kernel, i);
}

static int print_kernels(cl_program program, cl_device_id device)
{
  cl_uint count = 0;
  CALL(clCreateKernelsInProgram)(program, 0, NULL, &count);
  cl_kernel *kernels = calloc(count + 1, sizeof(cl_kernel));
  if (kernels == NULL || (count > 0 && CALL(clCreateKernelsInProgram)(program, count, kernels, NULL) != CL_SUCCESS)) {
    free(kernels);
    return fail(NO_OPENCL, "the kernels cannot be created");
  }
  if (count == 0)
    printf("no kernels\n");
  for (cl_uint i = 0; i < count; i++) {
    print_kernel(kernels[i], device);
    CALL(clReleaseKernel)(kernels[i]);
  }
  free(kernels);
  return EXIT_SUCCESS;
}

/* The code is in the binary, behind its header. */
static int write_code(cl_program program, const char *path)
{
  size_t size = 0;
  uint64_t bytes = 0;
  CALL(clGetProgramInfo)(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  unsigned char *binary = calloc(size + HEADER, 1);
  if (binary == NULL)
    return fail(NO_OPENCL, "out of memory");
  CALL(clGetProgramInfo)(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
  memcpy(&bytes, binary + 24, sizeof bytes);
  FILE *file = size >= HEADER && bytes <= size - HEADER ? fopen(path, "wb") : NULL;
  int right = file != NULL && fwrite(binary + HEADER, 1, bytes, file) == bytes;
  right = (file == NULL || fclose(file) == 0) && right;
  free(binary);
  return right ? EXIT_SUCCESS : fail(NO_OPENCL, "the code cannot be written");
}

static int list(const char *path, const char *code, const char *options)
{
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  char *text = read_text(path);
  const char *source = text;
  if (text == NULL)
    return fail(NO_OPENCL, "the file cannot be read");
  if (CALL(clGetPlatformIDs)(1, &platform, NULL) != CL_SUCCESS ||
      CALL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
    free(text);
    return fail(NO_OPENCL, "the machine is no OpenCL device");
  }
  cl_context context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, &error);
  cl_program program = CALL(clCreateProgramWithSource)(context, 1, &source, NULL, &error);
  error = CALL(clBuildProgram)(program, 1, &device, options, NULL, NULL);
  print_log(program, device);
  int status = error == CL_SUCCESS ? print_kernels(program, device) : EXIT_FAILURE;
  if (status == EXIT_SUCCESS)
    status = write_code(program, code);
  CALL(clReleaseProgram)(program);
  CALL(clReleaseContext)(context);
  free(text);
  return status;
}

int main(int argc, char **argv)
{
  char options[8192] = "-cl-kernel-arg-info";
  if (argc < 4)
    return fail(2, "usage: simtlab-cl CLIENT.so FILE.cl CODE [BUILD OPTION]...");
  void *client = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (client == NULL)
    return fail(NO_OPENCL, dlerror());
  *(void **)&function_of = dlsym(client, "clGetExtensionFunctionAddress");
  if (function_of == NULL)
    return fail(NO_OPENCL, "the client has no clGetExtensionFunctionAddress");
  for (int i = 4; i < argc; i++) {
    const size_t used = strlen(options);
    if (used + strlen(argv[i]) + 2 > sizeof options)
      return fail(2, "the build options are too long");
    snprintf(options + used, sizeof options - used, " %s", argv[i]);
  }
  return list(argv[2], argv[3], options);
}
