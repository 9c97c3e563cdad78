/* Calls of printf in a kernel, of all kinds; with an argument: so many calls that not all are shown. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char source[] =
    "__kernel void kinds(float f) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i % 3 == 0)\n"
    "    printf(\"item %d: %u %x %5.2f %s %c %% %ld %e\\n\", i, 3000000000u, i * 17, f * i, i & 1 ? \"odd\" : "
    "\"even\",\n"
    "           'a' + i, (long)i << 40, 1e-40f * i);\n"
    "  if (i == 2)\n"
    "    printf(\"%v4d|%v2hlf|%v3hd\\n\", (int4)(1, -2, 3, 4), (float2)(0.5f, -1.0f), (short3)(7, 8, -9));\n"
    "  if (i == 1)\n"
    "    printf(\"plain\\n\");\n"
    "  if (i == 4)\n"
    "    printf(\"%f %f %g\\n\", INFINITY, -0.0f, 1e30f);\n"
    "}\n"
    "__kernel void many(float f) { printf(\"%d\\n\", (int)f); }\n";

int main(int argc, char **argv)
{
  const char *text = source;
  const int many = argc > 1;
  const size_t global = many ? 40000 : 8, local = many ? 64 : 4, rest = global / local * local;
  const cl_float f = 1.25f;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  (void)argv;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return 1;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
    return 1;
  cl_kernel kernel = clCreateKernel(program, many ? "many" : "kinds", &error);
  clSetKernelArg(kernel, 0, sizeof f, &f);
  error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &rest, &local, 0, NULL, NULL);
  return error != CL_SUCCESS || clFinish(queue) != CL_SUCCESS;
}
