// CUDA-like kernels for SIMT multiprocessors: kernel definition and launch.
//
//   SIMT_KERNEL(scale, (int, n), (int, factor), (int *, a))
//   {
//     for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
//       a[i] *= factor;
//   }
//
//   int status = simt_launch(scale, dim3(8), dim3(256), .n = n, .factor = 3, .a = a);
//
// The first part is for host code, the second for kernels. The third implements SIMT_KERNEL.
//
// The header also works in C++. There, a launch names its arguments in the order of the kernel's declaration.

#if !defined SIMT_H && !defined SIMT_PTX_H // for PTX the compiler includes simt_ptx.h first, which has all definitions
#define SIMT_H

#include <stddef.h>
#include <stdint.h>

#define SIMT_INLINE static inline __attribute__((always_inline, unused))
#define SIMT_UNUSED __attribute__((unused))

#ifdef __cplusplus
#define SIMT_NORETURN [[noreturn]]
#define SIMT_STATIC_ASSERT static_assert
extern "C" {
#else
#define SIMT_NORETURN _Noreturn
#define SIMT_STATIC_ASSERT _Static_assert
#endif

// With SIMT_AUTO_MARKS (`simtlab cc --marks=auto`) the compiler inserts the reconvergence annotations, and those of the
// source become plain statements. simt_same tells the compiler that a word is warp-uniform although its computation
// uses the lane number.
#ifdef SIMT_AUTO_MARKS
SIMT_INLINE unsigned simt_same(unsigned word)
{
  __asm__("# the same for all lanes" : "+r"(word));
  return word;
}
#else
#define simt_same(word) (word)
#endif

// ------------------------------------------------------------------------------------------------
// Host

// Sizes and indices in up to three dimensions: dim3(w), dim3(w, h), dim3(w, h, d). A size of 0 means 1.
#ifdef __cplusplus
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1) : x(width), y(height), z(depth)
  {
  }
};
#else
typedef struct {
  unsigned x, y, z;
} dim3;
#define dim3(...) SIMT_DIM3(__VA_ARGS__, 1, 1, 1)
#define SIMT_DIM3(x, y, z, ...) ((dim3){x, y, z})
#endif

// Result of a launch. The runtime prints a message for every result other than SIMT_OK.
enum simt_status {
  SIMT_OK,
  SIMT_FAILED,    // a thread called simt_fail, its shared memory did not fit, or the block is too large for a barrier
  SIMT_EXCEPTION, // a thread executed an instruction or an access that the machine does not have
  SIMT_INVALID,   // not started: the machine cannot run such a launch
};

struct simt_shape {
  unsigned lanes;        // threads per warp
  unsigned warps;        // warps per multiprocessor
  unsigned shared_bytes; // size of the scratchpad
};

// Numbers of the multiprocessor's counters. They hold the values of the last launch.
enum simt_counter_id {
  SIMT_CYCLES = 0,
  SIMT_INSTRUCTIONS = 1, // counted per thread
  SIMT_MAX_VECTOR_REGISTERS = 2,
  SIMT_SCALARISED = 4,
  SIMT_RETRIES = 5,
  SIMT_SUSPENSIONS = 6,
  SIMT_SCALAR_SUSPENSIONS = 7,
  SIMT_SCALAR_ABORTS = 8,
  SIMT_DRAM_ACCESSES = 9,
  SIMT_TOTAL_VECTOR_REGISTERS = 10,
  SIMT_STACK_CACHE_HITS = 12,
  SIMT_STACK_CACHE_MISSES = 13,
};

struct simt_kernel {
  void (*entry)(void);
  const char *name;
#ifdef SIMT_GRID
  unsigned bytes; // size of geometry and arguments
#endif
};

struct simt_geometry;

struct simt_shape simt_shape(void);
unsigned simt_cores(void); // multiprocessors of that shape: 1 except on Vortex
unsigned simt_counter(enum simt_counter_id id);

// Allocates zeroed memory that host and kernels share. It is aligned to 256 bytes, so that consecutive threads access
// consecutive elements lane-aligned. It is never freed. If no memory is left, the program prints a message and ends.
void *simt_alloc(size_t bytes);

// Runs a kernel to completion. The kernel's arguments follow by name; omitted arguments are 0.
#define simt_launch(kernel, grid, block, ...) simt_launch_shared(kernel, grid, block, 0, __VA_ARGS__)

// Launches blocks that need `shared` bytes of shared memory each. Shared memory limits the number of resident blocks.
// With 0, the resident blocks divide the whole scratchpad evenly.
#ifdef __cplusplus
#define simt_launch_shared(kernel, grid, block, shared, ...)                                                           \
  simt_run_object(kernel, grid, block, shared, kernel##_object{{}, {__VA_ARGS__}})
#else
#define simt_launch_shared(kernel, grid, block, shared, ...)                                                           \
  simt_run(&(kernel), (grid), (block), (shared), &(struct kernel##_object){.args = {__VA_ARGS__}}.geometry)
#endif

int simt_run(const struct simt_kernel *kernel, dim3 grid, dim3 block, size_t shared, struct simt_geometry *geometry);
int simt_run_silent(const struct simt_kernel *kernel, dim3 grid, dim3 block, size_t shared,
                    struct simt_geometry *geometry);

// ------------------------------------------------------------------------------------------------
// Kernels
//
// SIMT_KERNEL(name, (type, argument)...) { body } defines a kernel. The body can use its arguments and
// threadIdx, blockIdx, blockDim, gridDim.

// Uses a swap instead of a plain read: a read consumes the console's byte and the multiprocessor's answer.
#define SIMT_CSR_READ(csr)                                                                                             \
  __extension__({                                                                                                      \
    unsigned simt_value_;                                                                                              \
    __asm__ volatile("csrrw %0, " #csr ", zero" : "=r"(simt_value_) : : "memory");                                     \
    simt_value_;                                                                                                       \
  })
#define SIMT_CSR_WRITE(csr, value) __asm__ volatile("csrw " #csr ", %0" : : "rJ"(value) : "memory")

#ifdef SIMT_VORTEX
#include "simt_vortex.h"
#elif defined SIMT_GRID
#include "simt_grid.h"
#else
#include "simt_marks.h"
#endif

#include "simt_lanes.h"

// In a loop that waits for another lane: lets lanes run first that wait elsewhere. Only Vortex has an instruction for
// it, and --marks=auto inserts it.
#ifndef simt_yield
#define simt_yield() ((void)0)
#endif

// SIMT_DIVERGE statement: push; statement; pop. On machines without annotations, or if the compiler inserts them, it is
// the statement alone. `return` and `goto` may leave the statement. In C++17, `break` and `continue` of the enclosing
// loop may leave it, too. In C they would leave only the annotation: the compiler rejects `break`, and the program must
// not use `continue`.
//
// SIMT_LEVEL statement: push; statement; pop on every machine, as a loop with one iteration. No jump may leave it.
#define SIMT_LEVEL for (int simt_once_ = (simt_push(), 1); simt_once_; simt_once_ = 0, simt_pop())
#if defined SIMT_VORTEX || defined SIMT_GRID || defined SIMT_NO_MARKS || defined SIMT_AUTO_MARKS
#define SIMT_DIVERGE
#elif defined __cplusplus && __cplusplus >= 201703L
struct simt_level {
  __attribute__((always_inline)) simt_level()
  {
    simt_push();
  }
  __attribute__((always_inline)) ~simt_level()
  {
    simt_pop();
  }
};
#define SIMT_DIVERGE                                                                                                   \
  if (const simt_level simt_level_; false) {                                                                           \
  } else
#else
#define SIMT_POPS __attribute__((cleanup(simt_leave), unused))
SIMT_INLINE void simt_leave(const int *level SIMT_UNUSED)
{
  simt_pop();
}
void simt_lost_break(void) __attribute__((error("`break` inside SIMT_DIVERGE would leave only the annotation. Remove "
                                                "SIMT_DIVERGE here, or put it before the loop as well")));
SIMT_INLINE void simt_check_end(int inside SIMT_UNUSED)
{
#ifdef __OPTIMIZE__
  if (inside)
    simt_lost_break();
#endif
}
#define SIMT_DIVERGE                                                                                                   \
  for (int simt_once_ SIMT_POPS = (simt_push(), 1), simt_inside_ = 1; simt_once_;                                      \
       simt_once_ = 0, simt_check_end(simt_inside_))                                                                   \
    for (; simt_inside_; simt_inside_ = 0)
#endif

// Divergent statements with the same source on every machine. On machines with a program counter per thread they are
// plain statements. On Vortex, a branch must be uniform over the active lanes of a warp. There, the statements split
// and join the warp or deactivate lanes (docs/how-to/kernels.md).
//
//   SIMT_IF (c) { ... } SIMT_ELSE { ... } SIMT_ENDIF
//   SIMT_WHILE (c) { ... }
//   SIMT_FOR (int i = 0, i < n, i++) { ... }
//   SIMT_DO { ... } SIMT_DO_WHILE(c);
#if !defined SIMT_VORTEX || defined SIMT_AUTO_MARKS
#ifdef SIMT_POPS
#define SIMT_IF(condition)                                                                                             \
  {                                                                                                                    \
    const int simt_level_ SIMT_POPS = (simt_push(), 0);                                                                \
    if (condition)
#define SIMT_ENDIF }
#define SIMT_TURN SIMT_DIVERGE
#else
#define SIMT_IF(condition)                                                                                             \
  SIMT_DIVERGE                                                                                                         \
  if (condition)
#define SIMT_ENDIF
#define SIMT_TURN SIMT_LEVEL
#endif
#define SIMT_ELSE else
#define SIMT_WHILE(condition)                                                                                          \
  SIMT_TURN                                                                                                            \
  while (condition)
#define SIMT_FOR(start, condition, step)                                                                               \
  SIMT_TURN                                                                                                            \
  for (start; condition; step)
#define SIMT_DO                                                                                                        \
  SIMT_TURN                                                                                                            \
  do
#define SIMT_DO_WHILE(condition) while (condition)
#endif

// condition ? a : b for words, without a branch.
#define simt_select(condition, a, b)                                                                                   \
  __extension__({                                                                                                      \
    const __typeof__(a) simt_a_ = (a), simt_b_ = (b);                                                                  \
    unsigned simt_mask_ = -(unsigned)!!(condition);                                                                    \
    __asm__("" : "+r"(simt_mask_));                                                                                    \
    (__typeof__(a))((unsigned)simt_b_ ^ (((unsigned)simt_a_ ^ (unsigned)simt_b_) & simt_mask_));                       \
  })

// SIMT_SHARED(type, name, count) declares `name`, a pointer to `count` elements of the block's shared memory. The type
// may be an array: SIMT_SHARED(int[33], tile, 32) is used as tile[y][x].
#define SIMT_SHARED(type, name, count)                                                                                 \
  __typeof__(type) *const name =                                                                                       \
      (__typeof__(type) *)simt_shared_take(&simt_shared_next_, simt_shared_end_, sizeof(type) * (count))

// CUDA keywords that this header replaces.
#define __shared__ _Pragma("GCC error \"write SIMT_SHARED(int, s, 256) instead of __shared__ int s[256]\"")
#define __global__                                                                                                     \
  _Pragma("GCC error \"write SIMT_KERNEL(k, (int, n), (int *, a)) instead of __global__ void k(int n, int *a)\"")

// Atomic operations on words of shared memory. On SIMTight and Simty, memory outside the scratchpad has atomics only
// with global_atomics=true.
// Each operation returns the old value. If the old value of add, and, or, xor is unused, the instruction writes no
// result and the thread does not wait. simt_red_min and simt_red_max do the same for minimum and maximum.
#define SIMT_FETCH(operation, p, v)                                                                                    \
  __extension__({                                                                                                      \
    SIMT_STATIC_ASSERT(sizeof *(p) == 4, "atomic operations are on words");                                            \
    __atomic_fetch_##operation(p, v, __ATOMIC_RELAXED);                                                                \
  })
#define atomicAdd(p, v) SIMT_FETCH(add, p, v)
#define atomicSub(p, v) SIMT_FETCH(sub, p, v)
#define atomicAnd(p, v) SIMT_FETCH(and, p, v)
#define atomicOr(p, v) SIMT_FETCH(or, p, v)
#define atomicXor(p, v) SIMT_FETCH(xor, p, v)
#define atomicExch(p, v) SIMT_AMO("amoswap.w", "amoswap.w", p, v)
#define atomicMin(p, v) SIMT_AMO("amomin.w", "amominu.w", p, v)
#define atomicMax(p, v) SIMT_AMO("amomax.w", "amomaxu.w", p, v)
#define simt_red_min(p, v) SIMT_RED("amomin.w", "amominu.w", p, v)
#define simt_red_max(p, v) SIMT_RED("amomax.w", "amomaxu.w", p, v)

// ------------------------------------------------------------------------------------------------
// Implementation

#ifndef __cplusplus
#define SIMT_SIGNED(x) _Generic((x), int : 1, long : 1, default : 0)
#endif

#define SIMT_AMO(signed_op, unsigned_op, p, v)                                                                         \
  __extension__({                                                                                                      \
    SIMT_STATIC_ASSERT(sizeof *(p) == 4, "atomic operations are on words");                                            \
    __typeof__(*(p)) *const simt_p_ = (p), simt_v_ = (v);                                                              \
    __typeof__(*(p)) simt_old_;                                                                                        \
    if (SIMT_SIGNED(*simt_p_))                                                                                         \
      __asm__ volatile(signed_op " %0, %2, %1" : "=r"(simt_old_), "+A"(*simt_p_) : "r"(simt_v_));                      \
    else                                                                                                               \
      __asm__ volatile(unsigned_op " %0, %2, %1" : "=r"(simt_old_), "+A"(*simt_p_) : "r"(simt_v_));                    \
    simt_old_;                                                                                                         \
  })

#define SIMT_RED(signed_op, unsigned_op, p, v)                                                                         \
  __extension__({                                                                                                      \
    SIMT_STATIC_ASSERT(sizeof *(p) == 4, "atomic operations are on words");                                            \
    __typeof__(*(p)) *const simt_p_ = (p), simt_v_ = (v);                                                              \
    if (SIMT_SIGNED(*simt_p_))                                                                                         \
      __asm__ volatile(signed_op " zero, %1, %0" : "+A"(*simt_p_) : "r"(simt_v_));                                     \
    else                                                                                                               \
      __asm__ volatile(unsigned_op " zero, %1, %0" : "+A"(*simt_p_) : "r"(simt_v_));                                   \
  })

// Geometry of a launch, from which a thread computes its indices. The host fills it; the arguments follow in memory.
#ifndef SIMT_GRID
struct simt_geometry {
  dim3 grid, block;
  unsigned slots;                      // resident blocks
  unsigned slot_shift;                 // hart id -> slot
  unsigned y_shift;                    // hart id -> threadIdx.y
  unsigned z_shift;                    // hart id -> threadIdx.z
  dim3 step;                           // `slots` as a distance in the grid
  unsigned row_end;                    // grid.x, or 0 if every step leaves its row of blocks
  unsigned x_reciprocal, y_reciprocal; // 2^16 / grid.x and 2^16 / grid.y, rounded up
  unsigned shared_bytes;               // per slot
  unsigned shared_needed;              // set by a kernel whose shared memory does not fit
#ifdef SIMT_VORTEX
  unsigned core_slots;  // slots per core
  unsigned block_warps; // warps per block; 0 for a block that is larger than the core
#endif
};
#define SIMT_SIZES(object) (object)->geometry
#endif

struct simt_thread {
  dim3 thread, block;
  char *shared, *shared_end;
};

#ifdef SIMT_GRID
#define SIMT_BEGIN(g, t) simt_begin(g, t)
#elif !defined SIMT_VORTEX

// Computes the thread's index in its block, its slot, and the slot's first block. There are at most 4096 slots, and no
// remaining row or column is longer. In this range, multiplication by the rounded reciprocal divides exactly. Warps
// beyond the last slot end.
SIMT_INLINE void simt_begin(const struct simt_geometry *g, struct simt_thread *t)
{
  const unsigned hart = SIMT_CSR_READ(0xF14);
  const unsigned slot = simt_same(hart >> g->slot_shift);
  if (slot >= g->slots)
    simt_exit();

  t->thread.x = hart & (g->block.x - 1);
  t->thread.y = (hart >> g->y_shift) & (g->block.y - 1);
  t->thread.z = (hart >> g->z_shift) & (g->block.z - 1);

  const unsigned row = slot * g->x_reciprocal >> 16;
  t->block.x = slot - row * g->grid.x;
  t->block.z = row * g->y_reciprocal >> 16;
  t->block.y = row - t->block.z * g->grid.y;

  t->shared = (char *)(SIMT_SCRATCHPAD + slot * g->shared_bytes);
  t->shared_end = t->shared + g->shared_bytes;
}
#define SIMT_BEGIN(g, t) simt_begin(g, t)

#else

// Each core has its own slots, numbered after those of the preceding cores. If a block runs in rounds, `first` is the
// first thread of the current round; otherwise `first` is undefined. Returns 0 for a warp without a slot or without a
// thread in the round.
SIMT_INLINE int simt_begin(const struct simt_geometry *g, struct simt_thread *t, unsigned first)
{
  const unsigned hart = (g->block_warps == 0 ? first : 0) + vx_warp_id() * vx_num_threads() + vx_thread_id();
  const unsigned local_slot = simt_same(hart >> g->slot_shift);
  const unsigned slot = vx_core_id() * g->core_slots + local_slot;
  if (local_slot >= g->core_slots || slot >= g->slots)
    return 0;

  t->thread.x = hart & (g->block.x - 1);
  t->thread.y = (hart >> g->y_shift) & (g->block.y - 1);
  t->thread.z = (hart >> g->z_shift) & (g->block.z - 1);

  const unsigned row = slot / g->grid.x;
  t->block.x = slot - row * g->grid.x;
  t->block.z = row / g->grid.y;
  t->block.y = row - t->block.z * g->grid.y;

  t->shared = (char *)(SIMT_SCRATCHPAD + local_slot * g->shared_bytes);
  t->shared_end = t->shared + g->shared_bytes;
  return 1;
}
#define SIMT_BEGIN(g, t)                                                                                               \
  if (!simt_begin(g, t, simt_first_))                                                                                  \
  return

#endif

// Whether the thread has another block.
#ifdef SIMT_GRID
#define SIMT_NEXT(t, g, object) 0
#else
#define SIMT_NEXT(t, g, object) simt_next_block(&(t).block, (g).step.x, (g).row_end, &(object)->geometry)

// Advances to the slot's next block; returns 0 if there is none. Values that a step within a row of blocks does not
// need are read from the geometry, to save registers during the kernel's body.
SIMT_INLINE int simt_next_block(dim3 *block, unsigned step, unsigned row_end, const struct simt_geometry *g)
{
  block->x += step;
  if (block->x < row_end)
    return 1;
  if (block->x >= g->grid.x) {
    block->x -= g->grid.x;
    block->y++;
  }
  block->y += g->step.y;
  if (block->y >= g->grid.y) {
    block->y -= g->grid.y;
    block->z++;
  }
  block->z += g->step.z;
  return block->z < g->grid.z;
}
#endif

SIMT_INLINE void *simt_shared_take(char **next, char *end, size_t bytes)
{
  char *const p = *next;
  const size_t rounded = (bytes + 7) & ~(size_t)7;
  *next = p + rounded;
  if (__builtin_expect(rounded > (size_t)(end - p), 0)) {
    struct simt_geometry *const g = (struct simt_geometry *)simt_closure();
    g->shared_needed = g->shared_bytes + (rounded - (size_t)(end - p));
    __asm__ volatile("fence" : : : "memory");
    simt_fail();
  }
  return p;
}

// SIMT_EACH(m, (a, b), (c, d)...) is m(a, b) m(c, d)... Every preprocessor scan expands one more pair.
#define SIMT_EACH(m, ...) __VA_OPT__(SIMT_SCAN3(SIMT_EACH_STEP(m, __VA_ARGS__)))
#define SIMT_EACH_STEP(m, pair, ...) m pair __VA_OPT__(SIMT_EACH_AGAIN SIMT_PARENTHESES(m, __VA_ARGS__))
#define SIMT_EACH_AGAIN() SIMT_EACH_STEP
#define SIMT_PARENTHESES ()
#define SIMT_SCAN3(...) SIMT_SCAN2(SIMT_SCAN2(SIMT_SCAN2(SIMT_SCAN2(__VA_ARGS__))))
#define SIMT_SCAN2(...) SIMT_SCAN1(SIMT_SCAN1(SIMT_SCAN1(SIMT_SCAN1(__VA_ARGS__))))
#define SIMT_SCAN1(...) SIMT_SCAN0(SIMT_SCAN0(__VA_ARGS__))
#define SIMT_SCAN0(...) __VA_ARGS__

#define SIMT_FIELD(type, name) type name;
#define SIMT_PARAMETER(type, name) , type name
#define SIMT_ARGUMENT(type, name) , simt_args_.name

// What the image says of a kernel to those who launch it without a host program: its address, name and parameters. Not
// loaded, but retained, and with it kernels that the host program does not launch.
#define SIMT_TELL(name, parameters)                                                                                    \
  __asm__(".pushsection .simt.kernels,\"R\",@progbits\n\t.4byte " name "\n\t.asciz \"" name "\", \"" parameters        \
          "\"\n\t.popsection");
// In a kernel, `printf` is a parameter of that name. Functions that kernels call use simt_printf.
#ifdef SIMT_VORTEX
#define SIMT_PRINTF_PARAMETER
#define SIMT_PRINTF_ARGUMENT
#define simt_printf printf
#else
int simt_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define SIMT_PRINTF_PARAMETER                                                                                          \
  , int (*const printf)(const char *format, ...) __attribute__((format(printf, 1, 2), unused))
#define SIMT_PRINTF_ARGUMENT , simt_printf
#endif

#define SIMT_BODY(kernel, ...)                                                                                         \
  SIMT_INLINE void kernel##_body(                                                                                      \
      const dim3 threadIdx SIMT_UNUSED, const dim3 blockIdx SIMT_UNUSED, const dim3 blockDim SIMT_UNUSED,              \
      const dim3 gridDim SIMT_UNUSED, char *simt_shared_next_ SIMT_UNUSED,                                             \
      char *const simt_shared_end_ SIMT_UNUSED SIMT_PRINTF_PARAMETER SIMT_EACH(SIMT_PARAMETER, __VA_ARGS__))

// The thread's function reads the geometry and the arguments once; the values that the body uses then stay in
// registers. SIMT_NAME may name the function. SIMT_ENTRY defines the kernel object from it.
#define SIMT_KERNEL(kernel, ...)                                                                                       \
  struct kernel##_args {                                                                                               \
    SIMT_EACH(SIMT_FIELD, __VA_ARGS__)                                                                                 \
  };                                                                                                                   \
  struct kernel##_object {                                                                                             \
    struct simt_geometry geometry;                                                                                     \
    struct kernel##_args args;                                                                                         \
  };                                                                                                                   \
  SIMT_BODY(kernel, __VA_ARGS__);                                                                                      \
  SIMT_TELL(#kernel, #__VA_ARGS__)                                                                                     \
  SIMT_NAME(kernel)                                                                                                    \
  static SIMT_THREAD void kernel##_thread(const struct kernel##_object *object SIMT_ROUND)                             \
  {                                                                                                                    \
    struct simt_thread t;                                                                                              \
    SIMT_BEGIN(&object->geometry, &t);                                                                                 \
    const struct simt_geometry g = SIMT_SIZES(object);                                                                 \
    const struct kernel##_args simt_args_ SIMT_UNUSED = object->args;                                                  \
    do {                                                                                                               \
      simt_converge();                                                                                                 \
      kernel##_body(t.thread, t.block, g.block, g.grid, t.shared,                                                      \
                    t.shared_end SIMT_PRINTF_ARGUMENT SIMT_EACH(SIMT_ARGUMENT, __VA_ARGS__));                          \
      simt_block_ends();                                                                                               \
    } while (SIMT_NEXT(t, g, object));                                                                                 \
    simt_exit();                                                                                                       \
  }                                                                                                                    \
  SIMT_ENTRY(kernel)                                                                                                   \
  SIMT_BODY(kernel, __VA_ARGS__)

#ifdef __cplusplus
} // extern "C"

#define SIMT_SIGNED(x) simt_is_signed(x)
SIMT_INLINE constexpr bool simt_is_signed(int)
{
  return true;
}
SIMT_INLINE constexpr bool simt_is_signed(long)
{
  return true;
}
template <class T> SIMT_INLINE constexpr bool simt_is_signed(T)
{
  return false;
}

template <class Object>
inline int simt_run_object(const simt_kernel &kernel, dim3 grid, dim3 block, size_t shared, Object object)
{
  return simt_run(&kernel, grid, block, shared, &object.geometry);
}

// simt_alloc<T>(n): memory for n elements.
template <class T> inline T *simt_alloc(size_t count)
{
  return static_cast<T *>(simt_alloc(count * sizeof(T)));
}
#endif

#endif
