// Kernels as SIMTight's published suite has them, for the benchmarks whose figures are compared with that suite's:
// its way from a thread's number to its block, its block loop of two nested levels, and its test data.
//
//   SUITE_KERNEL(name, (type, argument)...) { body }
//   suite_launch(name, grid, block, bytes of shared memory per block, .argument = value...)
//
// They are as SIMT_KERNEL and simt_launch_shared, for one or two dimensions. The loop has less to keep in registers
// than one for any grid, and nothing checks in the kernel whether shared memory suffices. With a grid whose sides are
// no powers of two some threads may have nothing to do. On Vortex and SM7, where blocks are dealt to cores, they are
// the same.

#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "bench.h"

// Maximum threads of a block. Vortex's is limited by 16 KiB of shared memory, SM7 has its own.
#ifdef SIMT_VORTEX
enum { SUITE_THREADS = 512 };
#elif defined SIMT_GRID
enum { SUITE_THREADS = 1024 };
#else
enum { SUITE_THREADS = 2048 };
#endif

// The suite's generator, of 15 bits. It begins at 1.
struct suite_random {
  unsigned state;
};

static inline int suite_next(struct suite_random *random)
{
  random->state = (random->state * 1664525u + 1013904223u) & 0x7FFFFFFF;
  return (int)(random->state >> 16);
}

// ------------------------------------------------------------------------------------------------
// Implementation

#if defined SIMT_VORTEX || defined SIMT_GRID

#define SUITE_KERNEL SIMT_KERNEL
#define SUITE_SHARED SIMT_SHARED
#define suite_launch simt_launch_shared

#else

#define SUITE_SHARED(type, name, count)                                                                                \
  __typeof__(type) *const name = (__typeof__(type) *)simt_shared_next_;                                                \
  simt_shared_next_ += sizeof(type) * (count)

// From a hart id to the thread's place in its block and to its first block, and from there on.
struct suite_mapping {
  int thread_x_mask, thread_y_mask, thread_y_shift;
  int slot_shift, slots;
  int block_x_mask, block_y_shift;
  int step_x, step_y;
  int shared_bytes;
};

struct suite_closure {
  struct simt_geometry geometry;
  struct suite_mapping mapping;
};

static inline unsigned suite_power_within(unsigned n)
{
  return n == 0 ? 1 : 1u << (31 - __builtin_clz(n));
}

static inline int suite_run(const struct simt_kernel *kernel, dim3 grid, dim3 block, size_t shared,
                            struct suite_closure *closure)
{
  enum { ALIGNMENT = 128 };
  const struct simt_shape shape = simt_shape();
  const unsigned threads = block.x * block.y;
  unsigned slots = bench_threads() / threads;
  while (slots > 1 && (shape.shared_bytes / slots & -ALIGNMENT) < shared)
    slots /= 2;
  const unsigned step_x = slots < grid.x ? slots : suite_power_within(grid.x);
  closure->mapping = (struct suite_mapping){
      .thread_x_mask = block.x - 1,
      .thread_y_mask = block.y - 1,
      .thread_y_shift = __builtin_ctz(block.x),
      .slot_shift = __builtin_ctz(threads),
      .slots = slots,
      .block_x_mask = step_x - 1,
      .block_y_shift = __builtin_ctz(threads * step_x),
      .step_x = step_x,
      .step_y = slots / step_x,
      .shared_bytes = shape.shared_bytes / slots & -ALIGNMENT,
  };
  return simt_run(kernel, grid, block, shared, &closure->geometry);
}

#define suite_launch(kernel, grid, block, shared, ...)                                                                 \
  suite_run(&(kernel), (grid), (block), (shared), &(struct kernel##_object){.args = {__VA_ARGS__}}.closure)

// Not moved or repeated by the compiler, as the read is a swap.
SIMT_INLINE int suite_hart(void)
{
  int hart;
  __asm__ volatile("csrrw %0, 0xF14, zero" : "=r"(hart));
  return hart;
}

#define SUITE_KERNEL(kernel, ...)                                                                                      \
  struct kernel##_args {                                                                                               \
    SIMT_EACH(SIMT_FIELD, __VA_ARGS__)                                                                                 \
  };                                                                                                                   \
  struct kernel##_object {                                                                                             \
    struct suite_closure closure;                                                                                      \
    struct kernel##_args args;                                                                                         \
  };                                                                                                                   \
  SIMT_BODY(kernel, __VA_ARGS__);                                                                                      \
  SIMT_NAME(kernel)                                                                                                    \
  static SIMT_THREAD void kernel##_thread(const struct kernel##_object *object SIMT_ROUND)                             \
  {                                                                                                                    \
    const dim3 grid_ = object->closure.geometry.grid, block_ = object->closure.geometry.block;                         \
    const struct suite_mapping map_ = object->closure.mapping;                                                         \
    const struct kernel##_args simt_args_ SIMT_UNUSED = object->args;                                                  \
    const dim3 thread_ = {suite_hart() & map_.thread_x_mask, suite_hart() >> map_.thread_y_shift & map_.thread_y_mask, \
                          0};                                                                                          \
    const int slot_ = simt_same(suite_hart() >> map_.slot_shift);                                                      \
    const int first_x_ = simt_same(suite_hart() >> map_.slot_shift) & map_.block_x_mask;                               \
    int y_ = simt_same(suite_hart() >> map_.block_y_shift);                                                            \
    char *const shared_ = (char *)SIMT_SCRATCHPAD + slot_ * map_.shared_bytes;                                         \
    if (slot_ >= map_.slots)                                                                                           \
      simt_exit();                                                                                                     \
    simt_converge();                                                                                                   \
    for (; y_ < (int)grid_.y; y_ += map_.step_y) {                                                                     \
      for (int x_ = first_x_; x_ < (int)grid_.x; x_ += map_.step_x) {                                                  \
        simt_converge();                                                                                               \
        kernel##_body(thread_, (dim3){x_, y_, 0}, block_, grid_, shared_,                                              \
                      shared_ SIMT_PRINTF_ARGUMENT SIMT_EACH(SIMT_ARGUMENT, __VA_ARGS__));                             \
        simt_block_ends();                                                                                             \
      }                                                                                                                \
      simt_converge();                                                                                                 \
    }                                                                                                                  \
    simt_exit();                                                                                                       \
  }                                                                                                                    \
  SIMT_ENTRY(kernel)                                                                                                   \
  SIMT_BODY(kernel, __VA_ARGS__)

#endif

#endif
