/* Work-item functions, fences and barriers of OpenCL C on PTX: a work-group is a block, a work-item a thread.
 *
 * The host fills in simtlab_range before a launch (src/runtime/opencl/ocl_launch.c). A grid has at most 65,535 blocks in its
 * second and third dimension; the host splits larger ranges, and `base` is the first group of a part. */
#include "device.h"

extern constant struct simtlab_range simtlab_range;

#define OF_DIMENSION(d, name, otherwise)                                                                               \
  ((d) == 0 ? __nvvm_read_ptx_sreg_##name##_x()                                                                        \
            : (d) == 1 ? __nvvm_read_ptx_sreg_##name##_y() : (d) == 2 ? __nvvm_read_ptx_sreg_##name##_z() : (otherwise))

uint OVERLOAD get_work_dim(void)
{
  return simtlab_range.dimensions;
}
size_t OVERLOAD get_local_id(uint d)
{
  return (size_t)(uint)OF_DIMENSION(d, tid, 0);
}
size_t OVERLOAD get_local_size(uint d)
{
  return (size_t)(uint)OF_DIMENSION(d, ntid, 1);
}
size_t OVERLOAD get_group_id(uint d)
{
  return (size_t)(uint)OF_DIMENSION(d, ctaid, 0) + (d == 1 || d == 2 ? simtlab_range.base[d] : 0);
}
size_t OVERLOAD get_num_groups(uint d)
{
  return d == 0 ? (size_t)(uint)__nvvm_read_ptx_sreg_nctaid_x() : d < 3 ? simtlab_range.groups[d] : 1;
}
size_t OVERLOAD get_global_offset(uint d)
{
  return d < 3 ? simtlab_range.offset[d] : 0;
}
size_t OVERLOAD get_global_size(uint d)
{
  return d < 3 ? get_num_groups(d) * get_local_size(d) : 1;
}
size_t OVERLOAD get_global_id(uint d)
{
  return d < 3 ? get_group_id(d) * get_local_size(d) + get_local_id(d) + simtlab_range.offset[d] : 0;
}
size_t OVERLOAD get_global_linear_id(void)
{
  const size_t y = get_global_id(1) - get_global_offset(1), z = get_global_id(2) - get_global_offset(2);
  return (z * get_global_size(1) + y) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
}
size_t OVERLOAD get_local_linear_id(void)
{
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

void OVERLOAD mem_fence(cl_mem_fence_flags flags)
{
  (void)flags;
  __nvvm_membar_cta();
}
void OVERLOAD read_mem_fence(cl_mem_fence_flags flags)
{
  mem_fence(flags);
}
void OVERLOAD write_mem_fence(cl_mem_fence_flags flags)
{
  mem_fence(flags);
}
void __attribute__((convergent)) OVERLOAD barrier(cl_mem_fence_flags flags)
{
  (void)flags;
  __nvvm_bar_sync(0);
}
