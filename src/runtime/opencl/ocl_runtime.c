/* The process's platform and devices, its lock, its messages, and the table of functions for the loader. This file has
 * the only state that functions of the interface share. */
#define _DEFAULT_SOURCE /* on_exit */

#include "runtime/opencl/ocl.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

struct due {
  struct due *next;
  void (*function)(void *user);
  void *user;
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct _cl_platform_id platform;
  cl_device_id devices[OCL_DEVICES];
  cl_uint device_count;
  bool started;
  pid_t owner;
  struct sl_host_options options;
  cl_command_queue queues;
} runtime = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* Callbacks that the thread's current call has caused, in their order. */
static _Thread_local struct due *due_first, *due_last;

static const char prefix[] = "SIMTLAB_OPENCL_";
enum { PRINT_ROOM = 1 << 20 };

/* ---- messages ---------------------------------------------------------------------------------------------------- */

void sl_ocl_say(const char *format, ...)
{
  char text[1400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fflush(stdout); /* sentences come after what the program has printed before */
  fprintf(stderr, "simtlab: %s\n", text);
}

static void warn(void *context, const char *sentence)
{
  (void)context;
  sl_ocl_say("warning: %s", sentence);
}

static void say(void *context, const char *sentence)
{
  (void)context;
  sl_ocl_say("%s", sentence);
}

/* As gdb ends a program of its own. */
static void kill_program(void *context)
{
  (void)context;
  raise(SIGKILL);
}

static void note_exit(int status, void *device)
{
  ((cl_device_id)device)->host.exit_status = status;
}

struct notice {
  void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
  void *user;
  char text[1100];
};

static void deliver(void *user)
{
  struct notice *n = user;
  n->notify(n->text, NULL, 0, n->user);
  free(n);
}

void sl_ocl_notify(cl_context context, const char *sentence)
{
  struct notice *n = context != NULL && context->notify != NULL ? malloc(sizeof *n) : NULL;
  sl_ocl_say("%s", sentence);
  if (n == NULL)
    return;
  *n = (struct notice){.notify = context->notify, .user = context->user};
  snprintf(n->text, sizeof n->text, "%s", sentence);
  sl_ocl_later(deliver, n);
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

static void print(const char *text, size_t size)
{
  fwrite(text, 1, size, stdout);
}

static void add_device(const char *machine, size_t length)
{
  cl_device_id d = runtime.device_count < OCL_DEVICES ? calloc(1, sizeof *d) : NULL;
  if (d == NULL)
    return;
  d->dispatch = &sl_ocl_dispatch;
  d->number = runtime.device_count;
  snprintf(d->name, sizeof d->name, "%.*s", (int)length, machine);
  runtime.devices[runtime.device_count++] = d;
}

/* Reads the environment, once. Devices are described without opening their GPUs. */
static void start(void)
{
  struct sl_error err;
  runtime.started = true;
  runtime.owner = getpid();
  runtime.platform.dispatch = &sl_ocl_dispatch;
  if (sl_host_options_read(&runtime.options, prefix, warn, NULL, &err) != SL_OK) {
    sl_ocl_say("%s", err.text);
    return;
  }
  runtime.options.say = say;
  runtime.options.kill = kill_program;
  const char *at = runtime.options.machine[0] != '\0' ? runtime.options.machine
                   : runtime.options.r2d2             ? "sm7-r2d2"
                                                      : "opencl-sm7";
  while (*at != '\0') {
    const size_t length = strcspn(at, ",");
    if (length > 0)
      add_device(at, length);
    at += length + (at[length] == ',');
  }
}

/* Opens the GPU of a device. A further device's files of statistics and records have its number behind their names. */
static bool open_gpu(cl_device_id d)
{
  struct sl_host_options options = runtime.options;
  struct sl_error err;
  char *const files[] = {options.stats,      options.profile, options.record,
                         options.check_json, options.trace,   options.gdb};
  for (size_t i = 0; i < sizeof files / sizeof *files && d->number > 0; i++)
    if (files[i][0] != '\0') {
      const size_t used = strlen(files[i]);
      snprintf(files[i] + used, SL_HOST_TEXT - used, ".%u", d->number);
    }
  if (d->number > 0)
    options.gdb_port = 0; /* a port of its own */
  snprintf(options.machine, sizeof options.machine, "%s", d->name);
  enum sl_status code = sl_host_open(&d->host, &options, "sm7", PRINT_ROOM, &err);
  d->host.print = print;
  d->host.services.constant_texts = true;
  if (code == SL_OK && !d->host.facts.ptx)
    code = sl_ocl_riscv_open(d, &err);
  if (code != SL_OK) {
    sl_ocl_say("%s", err.text);
    sl_host_close(&d->host);
  }
  if (code == SL_OK && options.gdb[0] != '\0')
    on_exit(note_exit, d);
  return code == SL_OK;
}

cl_int sl_ocl_open(cl_device_id d)
{
  if (!d->opened && !d->failed) {
    d->opened = open_gpu(d);
    d->failed = !d->opened;
  }
  return d->opened ? CL_SUCCESS : CL_DEVICE_NOT_AVAILABLE;
}

cl_platform_id sl_ocl_platform(void)
{
  return &runtime.platform;
}

cl_uint sl_ocl_devices(cl_device_id **devices)
{
  *devices = runtime.devices;
  return runtime.device_count;
}

cl_command_queue *sl_ocl_queues(void)
{
  return &runtime.queues;
}

const struct sl_host_options *sl_ocl_options(void)
{
  return &runtime.options;
}

void sl_ocl_take(cl_device_id d)
{
  while (d->busy)
    pthread_cond_wait(&runtime.changed, &runtime.lock);
  d->busy = true;
  pthread_mutex_unlock(&runtime.lock);
}

void sl_ocl_give(cl_device_id d)
{
  pthread_mutex_lock(&runtime.lock);
  d->busy = false;
  pthread_cond_broadcast(&runtime.changed);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

void sl_ocl_lock(void)
{
  pthread_mutex_lock(&runtime.lock);
}

void sl_ocl_unlock(void)
{
  pthread_mutex_unlock(&runtime.lock);
}

void sl_ocl_enter(void)
{
  pthread_mutex_lock(&runtime.lock);
  if (!runtime.started)
    start();
}

void sl_ocl_later(void (*function)(void *user), void *user)
{
  struct due *d = malloc(sizeof *d);
  if (d == NULL)
    return;
  *d = (struct due){NULL, function, user};
  if (due_first == NULL)
    due_first = d;
  else
    due_last->next = d;
  due_last = d;
}

static void call_due(void)
{
  while (due_first != NULL) {
    struct due *d = due_first;
    due_first = d->next;
    d->function(d->user);
    free(d);
  }
}

cl_int sl_ocl_leave(const char *function, cl_int error)
{
  if (runtime.options.log >= 2)
    sl_ocl_say("%s: %d", function, error);
  pthread_mutex_unlock(&runtime.lock);
  call_due();
  return error;
}

/* A callback may complete what the thread waits for. */
void sl_ocl_wait(void)
{
  if (due_first == NULL) {
    pthread_cond_wait(&runtime.changed, &runtime.lock);
    return;
  }
  pthread_mutex_unlock(&runtime.lock);
  call_due();
  pthread_mutex_lock(&runtime.lock);
}

void sl_ocl_changed(void)
{
  pthread_cond_broadcast(&runtime.changed);
}

/* A child of fork has no devices if its parent had opened one. */
static void begin_child(void)
{
  const pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  memcpy(&runtime.lock, &lock, sizeof lock);
  for (cl_uint i = 0; i < runtime.device_count; i++) {
    runtime.devices[i]->failed |= runtime.devices[i]->opened;
    runtime.devices[i]->opened = false;
  }
}

static __attribute__((constructor)) void watch_forks(void)
{
  pthread_atfork(NULL, NULL, begin_child);
}

/* The program ends: statistics get their totals. A child of fork writes nothing. With findings of the checker, the
 * exit status may be another one. */
static __attribute__((destructor)) void close_devices(void)
{
  const uint64_t status = runtime.options.check_exit;
  size_t findings = 0;
  if (runtime.owner != getpid() || pthread_mutex_trylock(&runtime.lock) != 0)
    return;
  for (cl_uint i = 0; i < runtime.device_count; i++)
    if (runtime.devices[i]->opened && !runtime.devices[i]->busy) {
      sl_host_close(&runtime.devices[i]->host);
      findings += runtime.devices[i]->host.findings;
      runtime.devices[i]->opened = false;
      runtime.devices[i]->failed = true;
    }
  pthread_mutex_unlock(&runtime.lock);
  if (findings > 0 && status != 0) {
    fflush(NULL);
    _exit((int)(status & 0xff));
  }
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

bool sl_ocl_is(const void *object, enum ocl_kind kind)
{
  const struct ocl_object *o = object;
  return o != NULL && o->kind == kind && o->references > 0;
}

void *sl_ocl_new(size_t size, enum ocl_kind kind)
{
  struct ocl_object *o = calloc(1, size);
  if (o != NULL)
    *o = (struct ocl_object){&sl_ocl_dispatch, kind, 1};
  return o;
}

cl_int sl_ocl_answer(const void *bytes, size_t size, size_t room, void *value, size_t *needed)
{
  if (value != NULL && room < size)
    return CL_INVALID_VALUE;
  if (value != NULL && size > 0)
    memcpy(value, bytes, size);
  if (needed != NULL)
    *needed = size;
  return CL_SUCCESS;
}

/* ---- functions for the loader ------------------------------------------------------------------------------------ */

#define EXPORTED __attribute__((visibility("default")))

/* Functions of OpenCL 1.2 by name. */
#define EACH_FUNCTION(with)                                                                                            \
  with(clGetPlatformIDs) with(clGetPlatformInfo) with(clGetDeviceIDs) with(clGetDeviceInfo) with(clCreateContext)      \
      with(clCreateContextFromType) with(clRetainContext) with(clReleaseContext) with(clGetContextInfo) with(          \
          clCreateCommandQueue) with(clRetainCommandQueue) with(clReleaseCommandQueue) with(clGetCommandQueueInfo)     \
          with(clSetCommandQueueProperty) with(clCreateBuffer) with(clCreateImage2D) with(clCreateImage3D) with(       \
              clRetainMemObject) with(clReleaseMemObject) with(clGetSupportedImageFormats) with(clGetMemObjectInfo)    \
              with(clGetImageInfo) with(clCreateSampler) with(clRetainSampler) with(clReleaseSampler) with(            \
                  clGetSamplerInfo) with(clCreateProgramWithSource) with(clCreateProgramWithBinary)                    \
                  with(clRetainProgram) with(clReleaseProgram) with(clBuildProgram) with(clUnloadCompiler) with(       \
                      clGetProgramInfo) with(clGetProgramBuildInfo) with(clCreateKernel)                               \
                      with(clCreateKernelsInProgram) with(clRetainKernel) with(clReleaseKernel) with(                  \
                          clSetKernelArg) with(clGetKernelInfo) with(clGetKernelWorkGroupInfo) with(clWaitForEvents)   \
                          with(clGetEventInfo) with(clRetainEvent) with(clReleaseEvent) with(                          \
                              clGetEventProfilingInfo) with(clFlush) with(clFinish) with(clEnqueueReadBuffer)          \
                              with(clEnqueueWriteBuffer) with(clEnqueueCopyBuffer) with(clEnqueueReadImage) with(      \
                                  clEnqueueWriteImage) with(clEnqueueCopyImage) with(clEnqueueCopyImageToBuffer)       \
                                  with(clEnqueueCopyBufferToImage) with(clEnqueueMapBuffer) with(                      \
                                      clEnqueueMapImage) with(clEnqueueUnmapMemObject) with(clEnqueueNDRangeKernel)    \
                                      with(clEnqueueTask) with(clEnqueueNativeKernel) with(clEnqueueMarker) with(      \
                                          clEnqueueWaitForEvents) with(clEnqueueBarrier)                               \
                                          with(clGetExtensionFunctionAddress) with(clSetEventCallback) with(           \
                                              clCreateSubBuffer) with(clSetMemObjectDestructorCallback)                \
                                              with(clCreateUserEvent) with(clSetUserEventStatus) with(                 \
                                                  clEnqueueReadBufferRect) with(clEnqueueWriteBufferRect)              \
                                                  with(clEnqueueCopyBufferRect) with(clCreateSubDevices) with(         \
                                                      clRetainDevice) with(clReleaseDevice) with(clCreateImage)        \
                                                      with(clCreateProgramWithBuiltInKernels) with(clCompileProgram)   \
                                                          with(clLinkProgram) with(clUnloadPlatformCompiler)           \
                                                              with(clGetKernelArgInfo) with(clEnqueueFillBuffer) with( \
                                                                  clEnqueueFillImage) with(clEnqueueMigrateMemObjects) \
                                                                  with(clEnqueueMarkerWithWaitList)                    \
                                                                      with(clEnqueueBarrierWithWaitList) with(         \
                                                                          clGetExtensionFunctionAddressForPlatform)

#define ENTRY(name) .name = name,
const cl_icd_dispatch sl_ocl_dispatch = {EACH_FUNCTION(ENTRY)};

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
  return clGetPlatformIDs(room, platforms, count);
}

EXPORTED CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
  static const struct {
    const char *name;
    void (*function)(void);
  } functions[] = {
#define NAMED(name) {#name, (void (*)(void))name},
      EACH_FUNCTION(NAMED) NAMED(clIcdGetPlatformIDsKHR)};
  for (size_t i = 0; name != NULL && i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0)
      return (void *)(uintptr_t)functions[i].function;
  return NULL;
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
  return platform == sl_ocl_platform() ? clGetExtensionFunctionAddress(name) : NULL;
}
