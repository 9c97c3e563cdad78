/* Launches of the CUDA runtime: configuration, parameters, limits, what a fault means, and occupancy. */
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/cudart.h"

enum { SHARED_LIMIT = 48 * 1024 }; /* of a block, unless the program asks for more. Source: Programming Guide, CC 7.0 */

/* The configurations that <<<...>>> has pushed and no stub has taken yet. */
struct configuration {
  dim3 grid, block;
  size_t shared;
  void *stream;
};
enum { NESTED = 8 };
static _Thread_local struct configuration pushed[NESTED];
static _Thread_local unsigned pushed_count;

SL_CUDART_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
  if (pushed_count == NESTED)
    return 1;
  pushed[pushed_count++] = (struct configuration){grid, block, shared, stream};
  return 0;
}

SL_CUDART_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
  if (pushed_count == 0)
    return cudaErrorMissingConfiguration;
  const struct configuration *c = &pushed[--pushed_count];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  *(void **)stream = c->stream;
  return cudaSuccess;
}

/* The error of a launch that has ended with a fault. Source: Runtime API, cudaError. */
static cudaError_t error_of(const struct sl_gpu_fault *fault)
{
  switch (fault->kind) {
  case SL_GPU_FAULT_ADDRESS:
  case SL_GPU_FAULT_STACK: return cudaErrorIllegalAddress;
  case SL_GPU_FAULT_MISALIGNED: return cudaErrorMisalignedAddress;
  case SL_GPU_FAULT_INSTRUCTION: return cudaErrorIllegalInstruction;
  case SL_GPU_FAULT_JUMP: return cudaErrorInvalidPc;
  case SL_GPU_FAULT_TRAP: return fault->assertion ? cudaErrorAssert : cudaErrorLaunchFailure;
  default: return cudaErrorLaunchFailure;
  }
}

static cudaError_t ended(struct cudart *r, enum sl_status code, const struct sl_error *err)
{
  if (code == SL_OK)
    return cudaSuccess;
  const struct sl_gpu_fault fault = sl_gpu_last_fault(r->device.gpu);
  sl_cudart_say("%s", fault.kind != SL_GPU_FAULT_NONE ? fault.text : err->text);
  r->sticky = code == SL_LIMIT ? cudaErrorLaunchTimeout : error_of(&fault);
  return r->sticky;
}

/* A launch that the machine cannot perform. Programs rarely look at its error, so it has a sentence. */
static cudaError_t check(const struct cudart *r, const struct cudart_function *f, const uint32_t grid[3],
                         const uint32_t block[3], size_t shared)
{
  const struct sl_gpu_facts *facts = &r->device.facts;
  const uint64_t most = f->kernel->max_threads;
  const uint64_t limit = f->most_dynamic > 0 ? facts->max_shared : SHARED_LIMIT;
  for (unsigned i = 0; i < 3; i++)
    if (grid[i] == 0 || block[i] == 0 || grid[i] > facts->max_grid[i] || block[i] > facts->max_block[i]) {
      sl_cudart_say("kernel %s: a grid of %u x %u x %u blocks of %u x %u x %u threads is not possible", f->name,
                    grid[0], grid[1], grid[2], block[0], block[1], block[2]);
      return cudaErrorInvalidConfiguration;
    }
  if ((uint64_t)block[0] * block[1] * block[2] > most) {
    sl_cudart_say("kernel %s: a block of %u x %u x %u threads has more than %llu", f->name, block[0], block[1],
                  block[2], (unsigned long long)most);
    return most < facts->max_threads ? cudaErrorLaunchOutOfResources : cudaErrorInvalidConfiguration;
  }
  if (shared + f->kernel->shared_bytes > limit) {
    sl_cudart_say("kernel %s: a block needs %zu bytes of shared memory, and may have %llu", f->name,
                  shared + f->kernel->shared_bytes, (unsigned long long)limit);
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/* Puts the parameters into the kernel's layout. */
static cudaError_t pack(const struct sl_gpu_kernel *kernel, void **parameters, uint8_t *to)
{
  if (kernel->parameter_count > SL_GPU_PARAMETERS || (kernel->parameter_count > 0 && parameters == NULL))
    return cudaErrorInvalidValue;
  for (unsigned i = 0; i < kernel->parameter_count; i++) {
    if (parameters[i] == NULL)
      return cudaErrorInvalidValue;
    memcpy(to + kernel->parameter[i].offset, parameters[i], kernel->parameter[i].bytes);
  }
  return cudaSuccess;
}

/* The launch becomes a node of the graph that the stream captures. */
static cudaError_t capture(struct cudart *r, const struct cudart_function *f, const uint32_t grid[3],
                           const uint32_t block[3], const void *packed, size_t shared, struct CUstream_st *stream)
{
  const struct cudaKernelNodeParams params = {.func = (void *)(uintptr_t)f->stub,
                                              .gridDim = {grid[0], grid[1], grid[2]},
                                              .blockDim = {block[0], block[1], block[2]},
                                              .sharedMemBytes = (unsigned)shared};
  struct CUgraphNode_st *node = sl_capture_append(r, stream, cudaGraphNodeTypeKernel);
  return node != NULL ? sl_graph_set_kernel(r, node, &params, packed) : cudaErrorMemoryAllocation;
}

cudaError_t sl_cudart_launch(struct cudart *r, struct cudart_function *f, const uint32_t grid[3],
                             const uint32_t block[3], void **parameters, const void *packed, size_t packed_bytes,
                             size_t shared, struct CUstream_st *stream)
{
  struct sl_gpu_launch launch = {
      .module = f->module->loaded, .kernel = f->name, .argument_bytes = f->kernel->parameter_bytes};
  struct sl_event *event = NULL;
  struct sl_error err = {.text = ""};
  cudaError_t error = check(r, f, grid, block, shared);
  if (error == cudaSuccess && packed != NULL && packed_bytes < f->kernel->parameter_bytes)
    error = cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  uint8_t *arguments = calloc(1, f->kernel->parameter_bytes + (size_t)1);
  if (arguments == NULL)
    return cudaErrorMemoryAllocation;
  if (packed == NULL)
    error = pack(f->kernel, parameters, arguments);
  else
    memcpy(arguments, packed, f->kernel->parameter_bytes);
  sl_cudart_translate(r, arguments, f->kernel->parameter_bytes);
  memcpy(launch.grid, grid, sizeof launch.grid);
  memcpy(launch.block, block, sizeof launch.block);
  launch.shared = (uint32_t)shared;
  launch.registers = f->module->most_registers > 0 ? f->kernel->registers : 0;
  launch.arguments = arguments;
  if (error == cudaSuccess && stream->capture != NULL) {
    error = capture(r, f, grid, block, arguments, shared, stream);
  } else if (error == cudaSuccess) {
    struct sl_event *waits[64];
    const size_t count = sl_cudart_waits(r, stream, waits, 64);
    sl_cudart_to_device(r);
    const enum sl_status code = sl_host_launch(&r->device, stream->queue, &launch, waits, count, &event, &err);
    sl_cudart_from_device(r);
    if (event == NULL) {
      sl_cudart_say("%s", err.text);
      error = cudaErrorLaunchOutOfResources;
    } else {
      sl_cudart_follow(stream, event);
      if (r->log >= 1)
        sl_cudart_say("launch %llu: %s, %u x %u x %u blocks of %u x %u x %u threads, %.3f us",
                      (unsigned long long)r->device.launches - 1, f->name, grid[0], grid[1], grid[2], block[0],
                      block[1], block[2], (double)sl_gpu_last_picoseconds(r->device.gpu) / 1e6);
      error = ended(r, code, &err);
    }
  }
  free(arguments);
  return error;
}

static cudaError_t launch(struct cudart *r, const void *stub, dim3 grid, dim3 block, void **parameters, size_t shared,
                          cudaStream_t handle)
{
  struct cudart_function *f;
  struct CUstream_st *stream;
  const uint32_t g[3] = {grid.x, grid.y, grid.z}, b[3] = {block.x, block.y, block.z};
  cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error == cudaSuccess)
    error = sl_cudart_function(r, stub, &f);
  return error == cudaSuccess ? sl_cudart_launch(r, f, g, b, parameters, NULL, 0, shared, stream) : error;
}

SL_CUDART_API cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **parameters, size_t shared,
                                           cudaStream_t stream)
{
  CUDART_CALL(true, launch(r, stub, grid, block, parameters, shared, stream));
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

unsigned sl_cudart_blocks(struct cudart *r, const struct cudart_function *f, uint32_t threads, uint64_t dynamic)
{
  return sl_gpu_fits(r->device.gpu, threads, f->kernel->registers, (uint32_t)(f->kernel->shared_bytes + dynamic));
}

static cudaError_t launch_cooperative(struct cudart *r, const void *stub, dim3 grid, dim3 block, void **parameters,
                                      size_t shared, cudaStream_t handle)
{
  struct cudart_function *f;
  const cudaError_t error = sl_cudart_function(r, stub, &f);
  if (error != cudaSuccess)
    return error;
  const uint64_t resident =
      (uint64_t)sl_cudart_blocks(r, f, block.x * block.y * block.z, shared) * r->device.facts.cores;
  if ((uint64_t)grid.x * grid.y * grid.z > resident)
    return cudaErrorCooperativeLaunchTooLarge;
  return launch(r, stub, grid, block, parameters, shared, handle);
}

SL_CUDART_API cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid, dim3 block, void **parameters,
                                                      size_t shared, cudaStream_t stream)
{
  CUDART_CALL(true, launch_cooperative(r, stub, grid, block, parameters, shared, stream));
}

static cudaError_t attributes(struct cudart *r, struct cudaFuncAttributes *a, const void *stub)
{
  struct cudart_function *f;
  const cudaError_t error = a != NULL ? sl_cudart_function(r, stub, &f) : cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  const struct sl_gpu_kernel *k = f->kernel;
  *a = (struct cudaFuncAttributes){.sharedSizeBytes = k->shared_bytes,
                                   .localSizeBytes = k->local_bytes,
                                   .maxThreadsPerBlock = (int)k->max_threads,
                                   .numRegs = (int)k->registers,
                                   .ptxVersion = 70,
                                   .binaryVersion = 70,
                                   .maxDynamicSharedSizeBytes =
                                       (int)((f->most_dynamic > 0 ? f->most_dynamic : SHARED_LIMIT) - k->shared_bytes),
                                   .preferredShmemCarveout = -1};
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *stub)
{
  CUDART_CALL(true, attributes(r, attr, stub));
}

static cudaError_t set_attribute(struct cudart *r, const void *stub, enum cudaFuncAttribute attribute, int value)
{
  struct cudart_function *f;
  const cudaError_t error = sl_cudart_function(r, stub, &f);
  if (error != cudaSuccess || attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return error;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      (uint64_t)value + f->kernel->shared_bytes > r->device.facts.max_shared)
    return cudaErrorInvalidValue;
  f->most_dynamic = (uint32_t)value;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaFuncSetAttribute(const void *stub, enum cudaFuncAttribute attribute, int value)
{
  CUDART_CALL(true, set_attribute(r, stub, attribute, value));
}

static cudaError_t known(struct cudart *r, const void *stub)
{
  struct cudart_function *f;
  return sl_cudart_function(r, stub, &f);
}

SL_CUDART_API cudaError_t cudaFuncSetCacheConfig(const void *stub, enum cudaFuncCache config)
{
  (void)config;
  CUDART_CALL(true, known(r, stub));
}

SL_CUDART_API cudaError_t cudaFuncSetSharedMemConfig(const void *stub, enum cudaSharedMemConfig config)
{
  (void)config;
  CUDART_CALL(true, known(r, stub));
}

static cudaError_t occupancy(struct cudart *r, int *blocks, const void *stub, int threads, size_t dynamic)
{
  struct cudart_function *f;
  const cudaError_t error = blocks != NULL && threads > 0 ? sl_cudart_function(r, stub, &f) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *blocks = threads <= (int)f->kernel->max_threads ? (int)sl_cudart_blocks(r, f, (uint32_t)threads, dynamic) : 0;
  return error;
}

SL_CUDART_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int threads,
                                                                        size_t dynamic)
{
  CUDART_CALL(true, occupancy(r, blocks, stub, threads, dynamic));
}

SL_CUDART_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *stub,
                                                                                 int threads, size_t dynamic,
                                                                                 unsigned flags)
{
  (void)flags;
  CUDART_CALL(true, occupancy(r, blocks, stub, threads, dynamic));
}

SL_CUDART_API cudaError_t cudaSetDoubleForDevice(double *d)
{
  (void)d;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaSetDoubleForHost(double *d)
{
  (void)d;
  return cudaSuccess;
}
