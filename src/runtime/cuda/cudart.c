/* The runtime of the process: modules that object files register, the lock, and errors. This file has the only state
 * that functions of the interface share. */
#define _DEFAULT_SOURCE /* on_exit */
#include "runtime/cuda/cudart.h"

#include "compiler/cc/compile.h"

#include <signal.h>
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

/* Says the sentence of an error that programs often overlook, and returns the code. */
static cudaError_t refuse(cudaError_t error, const struct sl_error *err)
{
  sl_cudart_say("%s", err->text);
  return error;
}

static void warn(void *context, const char *sentence)
{
  (void)context;
  sl_cudart_say("warning: %s", sentence);
}

static void say(void *context, const char *sentence)
{
  (void)context;
  sl_cudart_say("%s", sentence);
}

/* As gdb ends a program of its own. */
static void kill_program(void *context)
{
  (void)context;
  raise(SIGKILL);
}

static void note_exit(int status, void *runtime)
{
  ((struct cudart *)runtime)->device.exit_status = status;
}

static void print(const char *text, size_t size)
{
  fwrite(text, 1, size, stdout);
}

/* Modules with managed variables: programs use these variables like other memory, before the first launch. */
static void load_managed(struct cudart *r)
{
  for (const struct cudart_variable *v = r->variables; v != NULL; v = v->next)
    if (v->kind == CUDART_MANAGED)
      sl_cudart_load(r, v->module);
}

/* gdb has the symbols of all modules from the first launch on. */
static void load_all(struct cudart *r)
{
  for (struct cudart_module *m = r->modules; m != NULL; m = m->next)
    sl_cudart_load(r, m);
}

static cudaError_t open_device(struct cudart *r)
{
  struct sl_host_options options;
  struct sl_error err;
  r->owner = getpid();
  enum sl_status code = sl_host_options_read(&options, prefix, warn, NULL, &err);
  options.reopened = r->resets > 0;
  options.say = say;
  options.kill = kill_program;
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
    return refuse(cudaErrorInitializationError, &err);
  }
  sl_host_check_order(&r->device);
  r->log = options.log;
  r->opened = true;
  load_managed(r);
  if (options.gdb[0] != '\0')
    load_all(r);
  if (options.gdb[0] != '\0')
    on_exit(note_exit, r);
  return cudaSuccess;
}

cudaError_t sl_cudart_enter(struct cudart **runtime, bool opens)
{
  struct cudart *r = *runtime = &the_runtime;
  pthread_mutex_lock(&r->lock);
  if (r->failed)
    return cudaErrorInitializationError;
  r->implied |= opens && r->in_driver == 0;
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
  struct cudart *r = &the_runtime;
  pthread_mutex_lock(&r->lock);
  const cudaError_t error = r->sticky != cudaSuccess ? r->sticky : last_error;
  pthread_mutex_unlock(&r->lock);
  if (reset)
    last_error = cudaSuccess;
  return error;
}

void sl_cudart_restore_last(cudaError_t error)
{
  last_error = error;
}

/* A child of fork has no device if its parent had one, and no other thread, so nobody holds its lock. */
static void begin_child(void)
{
  const pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  memcpy(&the_runtime.lock, &lock, sizeof lock);
  the_runtime.failed |= the_runtime.owner != 0;
  the_runtime.in_driver = 0;
}

static __attribute__((constructor)) void watch_forks(void)
{
  pthread_atfork(NULL, NULL, begin_child);
}

/* The program ends: statistics get their totals. A child of fork writes nothing. */
static __attribute__((destructor)) void close_device(void)
{
  struct cudart *r = &the_runtime;
  if ((r->owner != 0 && r->owner != getpid()) || pthread_mutex_trylock(&r->lock) != 0)
    return;
  const uint64_t status = r->device.options.check_exit;
  const bool opened = r->opened;
  if (opened)
    sl_host_close(&r->device);
  r->failed |= opened;
  r->opened = false;
  pthread_mutex_unlock(&r->lock);
  if (r->device.findings > 0 && status != 0) {
    fflush(NULL);
    _exit((int)(status & 0xff));
  }
}
/* Those of the driver interface. */
static void drop_modules(struct cudart *r)
{
  for (struct cudart_module *m = r->modules, *next; m != NULL; m = next) {
    next = m->next;
    if (m->own != NULL)
      sl_cudart_drop_module(r, m);
  }
}

static cudaError_t reset_device(struct cudart *r)
{
  if (r->failed)
    return cudaErrorInitializationError;
  if (r->opened) {
    sl_cudart_free_textures(r);
    sl_cudart_free_surfaces(r);
    sl_cudart_free_graphs(r);
    sl_cudart_free_streams(r);
    sl_cudart_free_memory(r);
    sl_driver_drop_links(r);
    sl_host_close(&r->device);
    r->opened = false;
    r->resets++;
    r->owner = 0;
    r->implied = false;
    r->contexts = 0;
    r->generation++;
    r->sticky = cudaSuccess;
    drop_modules(r);
    for (struct cudart_module *m = r->modules; m != NULL; m = m->next)
      m->loaded = NULL;
    for (struct cudart_function *f = r->functions; f != NULL; f = f->next) {
      free(f->kernel);
      f->kernel = NULL;
    }
  }
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaDeviceReset(void)
{
  struct cudart *r;
  sl_cudart_enter(&r, false); /* also after a fault */
  return sl_cudart_leave(r, __func__, reset_device(r));
}

/* ---- registration ------------------------------------------------------------------------------------------------ */

/* What __cudaRegisterFatBinary gets, and the image that `simtlab cuda` puts there. */
#define FAT_BINARY "\xb1\x43\x62\x46"
#define MAGIC "SIMTPTX1"
struct fat_binary {
  char magic[4];
  uint32_t version;
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

struct cudart_module *sl_cudart_add_module(struct cudart *r, const char *text, uint64_t bytes)
{
  char *copy = strndup(text, bytes);
  struct cudart_module *m = copy != NULL ? new_module(r, copy, strlen(copy)) : NULL;
  if (m == NULL)
    free(copy);
  else
    m->own = copy;
  return m;
}

void sl_cudart_drop_module(struct cudart *r, struct cudart_module *module)
{
  struct cudart_module **at = &r->modules;
  for (struct cudart_function **f = &r->functions, *next; *f != NULL;)
    if ((*f)->module == module) {
      next = (*f)->next;
      free((*f)->kernel);
      free((*f)->name);
      free(*f);
      *f = next;
    } else
      f = &(*f)->next;
  while (*at != module)
    at = &(*at)->next;
  *at = module->next;
  free(module->own);
  free(module);
}

const char *sl_cudart_image_text(const void *image)
{
  const bool fat = strncmp(image, FAT_BINARY, sizeof FAT_BINARY - 1) == 0;   /* the image may be a short text */
  const char *own = fat ? ((const struct fat_binary *)image)->image : image; /* a text may be at any address */
  return own != NULL && strncmp(own, MAGIC, sizeof MAGIC - 1) == 0 ? own + offsetof(struct image, text) : NULL;
}

SL_CUDART_API void **__cudaRegisterFatBinary(void *binary)
{
  const char *text = sl_cudart_image_text(binary);
  struct cudart_module *module = NULL;
  pthread_mutex_lock(&the_runtime.lock);
  if (text != NULL)
    module = new_module(&the_runtime, text, strlen(text));
  else
    sl_cudart_say("an object file has no PTX for simtlab: compile it with simtlab cuda");
  if (module != NULL) {
    const uint64_t flags = ((const struct image *)((const struct fat_binary *)binary)->image)->flags;
    module->separate = (flags & SL_CUDA_SEPARATE) != 0;
    module->most_registers = (uint32_t)(flags & 0xffff);
  }
  pthread_mutex_unlock(&the_runtime.lock);
  return (void **)module;
}

SL_CUDART_API void __cudaRegisterFatBinaryEnd(void **handle)
{
  pthread_mutex_lock(&the_runtime.lock);
  if (handle != NULL)
    sl_cudart_init_shadows(&the_runtime, (struct cudart_module *)handle);
  pthread_mutex_unlock(&the_runtime.lock);
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
  add_variable(handle, sl_cudart_is_shadow(shadow) ? CUDART_MANAGED : CUDART_VARIABLE, shadow, name, bytes);
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
  (void)address, (void)dimensions, (void)external;
  add_variable(handle, CUDART_SURFACE, shadow, name, 0);
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

static cudaError_t load_text(struct cudart *r, const char *text, size_t bytes, struct sl_gpu_module **loaded,
                             struct sl_error *err)
{
  if (memmem(text, bytes, " malloc", 7) != NULL)
    sl_host_make_heap(&r->device, r->limits[cudaLimitMallocHeapSize], NULL);
  if (sl_host_load(&r->device, "a module of the program", &(struct sl_host_code){text, bytes, NULL}, loaded, err) ==
      SL_OK)
    return cudaSuccess;
  *loaded = NULL;
  return cudaErrorInvalidPtx;
}

/* Modules that are compiled separately are linked, once. */
static cudaError_t load_separate(struct cudart *r, struct sl_error *err)
{
  struct sl_gpu_module *loaded = NULL;
  size_t bytes;
  char *text = join_texts(r, &bytes);
  cudaError_t error = text != NULL ? load_text(r, text, bytes, &loaded, err) : cudaErrorMemoryAllocation;
  for (struct cudart_module *m = r->modules; m != NULL; m = m->next)
    if (m->separate) {
      m->loaded = loaded;
      m->failed = error != cudaSuccess;
      if (error == cudaSuccess)
        error = sl_cudart_manage(r, m);
    }
  free(text);
  return error;
}

cudaError_t sl_cudart_parse(struct cudart *r, struct cudart_module *m, struct sl_error *err)
{
  if (m->loaded != NULL)
    return cudaSuccess;
  if (m->separate)
    return load_separate(r, err);
  const cudaError_t error = load_text(r, m->text, strnlen(m->text, m->bytes), &m->loaded, err);
  m->failed = error != cudaSuccess;
  return error == cudaSuccess ? sl_cudart_manage(r, m) : error;
}

cudaError_t sl_cudart_load(struct cudart *r, struct cudart_module *m)
{
  struct sl_error err = {.text = "out of memory"};
  if (m->failed)
    return cudaErrorInvalidKernelImage;
  if (m->loaded != NULL)
    return cudaSuccess;
  const cudaError_t error = sl_cudart_parse(r, m, &err);
  if (error == cudaSuccess || sl_host_check_refused(&r->device, err.text))
    return error;
  return refuse(error, &err);
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
  if (sl_gpu_kernel(f->module->loaded, f->name, f->kernel)) {
    if (f->module->most_registers > 0 && f->kernel->registers > f->module->most_registers)
      f->kernel->registers = f->module->most_registers;
    return cudaSuccess;
  }
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

SL_CUDART_API cudaError_t cudaGetLastError(void)
{
  return sl_cudart_last(true);
}

SL_CUDART_API cudaError_t cudaPeekAtLastError(void)
{
  return sl_cudart_last(false);
}
