/* Runtime compilation: a template with a header is compiled, named and launched; a wrong text gives its messages. The
 * exit status says whether all is right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#include <nvrtc.h>

static const char source[] = "#include \"step.h\"\n"
                             "template <class T> __global__ void ramp(T *x, T scale)\n"
                             "{\n  x[threadIdx.x] = scale * threadIdx.x + STEP + BIAS;\n}\n";
static const char header[] = "#define STEP 3\n";

static int failures;

static void right(int condition, const char *what)
{
  if (!condition)
    printf("wrong: %s\n", what);
  failures += !condition;
}
#define RIGHT(condition) right(condition, #condition)

int main(void)
{
  const char *headers[] = {header}, *names[] = {"step.h"};
  const char *options[] = {"--gpu-architecture=compute_70", "-DBIAS=2", "--std=c++14"};
  const char *lowered = "";
  nvrtcProgram program, broken;
  size_t size = 0;
  RIGHT(nvrtcCreateProgram(&program, source, "ramp.cu", 1, headers, names) == NVRTC_SUCCESS);
  RIGHT(nvrtcGetPTXSize(program, &size) == NVRTC_ERROR_INVALID_PROGRAM);
  RIGHT(nvrtcAddNameExpression(program, "ramp<float>") == NVRTC_SUCCESS);
  RIGHT(nvrtcCompileProgram(program, 3, options) == NVRTC_SUCCESS);
  RIGHT(nvrtcGetLoweredName(program, "ramp<float>", &lowered) == NVRTC_SUCCESS);
  RIGHT(nvrtcGetLoweredName(program, "ramp<int>", &lowered) == NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  RIGHT(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS && size > 100);
  char *ptx = malloc(size);
  RIGHT(nvrtcGetPTX(program, ptx) == NVRTC_SUCCESS && strlen(ptx) + 1 == size);

  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr buffer;
  float words[32], scale = 0.5f;
  void *parameters[] = {&buffer, &scale};
  RIGHT(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  RIGHT(cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
  RIGHT(cuModuleLoadData(&module, ptx) == CUDA_SUCCESS);
  RIGHT(cuModuleGetFunction(&function, module, lowered) == CUDA_SUCCESS);
  RIGHT(cuMemAlloc(&buffer, sizeof words) == CUDA_SUCCESS);
  RIGHT(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL) == CUDA_SUCCESS);
  RIGHT(cuMemcpyDtoH(words, buffer, sizeof words) == CUDA_SUCCESS);
  for (int i = 0; i < 32; i++)
    RIGHT(words[i] == 0.5f * i + 5);
  free(ptx);
  RIGHT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS && program == NULL);

  RIGHT(nvrtcCreateProgram(&broken, "__global__ void k() { undeclared(); }", NULL, 0, NULL, NULL) == NVRTC_SUCCESS);
  RIGHT(nvrtcCompileProgram(broken, 0, NULL) == NVRTC_ERROR_COMPILATION);
  RIGHT(nvrtcGetProgramLogSize(broken, &size) == NVRTC_SUCCESS);
  char *log = malloc(size);
  RIGHT(nvrtcGetProgramLog(broken, log) == NVRTC_SUCCESS && strstr(log, "undeclared") != NULL);
  free(log);
  RIGHT(nvrtcDestroyProgram(&broken) == NVRTC_SUCCESS);
  RIGHT(nvrtcDestroyProgram(&broken) == NVRTC_ERROR_INVALID_PROGRAM);
  printf("%d failures\n", failures);
  return failures != 0;
}
