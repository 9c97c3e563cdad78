/* Textures and surfaces of the CUDA runtime: references, which a program binds to memory or arrays, and objects. A
 * surface is a description in global memory, of which kernels have the address (simtlab/surfaces.h). */
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/cudart.h"

struct cudart_texture {
  struct cudart_texture *next;
  uint64_t handle;
  struct cudaResourceDesc resource;
  struct cudaTextureDesc desc;
};

/* The format of texels. */
static cudaError_t set_format(struct sl_ptx_texture *t, const struct cudaChannelFormatDesc *d, bool normalised)
{
  static const enum sl_ptx_type types[3][3] = {{SL_PTX_S8, SL_PTX_S16, SL_PTX_S32},
                                               {SL_PTX_U8, SL_PTX_U16, SL_PTX_U32}};
  const int bits[] = {d->x, d->y, d->z, d->w};
  for (unsigned i = 0; i < 4; i++)
    if (bits[i] != 0) {
      if (bits[i] != d->x || t->channels != i)
        return cudaErrorInvalidChannelDescriptor;
      t->channels++;
    }
  const int size = d->x == 8 ? 0 : d->x == 16 ? 1 : d->x == 32 ? 2 : -1;
  if (size < 0 || (t->channels != 1 && t->channels != 2 && t->channels != 4))
    return cudaErrorInvalidChannelDescriptor;
  if (d->f == cudaChannelFormatKindFloat) {
    t->type = SL_PTX_F32;
    return size == 2 ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
  }
  if (d->f != cudaChannelFormatKindSigned && d->f != cudaChannelFormatKindUnsigned)
    return cudaErrorInvalidChannelDescriptor;
  t->type = types[d->f][size];
  t->normalised = normalised;
  return normalised && size == 2 ? cudaErrorInvalidNormSetting : cudaSuccess;
}

/* How coordinates name texels. Wrapped and mirrored textures need normalised coordinates; others are clamped. */
static cudaError_t set_sampling(struct sl_ptx_texture *t, const enum cudaTextureAddressMode mode[3],
                                enum cudaTextureFilterMode filter, bool normalised_coordinates)
{
  static const enum sl_ptx_texture_mode modes[] = {[cudaAddressModeWrap] = SL_PTX_TEXTURE_WRAP,
                                                   [cudaAddressModeClamp] = SL_PTX_TEXTURE_CLAMP,
                                                   [cudaAddressModeMirror] = SL_PTX_TEXTURE_MIRROR,
                                                   [cudaAddressModeBorder] = SL_PTX_TEXTURE_BORDER};
  t->linear = filter == cudaFilterModeLinear;
  t->normalised_coordinates = normalised_coordinates;
  for (unsigned i = 0; i < 3; i++) {
    if ((unsigned)mode[i] > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
    t->mode[i] = modes[mode[i]];
    if (!normalised_coordinates && (t->mode[i] == SL_PTX_TEXTURE_WRAP || t->mode[i] == SL_PTX_TEXTURE_MIRROR))
      t->mode[i] = SL_PTX_TEXTURE_CLAMP;
  }
  if (t->layered)
    t->mode[2] = SL_PTX_TEXTURE_CLAMP;
  return t->linear && t->type != SL_PTX_F32 && !t->normalised ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

static void set_array(struct sl_ptx_texture *t, const struct cudaArray *a)
{
  t->address = a->address;
  t->width = (uint32_t)a->extent.width;
  t->height = (uint32_t)(a->extent.height > 0 ? a->extent.height : 1);
  t->depth = (uint32_t)(a->extent.depth > 0 ? a->extent.depth : 1);
  t->layered = (a->flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
}

static size_t texel_bytes(const struct cudaChannelFormatDesc *d)
{
  return (size_t)(d->x + d->y + d->z + d->w) / 8;
}

/* Linear memory: as many texels as it holds, at most those of its buffer. */
static cudaError_t set_linear(const struct cudart *r, struct sl_ptx_texture *t, const void *pointer, size_t bytes,
                              const struct cudaChannelFormatDesc *d)
{
  uint64_t first, size;
  if (texel_bytes(d) == 0 || !sl_cudart_is_device(r, pointer, &first, &size))
    return cudaErrorInvalidValue;
  t->address = (uint64_t)(uintptr_t)pointer;
  const uint64_t left = size > 0 ? first + size - t->address : bytes;
  const uint64_t texels = (bytes < left ? bytes : left) / texel_bytes(d);
  t->width = texels < UINT32_MAX ? (uint32_t)texels : UINT32_MAX;
  t->height = t->depth = 1;
  return texels > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t set_rows(const struct cudart *r, struct sl_ptx_texture *t, const void *pointer, size_t width,
                            size_t height, size_t pitch, const struct cudaChannelFormatDesc *d)
{
  uint64_t first, size;
  t->address = (uint64_t)(uintptr_t)pointer;
  if (!sl_cudart_is_device(r, pointer, &first, &size) || width == 0 || height == 0 || width > UINT32_MAX ||
      height > UINT32_MAX || pitch < width * texel_bytes(d))
    return cudaErrorInvalidValue;
  if (size > 0 && (height - 1) * pitch + width * texel_bytes(d) > first + size - t->address)
    return cudaErrorInvalidValue;
  t->width = (uint32_t)width;
  t->height = (uint32_t)height;
  t->depth = 1;
  t->pitch = pitch;
  return cudaSuccess;
}

/* ---- references -------------------------------------------------------------------------------------------------- */

static cudaError_t bind(struct cudart *r, const struct textureReference *reference, struct sl_ptx_texture *t,
                        const struct cudaChannelFormatDesc *d)
{
  const struct cudart_variable *v = r->variables;
  while (v != NULL && (v->shadow != reference || v->kind != CUDART_TEXTURE))
    v = v->next;
  if (v == NULL)
    return cudaErrorInvalidTexture;
  cudaError_t error = sl_cudart_load(r, v->module);
  if (error == cudaSuccess)
    error = set_format(t, d, reference->cudaReserved[0] == cudaReadModeNormalizedFloat);
  if (error == cudaSuccess)
    error = set_sampling(t, reference->addressMode, reference->filterMode, reference->normalized != 0);
  if (error == cudaSuccess && sl_gpu_bind_texture(r->device.gpu, v->module->loaded, v->name, t, NULL) != SL_OK)
    error = cudaErrorInvalidTexture;
  return error;
}

static cudaError_t bind_linear(struct cudart *r, size_t *offset, const struct textureReference *reference,
                               const void *pointer, const struct cudaChannelFormatDesc *d, size_t bytes)
{
  struct sl_ptx_texture t = {.address = 0};
  if (reference == NULL || d == NULL)
    return cudaErrorInvalidValue;
  const cudaError_t error = set_linear(r, &t, pointer, bytes, d);
  if (offset != NULL)
    *offset = 0;
  return error == cudaSuccess ? bind(r, reference, &t, d) : error;
}

SL_CUDART_API cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference, const void *pointer,
                                          const struct cudaChannelFormatDesc *desc, size_t bytes)
{
  CUDART_CALL(true, bind_linear(r, offset, reference, pointer, desc, bytes));
}

static cudaError_t bind_rows(struct cudart *r, size_t *offset, const struct textureReference *reference,
                             const void *pointer, const struct cudaChannelFormatDesc *d, size_t width, size_t height,
                             size_t pitch)
{
  struct sl_ptx_texture t = {.address = 0};
  if (reference == NULL || d == NULL)
    return cudaErrorInvalidValue;
  const cudaError_t error = set_rows(r, &t, pointer, width, height, pitch, d);
  if (offset != NULL)
    *offset = 0;
  return error == cudaSuccess ? bind(r, reference, &t, d) : error;
}

SL_CUDART_API cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference,
                                            const void *pointer, const struct cudaChannelFormatDesc *desc, size_t width,
                                            size_t height, size_t pitch)
{
  CUDART_CALL(true, bind_rows(r, offset, reference, pointer, desc, width, height, pitch));
}

static bool is_array(const struct cudart *r, const struct cudaArray *array)
{
  const struct cudaArray *a = r->arrays;
  while (a != NULL && a != array)
    a = a->next;
  return a != NULL;
}

static cudaError_t bind_array(struct cudart *r, const struct textureReference *reference, const struct cudaArray *array,
                              const struct cudaChannelFormatDesc *d)
{
  struct sl_ptx_texture t = {.address = 0};
  if (reference == NULL || !is_array(r, array))
    return cudaErrorInvalidValue;
  set_array(&t, array);
  return bind(r, reference, &t, d != NULL ? d : &array->desc);
}

SL_CUDART_API cudaError_t cudaBindTextureToArray(const struct textureReference *reference, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc *desc)
{
  CUDART_CALL(true, bind_array(r, reference, array, desc));
}

/* The texture stays bound, as on hardware, but the program says that it does not use it. */
static cudaError_t unbind(const struct cudart *r, const struct textureReference *reference)
{
  for (const struct cudart_variable *v = r->variables; v != NULL; v = v->next)
    if (v->shadow == reference)
      return cudaSuccess;
  return cudaErrorInvalidTexture;
}

SL_CUDART_API cudaError_t cudaUnbindTexture(const struct textureReference *reference)
{
  CUDART_CALL(true, unbind(r, reference));
}

static cudaError_t no_offset(size_t *offset)
{
  if (offset == NULL)
    return cudaErrorInvalidValue;
  *offset = 0;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference)
{
  (void)reference;
  CUDART_CALL(true, no_offset(offset));
}

static cudaError_t find_reference(const struct cudart *r, const struct textureReference **reference, const void *symbol)
{
  for (const struct cudart_variable *v = r->variables; v != NULL && reference != NULL; v = v->next)
    if (v->kind == CUDART_TEXTURE && v->shadow == symbol) {
      *reference = symbol;
      return cudaSuccess;
    }
  return cudaErrorInvalidTexture;
}

SL_CUDART_API cudaError_t cudaGetTextureReference(const struct textureReference **reference, const void *symbol)
{
  CUDART_CALL(true, find_reference(r, reference, symbol));
}

SL_CUDART_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                 enum cudaChannelFormatKind f)
{
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static cudaError_t set_resource(const struct cudart *r, struct sl_ptx_texture *t, const struct cudaResourceDesc *d,
                                struct cudaChannelFormatDesc *format)
{
  switch (d->resType) {
  case cudaResourceTypeArray:
    if (!is_array(r, d->res.array.array))
      return cudaErrorInvalidValue;
    set_array(t, d->res.array.array);
    *format = d->res.array.array->desc;
    return cudaSuccess;
  case cudaResourceTypeLinear:
    *format = d->res.linear.desc;
    return set_linear(r, t, d->res.linear.devPtr, d->res.linear.sizeInBytes, format);
  case cudaResourceTypePitch2D:
    *format = d->res.pitch2D.desc;
    return set_rows(r, t, d->res.pitch2D.devPtr, d->res.pitch2D.width, d->res.pitch2D.height,
                    d->res.pitch2D.pitchInBytes, format);
  default: return cudaErrorNotSupported; /* mipmaps */
  }
}

static cudaError_t create(struct cudart *r, cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                          const struct cudaTextureDesc *desc)
{
  struct sl_ptx_texture t = {.address = 0};
  struct cudaChannelFormatDesc format;
  if (object == NULL || resource == NULL || desc == NULL)
    return cudaErrorInvalidValue;
  cudaError_t error = set_resource(r, &t, resource, &format);
  if (error == cudaSuccess)
    error = set_format(&t, &format, desc->readMode == cudaReadModeNormalizedFloat);
  if (error == cudaSuccess)
    error = set_sampling(&t, desc->addressMode, desc->filterMode, desc->normalizedCoords != 0);
  if (error != cudaSuccess)
    return error;
  struct cudart_texture *own = calloc(1, sizeof *own);
  if (own == NULL || sl_gpu_texture_create(r->device.gpu, &t, &own->handle, NULL) != SL_OK) {
    free(own);
    return cudaErrorMemoryAllocation;
  }
  own->resource = *resource;
  own->desc = *desc;
  own->next = r->textures;
  r->textures = own;
  *object = own->handle;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                                  const struct cudaTextureDesc *texture,
                                                  const struct cudaResourceViewDesc *view)
{
  (void)view;
  CUDART_CALL(true, create(r, object, resource, texture));
}

static cudaError_t destroy(struct cudart *r, cudaTextureObject_t object)
{
  for (struct cudart_texture **at = &r->textures; *at != NULL; at = &(*at)->next)
    if ((*at)->handle == object) {
      struct cudart_texture *t = *at;
      *at = t->next;
      sl_gpu_texture_drop(r->device.gpu, t->handle);
      free(t);
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

SL_CUDART_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
  CUDART_CALL(true, destroy(r, object));
}

static cudaError_t describe(const struct cudart *r, cudaTextureObject_t object, struct cudaResourceDesc *resource,
                            struct cudaTextureDesc *desc)
{
  for (const struct cudart_texture *t = r->textures; t != NULL; t = t->next)
    if (t->handle == object) {
      if (resource != NULL)
        *resource = t->resource;
      if (desc != NULL)
        *desc = t->desc;
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

SL_CUDART_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                                           cudaTextureObject_t object)
{
  CUDART_CALL(true, describe(r, object, resource, NULL));
}

SL_CUDART_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t object)
{
  CUDART_CALL(true, describe(r, object, NULL, texture));
}

void sl_cudart_free_textures(struct cudart *r)
{
  while (r->textures != NULL)
    destroy(r, r->textures->handle);
}

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

/* As kernels read it. */
struct description {
  uint64_t address;
  uint32_t row, height, depth, reserved;
};

struct cudart_surface {
  struct cudart_surface *next;
  uint64_t handle;
  const void *reference; /* that it is bound to; NULL: an object */
  struct cudaResourceDesc resource;
};

static cudaError_t create_surface(struct cudart *r, cudaSurfaceObject_t *object,
                                  const struct cudaResourceDesc *resource, const void *reference)
{
  if (object == NULL || resource == NULL || resource->resType != cudaResourceTypeArray ||
      !is_array(r, resource->res.array.array))
    return cudaErrorInvalidValue;
  const struct cudaArray *a = resource->res.array.array;
  if ((a->flags & cudaArraySurfaceLoadStore) == 0) {
    sl_cudart_say("a surface needs an array with the flag cudaArraySurfaceLoadStore");
    return cudaErrorInvalidValue;
  }
  const struct description d = {.address = a->address,
                                .row = (uint32_t)(a->extent.width * a->texel),
                                .height = (uint32_t)(a->extent.height > 0 ? a->extent.height : 1),
                                .depth = (uint32_t)(a->extent.depth > 0 ? a->extent.depth : 1)};
  struct cudart_surface *s = calloc(1, sizeof *s);
  if (s == NULL || sl_gpu_alloc(r->device.gpu, sizeof d, &s->handle, NULL) != SL_OK) {
    free(s);
    return cudaErrorMemoryAllocation;
  }
  sl_gpu_write(r->device.gpu, SL_GPU_GLOBAL, s->handle, &d, sizeof d, NULL);
  s->reference = reference;
  s->resource = *resource;
  s->next = r->surfaces;
  r->surfaces = s;
  *object = s->handle;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
  CUDART_CALL(true, create_surface(r, object, resource, NULL));
}

static void drop(struct cudart *r, struct cudart_surface **at)
{
  struct cudart_surface *s = *at;
  *at = s->next;
  sl_gpu_release(r->device.gpu, s->handle, NULL);
  free(s);
}

static cudaError_t destroy_surface(struct cudart *r, cudaSurfaceObject_t object)
{
  for (struct cudart_surface **at = &r->surfaces; *at != NULL; at = &(*at)->next)
    if ((*at)->handle == object && (*at)->reference == NULL) {
      drop(r, at);
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

SL_CUDART_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
  CUDART_CALL(true, destroy_surface(r, object));
}

static cudaError_t describe_surface(const struct cudart *r, struct cudaResourceDesc *resource,
                                    cudaSurfaceObject_t object)
{
  for (const struct cudart_surface *s = r->surfaces; s != NULL; s = s->next)
    if (s->handle == object && s->reference == NULL && resource != NULL) {
      *resource = s->resource;
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

SL_CUDART_API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                                           cudaSurfaceObject_t object)
{
  CUDART_CALL(true, describe_surface(r, resource, object));
}

/* ---- references -------------------------------------------------------------------------------------------------- */

static struct cudart_variable *reference_of(const struct cudart *r, const void *shadow)
{
  struct cudart_variable *v = r->variables;
  while (v != NULL && (v->kind != CUDART_SURFACE || v->shadow != shadow))
    v = v->next;
  return v;
}

static cudaError_t bind_surface(struct cudart *r, const struct surfaceReference *reference, struct cudaArray *array)
{
  const struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray, .res.array.array = array};
  struct cudart_variable *v = reference_of(r, reference);
  struct sl_gpu_symbol place;
  cudaSurfaceObject_t handle;
  if (v == NULL)
    return cudaErrorInvalidSurface;
  cudaError_t error = sl_cudart_load(r, v->module);
  if (error == cudaSuccess && !sl_gpu_symbol(v->module->loaded, v->name, &place))
    error = cudaErrorInvalidSurface;
  if (error == cudaSuccess)
    error = create_surface(r, &handle, &resource, reference);
  if (error != cudaSuccess)
    return error;
  for (struct cudart_surface **at = &r->surfaces->next; *at != NULL;)
    if ((*at)->reference == reference)
      drop(r, at);
    else
      at = &(*at)->next;
  sl_gpu_write(r->device.gpu, SL_GPU_GLOBAL, place.address, &handle, sizeof handle, NULL);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *reference, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc *desc)
{
  (void)desc;
  CUDART_CALL(true, bind_surface(r, reference, (struct cudaArray *)(uintptr_t)array));
}

static cudaError_t find(const struct cudart *r, const struct surfaceReference **reference, const void *symbol)
{
  if (reference == NULL || reference_of(r, symbol) == NULL)
    return cudaErrorInvalidSurface;
  *reference = symbol;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGetSurfaceReference(const struct surfaceReference **reference, const void *symbol)
{
  CUDART_CALL(true, find(r, reference, symbol));
}

void sl_cudart_free_surfaces(struct cudart *r)
{
  while (r->surfaces != NULL)
    drop(r, &r->surfaces);
}
