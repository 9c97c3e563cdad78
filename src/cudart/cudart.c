/* The runtime of the process: modules that object files register, the lock, and errors. This file has the only state
 * that functions of the interface share. */
#include "cudart/cudart.h"

#include "compiler/cc/cuda_source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct cudart the_runtime = {
    .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
    .limits = {[cudaLimitStackSize] = 1024,
               [cudaLimitPrintfFifoSize] = 1 << 20,
               [cudaLimitMallocHeapSize] = 8 << 20,
               [cudaLimitDevRuntimeSyncDepth] = 2,
               [cudaLimitDevRuntimePendingLaunchCount] = 2048,
               [cudaLimitMaxL2FetchGranularity] = 64},
};
static _Thread_local cudaError_t last_error;

static const char prefix[] = "SIMTLAB_CUDA_";

void sl_cudart_say(const char *format, ...)
{
  char text[1200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fflush(stdout); /* sentences come after what the program has printed before */
  fprintf(stderr, "simtlab: %s\n", text);
}

cudaError_t sl_cudart_refuse(cudaError_t error, const struct sl_error *err)
{
  sl_cudart_say("%s", err->text);
  return error;
}

static void warn(void *context, const char *sentence)
{
  (void)context;
  sl_cudart_say("warning: %s", sentence);
}

static void print(const char *text, size_t size)
{
  fwrite(text, 1, size, stdout);
}

static cudaError_t open_device(struct cudart *r)
{
  struct sl_host_options options;
  struct sl_error err;
  enum sl_status code = sl_host_options_read(&options, prefix, warn, NULL, &err);
  options.reopened = r->resets > 0;
  if (code == SL_OK)
    code =
        sl_host_open(&r->device, &options, options.r2d2 ? "sm7-r2d2" : "sm7", r->limits[cudaLimitPrintfFifoSize], &err);
  r->device.print = print;
  if (code == SL_OK && !r->device.facts.ptx)
    code = sl_fail(&err, SL_USAGE, "machine %s does not execute PTX; choose sm7", r->device.config.name);
  if (code == SL_OK)
    code = sl_queue_open(r->device.timeline, &r->legacy.queue, &err);
  if (code != SL_OK) {
    sl_host_close(&r->device);
    r->failed = true;
    return sl_cudart_refuse(cudaErrorInitializationError, &err);
  }
  r->log = options.log;
  r->opened = true;
  r->owner = getpid();
  return cudaSuccess;
}

cudaError_t sl_cudart_enter(struct cudart **runtime, bool opens)
{
  struct cudart *r = *runtime = &the_runtime;
  pthread_mutex_lock(&r->lock);
  if (r->failed || (r->opened && r->owner != getpid())) /* a child of fork has no device */
    return cudaErrorInitializationError;
  if (r->sticky != cudaSuccess)
    return r->sticky;
  return opens && !r->opened ? open_device(r) : cudaSuccess;
}

cudaError_t sl_cudart_leave(struct cudart *r, const char *function, cudaError_t error)
{
  if (r->log >= 2)
    sl_cudart_say("%s: %s", function, cudaGetErrorName(error));
  pthread_mutex_unlock(&r->lock);
  if (error != cudaSuccess && error != cudaErrorNotReady)
    last_error = error;
  return error;
}

cudaError_t sl_cudart_last(bool reset)
{
  const cudaError_t error = the_runtime.sticky != cudaSuccess ? the_runtime.sticky : last_error;
  if (reset)
    last_error = cudaSuccess;
  return error;
}

/* The program ends: statistics get their totals. A child of fork writes nothing. */
static __attribute__((destructor)) void close_device(void)
{
  struct cudart *r = &the_runtime;
  if (r->opened && r->owner == getpid() && pthread_mutex_trylock(&r->lock) == 0) {
    sl_host_close(&r->device);
    r->opened = false;
    r->failed = true;
    pthread_mutex_unlock(&r->lock);
  }
}

SL_CUDART_API cudaError_t cudaDeviceReset(void)
{
  struct cudart *r = &the_runtime;
  pthread_mutex_lock(&r->lock);
  if (r->opened && r->owner == getpid()) {
    sl_cudart_free_textures(r);
    sl_cudart_free_streams(r);
    sl_cudart_free_memory(r);
    sl_host_close(&r->device);
    r->opened = false;
    r->resets++;
    r->sticky = cudaSuccess;
    for (struct cudart_module *m = r->modules; m != NULL; m = m->next)
      m->loaded = NULL;
    for (struct cudart_function *f = r->functions; f != NULL; f = f->next) {
      free(f->kernel);
      f->kernel = NULL;
    }
  }
  pthread_mutex_unlock(&r->lock);
  return cudaSuccess;
}

/* ---- registration ------------------------------------------------------------------------------------------------ */

/* What __cudaRegisterFatBinary gets, and the image that `simtlab cuda` puts there. */
struct fat_binary {
  uint32_t magic, version;
  const void *image;
  void *unused;
};

struct image {
  char magic[8];
  uint64_t bytes, flags;
  char text[];
};

static struct cudart_module *new_module(struct cudart *r, const char *text, uint64_t bytes)
{
  struct cudart_module *m = calloc(1, sizeof *m), **last = &r->modules;
  if (m == NULL)
    return NULL;
  *m = (struct cudart_module){.text = text, .bytes = bytes};
  while (*last != NULL)
    last = &(*last)->next;
  *last = m;
  return m;
}

struct cudart_module *sl_cudart_add_module(struct cudart *r, const char *text, uint64_t bytes, bool own)
{
  char *copy = own ? malloc(bytes + 1) : NULL;
  if (own && copy == NULL)
    return NULL;
  if (own) {
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
  }
  struct cudart_module *m = new_module(r, own ? copy : text, bytes);
  if (m == NULL)
    free(copy);
  else
    m->own = copy;
  return m;
}

SL_CUDART_API void **__cudaRegisterFatBinary(void *binary)
{
  const struct fat_binary *fat = binary;
  const struct image *image = fat->image;
  struct cudart_module *module = NULL;
  pthread_mutex_lock(&the_runtime.lock);
  if (memcmp(image->magic, SL_CUDA_MAGIC, 8) == 0)
    module = new_module(&the_runtime, image->text, image->bytes);
  else
    sl_cudart_say("an object file has no PTX for simtlab: compile it with simtlab cuda");
  if (module != NULL)
    module->separate = (image->flags & SL_CUDA_SEPARATE) != 0;
  pthread_mutex_unlock(&the_runtime.lock);
  return (void **)module;
}

SL_CUDART_API void __cudaRegisterFatBinaryEnd(void **handle)
{
  (void)handle;
}

SL_CUDART_API void __cudaUnregisterFatBinary(void **handle)
{
  (void)handle; /* the process ends */
}

struct cudart_function *sl_cudart_add_function(struct cudart *r, struct cudart_module *module, const void *stub,
                                               const char *name)
{
  struct cudart_function *f = calloc(1, sizeof *f);
  char *copy = strdup(name);
  if (f == NULL || copy == NULL || module == NULL) {
    free(f);
    free(copy);
    return NULL;
  }
  *f = (struct cudart_function){.next = r->functions, .stub = stub, .module = module, .name = copy};
  r->functions = f;
  return f;
}

SL_CUDART_API void __cudaRegisterFunction(void **handle, const char *stub, char *function, const char *name, int limit,
                                          uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warp)
{
  (void)function, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  pthread_mutex_lock(&the_runtime.lock);
  sl_cudart_add_function(&the_runtime, (struct cudart_module *)handle, stub, name);
  pthread_mutex_unlock(&the_runtime.lock);
}

static void add_variable(void **handle, enum cudart_variable_kind kind, const void *shadow, const char *name,
                         size_t bytes)
{
  struct cudart *r = &the_runtime;
  struct cudart_variable *v = calloc(1, sizeof *v);
  char *copy = strdup(name);
  pthread_mutex_lock(&r->lock);
  if (v != NULL && copy != NULL && handle != NULL) {
    *v = (struct cudart_variable){
        .next = r->variables, .kind = kind, .shadow = shadow, .module = (struct cudart_module *)handle, .bytes = bytes};
    v->name = copy;
    r->variables = v;
  }
  pthread_mutex_unlock(&r->lock);
}

SL_CUDART_API void __cudaRegisterVar(void **handle, char *shadow, char *address, const char *name, int external,
                                     size_t bytes, int constant, int global)
{
  (void)address, (void)external, (void)constant, (void)global;
  add_variable(handle, CUDART_VARIABLE, shadow, name, bytes);
}

SL_CUDART_API void __cudaRegisterManagedVar(void **handle, void **shadow, char *address, const char *name, int external,
                                            size_t bytes, int constant, int global)
{
  (void)address, (void)external, (void)constant, (void)global;
  add_variable(handle, CUDART_MANAGED, shadow, name, bytes);
}

SL_CUDART_API void __cudaRegisterTexture(void **handle, const struct textureReference *shadow, const void **address,
                                         const char *name, int dimensions, int normalised, int external)
{
  (void)address, (void)dimensions, (void)normalised, (void)external;
  add_variable(handle, CUDART_TEXTURE, shadow, name, 0);
}

SL_CUDART_API void __cudaRegisterSurface(void **handle, const void *shadow, const void **address, const char *name,
                                         int dimensions, int external)
{
  (void)handle, (void)shadow, (void)address, (void)name, (void)dimensions, (void)external;
}

/* ---- use --------------------------------------------------------------------------------------------------------- */

/* The texts of all separate modules, one after the other. NULL: out of memory. */
static char *join_texts(const struct cudart *r, size_t *bytes)
{
  size_t total = 0, at = 0;
  for (const struct cudart_module *m = r->modules; m != NULL; m = m->next)
    total += m->separate ? m->bytes + 1 : 0;
  char *text = malloc(total + 1);
  for (const struct cudart_module *m = r->modules; m != NULL && text != NULL; m = m->next)
    if (m->separate) {
      const size_t length = strnlen(m->text, m->bytes);
      memcpy(text + at, m->text, length);
      text[at + length] = '\n';
      at += length + 1;
    }
  *bytes = at;
  return text;
}

static cudaError_t load_text(struct cudart *r, const char *text, size_t bytes, struct sl_gpu_module **loaded)
{
  struct sl_error err;
  if (memmem(text, bytes, " malloc", 7) != NULL)
    sl_host_make_heap(&r->device, r->limits[cudaLimitMallocHeapSize], NULL);
  if (sl_host_load(&r->device, "a module of the program", text, bytes, loaded, &err) == SL_OK)
    return cudaSuccess;
  *loaded = NULL;
  return sl_cudart_refuse(cudaErrorInvalidPtx, &err);
}

/* Modules that are compiled separately are linked, once. */
static cudaError_t load_separate(struct cudart *r)
{
  struct sl_gpu_module *loaded = NULL;
  size_t bytes;
  char *text = join_texts(r, &bytes);
  const cudaError_t error = text != NULL ? load_text(r, text, bytes, &loaded) : cudaErrorMemoryAllocation;
  for (struct cudart_module *m = r->modules; m != NULL; m = m->next)
    if (m->separate) {
      m->loaded = loaded;
      m->failed = error != cudaSuccess;
    }
  free(text);
  return error;
}

cudaError_t sl_cudart_load(struct cudart *r, struct cudart_module *m)
{
  if (m->loaded != NULL)
    return cudaSuccess;
  if (m->failed)
    return cudaErrorInvalidKernelImage;
  if (m->separate)
    return load_separate(r);
  const cudaError_t error = load_text(r, m->text, strnlen(m->text, m->bytes), &m->loaded);
  m->failed = error != cudaSuccess;
  return error;
}

cudaError_t sl_cudart_kernel(struct cudart *r, struct cudart_function *f)
{
  if (f->kernel != NULL)
    return cudaSuccess;
  const cudaError_t error = sl_cudart_load(r, f->module);
  if (error != cudaSuccess)
    return error;
  f->kernel = malloc(sizeof *f->kernel);
  if (f->kernel == NULL)
    return cudaErrorMemoryAllocation;
  if (sl_gpu_kernel(f->module->loaded, f->name, f->kernel))
    return cudaSuccess;
  free(f->kernel);
  f->kernel = NULL;
  return cudaErrorInvalidDeviceFunction;
}

cudaError_t sl_cudart_function(struct cudart *r, const void *stub, struct cudart_function **function)
{
  for (struct cudart_function *f = r->functions; f != NULL; f = f->next)
    if (f->stub == stub && stub != NULL) {
      *function = f;
      return sl_cudart_kernel(r, f);
    }
  return cudaErrorInvalidDeviceFunction;
}

/* Whether a readable text is a variable's name. Old programs name symbols by strings; other pointers may be anything.
 */
static bool is_name(const struct cudart_variable *v, const void *symbol)
{
  return strcmp(v->name, symbol) == 0;
}

cudaError_t sl_cudart_symbol(struct cudart *r, const void *symbol, struct cudart_variable **variable,
                             struct sl_gpu_symbol *place)
{
  struct cudart_variable *found = NULL;
  if (symbol == NULL)
    return cudaErrorInvalidSymbol;
  for (struct cudart_variable *v = r->variables; v != NULL && found == NULL; v = v->next)
    if (v->shadow == symbol)
      found = v;
  for (struct cudart_variable *v = r->variables; v != NULL && found == NULL; v = v->next)
    if (is_name(v, symbol))
      found = v;
  if (found == NULL)
    return cudaErrorInvalidSymbol;
  const cudaError_t error = sl_cudart_load(r, found->module);
  if (error != cudaSuccess)
    return error;
  *variable = found;
  return sl_gpu_symbol(found->module->loaded, found->name, place) ? cudaSuccess : cudaErrorInvalidSymbol;
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

struct error_name {
  cudaError_t error;
  const char *name, *text;
};

#define ERROR(name, text)                                                                                              \
  {                                                                                                                    \
    name, #name, text                                                                                                  \
  }
static const struct error_name error_names[] = {
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorInitializationError, "initialization error"),
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    ERROR(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
    ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    ERROR(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    ERROR(cudaErrorInvalidSource, "device kernel image is invalid"),
    ERROR(cudaErrorFileNotFound, "file not found"),
    ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    ERROR(cudaErrorNotReady, "device not ready"),
    ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ERROR(cudaErrorAssert, "device-side assert triggered"),
    ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    ERROR(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space"),
    ERROR(cudaErrorInvalidPc, "invalid program counter"),
    ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    ERROR(cudaErrorNotPermitted, "operation not permitted"),
    ERROR(cudaErrorNotSupported, "operation not supported"),
    ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    ERROR(cudaErrorUnknown, "unknown error"),
};

static const struct error_name *name_of(cudaError_t error)
{
  for (size_t i = 0; i < sizeof error_names / sizeof error_names[0]; i++)
    if (error_names[i].error == error)
      return &error_names[i];
  return NULL;
}

SL_CUDART_API const char *cudaGetErrorName(cudaError_t error)
{
  const struct error_name *n = name_of(error);
  return n != NULL ? n->name : "unrecognized error code";
}

SL_CUDART_API const char *cudaGetErrorString(cudaError_t error)
{
  const struct error_name *n = name_of(error);
  return n != NULL ? n->text : "unrecognized error code";
}

SL_CUDART_API cudaError_t cudaGetLastError(void)
{
  return sl_cudart_last(true);
}

SL_CUDART_API cudaError_t cudaPeekAtLastError(void)
{
  return sl_cudart_last(false);
}
