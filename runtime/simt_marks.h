// Kernels on a machine where the host writes the multiprocessor's CSRs and each thread has its own program counter:
// convergence, exit and entry. Included by simt.h.

#ifndef SIMT_MARKS_H
#define SIMT_MARKS_H

// Reconvergence annotations. In a diverged warp, the threads at the deepest nesting level run. `push` before a
// divergent statement and `pop` after it make threads that left the statement wait for the others. `converge` (pop,
// push) is the point where they reconverge at the level of the kernel's body.
//
// SIMT_NO_MARKS removes the annotations, for machines that order threads by call depth and PC. There, `converge` is a
// return and a call, each to the next instruction: threads that are one call less deep wait for all others. A warp
// command separates the two. Machines that need time to find the order still know, at this command, that other threads
// are ahead.
#ifdef SIMT_NO_MARKS
#define SIMT_ENTER(thread) "csrrw a0, 0x831, zero\n\tjal ra, " thread
SIMT_INLINE void simt_push(void)
{
}
SIMT_INLINE void simt_pop(void)
{
}
SIMT_INLINE void simt_converge(void)
{
  __asm__ volatile("lla ra, 1f\n\tjr ra\n1:\tjal ra, 2f\n2:" : : : "ra", "memory");
}
#define SIMT_COMMAND(value)                                                                                            \
  __asm__ volatile("lla ra, 1f\n\tjr ra\n1:\tcsrw 0x830, %0\n\tjal ra, 2f\n2:" : : "rJ"(value) : "ra", "memory")
#else
#define SIMT_PUSH ".word 0x00050009"
#define SIMT_POP ".word 0x00051009"
#define SIMT_ENTER(thread) SIMT_PUSH "\n\tcsrrw a0, 0x831, zero\n\tj " thread
SIMT_INLINE void simt_push(void)
{
#ifndef SIMT_AUTO_MARKS
  __asm__ volatile(SIMT_PUSH);
#endif
}
SIMT_INLINE void simt_pop(void)
{
#ifndef SIMT_AUTO_MARKS
  __asm__ volatile(SIMT_POP);
#endif
}
SIMT_INLINE void simt_converge(void)
{
  __asm__ volatile(SIMT_POP "\n\t" SIMT_PUSH);
}
#define SIMT_COMMAND(value)                                                                                            \
  do {                                                                                                                 \
    simt_converge();                                                                                                   \
    SIMT_CSR_WRITE(0x830, value);                                                                                      \
  } while (0)
#endif

// Waits until all threads of the block arrive. All of them must reach the barrier at the level of the kernel's body,
// that is, not inside SIMT_DIVERGE.
SIMT_INLINE void simt_barrier(void)
{
  SIMT_COMMAND(0);
}
#define __syncthreads simt_barrier

// Separates two blocks of a slot.
#define simt_block_ends() simt_barrier()

// Ends the kernel with SIMT_FAILED. All threads of the warp must reach this call together.
SIMT_NORETURN SIMT_INLINE void simt_fail(void)
{
  SIMT_COMMAND(1);
  __builtin_unreachable();
}

// ------------------------------------------------------------------------------------------------
// Implementation

#define simt_cores() 1u

#ifndef SIMT_SCRATCHPAD
#define SIMT_SCRATCHPAD 0xBFFF0000u
#endif

struct simt_geometry;

SIMT_INLINE const struct simt_geometry *simt_closure(void)
{
  return (const struct simt_geometry *)SIMT_CSR_READ(0x831);
}

SIMT_NORETURN SIMT_INLINE void simt_exit(void)
{
  __asm__ volatile("fence" : : : "memory");
  SIMT_CSR_WRITE(0x830, 3);
  __builtin_unreachable();
}

// Threads start at the entry. It sets up the interleaved stack and the first nesting level, which `converge` pops. In
// the image, the entry has the kernel's name; it calls the thread's function by name.
#define SIMT_ROUND
#define SIMT_NAME(kernel)                                                                                              \
  static void kernel##_thread(const struct kernel##_object *object SIMT_ROUND) __asm__(#kernel "_thread");
#define SIMT_THREAD __attribute__((noinline, noreturn, used))
#define SIMT_ENTRY(kernel)                                                                                             \
  static __attribute__((naked, noreturn, used)) void kernel##_entry(void) __asm__(#kernel);                            \
  static void kernel##_entry(void)                                                                                     \
  {                                                                                                                    \
    __asm__ volatile("li sp, -8\n\t" SIMT_ENTER(#kernel "_thread"));                                                   \
  }                                                                                                                    \
  static const struct simt_kernel kernel __asm__(#kernel ".kernel") SIMT_UNUSED = {kernel##_entry, #kernel};

#endif
