/* What the device library shares with the host (runtime/opencl/device.h). */
#ifndef SL_OPENCL_OCL_DEVICE_LIBRARY_H
#define SL_OPENCL_OCL_DEVICE_LIBRARY_H

#include <stdint.h>

/* The variable of this name in constant memory of a module that needs it. */
struct simtlab_range {
  uint32_t dimensions, unused;
  uint64_t offset[3]; /* of global ids */
  uint64_t base[3];   /* first group of a part of the range */
  uint64_t groups[3]; /* of the whole range */
};

/* An image argument is the address of this in global memory. */
struct simtlab_image {
  uint64_t data; /* address of the texels */
  uint32_t width, height, depth, order, type, texel;
  uint64_t row, slice; /* bytes */
};

#endif
