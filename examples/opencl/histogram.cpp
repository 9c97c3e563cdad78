// A histogram of bytes, in C++: atomics on local memory, then on global memory.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <cstdio>
#include <vector>

static const char source[] = R"(
__kernel void histogram(__global const uchar *data, __global uint *bins, __local uint *own)
{
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&own[data[get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    if (own[i] != 0)
      atomic_add(&bins[i], own[i]);
}
)";

int main()
try {
  constexpr size_t count = 8192, group = 64;
  std::vector<unsigned char> data(count);
  std::vector<unsigned> bins(256), wanted(256);
  for (size_t i = 0; i < count; i++)
    wanted[data[i] = static_cast<unsigned char>(i * i >> 5)]++;

  cl::Context context(CL_DEVICE_TYPE_DEFAULT);
  cl::Program program(context, source, true);
  cl::CommandQueue queue(context);
  cl::Buffer device_data(context, data.begin(), data.end(), true), device_bins(context, bins.begin(), bins.end(), false);
  cl::Kernel kernel(program, "histogram");
  kernel.setArg(0, device_data);
  kernel.setArg(1, device_bins);
  kernel.setArg(2, cl::Local(256 * sizeof(unsigned)));
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(count), cl::NDRange(group));
  cl::copy(queue, device_bins, bins.begin(), bins.end());
  std::puts(bins == wanted ? "histogram: right" : "histogram: wrong");
  return bins != wanted;
} catch (const cl::Error &error) {
  std::fprintf(stderr, "histogram: %s: error %d\n", error.what(), error.err());
  return 1;
}
