// Kernels on a machine whose hardware distributes a grid's blocks over its multiprocessors: thread index, barrier, exit
// and entry. There are no annotations, because the hardware finds the reconvergence points. Included by simt.h.

#ifndef SIMT_GRID_H
#define SIMT_GRID_H

SIMT_INLINE void simt_push(void)
{
}
SIMT_INLINE void simt_pop(void)
{
}
SIMT_INLINE void simt_converge(void)
{
}

// Waits until all threads of the block that have not exited arrive.
SIMT_INLINE void simt_barrier(void)
{
  __asm__ volatile("csrw 0x830, zero" : : : "memory");
}
#define __syncthreads simt_barrier

// Ends the thread; the launch returns SIMT_FAILED.
SIMT_NORETURN SIMT_INLINE void simt_fail(void)
{
  __asm__ volatile("csrwi 0x830, 1" : : : "memory");
  __builtin_unreachable();
}

// ------------------------------------------------------------------------------------------------
// Implementation

#define simt_cores() SIMT_CSR_READ(0x82E)

// Every block sees its own shared memory at this address.
#ifndef SIMT_SCRATCHPAD
#define SIMT_SCRATCHPAD 0xE0000000u
#endif

// Launch record that the hardware reads. The arguments follow in memory.
struct simt_geometry {
  dim3 grid, block;
  unsigned bytes;         // of the whole record, with the arguments
  unsigned shared_bytes;  // per block
  unsigned shared_needed; // set by a kernel whose shared memory does not fit
};

SIMT_INLINE const struct simt_geometry *simt_closure(void)
{
  return (const struct simt_geometry *)SIMT_CSR_READ(0x831);
}

// A register that is constant for the thread's lifetime: the compiler may remove or move the read.
#define SIMT_PLACE(csr)                                                                                                \
  __extension__({                                                                                                      \
    unsigned simt_value_;                                                                                              \
    __asm__("csrr %0, " #csr : "=r"(simt_value_));                                                                     \
    simt_value_;                                                                                                       \
  })

#define simt_begin(g, t)                                                                                               \
  do {                                                                                                                 \
    (t)->thread.x = SIMT_PLACE(0xCC0);                                                                                 \
    (t)->thread.y = SIMT_PLACE(0xCC1);                                                                                 \
    (t)->thread.z = SIMT_PLACE(0xCC2);                                                                                 \
    (t)->block.x = SIMT_PLACE(0xCC3);                                                                                  \
    (t)->block.y = SIMT_PLACE(0xCC4);                                                                                  \
    (t)->block.z = SIMT_PLACE(0xCC5);                                                                                  \
    (t)->shared = (char *)SIMT_SCRATCHPAD;                                                                             \
    (t)->shared_end = (t)->shared + (g)->shared_bytes;                                                                 \
  } while (0)

SIMT_INLINE struct simt_geometry simt_sizes(void)
{
  struct simt_geometry g = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0};
  g.block.x = SIMT_PLACE(0xCC6);
  g.block.y = SIMT_PLACE(0xCC7);
  g.block.z = SIMT_PLACE(0xCC8);
  g.grid.x = SIMT_PLACE(0xCC9);
  g.grid.y = SIMT_PLACE(0xCCA);
  g.grid.z = SIMT_PLACE(0xCCB);
  return g;
}
#define SIMT_SIZES(object) simt_sizes()

// A thread runs one block and ends by returning.
#define simt_block_ends()
#define simt_exit() return
#define SIMT_ROUND
#define SIMT_NAME(kernel) static void kernel##_thread(const struct kernel##_object *object SIMT_ROUND) __asm__(#kernel);
#define SIMT_THREAD __attribute__((noinline, used))
#define SIMT_ENTRY(kernel)                                                                                             \
  static const struct simt_kernel kernel __asm__(#kernel ".kernel")                                                    \
      SIMT_UNUSED = {(void (*)(void))kernel##_thread, #kernel, sizeof(struct kernel##_object)};

#endif
