/* Surface objects: only their type, for declarations. No function takes one. */
#ifndef SIMTLAB_CUDA_SURFACE_TYPES_H
#define SIMTLAB_CUDA_SURFACE_TYPES_H

#include "driver_types.h"

typedef simtlab_unsigned_long_long cudaSurfaceObject_t;

#endif
