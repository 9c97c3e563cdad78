/* The driver interface: a module of PTX text is loaded and launched, and each misuse gives its error. The exit status
 * says whether all is right. */
#include <stdio.h>
#include <string.h>

#include <cuda.h>

static const char text[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
                           ".global .align 4 .u32 offset = 5;\n"
                           ".visible .entry add(.param .u64 p, .param .u32 n)\n{\n"
                           "  .reg .pred %q; .reg .u32 %r<6>; .reg .u64 %d<4>;\n"
                           "  ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n];\n"
                           "  mov.u32 %r2, %tid.x; setp.ge.u32 %q, %r2, %r1; @%q ret;\n"
                           "  ld.global.u32 %r3, [offset]; add.u32 %r4, %r2, %r3;\n"
                           "  mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r4;\n  ret;\n}\n";

static int failures;

static void is(CUresult wanted, CUresult got, const char *what)
{
  const char *name = "?";
  cuGetErrorName(got, &name);
  if (got != wanted)
    printf("%s: %s (%d), not %d\n", what, name, (int)got, (int)wanted);
  failures += got != wanted;
}
#define IS(wanted, call) is(wanted, call, #call)

int main(void)
{
  CUdevice device;
  CUcontext context;
  CUmodule module = NULL, broken;
  CUfunction add, other;
  CUdeviceptr buffer, variable;
  size_t bytes;
  unsigned words[64] = {0}, n = 40, offset = 100;
  int value, count;
  void *parameters[] = {&buffer, &n};
  struct {
    CUdeviceptr p;
    unsigned n;
  } packed;
  size_t packed_bytes = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_bytes,
                   CU_LAUNCH_PARAM_END};

  IS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  IS(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  IS(CUDA_SUCCESS, cuInit(0));
  IS(CUDA_SUCCESS, cuDeviceGetCount(&count));
  IS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
  IS(CUDA_SUCCESS, cuDeviceGet(&device, 0));
  IS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&buffer, 256));
  IS(CUDA_SUCCESS, cuCtxCreate(&context, 0, device));
  IS(CUDA_SUCCESS, cuMemAlloc(&buffer, sizeof words));
  IS(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&broken, ".version 6.4\nnonsense"));
  IS(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&broken, "no.ptx"));
  IS(CUDA_SUCCESS, cuModuleLoadData(&module, text));
  IS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&other, module, "sub"));
  IS(CUDA_SUCCESS, cuModuleGetFunction(&add, module, "add"));
  IS(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&variable, &bytes, module, "set"));
  IS(CUDA_SUCCESS, cuModuleGetGlobal(&variable, &bytes, module, "offset"));
  IS(CUDA_SUCCESS, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add));
  failures += count != 1 || bytes != 4 || value != 1024;

  IS(CUDA_SUCCESS, cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
  IS(CUDA_SUCCESS, cuMemcpyDtoH(words, buffer, sizeof words));
  for (unsigned i = 0; i < 64; i++)
    failures += words[i] != (i < n ? i + 5 : 0);
  IS(CUDA_SUCCESS, cuMemcpyHtoD(variable, &offset, sizeof offset));
  packed.p = buffer;
  packed.n = 64;
  IS(CUDA_SUCCESS, cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, extra));
  IS(CUDA_SUCCESS, cuCtxSynchronize());
  IS(CUDA_SUCCESS, cuMemcpyDtoH(words, buffer, sizeof words));
  for (unsigned i = 0; i < 64; i++)
    failures += words[i] != i + 100;

  IS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(add, 1, 1, 1, 2048, 1, 1, 0, NULL, parameters, NULL));
  IS(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel((CUfunction)&n, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  IS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(words, 64, 4));
  IS(CUDA_SUCCESS, cuMemFree(buffer));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemFree(buffer));
  IS(CUDA_SUCCESS, cuModuleUnload(module));
  IS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  IS(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  IS(CUDA_SUCCESS, cuCtxDestroy(context));
  printf("%d failures\n", failures);
  return failures != 0;
}
