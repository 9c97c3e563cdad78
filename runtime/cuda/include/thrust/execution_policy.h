/* Where an algorithm runs: thrust::device, thrust::host, thrust::seq (the calling thread), thrust::cuda::par.on(s) */
#ifndef SIMTLAB_THRUST_EXECUTION_POLICY_H
#define SIMTLAB_THRUST_EXECUTION_POLICY_H

#include "iterator/iterator_traits.h"

namespace thrust
{
namespace detail
{
struct policy_base {
};
template <class System> struct policy : policy_base {
  cudaStream_t stream;
  SIMTLAB_BOTH constexpr explicit policy(cudaStream_t s = 0) : stream(s)
  {
  }
  SIMTLAB_BOTH policy on(cudaStream_t s) const
  {
    return policy(s);
  }
  template <class Allocator> policy operator()(const Allocator &) const
  {
    return *this;
  }
};
template <class P> struct is_policy : std::is_base_of<policy_base, typename std::decay<P>::type> {
};
template <class P> struct policy_system;
template <class S> struct policy_system<policy<S>> {
  typedef S type;
};
} // namespace detail

static constexpr detail::policy<detail::host_tag> host{};
static constexpr detail::policy<detail::host_tag> seq{};
static constexpr detail::policy<detail::device_tag> device{};
namespace cuda
{
static constexpr detail::policy<detail::device_tag> par{};
static constexpr detail::policy<detail::device_tag> par_nosync{};
} // namespace cuda
namespace omp
{
static constexpr detail::policy<detail::host_tag> par{};
}
namespace system
{
namespace cuda = thrust::cuda;
}
} // namespace thrust

#endif
