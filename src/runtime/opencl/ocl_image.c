/* Images: formats, making, queries; samplers. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

enum { IMAGE_2D = 16384, IMAGE_3D = 2048, IMAGE_LAYERS = 2048, IMAGE_BUFFER = 1 << 27 };

/* ---- formats ----------------------------------------------------------------------------------------------------- */

static const cl_channel_order orders[] = {CL_R,  CL_RG,  CL_RGBA,      CL_BGRA,      CL_ARGB, CL_A,   CL_RA,
                                          CL_Rx, CL_RGx, CL_INTENSITY, CL_LUMINANCE, CL_RGB,  CL_RGBx};
static const cl_channel_type types[] = {
    CL_SNORM_INT8,      CL_SNORM_INT16,      CL_UNORM_INT8,     CL_UNORM_INT16,  CL_UNORM_SHORT_565,
    CL_UNORM_SHORT_555, CL_UNORM_INT_101010, CL_SIGNED_INT8,    CL_SIGNED_INT16, CL_SIGNED_INT32,
    CL_UNSIGNED_INT8,   CL_UNSIGNED_INT16,   CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};

static size_t channel_bytes(cl_channel_type type)
{
  switch (type) {
  case CL_SNORM_INT8:
  case CL_UNORM_INT8:
  case CL_SIGNED_INT8:
  case CL_UNSIGNED_INT8: return 1;
  case CL_SNORM_INT16:
  case CL_UNORM_INT16:
  case CL_SIGNED_INT16:
  case CL_UNSIGNED_INT16:
  case CL_HALF_FLOAT: return 2;
  case CL_SIGNED_INT32:
  case CL_UNSIGNED_INT32:
  case CL_FLOAT: return 4;
  default: return 0;
  }
}

static bool is_packed(cl_channel_type type)
{
  return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010;
}

static bool is_real(cl_channel_type type)
{
  return type == CL_SNORM_INT8 || type == CL_SNORM_INT16 || type == CL_UNORM_INT8 || type == CL_UNORM_INT16 ||
         type == CL_HALF_FLOAT || type == CL_FLOAT;
}

/* Bytes of a texel; 0: the standard has no such format, or the device does not support it. */
static size_t texel_bytes(const cl_image_format *f)
{
  const size_t bytes = channel_bytes(f->image_channel_data_type);
  if (is_packed(f->image_channel_data_type)) {
    const bool has = f->image_channel_order == CL_RGB || f->image_channel_order == CL_RGBx;
    return !has ? 0 : f->image_channel_data_type == CL_UNORM_INT_101010 ? 4 : 2;
  }
  switch (f->image_channel_order) {
  case CL_R:
  case CL_Rx:
  case CL_A: return bytes;
  case CL_RG:
  case CL_RGx:
  case CL_RA: return 2 * bytes;
  case CL_RGBA: return 4 * bytes;
  case CL_BGRA:
  case CL_ARGB: return bytes == 1 ? 4 : 0;
  case CL_INTENSITY:
  case CL_LUMINANCE: return is_real(f->image_channel_data_type) ? bytes : 0;
  default: return 0;
  }
}

/* Whether a format is one of the standard, supported or not. */
static bool is_format(const cl_image_format *f)
{
  bool order = false, type = false;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    order |= orders[i] == f->image_channel_order;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    type |= types[i] == f->image_channel_data_type;
  if (!order || !type)
    return false;
  return (f->image_channel_order == CL_RGB || f->image_channel_order == CL_RGBx) ==
             is_packed(f->image_channel_data_type) &&
         texel_bytes(f) > 0;
}

static bool is_image_type(cl_mem_object_type type)
{
  return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

bool sl_ocl_is_image(cl_mem mem)
{
  return is_image_type(mem->type);
}

static cl_int formats(cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint room,
                      cl_image_format *list, cl_uint *count)
{
  cl_uint found = 0;
  if (!sl_ocl_is(context, OCL_CONTEXT))
    return CL_INVALID_CONTEXT;
  const cl_mem_flags memory = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  if (sl_ocl_check_flags(flags & ~memory, NULL) != CL_SUCCESS || !is_image_type(type) || (room == 0 && list != NULL))
    return CL_INVALID_VALUE;
  for (size_t o = 0; o < sizeof orders / sizeof *orders && sl_ocl_has_images(context); o++)
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
      const cl_image_format f = {orders[o], types[t]};
      if (texel_bytes(&f) == 0)
        continue;
      if (list != NULL && found < room)
        list[found] = f;
      found++;
    }
  if (count != NULL)
    *count = found;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                           cl_mem_object_type type, cl_uint room, cl_image_format *list,
                                                           cl_uint *count)
{
  OCL_CALL(formats(context, flags, type, room, list, count));
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* Texels and layers of a description. False: it is wrong, or too large. */
static cl_int set_extent(const cl_image_desc *d, size_t extent[3])
{
  const bool lines = d->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const bool flat = d->image_type == CL_MEM_OBJECT_IMAGE2D || d->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  const bool solid = d->image_type == CL_MEM_OBJECT_IMAGE3D;
  const size_t most = d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? IMAGE_BUFFER : solid ? IMAGE_3D : IMAGE_2D;
  extent[0] = d->image_width;
  extent[1] = lines ? d->image_array_size : flat || solid ? d->image_height : 1;
  extent[2] = solid ? d->image_depth : d->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? d->image_array_size : 1;
  if (extent[0] == 0 || extent[1] == 0 || extent[2] == 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  const size_t rows = lines ? IMAGE_LAYERS : solid ? IMAGE_3D : IMAGE_2D;
  if (extent[0] > most || extent[1] > rows || extent[2] > IMAGE_3D)
    return CL_INVALID_IMAGE_SIZE;
  return CL_SUCCESS;
}

/* Checks the pitches of host memory, and sets those that are 0. */
static cl_int set_pitches(const cl_image_desc *d, const void *host, const size_t extent[3], size_t texel,
                          size_t pitch[2])
{
  const bool lines = d->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const bool slices = d->image_type == CL_MEM_OBJECT_IMAGE3D || d->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  size_t row = d->image_row_pitch, slice = d->image_slice_pitch;
  if (host == NULL && d->image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER && (row != 0 || slice != 0))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (row != 0 && (row < extent[0] * texel || row % texel != 0))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  row = row != 0 ? row : extent[0] * texel;
  if (lines) {
    if (slice != 0 && (slice < row || slice % row != 0))
      return CL_INVALID_IMAGE_DESCRIPTOR;
    pitch[0] = slice != 0 ? slice : row;
    pitch[1] = pitch[0] * extent[1];
    return CL_SUCCESS;
  }
  if (slices && slice != 0 && (slice < row * extent[1] || slice % row != 0))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  pitch[0] = row;
  pitch[1] = slices && slice != 0 ? slice : row * extent[1];
  return CL_SUCCESS;
}

/* Checks the buffer of an image in a buffer. */
static cl_int check_buffer(const cl_image_desc *d, size_t bytes)
{
  const cl_mem buffer = d->buffer;
  if ((d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) != (buffer != NULL))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (buffer == NULL)
    return CL_SUCCESS;
  if (!sl_ocl_is(buffer, OCL_MEM) || buffer->type != CL_MEM_OBJECT_BUFFER)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  return bytes <= buffer->size ? CL_SUCCESS : CL_INVALID_IMAGE_SIZE;
}

static enum sl_status write_host(cl_mem m, const void *host, struct sl_error *err)
{
  cl_device_id device = m->context->devices[0];
  const size_t row = m->extent[0] * m->texel;
  enum sl_status code = SL_OK;
  sl_ocl_take(device);
  for (size_t z = 0; z < m->extent[2]; z++)
    for (size_t y = 0; y < m->extent[1] && code == SL_OK; y++)
      code = sl_gpu_write(device->host.gpu, SL_GPU_GLOBAL,
                          m->places[device->number].address + (z * m->extent[1] + y) * row,
                          (const char *)host + z * m->host_slice + y * m->host_row, row, err);
  sl_ocl_give(device);
  return code;
}

static cl_mem create(cl_context context, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
                     void *host, cl_int *error)
{
  size_t extent[3], pitch[2] = {0, 0}, texel = 0;
  struct sl_error err = {.text = ""};
  const bool in_buffer = desc != NULL && desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  *error = sl_ocl_is(context, OCL_CONTEXT) ? sl_ocl_check_flags(flags, host) : CL_INVALID_CONTEXT;
  const cl_int wrong_host = *error == CL_INVALID_HOST_PTR ? *error : CL_SUCCESS;
  if (*error != CL_SUCCESS && wrong_host == CL_SUCCESS)
    return NULL;
  *error = !sl_ocl_has_images(context)                           ? CL_INVALID_OPERATION
           : format == NULL || !is_format(format)                ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
           : desc == NULL || !is_image_type(desc->image_type)    ? CL_INVALID_IMAGE_DESCRIPTOR
           : desc->num_mip_levels != 0 || desc->num_samples != 0 ? CL_INVALID_IMAGE_DESCRIPTOR
           : (texel = texel_bytes(format)) == 0                  ? CL_IMAGE_FORMAT_NOT_SUPPORTED
                                                                 : set_extent(desc, extent);
  if (*error == CL_SUCCESS)
    *error = set_pitches(desc, host, extent, texel, pitch);
  if (*error == CL_SUCCESS)
    *error = check_buffer(desc, extent[0] * texel);
  if (*error == CL_SUCCESS)
    *error = wrong_host;
  cl_mem m = *error == CL_SUCCESS ? sl_ocl_new_mem(context, desc->image_type, flags,
                                                   extent[0] * extent[1] * extent[2] * texel, host, error)
                                  : NULL;
  if (m == NULL)
    return NULL;
  m->format = *format;
  m->desc = *desc;
  m->texel = texel;
  memcpy(m->extent, extent, sizeof extent);
  m->host_row = pitch[0];
  m->host_slice = pitch[1];
  if (in_buffer) {
    m->parent = desc->buffer;
    m->parent->object.references++;
    m->host = m->parent->host;
  }
  enum sl_status code = sl_ocl_prepare(m, context->devices[0], &err);
  if (code == SL_OK && host != NULL)
    code = write_host(m, host, &err);
  if (code == SL_OK)
    return m;
  sl_ocl_notify(context, err.text);
  sl_ocl_release_mem(m);
  *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return NULL;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                              const cl_image_desc *desc, void *host, cl_int *error)
{
  OCL_MAKE(cl_mem, create(context, flags, format, desc, host, &made));
}

/* Functions of OpenCL 1.0 and 1.1 answer CL_INVALID_IMAGE_SIZE where clCreateImage blames the description. */
static cl_mem create_old(cl_context context, cl_mem_flags flags, const cl_image_format *format, cl_image_desc desc,
                         void *host, cl_int *error)
{
  cl_mem m = create(context, flags, format, &desc, host, error);
  if (*error == CL_INVALID_IMAGE_DESCRIPTOR)
    *error = CL_INVALID_IMAGE_SIZE;
  return m;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                                size_t width, size_t height, size_t row, void *host, cl_int *error)
{
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height, .image_row_pitch = row};
  OCL_MAKE(cl_mem, create_old(context, flags, format, desc, host, &made));
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                                size_t width, size_t height, size_t depth, size_t row, size_t slice,
                                                void *host, cl_int *error)
{
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                              .image_width = width,
                              .image_height = height,
                              .image_depth = depth,
                              .image_row_pitch = row,
                              .image_slice_pitch = slice};
  OCL_MAKE(cl_mem, create_old(context, flags, format, desc, host, &made));
}

/* What kernels get. The descriptor of an image in a buffer follows the buffer. */
void sl_ocl_describe_image(cl_mem m, cl_device_id device, void *to, size_t size)
{
  const uint64_t row = (uint64_t)m->extent[0] * m->texel;
  const struct simtlab_image image = {.data = sl_ocl_address(m, device),
                                      .width = (uint32_t)m->extent[0],
                                      .height = (uint32_t)m->extent[1],
                                      .depth = (uint32_t)m->extent[2],
                                      .order = m->format.image_channel_order,
                                      .type = m->format.image_channel_data_type,
                                      .texel = (uint32_t)m->texel,
                                      .row = row,
                                      .slice = row * m->extent[1]};
  memcpy(to, &image, size);
}

/* A region of texels as bytes, rows and slices. False: it is not in the image. */
bool sl_ocl_image_region(cl_mem m, const size_t *origin, const size_t *region, size_t to_origin[3], size_t to_region[3])
{
  for (unsigned i = 0; i < 3; i++) {
    if (origin == NULL || region == NULL || region[i] == 0 || origin[i] > m->extent[i] ||
        region[i] > m->extent[i] - origin[i])
      return false;
    to_origin[i] = origin[i] * (i == 0 ? m->texel : 1);
    to_region[i] = region[i] * (i == 0 ? m->texel : 1);
  }
  return true;
}

static cl_int info(cl_mem m, cl_image_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(m, OCL_MEM) || !sl_ocl_is_image(m))
    return CL_INVALID_MEM_OBJECT;
  const bool lines = m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const bool slices = m->type == CL_MEM_OBJECT_IMAGE3D || m->type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  switch (what) {
  case CL_IMAGE_FORMAT: OCL_ANSWER(cl_image_format, m->format);
  case CL_IMAGE_ELEMENT_SIZE: OCL_ANSWER(size_t, m->texel);
  case CL_IMAGE_ROW_PITCH: OCL_ANSWER(size_t, lines ? m->extent[0] * m->texel : m->host_row);
  case CL_IMAGE_SLICE_PITCH: OCL_ANSWER(size_t, lines ? m->host_row : slices ? m->host_slice : 0);
  case CL_IMAGE_WIDTH: OCL_ANSWER(size_t, m->extent[0]);
  case CL_IMAGE_HEIGHT: OCL_ANSWER(size_t, m->type == CL_MEM_OBJECT_IMAGE2D || slices ? m->extent[1] : 0);
  case CL_IMAGE_DEPTH: OCL_ANSWER(size_t, m->type == CL_MEM_OBJECT_IMAGE3D ? m->extent[2] : 0);
  case CL_IMAGE_ARRAY_SIZE:
    OCL_ANSWER(size_t, lines ? m->extent[1] : m->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? m->extent[2] : 0);
  case CL_IMAGE_BUFFER: OCL_ANSWER(cl_mem, m->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? m->parent : NULL);
  case CL_IMAGE_NUM_MIP_LEVELS:
  case CL_IMAGE_NUM_SAMPLES: OCL_ANSWER(cl_uint, 0);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info what, size_t room, void *value,
                                               size_t *needed)
{
  OCL_CALL(info(image, what, room, value, needed));
}

/* ---- samplers ---------------------------------------------------------------------------------------------------- */

static cl_sampler create_sampler(cl_context context, cl_bool normalised, cl_addressing_mode addressing,
                                 cl_filter_mode filter, cl_int *error)
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
  OCL_MAKE(cl_sampler, create_sampler(context, normalised, addressing, filter, &made));
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

static cl_int sampler_info(cl_sampler s, cl_sampler_info what, size_t room, void *value, size_t *needed)
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
  OCL_CALL(sampler_info(sampler, what, room, value, needed));
}
