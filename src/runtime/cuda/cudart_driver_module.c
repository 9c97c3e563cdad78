/* The CUDA driver interface: modules of PTX, their functions and variables, and launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/cudart.h"

/* A program that is linked from several texts. */
struct CUlinkState_st {
  struct CUlinkState_st *next;
  char *text;
  size_t bytes;
};

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static struct cudart_module *module_of(const struct cudart *r, CUmodule handle)
{
  for (struct cudart_module *m = r->modules; m != NULL; m = m->next)
    if ((CUmodule)(void *)m == handle && m->own != NULL)
      return m;
  return NULL;
}

/* Where the options of a load want its messages. */
struct messages {
  char *to;
  size_t size;
};

static struct messages messages_of(unsigned count, const CUjit_option *options, void **values)
{
  struct messages m = {.to = NULL};
  for (unsigned i = 0; i < count && options != NULL && values != NULL; i++) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      m.to = values[i];
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      m.size = (size_t)(uintptr_t)values[i];
  }
  return m;
}

/* Loads PTX text, or an image that simtlab cuda has made. */
static CUresult load(struct cudart *r, CUmodule *module, const void *image, unsigned count, const CUjit_option *options,
                     void **values)
{
  struct sl_error err = {.text = ""};
  const struct messages messages = messages_of(count, options, values);
  if (module == NULL || image == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  const char *text = sl_cudart_image_text(image);
  if (text == NULL)
    text = image;
  struct cudart_module *m = sl_cudart_add_module(r, text, strlen(text));
  if (m == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (sl_cudart_parse(r, m, &err) == cudaSuccess) {
    *module = (CUmodule)(void *)m;
    return CUDA_SUCCESS;
  }
  if (messages.to != NULL && messages.size > 0)
    snprintf(messages.to, messages.size, "%s", err.text);
  else
    sl_cudart_say("%s", err.text);
  sl_cudart_drop_module(r, m);
  return CUDA_ERROR_INVALID_PTX;
}

SL_CUDART_API CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, load(r, module, image, 0, NULL, NULL));
}

SL_CUDART_API CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, load(r, module, image, 0, NULL, NULL));
}

SL_CUDART_API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                                          void **values)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, load(r, module, image, count, options, values));
}

static char *read_text(const char *path, size_t *bytes)
{
  FILE *file = path != NULL ? fopen(path, "rb") : NULL;
  char *text = NULL;
  long size;
  *bytes = 0;
  if (file == NULL)
    return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
      (text = malloc((size_t)size + 1)) != NULL) {
    *bytes = fread(text, 1, (size_t)size, file);
    text[*bytes] = '\0';
  }
  fclose(file);
  return text;
}

static CUresult load_file(struct cudart *r, CUmodule *module, const char *path)
{
  size_t bytes;
  char *text = read_text(path, &bytes);
  const CUresult result = text != NULL ? load(r, module, text, 0, NULL, NULL) : CUDA_ERROR_FILE_NOT_FOUND;
  free(text);
  return result;
}

SL_CUDART_API CUresult cuModuleLoad(CUmodule *module, const char *file)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, load_file(r, module, file));
}

/* The GPU keeps the module's code; the handle and its functions are gone. */
static CUresult unload(struct cudart *r, CUmodule handle)
{
  struct cudart_module *m = module_of(r, handle);
  if (m == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  sl_cudart_drop_module(r, m);
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuModuleUnload(CUmodule module)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, unload(r, module));
}

/* A function of the driver interface is the stub of itself. */
static CUresult get_function(struct cudart *r, CUfunction *function, CUmodule handle, const char *name)
{
  struct cudart_module *m = module_of(r, handle);
  if (function == NULL || name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (m == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  struct cudart_function *f = r->functions;
  while (f != NULL && (f->module != m || strcmp(f->name, name) != 0))
    f = f->next;
  if (f == NULL && (f = sl_cudart_add_function(r, m, NULL, name)) == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  f->stub = f;
  if (sl_cudart_kernel(r, f) != cudaSuccess)
    return CUDA_ERROR_NOT_FOUND;
  *function = (CUfunction)(void *)f;
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, get_function(r, function, module, name));
}

static CUresult get_global(const struct cudart *r, CUdeviceptr *pointer, size_t *bytes, CUmodule handle,
                           const char *name)
{
  const struct cudart_module *m = module_of(r, handle);
  struct sl_gpu_symbol symbol;
  if (name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (m == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!sl_gpu_symbol(m->loaded, name, &symbol))
    return CUDA_ERROR_NOT_FOUND;
  if (pointer != NULL)
    *pointer = symbol.address + (symbol.space == SL_GPU_CONSTANT ? SL_PTX_CONST_WINDOW : 0);
  if (bytes != NULL)
    *bytes = symbol.bytes;
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, get_global(r, pointer, bytes, module, name));
}

SL_CUDART_API CUresult cuModuleGetTexRef(CUtexref *texref, CUmodule module, const char *name)
{
  (void)texref, (void)module, (void)name;
  return CUDA_ERROR_NOT_SUPPORTED; /* texture objects are */
}

/* ---- linking ----------------------------------------------------------------------------------------------------- */

static struct CUlinkState_st *link_of(const struct cudart *r, CUlinkState state)
{
  struct CUlinkState_st *l = r->links;
  while (l != NULL && l != state)
    l = l->next;
  return l;
}

static CUresult create_link(struct cudart *r, CUlinkState *state)
{
  struct CUlinkState_st *l = state != NULL ? calloc(1, sizeof *l) : NULL;
  if (state == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (l == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  l->next = r->links;
  r->links = *state = l;
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *state)
{
  (void)count, (void)options, (void)values;
  DRIVER_RESULT(SL_DRIVER_CONTEXT, create_link(r, state));
}

/* Texts of PTX follow each other. */
static CUresult add_text(const struct cudart *r, CUlinkState state, CUjitInputType type, const char *text, size_t bytes)
{
  struct CUlinkState_st *l = link_of(r, state);
  if (l == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (text == NULL || type != CU_JIT_INPUT_PTX)
    return text == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
  const size_t length = strnlen(text, bytes);
  char *more = realloc(l->text, l->bytes + length + 2);
  if (more == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(more + l->bytes, text, length);
  memcpy(more + l->bytes + length, "\n", 2);
  l->text = more;
  l->bytes += length + 1;
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                                     unsigned count, CUjit_option *options, void **values)
{
  (void)name, (void)count, (void)options, (void)values;
  DRIVER_RESULT(SL_DRIVER_CONTEXT, add_text(r, state, type, data, size));
}

static CUresult add_file(const struct cudart *r, CUlinkState state, CUjitInputType type, const char *path)
{
  size_t bytes;
  char *text = read_text(path, &bytes);
  const CUresult result = text != NULL ? add_text(r, state, type, text, bytes) : CUDA_ERROR_FILE_NOT_FOUND;
  free(text);
  return result;
}

SL_CUDART_API CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count,
                                     CUjit_option *options, void **values)
{
  (void)count, (void)options, (void)values;
  DRIVER_RESULT(SL_DRIVER_CONTEXT, add_file(r, state, type, path));
}

/* The result is the text; loading it links it. */
static CUresult complete_link(const struct cudart *r, CUlinkState state, void **image, size_t *size)
{
  const struct CUlinkState_st *l = link_of(r, state);
  if (l == NULL || l->text == NULL || image == NULL)
    return l == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
  *image = l->text;
  if (size != NULL)
    *size = l->bytes + 1;
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, complete_link(r, state, image, size));
}

static CUresult destroy_link(struct cudart *r, CUlinkState state)
{
  struct CUlinkState_st **at = &r->links;
  while (*at != NULL && *at != state)
    at = &(*at)->next;
  struct CUlinkState_st *l = *at;
  if (l == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  *at = l->next;
  free(l->text);
  free(l);
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuLinkDestroy(CUlinkState state)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, destroy_link(r, state));
}

void sl_driver_drop_links(struct cudart *r)
{
  while (r->links != NULL)
    destroy_link(r, r->links);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static CUresult function_attribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
  struct cudaFuncAttributes a;
  if (value == NULL || (unsigned)attribute >= CU_FUNC_ATTRIBUTE_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  if (cudaFuncGetAttributes(&a, function) != cudaSuccess)
    return CUDA_ERROR_INVALID_HANDLE;
  const int values[CU_FUNC_ATTRIBUTE_MAX] = {
      [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = a.maxThreadsPerBlock,
      [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = (int)a.sharedSizeBytes,
      [CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES] = (int)a.constSizeBytes,
      [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = (int)a.localSizeBytes,
      [CU_FUNC_ATTRIBUTE_NUM_REGS] = a.numRegs,
      [CU_FUNC_ATTRIBUTE_PTX_VERSION] = a.ptxVersion,
      [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = a.binaryVersion,
      [CU_FUNC_ATTRIBUTE_CACHE_MODE_CA] = a.cacheModeCA,
      [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = a.maxDynamicSharedSizeBytes,
      [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = a.preferredShmemCarveout,
  };
  *value = values[attribute];
  return CUDA_SUCCESS;
}

SL_CUDART_API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, function_attribute(value, attribute, function));
}

SL_CUDART_API CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value));
}

SL_CUDART_API CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config));
}

SL_CUDART_API CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaFuncSetSharedMemConfig(function, (enum cudaSharedMemConfig)config));
}

/* The parameters as one struct: a list of marks and values. */
static bool take_extra(void **extra, const void **packed, size_t *bytes)
{
  *packed = NULL;
  *bytes = 0;
  for (; extra != NULL && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      *packed = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      *bytes = *(const size_t *)extra[1];
    else
      return false;
  }
  return true;
}

static cudaError_t launch(struct cudart *r, CUfunction function, const uint32_t grid[3], const uint32_t block[3],
                          size_t shared, CUstream handle, void **parameters, void **extra, bool cooperative)
{
  struct cudart_function *f;
  struct CUstream_st *stream;
  const void *packed;
  size_t bytes;
  cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error == cudaSuccess)
    error = sl_cudart_function(r, function, &f);
  if (error != cudaSuccess)
    return error == cudaErrorInvalidDeviceFunction ? cudaErrorInvalidResourceHandle : error;
  if (!take_extra(extra, &packed, &bytes) || (parameters != NULL && packed != NULL))
    return cudaErrorInvalidValue;
  const uint64_t resident =
      (uint64_t)sl_cudart_blocks(r, f, block[0] * block[1] * block[2], shared) * r->device.facts.cores;
  if (cooperative && (uint64_t)grid[0] * grid[1] * grid[2] > resident)
    return cudaErrorCooperativeLaunchTooLarge;
  return sl_cudart_launch(r, f, grid, block, parameters, packed, bytes, shared, stream);
}

SL_CUDART_API CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                      unsigned by, unsigned bz, unsigned shared, CUstream stream, void **parameters,
                                      void **extra)
{
  const uint32_t grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
  DRIVER_CALL(SL_DRIVER_CONTEXT, launch(r, function, grid, block, shared, stream, parameters, extra, false));
}

SL_CUDART_API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                                                 unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                                 CUstream stream, void **parameters)
{
  const uint32_t grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
  DRIVER_CALL(SL_DRIVER_CONTEXT, launch(r, function, grid, block, shared, stream, parameters, NULL, true));
}

SL_CUDART_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                                   size_t dynamic)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic));
}

SL_CUDART_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                                            int threads, size_t dynamic, unsigned flags)
{
  (void)flags;
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic));
}

/* The block size of most threads per SM; of equal ones the largest. */
static cudaError_t best_block(const struct cudart *r, int *grid, int *block, CUfunction function,
                              CUoccupancyB2DSize size, size_t dynamic, int limit)
{
  int best = 0;
  if (grid == NULL || block == NULL)
    return cudaErrorInvalidValue;
  *grid = *block = 0;
  const int lanes = (int)r->device.facts.lanes, most = (int)r->device.facts.max_threads;
  for (int threads = limit > 0 && limit < most ? limit : most; threads > 0; threads -= lanes) {
    int blocks;
    const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads,
                                                                            size != NULL ? size(threads) : dynamic);
    if (error != cudaSuccess)
      return error;
    if (blocks * threads > best) {
      best = blocks * threads;
      *block = threads;
      *grid = blocks * (int)r->device.facts.cores;
    }
  }
  return cudaSuccess;
}

SL_CUDART_API CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                                        CUoccupancyB2DSize size, size_t dynamic, int limit)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, best_block(r, grid, block, function, size, dynamic, limit));
}
