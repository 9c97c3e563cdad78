/* Contexts. */
#include "opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

bool sl_ocl_has_device(cl_context context, cl_device_id device)
{
  for (cl_uint i = 0; i < context->device_count; i++)
    if (context->devices[i] == device)
      return true;
  return false;
}

bool sl_ocl_has_images(cl_context context)
{
  for (cl_uint i = 0; i < context->device_count; i++)
    if (context->devices[i]->host.facts.ptx)
      return true;
  return false;
}

/* Checks a list of properties; stores its length with the final 0. */
static cl_int check_properties(const cl_context_properties *properties, size_t *count)
{
  bool platform = false;
  *count = 0;
  if (properties == NULL)
    return CL_SUCCESS;
  for (const cl_context_properties *p = properties; *p != 0; p += 2) {
    if (*p == CL_CONTEXT_PLATFORM) {
      if (platform)
        return CL_INVALID_PROPERTY;
      platform = true;
      if ((cl_platform_id)p[1] != sl_ocl_platform())
        return CL_INVALID_PLATFORM;
    } else if (*p != CL_CONTEXT_INTEROP_USER_SYNC || (p[1] != CL_TRUE && p[1] != CL_FALSE))
      return CL_INVALID_PROPERTY;
    *count += 2;
  }
  ++*count;
  return CL_SUCCESS;
}

static bool known(cl_device_id device)
{
  cl_device_id *all;
  const cl_uint count = sl_ocl_devices(&all);
  for (cl_uint i = 0; i < count; i++)
    if (all[i] == device)
      return true;
  return false;
}

static cl_context create(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                         void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
                         cl_int *error)
{
  size_t property_count;
  *error = check_properties(properties, &property_count);
  if (*error == CL_SUCCESS && (count == 0 || devices == NULL || (notify == NULL && user != NULL)))
    *error = CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count && *error == CL_SUCCESS; i++)
    *error = known(devices[i]) ? sl_ocl_open(devices[i]) : CL_INVALID_DEVICE;
  if (*error != CL_SUCCESS)
    return NULL;
  cl_context c = sl_ocl_new(sizeof *c, OCL_CONTEXT);
  if (c != NULL) {
    c->devices = calloc(count, sizeof *c->devices);
    c->properties = calloc(property_count + 1, sizeof *c->properties);
  }
  if (c == NULL || c->devices == NULL || c->properties == NULL) {
    if (c != NULL)
      sl_ocl_release_context(c);
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  for (cl_uint i = 0; i < count; i++)
    if (!sl_ocl_has_device(c, devices[i]))
      c->devices[c->device_count++] = devices[i];
  if (property_count > 0)
    memcpy(c->properties, properties, property_count * sizeof *properties);
  c->property_count = property_count;
  c->notify = notify;
  c->user = user;
  return c;
}

CL_API_ENTRY cl_context CL_API_CALL
clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *error)
{
  OCL_MAKE(cl_context, create(properties, count, devices, notify, user, &made));
}

static cl_context create_from_type(const cl_context_properties *properties, cl_device_type type,
                                   void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
                                   cl_int *error)
{
  const cl_device_type known_types = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                     CL_DEVICE_TYPE_CUSTOM | CL_DEVICE_TYPE_DEFAULT;
  size_t property_count;
  cl_device_id *all;
  cl_uint count = sl_ocl_devices(&all);
  *error = check_properties(properties, &property_count);
  if (*error == CL_SUCCESS && type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known_types) != 0))
    *error = CL_INVALID_DEVICE_TYPE;
  if ((type & CL_DEVICE_TYPE_GPU) == 0)
    count = (type & CL_DEVICE_TYPE_DEFAULT) != 0 && count > 0 ? 1 : 0;
  if (*error == CL_SUCCESS && count == 0)
    *error = CL_DEVICE_NOT_FOUND;
  return *error == CL_SUCCESS ? create(properties, count, all, notify, user, error) : NULL;
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContextFromType(
    const cl_context_properties *properties, cl_device_type type,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *error)
{
  OCL_MAKE(cl_context, create_from_type(properties, type, notify, user, &made));
}

void sl_ocl_release_context(cl_context c)
{
  if (c == NULL || --c->object.references > 0)
    return;
  free(c->devices);
  free(c->properties);
  free(c);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainContext(cl_context context)
{
  OCL_CALL(sl_ocl_is(context, OCL_CONTEXT) ? (context->object.references++, CL_SUCCESS) : CL_INVALID_CONTEXT);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseContext(cl_context context)
{
  OCL_CALL(sl_ocl_is(context, OCL_CONTEXT) ? (sl_ocl_release_context(context), CL_SUCCESS) : CL_INVALID_CONTEXT);
}

static cl_int info(cl_context c, cl_context_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(c, OCL_CONTEXT))
    return CL_INVALID_CONTEXT;
  switch (what) {
  case CL_CONTEXT_REFERENCE_COUNT: OCL_ANSWER(cl_uint, c->object.references);
  case CL_CONTEXT_NUM_DEVICES: OCL_ANSWER(cl_uint, c->device_count);
  case CL_CONTEXT_DEVICES: return sl_ocl_answer(c->devices, c->device_count * sizeof *c->devices, room, value, needed);
  case CL_CONTEXT_PROPERTIES:
    return sl_ocl_answer(c->properties, c->property_count * sizeof *c->properties, room, value, needed);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info what, size_t room, void *value,
                                                 size_t *needed)
{
  OCL_CALL(info(context, what, room, value, needed));
}
