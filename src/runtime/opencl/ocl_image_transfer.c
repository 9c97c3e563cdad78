/* Transfers of images: reads, writes, copies to images and buffers, fills. */
#include "runtime/opencl/ocl.h"

#include <math.h>
#include <string.h>

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static cl_int check(cl_command_queue q, cl_mem a, bool a_image, cl_mem b, bool b_image, bool two, cl_uint count,
                    const cl_event *waits)
{
  cl_int error = sl_ocl_is(q, OCL_QUEUE) ? sl_ocl_check_mem(a, q->context) : CL_INVALID_COMMAND_QUEUE;
  if (error == CL_SUCCESS && two)
    error = sl_ocl_check_mem(b, q->context);
  if (error == CL_SUCCESS && (sl_ocl_is_image(a) != a_image || (two && sl_ocl_is_image(b) != b_image)))
    error = CL_INVALID_MEM_OBJECT;
  return error == CL_SUCCESS ? sl_ocl_check_waits(q->context, count, waits) : error;
}

/* The box of a region of an image on the device. */
static bool image_box(cl_mem image, const size_t *origin, const size_t *region, struct ocl_box *box, size_t bytes[3])
{
  size_t at[3];
  if (!sl_ocl_image_region(image, origin, region, at, bytes))
    return false;
  const size_t row = image->extent[0] * image->texel, slice = row * image->extent[1];
  *box = (struct ocl_box){at[2] * slice + at[1] * row + at[0], row, slice};
  return true;
}

static struct ocl_command *new_move(cl_command_queue q, cl_command_type type, cl_mem from, cl_mem to,
                                    enum sl_command_kind timing, const size_t region[3], cl_uint count,
                                    const cl_event *waits)
{
  struct ocl_command *c = sl_ocl_new_command(q, type, count, waits);
  if (c == NULL)
    return NULL;
  c->from = from;
  c->to = to;
  if (from != NULL)
    from->object.references++;
  if (to != NULL)
    to->object.references++;
  c->perform = sl_ocl_move;
  c->timing = timing;
  memcpy(c->region, region, sizeof c->region);
  c->bytes = (uint64_t)region[0] * region[1] * region[2];
  return c;
}

/* ---- host -------------------------------------------------------------------------------------------------------- */

static cl_int transfer(cl_command_queue q, cl_mem image, bool write, cl_bool blocking, const size_t *origin,
                       const size_t *region, size_t row, size_t slice, const void *host, cl_uint count,
                       const cl_event *waits, cl_event *event)
{
  struct ocl_box device;
  size_t bytes[3];
  const cl_int error = check(q, image, true, NULL, false, false, count, waits);
  if (error != CL_SUCCESS)
    return error;
  if (host == NULL || !image_box(image, origin, region, &device, bytes))
    return CL_INVALID_VALUE;
  const bool lines = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const bool slices = image->type == CL_MEM_OBJECT_IMAGE3D || image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  if ((row != 0 && row < bytes[0]) || (slice != 0 && !lines && !slices))
    return CL_INVALID_VALUE;
  row = row != 0 ? row : bytes[0];
  if (slice != 0 && slice < (lines ? row : row * bytes[1]))
    return CL_INVALID_VALUE;
  if (lines)
    row = slice != 0 ? slice : row;
  slice = slices && slice != 0 ? slice : row * bytes[1];
  if ((image->flags & (CL_MEM_HOST_NO_ACCESS | (write ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY))) != 0)
    return CL_INVALID_OPERATION;
  struct ocl_command *c =
      new_move(q, write ? CL_COMMAND_WRITE_IMAGE : CL_COMMAND_READ_IMAGE, write ? NULL : image, write ? image : NULL,
               write ? SL_COMMAND_WRITE : SL_COMMAND_READ, bytes, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  const struct ocl_box packed = {0, row, slice};
  c->host = (uint8_t *)(uintptr_t)host;
  c->from_box = write ? packed : device;
  c->to_box = write ? device : packed;
  return sl_ocl_add(c, blocking != CL_FALSE, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                   const size_t *origin, const size_t *region, size_t row, size_t slice,
                                                   void *host, cl_uint count, const cl_event *waits, cl_event *event)
{
  OCL_CALL(transfer(queue, image, false, blocking, origin, region, row, slice, host, count, waits, event));
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                    const size_t *origin, const size_t *region, size_t row,
                                                    size_t slice, const void *host, cl_uint count,
                                                    const cl_event *waits, cl_event *event)
{
  OCL_CALL(transfer(queue, image, true, blocking, origin, region, row, slice, host, count, waits, event));
}

/* ---- device ------------------------------------------------------------------------------------------------------ */

static cl_int copy(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin,
                   const size_t *region, cl_uint count, const cl_event *waits, cl_event *event)
{
  struct ocl_box a, b;
  size_t bytes[3];
  const cl_int error = check(q, from, true, to, true, true, count, waits);
  if (error != CL_SUCCESS)
    return error;
  if (from->format.image_channel_order != to->format.image_channel_order ||
      from->format.image_channel_data_type != to->format.image_channel_data_type)
    return CL_IMAGE_FORMAT_MISMATCH;
  if (!image_box(from, from_origin, region, &a, bytes) || !image_box(to, to_origin, region, &b, bytes))
    return CL_INVALID_VALUE;
  bool apart = from != to;
  for (unsigned i = 0; i < 3; i++)
    apart |= from_origin[i] + region[i] <= to_origin[i] || to_origin[i] + region[i] <= from_origin[i];
  if (!apart)
    return CL_MEM_COPY_OVERLAP;
  struct ocl_command *c = new_move(q, CL_COMMAND_COPY_IMAGE, from, to, SL_COMMAND_COPY, bytes, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  c->from_box = a;
  c->to_box = b;
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                                   const size_t *from_origin, const size_t *to_origin,
                                                   const size_t *region, cl_uint count, const cl_event *waits,
                                                   cl_event *event)
{
  OCL_CALL(copy(queue, from, to, from_origin, to_origin, region, count, waits, event));
}

/* Between an image and a buffer, in which the rows follow each other. */
static cl_int copy_buffer(cl_command_queue q, cl_mem image, cl_mem buffer, bool to_image, const size_t *origin,
                          const size_t *region, size_t offset, cl_uint count, const cl_event *waits, cl_event *event)
{
  struct ocl_box box;
  size_t bytes[3];
  const cl_int error = check(q, image, true, buffer, false, true, count, waits);
  if (error != CL_SUCCESS)
    return error;
  if (!image_box(image, origin, region, &box, bytes) || offset > buffer->size ||
      bytes[0] * bytes[1] * bytes[2] > buffer->size - offset)
    return CL_INVALID_VALUE;
  if (sl_ocl_overlaps_misaligned(buffer, q->device))
    return CL_MISALIGNED_SUB_BUFFER_OFFSET;
  struct ocl_command *c =
      new_move(q, to_image ? CL_COMMAND_COPY_BUFFER_TO_IMAGE : CL_COMMAND_COPY_IMAGE_TO_BUFFER,
               to_image ? buffer : image, to_image ? image : buffer, SL_COMMAND_COPY, bytes, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  const struct ocl_box packed = {offset, bytes[0], bytes[0] * bytes[1]};
  c->from_box = to_image ? packed : box;
  c->to_box = to_image ? box : packed;
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                                           const size_t *origin, const size_t *region, size_t offset,
                                                           cl_uint count, const cl_event *waits, cl_event *event)
{
  OCL_CALL(copy_buffer(queue, image, buffer, false, origin, region, offset, count, waits, event));
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image,
                                                           size_t offset, const size_t *origin, const size_t *region,
                                                           cl_uint count, const cl_event *waits, cl_event *event)
{
  OCL_CALL(copy_buffer(queue, image, buffer, true, origin, region, offset, count, waits, event));
}

/* ---- fills ------------------------------------------------------------------------------------------------------- */

static uint16_t half_of(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  const float size = fabsf(value);
  if (isnan(value))
    return 0x7e00;
  if (size >= 65520.0f)
    return sign | 0x7c00;
  int exponent;
  frexpf(size, &exponent);
  exponent = exponent - 11 < -24 ? -24 : exponent - 11; /* of the last place */
  const uint32_t places = (uint32_t)lrintf(ldexpf(size, -exponent));
  return (uint16_t)(sign | (exponent == -24 ? places : (uint32_t)(exponent + 25) * 1024 + places - 1024));
}

static int32_t saturated(float value, int32_t low, int32_t high)
{
  if (isnan(value))
    return 0;
  return value <= (float)low ? low : value >= (float)high ? high : (int32_t)lrintf(value);
}

/* Puts a colour's channel at `to`. */
static void put(cl_channel_type type, uint32_t bits, uint8_t *to)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  const int32_t word = (int32_t)bits;
  int32_t out;
  switch (type) {
  case CL_SNORM_INT8: out = saturated(value * 127, -128, 127); break;
  case CL_SNORM_INT16: out = saturated(value * 32767, -32768, 32767); break;
  case CL_UNORM_INT8: out = saturated(value * 255, 0, 255); break;
  case CL_UNORM_INT16: out = saturated(value * 65535, 0, 65535); break;
  case CL_HALF_FLOAT: out = half_of(value); break;
  case CL_SIGNED_INT8: out = word < -128 ? -128 : word > 127 ? 127 : word; break;
  case CL_SIGNED_INT16: out = word < -32768 ? -32768 : word > 32767 ? 32767 : word; break;
  case CL_UNSIGNED_INT8: out = bits > 255 ? 255 : word; break;
  case CL_UNSIGNED_INT16: out = bits > 65535 ? 65535 : word; break;
  default: out = word; break;
  }
  memcpy(to, &out, sizeof out);
}

/* The bytes of a texel of a colour. */
static void pack(cl_mem image, const uint32_t colour[4], uint8_t texel[20])
{
  static const struct {
    cl_channel_order order;
    uint8_t count, from[4];
  } orders[] = {{CL_R, 1, {0}},
                {CL_Rx, 1, {0}},
                {CL_A, 1, {3}},
                {CL_INTENSITY, 1, {0}},
                {CL_LUMINANCE, 1, {0}},
                {CL_RG, 2, {0, 1}},
                {CL_RGx, 2, {0, 1}},
                {CL_RA, 2, {0, 3}},
                {CL_RGBA, 4, {0, 1, 2, 3}},
                {CL_BGRA, 4, {2, 1, 0, 3}},
                {CL_ARGB, 4, {3, 0, 1, 2}}};
  const cl_channel_type type = image->format.image_channel_data_type;
  float c[4];
  memcpy(c, colour, sizeof c);
  if (type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010) {
    const int red = type == CL_UNORM_INT_101010 ? 10 : 5, green = type == CL_UNORM_SHORT_565 ? 6 : red;
    const uint32_t bits = (uint32_t)saturated(c[0] * (float)((1 << red) - 1), 0, (1 << red) - 1) << (red + green) |
                          (uint32_t)saturated(c[1] * (float)((1 << green) - 1), 0, (1 << green) - 1) << red |
                          (uint32_t)saturated(c[2] * (float)((1 << red) - 1), 0, (1 << red) - 1);
    memcpy(texel, &bits, sizeof bits);
    return;
  }
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    for (unsigned k = 0; orders[i].order == image->format.image_channel_order && k < orders[i].count; k++)
      put(type, colour[orders[i].from[k]], texel + k * image->texel / orders[i].count);
}

static cl_int fill(cl_command_queue q, cl_mem image, const void *colour, const size_t *origin, const size_t *region,
                   cl_uint count, const cl_event *waits, cl_event *event)
{
  struct ocl_box box;
  size_t bytes[3];
  uint32_t words[4];
  const cl_int error = check(q, image, true, NULL, false, false, count, waits);
  if (error != CL_SUCCESS)
    return error;
  if (colour == NULL || !image_box(image, origin, region, &box, bytes))
    return CL_INVALID_VALUE;
  struct ocl_command *c = new_move(q, CL_COMMAND_FILL_IMAGE, NULL, image, SL_COMMAND_FILL, bytes, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  memcpy(words, colour, sizeof words);
  pack(image, words, c->pattern);
  c->width = image->texel;
  c->from_box = c->to_box = box;
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *colour,
                                                   const size_t *origin, const size_t *region, cl_uint count,
                                                   const cl_event *waits, cl_event *event)
{
  OCL_CALL(fill(queue, image, colour, origin, region, count, waits, event));
}
