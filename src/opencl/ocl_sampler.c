/* Samplers. */
#include "opencl/ocl.h"

#include <stdlib.h>

static cl_sampler create(cl_context context, cl_bool normalised, cl_addressing_mode addressing, cl_filter_mode filter,
                         cl_int *error)
{
  *error = !sl_ocl_is(context, OCL_CONTEXT) ? CL_INVALID_CONTEXT
           : (normalised != CL_TRUE && normalised != CL_FALSE) || addressing < CL_ADDRESS_NONE ||
                   addressing > CL_ADDRESS_MIRRORED_REPEAT ||
                   (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR) ||
                   (!normalised && (addressing == CL_ADDRESS_REPEAT || addressing == CL_ADDRESS_MIRRORED_REPEAT))
               ? CL_INVALID_VALUE
           : !sl_ocl_has_images(context) ? CL_INVALID_OPERATION
                                         : CL_SUCCESS;
  cl_sampler s = *error == CL_SUCCESS ? sl_ocl_new(sizeof *s, OCL_SAMPLER) : NULL;
  if (s == NULL) {
    *error = *error == CL_SUCCESS ? CL_OUT_OF_HOST_MEMORY : *error;
    return NULL;
  }
  s->context = context;
  context->object.references++;
  s->normalised = normalised;
  s->addressing = addressing;
  s->filter = filter;
  return s;
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalised,
                                                    cl_addressing_mode addressing, cl_filter_mode filter, cl_int *error)
{
  OCL_MAKE(cl_sampler, create(context, normalised, addressing, filter, &made));
}

void sl_ocl_release_sampler(cl_sampler s)
{
  if (s == NULL || --s->object.references > 0)
    return;
  sl_ocl_release_context(s->context);
  free(s);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler sampler)
{
  OCL_CALL(sl_ocl_is(sampler, OCL_SAMPLER) ? (sampler->object.references++, CL_SUCCESS) : CL_INVALID_SAMPLER);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler)
{
  OCL_CALL(sl_ocl_is(sampler, OCL_SAMPLER) ? (sl_ocl_release_sampler(sampler), CL_SUCCESS) : CL_INVALID_SAMPLER);
}

static cl_int info(cl_sampler s, cl_sampler_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(s, OCL_SAMPLER))
    return CL_INVALID_SAMPLER;
  switch (what) {
  case CL_SAMPLER_REFERENCE_COUNT: OCL_ANSWER(cl_uint, s->object.references);
  case CL_SAMPLER_CONTEXT: OCL_ANSWER(cl_context, s->context);
  case CL_SAMPLER_NORMALIZED_COORDS: OCL_ANSWER(cl_bool, s->normalised);
  case CL_SAMPLER_ADDRESSING_MODE: OCL_ANSWER(cl_addressing_mode, s->addressing);
  case CL_SAMPLER_FILTER_MODE: OCL_ANSWER(cl_filter_mode, s->filter);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info what, size_t room, void *value,
                                                 size_t *needed)
{
  OCL_CALL(info(sampler, what, room, value, needed));
}
