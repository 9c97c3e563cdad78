/* Cooperative groups: blocks, tiles of warps, the active threads, and grids that are launched cooperatively. */
#ifndef SIMTLAB_CUDA_COOPERATIVE_GROUPS_H
#define SIMTLAB_CUDA_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#ifdef __CUDA__
#if __cplusplus < 201103L
#error "cooperative_groups.h needs C++11: add -std=c++11"
#endif

/* The barrier of a grid: blocks that have arrived, and how often all have. */
static __device__ unsigned int simtlab_grid_arrived, simtlab_grid_generation;

namespace cooperative_groups
{
#define SIMTLAB_GROUP __device__ __forceinline__

namespace details
{
SIMTLAB_GROUP unsigned int thread_in_block()
{
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
SIMTLAB_GROUP unsigned int threads_of_block()
{
  return blockDim.x * blockDim.y * blockDim.z;
}
SIMTLAB_GROUP unsigned int lane()
{
  return __nvvm_read_ptx_sreg_laneid();
}
SIMTLAB_GROUP unsigned int block_in_grid()
{
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
SIMTLAB_GROUP unsigned int blocks_of_grid()
{
  return gridDim.x * gridDim.y * gridDim.z;
}

/* The position of the rank-th set bit */
SIMTLAB_GROUP int lane_of(unsigned int mask, unsigned int rank)
{
  for (; rank > 0 && mask != 0; rank--)
    mask &= mask - 1;
  return __ffs((int)mask) - 1;
}

/* A value of any type from another lane */
template <class T> SIMTLAB_GROUP T from_lane(unsigned int mask, T value, int source)
{
  enum { WORDS = (sizeof(T) + 3) / 4 };
  int words[WORDS] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < WORDS; i++)
    words[i] = __shfl_sync(mask, words[i], source);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

SIMTLAB_GROUP void sync_grid()
{
  __syncthreads();
  if (thread_in_block() == 0) {
    volatile unsigned int *generation = &simtlab_grid_generation;
    const unsigned int before = *generation;
    __threadfence();
    if (atomicAdd(&simtlab_grid_arrived, 1u) == blocks_of_grid() - 1) {
      atomicExch(&simtlab_grid_arrived, 0u);
      __threadfence();
      atomicAdd(&simtlab_grid_generation, 1u);
    } else
      while (*generation == before)
        ;
    __threadfence();
  }
  __syncthreads();
}

enum kind { BLOCK, LANES, GRID };
} // namespace details

/* A group whose kind is known at run time only */
class thread_group
{
protected:
  details::kind kind_;
  unsigned int mask_;

public:
  SIMTLAB_GROUP thread_group(details::kind kind, unsigned int mask) : kind_(kind), mask_(mask)
  {
  }
  SIMTLAB_GROUP unsigned long long size() const
  {
    return kind_ == details::BLOCK   ? details::threads_of_block()
           : kind_ == details::LANES ? (unsigned int)__popc(mask_)
                                     : (unsigned long long)details::threads_of_block() * details::blocks_of_grid();
  }
  SIMTLAB_GROUP unsigned long long num_threads() const
  {
    return size();
  }
  SIMTLAB_GROUP unsigned long long thread_rank() const
  {
    return kind_ == details::BLOCK   ? details::thread_in_block()
           : kind_ == details::LANES ? (unsigned int)__popc(mask_ & ((1u << details::lane()) - 1))
                                     : (unsigned long long)details::block_in_grid() * details::threads_of_block() +
                                           details::thread_in_block();
  }
  SIMTLAB_GROUP bool is_valid() const
  {
    return true;
  }
  SIMTLAB_GROUP void sync() const
  {
    if (kind_ == details::BLOCK)
      __syncthreads();
    else if (kind_ == details::LANES)
      __syncwarp(mask_);
    else
      details::sync_grid();
  }
  SIMTLAB_GROUP unsigned int simtlab_mask() const
  {
    return mask_;
  }
};

class thread_block : public thread_group
{
public:
  SIMTLAB_GROUP thread_block() : thread_group(details::BLOCK, 0)
  {
  }
  static SIMTLAB_GROUP void sync()
  {
    __syncthreads();
  }
  static SIMTLAB_GROUP unsigned int thread_rank()
  {
    return details::thread_in_block();
  }
  static SIMTLAB_GROUP unsigned int size()
  {
    return details::threads_of_block();
  }
  static SIMTLAB_GROUP unsigned int num_threads()
  {
    return details::threads_of_block();
  }
  static SIMTLAB_GROUP dim3 group_index()
  {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  static SIMTLAB_GROUP dim3 thread_index()
  {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  static SIMTLAB_GROUP dim3 group_dim()
  {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
  static SIMTLAB_GROUP dim3 dim_threads()
  {
    return group_dim();
  }
};

class grid_group : public thread_group
{
public:
  SIMTLAB_GROUP grid_group() : thread_group(details::GRID, 0)
  {
  }
  SIMTLAB_GROUP void sync() const
  {
    details::sync_grid();
  }
  static SIMTLAB_GROUP dim3 group_dim()
  {
    return dim3(gridDim.x, gridDim.y, gridDim.z);
  }
  static SIMTLAB_GROUP dim3 dim_blocks()
  {
    return group_dim();
  }
  static SIMTLAB_GROUP dim3 block_index()
  {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  static SIMTLAB_GROUP unsigned long long num_blocks()
  {
    return details::blocks_of_grid();
  }
  static SIMTLAB_GROUP unsigned long long block_rank()
  {
    return details::block_in_grid();
  }
};

/* The shuffles and votes of a group of lanes; ranks count the set bits of the mask. */
class coalesced_group : public thread_group
{
public:
  SIMTLAB_GROUP explicit coalesced_group(unsigned int mask) : thread_group(details::LANES, mask)
  {
  }
  SIMTLAB_GROUP unsigned int size() const
  {
    return (unsigned int)__popc(mask_);
  }
  SIMTLAB_GROUP unsigned int num_threads() const
  {
    return size();
  }
  SIMTLAB_GROUP unsigned int thread_rank() const
  {
    return (unsigned int)__popc(mask_ & ((1u << details::lane()) - 1));
  }
  SIMTLAB_GROUP void sync() const
  {
    __syncwarp(mask_);
  }
  template <class T> SIMTLAB_GROUP T shfl(T value, unsigned int rank) const
  {
    return details::from_lane(mask_, value, details::lane_of(mask_, rank % size()));
  }
  template <class T> SIMTLAB_GROUP T shfl_up(T value, unsigned int delta) const
  {
    const unsigned int rank = thread_rank();
    return details::from_lane(mask_, value, details::lane_of(mask_, rank < delta ? rank : rank - delta));
  }
  template <class T> SIMTLAB_GROUP T shfl_down(T value, unsigned int delta) const
  {
    const unsigned int rank = thread_rank();
    return details::from_lane(mask_, value, details::lane_of(mask_, rank + delta < size() ? rank + delta : rank));
  }
  SIMTLAB_GROUP int any(int predicate) const
  {
    return __ballot_sync(mask_, predicate) != 0;
  }
  SIMTLAB_GROUP int all(int predicate) const
  {
    return __ballot_sync(mask_, predicate) == mask_;
  }
  SIMTLAB_GROUP unsigned int ballot(int predicate) const
  {
    return pack(__ballot_sync(mask_, predicate));
  }
  template <class T> SIMTLAB_GROUP unsigned int match_any(T value) const
  {
    return pack(__match_any_sync(mask_, value));
  }
  template <class T> SIMTLAB_GROUP unsigned int match_all(T value, int &all) const
  {
    return pack(__match_all_sync(mask_, value, &all));
  }
  SIMTLAB_GROUP unsigned int meta_group_size() const
  {
    return 1;
  }
  SIMTLAB_GROUP unsigned int meta_group_rank() const
  {
    return 0;
  }

private:
  SIMTLAB_GROUP unsigned int pack(unsigned int lanes) const
  {
    unsigned int packed = 0, rank = 0;
    for (unsigned int rest = mask_; rest != 0; rest &= rest - 1, rank++)
      packed |= (lanes >> (__ffs((int)rest) - 1) & 1) << rank;
    return packed;
  }
};

template <unsigned int Size, class Parent = void> class thread_block_tile : public thread_group
{
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 threads");
  static SIMTLAB_GROUP unsigned int base()
  {
    return details::lane() & ~(Size - 1);
  }
  static SIMTLAB_GROUP unsigned int lanes()
  {
    return (unsigned int)((1ull << Size) - 1) << base();
  }
  static SIMTLAB_GROUP unsigned int pack(unsigned int mask)
  {
    return (mask & lanes()) >> base();
  }

public:
  SIMTLAB_GROUP thread_block_tile() : thread_group(details::LANES, lanes())
  {
  }
  template <class Other>
  SIMTLAB_GROUP thread_block_tile(const thread_block_tile<Size, Other> &) : thread_group(details::LANES, lanes())
  {
  }
  static SIMTLAB_GROUP unsigned int size()
  {
    return Size;
  }
  static SIMTLAB_GROUP unsigned int num_threads()
  {
    return Size;
  }
  static SIMTLAB_GROUP unsigned int thread_rank()
  {
    return details::lane() & (Size - 1);
  }
  static SIMTLAB_GROUP unsigned int meta_group_rank()
  {
    return details::thread_in_block() / Size;
  }
  static SIMTLAB_GROUP unsigned int meta_group_size()
  {
    return (details::threads_of_block() + Size - 1) / Size;
  }
  static SIMTLAB_GROUP void sync()
  {
    __syncwarp(lanes());
  }
  template <class T> SIMTLAB_GROUP T shfl(T value, int rank) const
  {
    return details::from_lane(lanes(), value, (int)(base() + ((unsigned int)rank & (Size - 1))));
  }
  template <class T> SIMTLAB_GROUP T shfl_up(T value, unsigned int delta) const
  {
    const unsigned int rank = thread_rank();
    return details::from_lane(lanes(), value, (int)(base() + (rank < delta ? rank : rank - delta)));
  }
  template <class T> SIMTLAB_GROUP T shfl_down(T value, unsigned int delta) const
  {
    const unsigned int rank = thread_rank();
    return details::from_lane(lanes(), value, (int)(base() + (rank + delta < Size ? rank + delta : rank)));
  }
  template <class T> SIMTLAB_GROUP T shfl_xor(T value, unsigned int mask) const
  {
    return details::from_lane(lanes(), value, (int)(details::lane() ^ (mask & (Size - 1))));
  }
  SIMTLAB_GROUP int any(int predicate) const
  {
    return __ballot_sync(lanes(), predicate) != 0;
  }
  SIMTLAB_GROUP int all(int predicate) const
  {
    return __ballot_sync(lanes(), predicate) == lanes();
  }
  SIMTLAB_GROUP unsigned int ballot(int predicate) const
  {
    return pack(__ballot_sync(lanes(), predicate));
  }
  template <class T> SIMTLAB_GROUP unsigned int match_any(T value) const
  {
    return pack(__match_any_sync(lanes(), value));
  }
  template <class T> SIMTLAB_GROUP unsigned int match_all(T value, int &all) const
  {
    return pack(__match_all_sync(lanes(), value, &all));
  }
};

SIMTLAB_GROUP thread_block this_thread_block()
{
  return thread_block();
}
SIMTLAB_GROUP grid_group this_grid()
{
  return grid_group();
}
SIMTLAB_GROUP coalesced_group coalesced_threads()
{
  return coalesced_group(__activemask());
}

template <unsigned int Size, class Parent> SIMTLAB_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
  return thread_block_tile<Size, Parent>();
}
/* A tile of a size known at run time: the lanes of the group's threads with the same rank / size */
SIMTLAB_GROUP coalesced_group tiled_partition(const thread_group &parent, unsigned int size)
{
  const unsigned int lane = details::lane(), base = lane & ~(size - 1);
  const unsigned int lanes = (unsigned int)((1ull << size) - 1) << base;
  return coalesced_group(parent.simtlab_mask() != 0 ? parent.simtlab_mask() & lanes : lanes);
}
template <class Group> SIMTLAB_GROUP coalesced_group binary_partition(const Group &group, bool predicate)
{
  const unsigned int mask = group.simtlab_mask(), lanes = __ballot_sync(mask, predicate);
  return coalesced_group(predicate ? lanes : mask & ~lanes);
}
template <class Group, class Label> SIMTLAB_GROUP coalesced_group labeled_partition(const Group &group, Label label)
{
  return coalesced_group(__match_any_sync(group.simtlab_mask(), label));
}

template <class Group> SIMTLAB_GROUP void sync(const Group &group)
{
  group.sync();
}
template <class Group> SIMTLAB_GROUP auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
  return group.thread_rank();
}
template <class Group> SIMTLAB_GROUP auto group_size(const Group &group) -> decltype(group.size())
{
  return group.size();
}

/* Collective operations on a group of lanes: cooperative_groups/reduce.h and scan.h */
#define SIMTLAB_OPERATION(name, expression)                                                                            \
  template <class T> struct name {                                                                                     \
    SIMTLAB_GROUP T operator()(const T &a, const T &b) const                                                           \
    {                                                                                                                  \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
SIMTLAB_OPERATION(plus, a + b)
SIMTLAB_OPERATION(less, b < a ? b : a)
SIMTLAB_OPERATION(greater, a < b ? b : a)
SIMTLAB_OPERATION(bit_and, a &b)
SIMTLAB_OPERATION(bit_or, a | b)
SIMTLAB_OPERATION(bit_xor, a ^ b)
#undef SIMTLAB_OPERATION

template <class Group, class T, class Operation>
SIMTLAB_GROUP T reduce(const Group &group, T value, Operation operation)
{
  T sum = group.shfl(value, 0);
  for (unsigned int i = 1; i < group.size(); i++)
    sum = operation(sum, group.shfl(value, i));
  return sum;
}
template <unsigned int Size, class Parent, class T, class Operation>
SIMTLAB_GROUP T reduce(const thread_block_tile<Size, Parent> &tile, T value, Operation operation)
{
  for (unsigned int step = Size / 2; step > 0; step /= 2)
    value = operation(value, tile.shfl_xor(value, step));
  return value;
}
template <class Group, class T, class Operation>
SIMTLAB_GROUP T inclusive_scan(const Group &group, T value, Operation operation)
{
  for (unsigned int step = 1; step < group.size(); step *= 2) {
    const T below = group.shfl_up(value, step);
    if (group.thread_rank() >= step)
      value = operation(below, value);
  }
  return value;
}
template <class Group, class T> SIMTLAB_GROUP T inclusive_scan(const Group &group, T value)
{
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Operation>
SIMTLAB_GROUP T exclusive_scan(const Group &group, T value, Operation operation)
{
  const T below = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T> SIMTLAB_GROUP T exclusive_scan(const Group &group, T value)
{
  return exclusive_scan(group, value, plus<T>());
}

/* Copies by all threads of the group at once, without asynchrony: cooperative_groups/memcpy_async.h */
template <class Group, class T, class Size>
SIMTLAB_GROUP void memcpy_async(const Group &group, T *to, const T *from, Size bytes)
{
  for (unsigned long long i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
    to[i] = from[i];
}
template <class Group> SIMTLAB_GROUP void wait(const Group &group)
{
  group.sync();
}
template <unsigned int Stages, class Group> SIMTLAB_GROUP void wait_prior(const Group &group)
{
  group.sync();
}

#undef SIMTLAB_GROUP
} // namespace cooperative_groups
#endif

#endif
