/* Programs: from source, binaries or built-in kernels; builds, compilation and linking. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static cl_program new_program(cl_context context, cl_uint count, const cl_device_id *devices)
{
  cl_program p = sl_ocl_new(sizeof *p, OCL_PROGRAM);
  if (p == NULL)
    return NULL;
  p->context = context;
  context->object.references++;
  p->devices = calloc(count, sizeof *p->devices);
  p->builds = calloc(count, sizeof *p->builds);
  if (p->devices == NULL || p->builds == NULL) {
    sl_ocl_release_program(p);
    return NULL;
  }
  memcpy(p->devices, devices, count * sizeof(cl_device_id));
  for (cl_uint i = 0; i < count; i++)
    p->builds[i].status = CL_BUILD_NONE;
  p->device_count = count;
  return p;
}

static void free_build(struct ocl_build *b)
{
  free(b->options);
  free(b->log);
  sl_ocl_release_code(b->code);
  *b = (struct ocl_build){.status = CL_BUILD_NONE};
}

void sl_ocl_release_program(cl_program p)
{
  if (p == NULL || --p->object.references > 0)
    return;
  for (cl_uint i = 0; i < p->device_count; i++)
    free_build(&p->builds[i]);
  free(p->builds);
  free(p->devices);
  free(p->source);
  sl_ocl_release_context(p->context);
  free(p);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainProgram(cl_program program)
{
  OCL_CALL(sl_ocl_is(program, OCL_PROGRAM) ? (program->object.references++, CL_SUCCESS) : CL_INVALID_PROGRAM);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program program)
{
  OCL_CALL(sl_ocl_is(program, OCL_PROGRAM) ? (sl_ocl_release_program(program), CL_SUCCESS) : CL_INVALID_PROGRAM);
}

struct ocl_build *sl_ocl_build_of(cl_program p, cl_device_id device)
{
  for (cl_uint i = 0; i < p->device_count; i++)
    if (p->devices[i] == device)
      return &p->builds[i];
  return NULL;
}

static cl_program from_source(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                              cl_int *error)
{
  *error = !sl_ocl_is(context, OCL_CONTEXT) ? CL_INVALID_CONTEXT
           : count == 0 || texts == NULL    ? CL_INVALID_VALUE
                                            : CL_SUCCESS;
  size_t size = 1;
  for (cl_uint i = 0; i < count && *error == CL_SUCCESS; i++) {
    if (texts[i] == NULL)
      *error = CL_INVALID_VALUE;
    else
      size += lengths != NULL && lengths[i] > 0 ? lengths[i] : strlen(texts[i]);
  }
  if (*error != CL_SUCCESS)
    return NULL;
  cl_program p = new_program(context, context->device_count, context->devices);
  char *to = p != NULL ? p->source = malloc(size) : NULL;
  if (to == NULL) {
    sl_ocl_release_program(p);
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  for (cl_uint i = 0; i < count; i++) {
    /* A length may include the final zero. */
    const size_t length = lengths != NULL && lengths[i] > 0 ? strnlen(texts[i], lengths[i]) : strlen(texts[i]);
    memcpy(to, texts[i], length);
    to += length;
  }
  *to = '\0';
  return p;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                                              const size_t *lengths, cl_int *error)
{
  OCL_MAKE(cl_program, from_source(context, count, texts, lengths, &made));
}

static cl_int check_devices(cl_context context, cl_uint count, const cl_device_id *devices)
{
  for (cl_uint i = 0; i < count; i++)
    if (!sl_ocl_has_device(context, devices[i]))
      return CL_INVALID_DEVICE;
  return CL_SUCCESS;
}

static cl_program from_binary(cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
                              const unsigned char **binaries, cl_int *status, cl_int *error)
{
  *error = !sl_ocl_is(context, OCL_CONTEXT) ? CL_INVALID_CONTEXT
           : count == 0 || devices == NULL || lengths == NULL || binaries == NULL
               ? CL_INVALID_VALUE
               : check_devices(context, count, devices);
  cl_program p = *error == CL_SUCCESS ? new_program(context, count, devices) : NULL;
  if (p == NULL) {
    *error = *error == CL_SUCCESS ? CL_OUT_OF_HOST_MEMORY : *error;
    return NULL;
  }
  for (cl_uint i = 0; i < count; i++) {
    cl_int own = lengths[i] == 0 || binaries[i] == NULL ? CL_INVALID_VALUE : CL_SUCCESS;
    if (own == CL_SUCCESS) {
      p->builds[i].code = sl_ocl_from_binary(binaries[i], lengths[i]);
      own = p->builds[i].code != NULL ? CL_SUCCESS : CL_INVALID_BINARY;
    }
    if (status != NULL)
      status[i] = own;
    *error = *error == CL_SUCCESS ? own : *error;
  }
  if (*error == CL_SUCCESS)
    return p;
  sl_ocl_release_program(p);
  return NULL;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                              const cl_device_id *devices, const size_t *lengths,
                                                              const unsigned char **binaries, cl_int *status,
                                                              cl_int *error)
{
  OCL_MAKE(cl_program, from_binary(context, count, devices, lengths, binaries, status, &made));
}

/* No device has built-in kernels. */
CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint count,
                                                                      const cl_device_id *devices, const char *names,
                                                                      cl_int *error)
{
  (void)names;
  OCL_MAKE(cl_program, (made = !sl_ocl_is(context, OCL_CONTEXT)                       ? CL_INVALID_CONTEXT
                               : count == 0 || devices == NULL                        ? CL_INVALID_VALUE
                               : check_devices(context, count, devices) != CL_SUCCESS ? CL_INVALID_DEVICE
                                                                                      : CL_INVALID_VALUE,
                        NULL));
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

struct program_notice {
  void(CL_CALLBACK *notify)(cl_program, void *);
  cl_program program;
  void *user;
};

static void deliver(void *user)
{
  struct program_notice *n = user;
  n->notify(n->program, n->user);
  free(n);
}

static void tell(cl_program program, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
  struct program_notice *n = notify != NULL ? malloc(sizeof *n) : NULL;
  if (n == NULL)
    return;
  *n = (struct program_notice){notify, program, user};
  sl_ocl_later(deliver, n);
}

static cl_int check(cl_program p, cl_uint count, const cl_device_id *devices, bool notify, const void *user)
{
  if (!sl_ocl_is(p, OCL_PROGRAM))
    return CL_INVALID_PROGRAM;
  if ((count == 0) != (devices == NULL) || (!notify && user != NULL))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; i++)
    if (sl_ocl_build_of(p, devices[i]) == NULL)
      return CL_INVALID_DEVICE;
  return p->kernels > 0 || p->building ? CL_INVALID_OPERATION : CL_SUCCESS;
}

/* Stores what a compilation has made, for each device; executables are loaded. */
static cl_int store(cl_program p, cl_uint count, const cl_device_id *devices, struct ocl_code *code,
                    const char *options, struct sl_log *log, cl_int failure)
{
  cl_int error = code != NULL ? CL_SUCCESS : failure;
  for (cl_uint i = 0; i < count; i++) {
    struct ocl_build *b = sl_ocl_build_of(p, devices[i]);
    struct sl_error err = {.text = ""};
    const bool loads = code != NULL && code->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    const bool loaded = !loads || sl_ocl_load(devices[i], code, 0, &err) != NULL;
    if (!loaded) {
      sl_log_add(log, err.text, strlen(err.text));
      error = failure;
    }
    if (code != NULL)
      code->references++;
    free_build(b);
    b->status = code != NULL && loaded ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    b->options = strdup(options != NULL ? options : "");
    b->log = strdup(log->text != NULL ? log->text : "");
    b->code = code != NULL && loaded ? code : NULL;
    if (code != NULL && !loaded)
      code->references--;
  }
  return error;
}

static void set_status(cl_program p, cl_uint count, const cl_device_id *devices, cl_build_status status)
{
  for (cl_uint i = 0; i < count; i++)
    sl_ocl_build_of(p, devices[i])->status = status;
  p->building = status == CL_BUILD_IN_PROGRESS;
}

/* Compiles without the lock. */
static cl_int compile_for(cl_program p, cl_uint count, const cl_device_id *devices, const char *options, bool object,
                          const struct ocl_header *headers, size_t header_count)
{
  struct ocl_options parsed;
  struct sl_log log = {NULL, 0, 0}, messages = {NULL, 0, 0};
  struct ocl_code *code = NULL;
  if (sl_ocl_options_read(&parsed, options, false, &log) != SL_OK) {
    store(p, count, devices, NULL, options, &log, CL_BUILD_ERROR);
    sl_ocl_options_free(&parsed);
    sl_log_free(&log);
    return object ? CL_INVALID_COMPILER_OPTIONS : CL_INVALID_BUILD_OPTIONS;
  }
  sl_ocl_riscv_options(devices[0], &parsed);
  set_status(p, count, devices, CL_BUILD_IN_PROGRESS);
  sl_ocl_unlock();
  const enum sl_status status = sl_ocl_compile(p->source, &parsed, object, headers, header_count, &code, &messages);
  sl_ocl_lock();
  set_status(p, count, devices, CL_BUILD_NONE);
  if (messages.text != NULL)
    sl_log_add(&log, messages.text, messages.length);
  const cl_int failure = status == SL_USAGE && sl_ocl_compiler_missing(parsed.family) != NULL
                             ? CL_COMPILER_NOT_AVAILABLE
                         : object ? CL_COMPILE_PROGRAM_FAILURE
                                  : CL_BUILD_PROGRAM_FAILURE;
  if (code != NULL && code->source == NULL)
    code->source = strdup(p->source);
  const cl_int error = store(p, count, devices, code, options, &log, failure);
  if (error != CL_SUCCESS && sl_ocl_options()->log >= 1)
    sl_ocl_say("a program was not built: %.1000s", log.text != NULL ? log.text : "");
  sl_ocl_release_code(code);
  sl_ocl_options_free(&parsed);
  sl_log_free(&messages);
  sl_log_free(&log);
  return error;
}

/* Compiles once for each family of devices. */
static cl_int compile(cl_program p, cl_uint count, const cl_device_id *devices, const char *options, bool object,
                      const struct ocl_header *headers, size_t header_count)
{
  cl_device_id same[OCL_DEVICES];
  bool done[OCL_DEVICES] = {false};
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++) {
    cl_uint found = 0;
    for (cl_uint k = i; k < count && !done[i]; k++)
      if (!done[k] && sl_ocl_riscv_same(devices[k], devices[i]))
        same[found++] = devices[k];
    for (cl_uint k = i; k < count; k++)
      done[k] |= sl_ocl_riscv_same(devices[k], devices[i]);
    if (found > 0)
      error = compile_for(p, found, same, options, object, headers, header_count);
  }
  return error;
}

/* Links objects to an executable or a library. */
static cl_int link_objects(cl_program p, cl_uint count, const cl_device_id *devices, struct ocl_code *const *objects,
                           size_t object_count, const char *options, bool linker)
{
  struct ocl_options parsed;
  struct sl_log log = {NULL, 0, 0};
  struct ocl_code *code = NULL;
  if (sl_ocl_options_read(&parsed, options, linker, &log) != SL_OK) {
    store(p, count, devices, NULL, options, &log, CL_BUILD_ERROR);
    sl_ocl_options_free(&parsed);
    sl_log_free(&log);
    return linker ? CL_INVALID_LINKER_OPTIONS : CL_INVALID_BUILD_OPTIONS;
  }
  sl_ocl_riscv_options(devices[0], &parsed);
  set_status(p, count, devices, CL_BUILD_IN_PROGRESS);
  sl_ocl_unlock();
  const enum sl_status status = sl_ocl_link(objects, object_count, &parsed, &code, &log);
  sl_ocl_lock();
  set_status(p, count, devices, CL_BUILD_NONE);
  const cl_int failure = status == SL_USAGE && sl_ocl_compiler_missing(parsed.family) != NULL ? CL_LINKER_NOT_AVAILABLE
                         : linker                                                             ? CL_LINK_PROGRAM_FAILURE
                                  : CL_BUILD_PROGRAM_FAILURE;
  const cl_int error = store(p, count, devices, code, options, &log, failure);
  sl_ocl_release_code(code);
  sl_ocl_options_free(&parsed);
  sl_log_free(&log);
  return error;
}

/* Builds a program of a binary: an executable is loaded, an object is linked. */
static cl_int build_binary(cl_program p, cl_uint count, const cl_device_id *devices, const char *options)
{
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++) {
    struct ocl_code *code = sl_ocl_build_of(p, devices[i])->code;
    struct sl_log log = {NULL, 0, 0};
    if (code == NULL)
      return CL_INVALID_BINARY;
    code->references++;
    error = code->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                ? store(p, 1, &devices[i], code, options, &log, CL_BUILD_PROGRAM_FAILURE)
                : link_objects(p, 1, &devices[i], &code, 1, options, false);
    sl_ocl_release_code(code);
    sl_log_free(&log);
  }
  return error;
}

static cl_int build(cl_program p, cl_uint count, const cl_device_id *devices, const char *options,
                    void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
  cl_int error = check(p, count, devices, notify != NULL, user);
  if (error != CL_SUCCESS)
    return error;
  if (count == 0) {
    count = p->device_count;
    devices = p->devices;
  }
  p->object.references++;
  error = p->source != NULL ? compile(p, count, devices, options, false, NULL, 0)
                            : build_binary(p, count, devices, options);
  tell(p, notify, user);
  sl_ocl_release_program(p);
  return error;
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                               const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                               void *user)
{
  OCL_CALL(build(program, count, devices, options, notify, user));
}

static cl_int compile_program(cl_program p, cl_uint count, const cl_device_id *devices, const char *options,
                              cl_uint header_count, const cl_program *headers, const char **names,
                              void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
  cl_int error = check(p, count, devices, notify != NULL, user);
  if (error == CL_SUCCESS && (header_count == 0) != (headers == NULL && names == NULL))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS && header_count > 0 && (headers == NULL || names == NULL))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS && p->source == NULL)
    error = CL_INVALID_OPERATION;
  struct ocl_header *texts = error == CL_SUCCESS ? calloc(header_count + 1, sizeof *texts) : NULL;
  if (texts == NULL)
    return error != CL_SUCCESS ? error : CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < header_count && error == CL_SUCCESS; i++) {
    if (!sl_ocl_is(headers[i], OCL_PROGRAM) || headers[i]->source == NULL)
      error = CL_INVALID_PROGRAM;
    else
      texts[i] = (struct ocl_header){names[i], headers[i]->source};
  }
  if (count == 0) {
    count = p->device_count;
    devices = p->devices;
  }
  p->object.references++;
  if (error == CL_SUCCESS) {
    error = compile(p, count, devices, options, true, texts, header_count);
    tell(p, notify, user);
  }
  free(texts);
  sl_ocl_release_program(p);
  return error;
}

CL_API_ENTRY cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                                 const char *options, cl_uint header_count, const cl_program *headers,
                                                 const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
                                                 void *user)
{
  OCL_CALL(compile_program(program, count, devices, options, header_count, headers, names, notify, user));
}

/* The objects of programs for a device: of all, or of none (0). */
static cl_int collect(cl_uint count, const cl_program *programs, cl_device_id device, struct ocl_code **objects,
                      size_t *found)
{
  *found = 0;
  for (cl_uint i = 0; i < count; i++) {
    struct ocl_build *b = sl_ocl_build_of(programs[i], device);
    if (b == NULL || b->code == NULL || b->code->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
      continue;
    objects[(*found)++] = b->code;
  }
  return *found == 0 || *found == count ? CL_SUCCESS : CL_INVALID_OPERATION;
}

static cl_program link_program(cl_context context, cl_uint count, const cl_device_id *devices, const char *options,
                               cl_uint program_count, const cl_program *programs,
                               void(CL_CALLBACK *notify)(cl_program, void *), void *user, cl_int *error)
{
  *error =
      !sl_ocl_is(context, OCL_CONTEXT) ? CL_INVALID_CONTEXT
      : (count == 0) != (devices == NULL) || program_count == 0 || programs == NULL || (notify == NULL && user != NULL)
          ? CL_INVALID_VALUE
          : CL_SUCCESS;
  for (cl_uint i = 0; i < program_count && *error == CL_SUCCESS; i++)
    if (!sl_ocl_is(programs[i], OCL_PROGRAM))
      *error = CL_INVALID_PROGRAM;
  if (*error == CL_SUCCESS)
    *error = check_devices(context, count, devices);
  if (*error != CL_SUCCESS)
    return NULL;
  if (count == 0) {
    count = context->device_count;
    devices = context->devices;
  }
  struct ocl_code **objects = calloc(program_count, sizeof(struct ocl_code *));
  cl_program p = new_program(context, count, devices);
  size_t found = 0, linked = 0;
  if (p == NULL || objects == NULL)
    *error = CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < count && *error == CL_SUCCESS; i++) {
    *error = collect(program_count, programs, devices[i], objects, &found);
    if (*error == CL_SUCCESS && found > 0) {
      for (size_t k = 0; k < found; k++)
        objects[k]->references++;
      *error = link_objects(p, 1, &devices[i], objects, found, options, true);
      for (size_t k = 0; k < found; k++)
        sl_ocl_release_code(objects[k]);
      linked++;
    }
  }
  free(objects);
  if (*error == CL_SUCCESS && linked == 0)
    *error = CL_INVALID_OPERATION;
  /* A program that was not linked has a log; one that could not be has none. */
  if (*error != CL_SUCCESS && *error != CL_LINK_PROGRAM_FAILURE) {
    sl_ocl_release_program(p);
    return NULL;
  }
  tell(p, notify, user);
  return p;
}

CL_API_ENTRY cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint count, const cl_device_id *devices,
                                                  const char *options, cl_uint program_count,
                                                  const cl_program *programs,
                                                  void(CL_CALLBACK *notify)(cl_program, void *), void *user,
                                                  cl_int *error)
{
  OCL_MAKE(cl_program, link_program(context, count, devices, options, program_count, programs, notify, user, &made));
}

/* The compiler is a program of its own: there is nothing to unload. */
CL_API_ENTRY cl_int CL_API_CALL clUnloadCompiler(void)
{
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform)
{
  OCL_CALL(platform == sl_ocl_platform() ? CL_SUCCESS : CL_INVALID_PLATFORM);
}
