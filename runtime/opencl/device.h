/* What the files of the OpenCL device library share, and the host's side (src/runtime/opencl/ocl.h). */
#ifndef SIMTLAB_OPENCL_DEVICE_H
#define SIMTLAB_OPENCL_DEVICE_H

#define OVERLOAD __attribute__((overloadable))

struct simtlab_range {
  uint dimensions, unused;
  ulong offset[3], base[3], groups[3];
};

/* An image. Its first member is the address of its texels. */
struct simtlab_image {
  ulong data;
  uint width, height, depth; /* texels; an array's size is that of its last dimension */
  uint order, type;          /* cl_channel_order, cl_channel_type */
  uint texel;                /* bytes */
  ulong row, slice;          /* bytes */
};

#endif
