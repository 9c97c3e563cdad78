/* Kernels: making, arguments, queries. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

/* The first device with an executable of a program, and its code. */
static struct ocl_code *executable(cl_program p, cl_device_id *device)
{
  for (cl_uint i = 0; i < p->device_count; i++)
    if (p->builds[i].status == CL_BUILD_SUCCESS && p->builds[i].code != NULL &&
        p->builds[i].code->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
      *device = p->devices[i];
      return p->builds[i].code;
    }
  return NULL;
}

static cl_kernel new_kernel(cl_program p, struct ocl_code *code, cl_device_id device,
                            const struct ocl_kernel_info *info, cl_int *error)
{
  cl_kernel k = sl_ocl_new(sizeof *k, OCL_KERNEL);
  struct ocl_module *module = sl_ocl_load(device, code, 0, NULL);
  *error = CL_OUT_OF_HOST_MEMORY;
  if (k == NULL || module == NULL) {
    free(k);
    return NULL;
  }
  k->program = p;
  p->object.references++;
  p->kernels++;
  k->code = code;
  code->references++;
  k->info = info;
  k->arguments = calloc(info->argument_count + 1, sizeof *k->arguments);
  k->layout = calloc(1, sizeof *k->layout);
  if (k->arguments == NULL || k->layout == NULL) {
    sl_ocl_release_kernel(k);
    return NULL;
  }
  if (info->layout != NULL)
    *k->layout = *info->layout;
  else if (!sl_gpu_kernel(module->loaded, info->name, k->layout))
    k->layout->parameter_count = UINT32_MAX;
  if (k->layout->parameter_count != info->argument_count) {
    *error = CL_INVALID_KERNEL_DEFINITION;
    sl_ocl_release_kernel(k);
    return NULL;
  }
  *error = CL_SUCCESS;
  return k;
}

static cl_kernel create(cl_program p, const char *name, cl_int *error)
{
  cl_device_id device = NULL;
  struct ocl_code *code = sl_ocl_is(p, OCL_PROGRAM) ? executable(p, &device) : NULL;
  *error = !sl_ocl_is(p, OCL_PROGRAM) ? CL_INVALID_PROGRAM
           : name == NULL             ? CL_INVALID_VALUE
           : code == NULL             ? CL_INVALID_PROGRAM_EXECUTABLE
                                      : CL_INVALID_KERNEL_NAME;
  if (code == NULL || name == NULL)
    return NULL;
  for (size_t i = 0; i < code->kernel_count; i++)
    if (strcmp(code->kernels[i].name, name) == 0)
      return new_kernel(p, code, device, &code->kernels[i], error);
  return NULL;
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name, cl_int *error)
{
  OCL_MAKE(cl_kernel, create(program, name, &made));
}

static cl_int create_all(cl_program p, cl_uint room, cl_kernel *kernels, cl_uint *count)
{
  cl_device_id device = NULL;
  if (!sl_ocl_is(p, OCL_PROGRAM))
    return CL_INVALID_PROGRAM;
  struct ocl_code *code = executable(p, &device);
  cl_int error = CL_SUCCESS;
  if (code == NULL)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  if (kernels != NULL && room < code->kernel_count)
    return CL_INVALID_VALUE;
  for (size_t i = 0; kernels != NULL && i < code->kernel_count && error == CL_SUCCESS; i++)
    kernels[i] = new_kernel(p, code, device, &code->kernels[i], &error);
  if (count != NULL)
    *count = (cl_uint)code->kernel_count;
  return error;
}

CL_API_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
                                                         cl_uint *count)
{
  OCL_CALL(create_all(program, room, kernels, count));
}

void sl_ocl_release_kernel(cl_kernel k)
{
  if (k == NULL || --k->object.references > 0)
    return;
  for (unsigned i = 0; k->arguments != NULL && i < k->info->argument_count; i++)
    free(k->arguments[i].value);
  free(k->arguments);
  free(k->layout);
  k->program->kernels--;
  sl_ocl_release_code(k->code);
  sl_ocl_release_program(k->program);
  free(k);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainKernel(cl_kernel kernel)
{
  OCL_CALL(sl_ocl_is(kernel, OCL_KERNEL) ? (kernel->object.references++, CL_SUCCESS) : CL_INVALID_KERNEL);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel)
{
  OCL_CALL(sl_ocl_is(kernel, OCL_KERNEL) ? (sl_ocl_release_kernel(kernel), CL_SUCCESS) : CL_INVALID_KERNEL);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static cl_int set_value(struct ocl_argument *a, size_t size, const void *value, size_t wanted)
{
  if (value == NULL)
    return CL_INVALID_ARG_VALUE;
  if (size != wanted)
    return CL_INVALID_ARG_SIZE;
  if (a->value == NULL && (a->value = malloc(size + 1)) == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  memcpy(a->value, value, size);
  a->size = size;
  return CL_SUCCESS;
}

/* A kernel does not retain its arguments. */
static cl_int set_mem(cl_kernel k, struct ocl_argument *a, const struct ocl_argument_info *info, size_t size,
                      const void *value)
{
  cl_mem mem = NULL;
  if (size != sizeof mem)
    return CL_INVALID_ARG_SIZE;
  if (value != NULL)
    memcpy(&mem, value, sizeof mem);
  if (mem != NULL && (!sl_ocl_is(mem, OCL_MEM) || mem->context != k->program->context))
    return CL_INVALID_MEM_OBJECT;
  if (info->kind == OCL_IMAGE) {
    if (mem == NULL)
      return CL_INVALID_ARG_VALUE;
    const cl_mem_flags other = info->access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
    if (!sl_ocl_is_image(mem))
      return CL_INVALID_MEM_OBJECT;
    if ((mem->flags & other) != 0)
      return CL_INVALID_ARG_VALUE;
  } else if (mem != NULL && sl_ocl_is_image(mem))
    return CL_INVALID_MEM_OBJECT;
  a->mem = mem;
  return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel k, struct ocl_argument *a, size_t size, const void *value)
{
  cl_sampler s;
  if (value == NULL)
    return CL_INVALID_ARG_VALUE;
  if (size != sizeof s)
    return CL_INVALID_ARG_SIZE;
  memcpy(&s, value, sizeof s);
  if (!sl_ocl_is(s, OCL_SAMPLER) || s->context != k->program->context)
    return CL_INVALID_SAMPLER;
  a->sampler = s;
  return CL_SUCCESS;
}

static cl_int set(cl_kernel k, cl_uint index, size_t size, const void *value)
{
  cl_int error;
  if (!sl_ocl_is(k, OCL_KERNEL))
    return CL_INVALID_KERNEL;
  if (index >= k->info->argument_count)
    return CL_INVALID_ARG_INDEX;
  const struct ocl_argument_info *info = &k->info->arguments[index];
  struct ocl_argument *a = &k->arguments[index];
  switch (info->kind) {
  case OCL_LOCAL:
    error = value != NULL ? CL_INVALID_ARG_VALUE : size == 0 ? CL_INVALID_ARG_SIZE : CL_SUCCESS;
    if (error == CL_SUCCESS)
      a->size = size;
    break;
  case OCL_GLOBAL:
  case OCL_CONSTANT:
  case OCL_IMAGE: error = set_mem(k, a, info, size, value); break;
  case OCL_SAMPLED: error = set_sampler(k, a, size, value); break;
  default: error = set_value(a, size, value, k->layout->parameter[index].bytes); break;
  }
  a->set |= error == CL_SUCCESS;
  return error;
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
  OCL_CALL(set(kernel, index, size, value));
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

static cl_int info(cl_kernel k, cl_kernel_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(k, OCL_KERNEL))
    return CL_INVALID_KERNEL;
  switch (what) {
  case CL_KERNEL_FUNCTION_NAME: OCL_ANSWER_TEXT(k->info->name);
  case CL_KERNEL_NUM_ARGS: OCL_ANSWER(cl_uint, k->info->argument_count);
  case CL_KERNEL_REFERENCE_COUNT: OCL_ANSWER(cl_uint, k->object.references);
  case CL_KERNEL_CONTEXT: OCL_ANSWER(cl_context, k->program->context);
  case CL_KERNEL_PROGRAM: OCL_ANSWER(cl_program, k->program);
  case CL_KERNEL_ATTRIBUTES: OCL_ANSWER_TEXT(k->info->attributes);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t room, void *value,
                                                size_t *needed)
{
  OCL_CALL(info(kernel, what, room, value, needed));
}

/* The largest number of work-items, a multiple of a warp, of which an SM has room for one group. */
unsigned sl_ocl_max_group(cl_device_id device, const struct sl_gpu_kernel *layout, uint64_t local)
{
  const struct sl_gpu_facts *f = &device->host.facts;
  if (!f->ptx)
    return f->max_threads;
  for (uint32_t threads = f->max_threads; threads > f->lanes; threads -= f->lanes)
    if (sl_gpu_fits(device->host.gpu, threads, layout->registers, (uint32_t)local) > 0)
      return threads;
  return f->lanes;
}

size_t sl_ocl_local_bytes(cl_kernel k)
{
  size_t bytes = k->layout->shared_bytes;
  for (unsigned i = 0; i < k->info->argument_count; i++)
    if (k->info->arguments[i].kind == OCL_LOCAL && k->arguments[i].set)
      bytes = (bytes + OCL_ALIGNMENT - 1) / OCL_ALIGNMENT * OCL_ALIGNMENT + k->arguments[i].size;
  return bytes;
}

static cl_int group_info(cl_kernel k, cl_device_id device, cl_kernel_work_group_info what, size_t room, void *value,
                         size_t *needed)
{
  if (!sl_ocl_is(k, OCL_KERNEL))
    return CL_INVALID_KERNEL;
  if (device == NULL && k->program->device_count == 1)
    device = k->program->devices[0];
  if (device == NULL || sl_ocl_build_of(k->program, device) == NULL)
    return CL_INVALID_DEVICE;
  switch (what) {
  case CL_KERNEL_WORK_GROUP_SIZE: OCL_ANSWER(size_t, sl_ocl_max_group(device, k->layout, k->layout->shared_bytes));
  case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
    return sl_ocl_answer(k->info->required, sizeof k->info->required, room, value, needed);
  case CL_KERNEL_LOCAL_MEM_SIZE: OCL_ANSWER(cl_ulong, sl_ocl_local_bytes(k));
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: OCL_ANSWER(size_t, device->host.facts.lanes);
  case CL_KERNEL_PRIVATE_MEM_SIZE: OCL_ANSWER(cl_ulong, k->layout->local_bytes);
  default: return CL_INVALID_VALUE; /* CL_KERNEL_GLOBAL_WORK_SIZE too: it is of built-in kernels */
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                         cl_kernel_work_group_info what, size_t room, void *value,
                                                         size_t *needed)
{
  OCL_CALL(group_info(kernel, device, what, room, value, needed));
}

static cl_int argument_info(cl_kernel k, cl_uint index, cl_kernel_arg_info what, size_t room, void *value,
                            size_t *needed)
{
  static const cl_kernel_arg_address_qualifier spaces[] = {
      [OCL_VALUE] = CL_KERNEL_ARG_ADDRESS_PRIVATE,     [OCL_GLOBAL] = CL_KERNEL_ARG_ADDRESS_GLOBAL,
      [OCL_CONSTANT] = CL_KERNEL_ARG_ADDRESS_CONSTANT, [OCL_LOCAL] = CL_KERNEL_ARG_ADDRESS_LOCAL,
      [OCL_IMAGE] = CL_KERNEL_ARG_ADDRESS_GLOBAL,      [OCL_SAMPLED] = CL_KERNEL_ARG_ADDRESS_PRIVATE};
  if (!sl_ocl_is(k, OCL_KERNEL))
    return CL_INVALID_KERNEL;
  if (index >= k->info->argument_count)
    return CL_INVALID_ARG_INDEX;
  const struct ocl_argument_info *a = &k->info->arguments[index];
  switch (what) {
  case CL_KERNEL_ARG_ADDRESS_QUALIFIER: OCL_ANSWER(cl_kernel_arg_address_qualifier, spaces[a->kind]);
  case CL_KERNEL_ARG_ACCESS_QUALIFIER: OCL_ANSWER(cl_kernel_arg_access_qualifier, a->access);
  case CL_KERNEL_ARG_TYPE_NAME: OCL_ANSWER_TEXT(a->type);
  case CL_KERNEL_ARG_TYPE_QUALIFIER: OCL_ANSWER(cl_kernel_arg_type_qualifier, a->qualifiers);
  case CL_KERNEL_ARG_NAME: OCL_ANSWER_TEXT(a->name);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what,
                                                   size_t room, void *value, size_t *needed)
{
  OCL_CALL(argument_info(kernel, index, what, room, value, needed));
}
