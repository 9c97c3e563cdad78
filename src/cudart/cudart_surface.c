/* Surfaces of the CUDA runtime: references, which a program binds to arrays, and objects. A surface is a description in
 * global memory, of which kernels have the address (simtlab/surfaces.h). */
#include <stdlib.h>
#include <string.h>

#include "cudart/cudart.h"

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

static bool is_array(const struct cudart *r, const struct cudaArray *array)
{
  const struct cudaArray *a = r->arrays;
  while (a != NULL && a != array)
    a = a->next;
  return a != NULL;
}

static cudaError_t create(struct cudart *r, cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource,
                          const void *reference)
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
  CUDART_CALL(true, create(r, object, resource, NULL));
}

static void drop(struct cudart *r, struct cudart_surface **at)
{
  struct cudart_surface *s = *at;
  *at = s->next;
  sl_gpu_release(r->device.gpu, s->handle, NULL);
  free(s);
}

static cudaError_t destroy(struct cudart *r, cudaSurfaceObject_t object)
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
  CUDART_CALL(true, destroy(r, object));
}

static cudaError_t describe(const struct cudart *r, struct cudaResourceDesc *resource, cudaSurfaceObject_t object)
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
  CUDART_CALL(true, describe(r, resource, object));
}

/* ---- references -------------------------------------------------------------------------------------------------- */

static struct cudart_variable *reference_of(const struct cudart *r, const void *shadow)
{
  struct cudart_variable *v = r->variables;
  while (v != NULL && (v->kind != CUDART_SURFACE || v->shadow != shadow))
    v = v->next;
  return v;
}

static cudaError_t bind(struct cudart *r, const struct surfaceReference *reference, struct cudaArray *array)
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
    error = create(r, &handle, &resource, reference);
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
  CUDART_CALL(true, bind(r, reference, (struct cudaArray *)(uintptr_t)array));
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
