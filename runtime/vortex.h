// Intrinsics for Vortex machines: warp control (Tine et al., MICRO 2021, section 4), identification, and the extensions
// for hardware loops and streaming lanes (Sarda et al., "Decoupled Control Flow and Data Access in RISC-V GPGPUs").
//
// The lanes of a warp share a program counter. Options that `simtlab cc --target vortex` passes limit the compiler's
// transformations around these intrinsics. docs/how-to/kernels.md has the rules for kernels.

#ifndef VORTEX_H
#define VORTEX_H

#ifndef SIMT_INLINE
#define SIMT_INLINE static inline __attribute__((always_inline, unused))
#endif

// ------------------------------------------------------------------------------------------------
// Warp control

// Activates exactly the threads of the mask; 0 ends the warp.
SIMT_INLINE void vx_tmc(unsigned mask)
{
  __asm__ volatile(".insn r 0x0B, 0, 0, x0, %0, x0" : : "r"(mask) : "memory");
}

// Starts warps 1 to count - 1 at pc with thread 0, once this warp is the only one. With a count of 1, it only waits for
// this condition.
SIMT_INLINE void vx_wspawn(unsigned count, void (*pc)(void))
{
  __asm__ volatile(".insn r 0x0B, 1, 0, x0, %0, %1" : : "r"(count), "r"(pc) : "memory");
}

// Continues with the threads that have an odd predicate, or with those that have an even one. The others wait for
// vx_join and then run from here. vx_join takes the token. A branch on the same predicate must follow.
SIMT_INLINE unsigned vx_split(int predicate)
{
  unsigned token;
  __asm__ volatile(".insn r 0x0B, 2, 0, %0, %1, x0" : "=r"(token) : "r"(predicate) : "memory");
  return token;
}

SIMT_INLINE unsigned vx_split_n(int predicate)
{
  unsigned token;
  __asm__ volatile(".insn r 0x0B, 2, 0, %0, %1, x1" : "=r"(token) : "r"(predicate) : "memory");
  return token;
}

SIMT_INLINE void vx_join(unsigned token)
{
  __asm__ volatile(".insn r 0x0B, 3, 0, x0, %0, x0" : : "r"(token) : "memory");
}

// Waits for `count` warps of the core; with bit 31 of the id set, for cores of the cluster.
SIMT_INLINE void vx_bar(unsigned id, unsigned count)
{
  __asm__ volatile(".insn r 0x0B, 4, 0, x0, %0, %1" : : "r"(id), "r"(count) : "memory");
}

// Deactivates threads with an even predicate; if none remains, activates the threads of the mask. Returns the
// predicate, so that the dependent branch stays after this instruction.
SIMT_INLINE int vx_pred(int predicate, unsigned mask)
{
  __asm__ volatile(".insn r 0x0B, 5, 0, x0, %0, %1" : "+r"(predicate) : "r"(mask) : "memory");
  return predicate;
}

// Deactivates threads with an odd predicate.
SIMT_INLINE int vx_pred_n(int predicate, unsigned mask)
{
  __asm__ volatile(".insn r 0x0B, 5, 0, x1, %0, %1" : "+r"(predicate) : "r"(mask) : "memory");
  return predicate;
}

// Lets other lanes of the warp run first, if lanes of it wait elsewhere (divergence=scs, its).
SIMT_INLINE void vx_yield(void)
{
  __asm__ volatile(".insn r 0x0B, 0, 5, x0, x0, x0" : : : "memory");
}

// At file scope: the lanes of a warp may return from a kernel one after the other. simtlab cc adds it to programs for
// which it inserts yields.
#define VX_LANES_PART                                                                                                  \
  extern const unsigned vortex_parts[];                                                                                \
  const unsigned *const vortex_splits __attribute__((weak, used)) = vortex_parts;

// Convergence barriers of a warp (divergence=its), by number: the active threads join one, and wait until all threads
// that have joined it have arrived.
#define vx_bar_add(number) __asm__ volatile(".insn r 0x0B, 0, 6, x0, x" #number ", x0" : : : "memory")
#define vx_bar_wait(number) __asm__ volatile(".insn r 0x0B, 1, 6, x0, x" #number ", x0" : : : "memory")

// Votes of the active threads, on odd predicates: all, any, all or none, and a bit per thread.
#define VX_VOTE(funct3, predicate)                                                                                     \
  __extension__({                                                                                                      \
    unsigned vx_vote_;                                                                                                 \
    __asm__ volatile(".insn r 0x0B, " #funct3 ", 1, %0, %1, x0" : "=r"(vx_vote_) : "r"(predicate));                    \
    vx_vote_;                                                                                                          \
  })
#define vx_vote_all(predicate) VX_VOTE(0, predicate)
#define vx_vote_any(predicate) VX_VOTE(1, predicate)
#define vx_vote_uni(predicate) VX_VOTE(2, predicate)
#define vx_vote_ballot(predicate) VX_VOTE(3, predicate)

// The value of another thread: `by` threads before or behind, of the thread whose number differs in the bits of `by`,
// or of number `by`. A group of threads has the same bits of `mask` in their numbers, and ends with thread `last`; a
// thread without another one in its group keeps its own value.
#define VX_SHFL(funct3, value, by, last, mask)                                                                         \
  __extension__({                                                                                                      \
    unsigned vx_other_;                                                                                                \
    __asm__ volatile(".insn r 0x0B, " #funct3 ", 1, %0, %1, %2"                                                        \
                     : "=r"(vx_other_)                                                                                 \
                     : "r"(value), "r"((unsigned)(mask) << 12 | (unsigned)(last) << 6 | (unsigned)(by)));              \
    vx_other_;                                                                                                         \
  })
#define vx_shfl_up(value, by, last, mask) VX_SHFL(4, value, by, last, mask)
#define vx_shfl_down(value, by, last, mask) VX_SHFL(5, value, by, last, mask)
#define vx_shfl_bfly(value, by, last, mask) VX_SHFL(6, value, by, last, mask)
#define vx_shfl_idx(value, by, last, mask) VX_SHFL(7, value, by, last, mask)

SIMT_INLINE void vx_fence(void)
{
  __asm__ volatile("fence" : : : "memory");
}

// ------------------------------------------------------------------------------------------------
// Identification and counters

#define VX_CSR_READ(csr)                                                                                               \
  __extension__({                                                                                                      \
    unsigned vx_value_;                                                                                                \
    __asm__ volatile("csrr %0, " #csr : "=r"(vx_value_));                                                              \
    vx_value_;                                                                                                         \
  })
// Constant while the thread runs: may be read once and kept.
#define VX_CSR_CONSTANT(csr)                                                                                           \
  __extension__({                                                                                                      \
    unsigned vx_value_;                                                                                                \
    __asm__("csrr %0, " #csr : "=r"(vx_value_));                                                                       \
    vx_value_;                                                                                                         \
  })

#define vx_thread_id() VX_CSR_CONSTANT(0xCC0)
#define vx_warp_id() VX_CSR_CONSTANT(0xCC1)
#define vx_core_id() VX_CSR_CONSTANT(0xCC2)
#define vx_hart_id() VX_CSR_CONSTANT(0xF14)
#define vx_num_threads() VX_CSR_CONSTANT(0xFC0)
#define vx_num_warps() VX_CSR_CONSTANT(0xFC1)
#define vx_num_cores() VX_CSR_CONSTANT(0xFC2)
#define vx_local_memory() VX_CSR_CONSTANT(0xFC3)
#define vx_active_warps() VX_CSR_READ(0xCC3)
#define vx_active_threads() VX_CSR_READ(0xCC4)
#define vx_cycles() VX_CSR_READ(0xB00)
#define vx_instructions() VX_CSR_READ(0xB02) // counted per thread

// Runs function(argument) on all threads of all cores. simt_launch is the general form. This one costs a dozen
// instructions per warp, and the function distributes the work itself: vx_hart_id() of vx_harts().
#ifdef __cplusplus
extern "C"
#endif
    void
    vx_run(void (*function)(const void *), const void *argument);

SIMT_INLINE unsigned vx_harts(void)
{
  return vx_num_threads() * vx_num_warps() * vx_num_cores();
}

#include "simt_work.h"

#endif
