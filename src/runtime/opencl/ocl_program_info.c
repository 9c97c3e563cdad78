/* Queries of programs and builds. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

/* The code of the first device that has an executable; NULL: none. */
static const struct ocl_code *executable(cl_program p)
{
  for (cl_uint i = 0; i < p->device_count; i++)
    if (p->builds[i].status == CL_BUILD_SUCCESS && p->builds[i].code != NULL &&
        p->builds[i].code->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
      return p->builds[i].code;
  return NULL;
}

static cl_int kernel_names(const struct ocl_code *code, size_t room, void *value, size_t *needed)
{
  size_t size = 1;
  for (size_t i = 0; i < code->kernel_count; i++)
    size += strlen(code->kernels[i].name) + 1;
  char *names = calloc(size, 1);
  if (names == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  for (size_t i = 0; i < code->kernel_count; i++) {
    strcat(names, i > 0 ? ";" : "");
    strcat(names, code->kernels[i].name);
  }
  const cl_int error = sl_ocl_answer(names, strlen(names) + 1, room, value, needed);
  free(names);
  return error;
}

static cl_int binary_sizes(cl_program p, size_t room, void *value, size_t *needed)
{
  size_t *sizes = calloc(p->device_count, sizeof *sizes);
  if (sizes == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < p->device_count; i++)
    if (p->builds[i].code != NULL)
      free(sl_ocl_binary(p->builds[i].code, &sizes[i]));
  const cl_int error = sl_ocl_answer(sizes, p->device_count * sizeof *sizes, room, value, needed);
  free(sizes);
  return error;
}

static cl_int binaries(cl_program p, size_t room, void *value, size_t *needed)
{
  unsigned char **to = value;
  if (needed != NULL)
    *needed = p->device_count * sizeof *to;
  if (to != NULL && room < p->device_count * sizeof *to)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; to != NULL && i < p->device_count; i++) {
    size_t size = 0;
    void *bytes = to[i] != NULL && p->builds[i].code != NULL ? sl_ocl_binary(p->builds[i].code, &size) : NULL;
    if (bytes != NULL)
      memcpy(to[i], bytes, size);
    free(bytes);
  }
  return CL_SUCCESS;
}

static cl_int info(cl_program p, cl_program_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(p, OCL_PROGRAM))
    return CL_INVALID_PROGRAM;
  switch (what) {
  case CL_PROGRAM_REFERENCE_COUNT: OCL_ANSWER(cl_uint, p->object.references);
  case CL_PROGRAM_CONTEXT: OCL_ANSWER(cl_context, p->context);
  case CL_PROGRAM_NUM_DEVICES: OCL_ANSWER(cl_uint, p->device_count);
  case CL_PROGRAM_DEVICES:
    return sl_ocl_answer(p->devices, p->device_count * sizeof(cl_device_id), room, value, needed);
  case CL_PROGRAM_SOURCE: OCL_ANSWER_TEXT(p->source != NULL ? p->source : "");
  case CL_PROGRAM_BINARY_SIZES: return binary_sizes(p, room, value, needed);
  case CL_PROGRAM_BINARIES: return binaries(p, room, value, needed);
  default: break;
  }
  if (what != CL_PROGRAM_NUM_KERNELS && what != CL_PROGRAM_KERNEL_NAMES)
    return CL_INVALID_VALUE;
  const struct ocl_code *code = executable(p);
  if (code == NULL)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  if (what == CL_PROGRAM_NUM_KERNELS)
    OCL_ANSWER(size_t, code->kernel_count);
  return kernel_names(code, room, value, needed);
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void *value,
                                                 size_t *needed)
{
  OCL_CALL(info(program, what, room, value, needed));
}

static cl_int build_info(cl_program p, cl_device_id device, cl_program_build_info what, size_t room, void *value,
                         size_t *needed)
{
  if (!sl_ocl_is(p, OCL_PROGRAM))
    return CL_INVALID_PROGRAM;
  const struct ocl_build *b = sl_ocl_build_of(p, device);
  if (b == NULL)
    return CL_INVALID_DEVICE;
  switch (what) {
  case CL_PROGRAM_BUILD_STATUS: OCL_ANSWER(cl_build_status, b->status);
  case CL_PROGRAM_BUILD_OPTIONS: OCL_ANSWER_TEXT(b->options != NULL ? b->options : "");
  case CL_PROGRAM_BUILD_LOG: OCL_ANSWER_TEXT(b->log != NULL ? b->log : "");
  case CL_PROGRAM_BINARY_TYPE:
    OCL_ANSWER(cl_program_binary_type, b->code != NULL ? b->code->type : CL_PROGRAM_BINARY_TYPE_NONE);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                      cl_program_build_info what, size_t room, void *value,
                                                      size_t *needed)
{
  OCL_CALL(build_info(program, device, what, room, value, needed));
}
