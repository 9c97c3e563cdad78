// Kernels on a Vortex machine, whose warps have one program counter: divergent statements, barrier, exit and entry.
// Included by simt.h. Every core has its own barriers and local memory; a block runs on one core.

#ifndef SIMT_VORTEX_H
#define SIMT_VORTEX_H

#include "vortex.h"

#define simt_push() ((void)0)
#define simt_pop() ((void)0)
#define simt_converge() ((void)0)
#define simt_yield() vx_yield()

// ------------------------------------------------------------------------------------------------
// Divergence

#ifndef SIMT_AUTO_MARKS

// The split runs one side's lanes first and then the other's. Both sides reach the same join, which restores the warp.
#define SIMT_IF(condition)                                                                                             \
  {                                                                                                                    \
    const int simt_holds_ = !!(condition);                                                                             \
    const unsigned simt_token_ = vx_split(simt_holds_);                                                                \
    if (simt_holds_)
#define SIMT_ELSE else
#define SIMT_ENDIF                                                                                                     \
  vx_join(simt_token_);                                                                                                \
  }

// Every lane runs the body at least once. Lanes whose condition fails wait until it fails for all.
#define SIMT_DO                                                                                                        \
  {                                                                                                                    \
    const unsigned simt_lanes_ = vx_active_threads();                                                                  \
    do
#define SIMT_DO_WHILE(condition)                                                                                       \
  while (vx_pred(!!(condition), simt_lanes_))                                                                          \
    ;                                                                                                                  \
  }                                                                                                                    \
  do {                                                                                                                 \
  } while (0)

// A loop with its condition first: lanes without an iteration wait outside the loop. A predicate at the loop's head
// would be wrong: the compiler copies registers on entry to the loop, and inactive lanes would miss these copies.
struct simt_loop {
  unsigned token, lanes;
  int turn, once;
};
SIMT_INLINE struct simt_loop simt_loop_enter(int turn)
{
  const struct simt_loop loop = {vx_split(turn), 0, turn, 1};
  return loop;
}
#define SIMT_WHILE(condition) SIMT_TURNS(condition, (void)0)
#define SIMT_FOR(start, condition, step)                                                                               \
  for (int simt_once_ = 1; simt_once_; simt_once_ = 0)                                                                 \
    for (start; simt_once_; simt_once_ = 0)                                                                            \
  SIMT_TURNS(condition, step)
#define SIMT_TURNS(condition, step)                                                                                    \
  for (struct simt_loop simt_loop_ = simt_loop_enter(!!(condition)); simt_loop_.once;                                  \
       simt_loop_.once = 0, vx_join(simt_loop_.token))                                                                 \
    if (simt_loop_.turn)                                                                                               \
      for (simt_loop_.lanes = vx_active_threads(); simt_loop_.turn;                                                    \
           (void)(step), simt_loop_.turn = vx_pred(!!(condition), simt_loop_.lanes))

#endif

// Waits until all threads of the block arrive. All of them must reach the barrier, outside divergent statements. The
// threads of a block that is larger than the core never arrive together: the kernel ends, and the launch reports the
// place and the reason. The barrier is not a call for the compiler, which would otherwise spill registers around it.
extern const struct simt_geometry *vortex_geometry;
void vortex_meet(void); // in programs whose lanes may part, simtlab cc calls it instead of the barriers below
#define simt_barrier()                                                                                                 \
  __asm__ volatile("bnez %1, 1f\n\tlla a0, 2f\n\ttail vortex_refuse_barrier\n"                                         \
                   "\t.pushsection .rodata.simt_places,\"aMS\",@progbits,1\n2:\t.asciz \"" __FILE_NAME__               \
                   ":" SIMT_TEXT(__LINE__) "\"\n\t.popsection\n1:\t.insn r 0x0B, 4, 0, x0, %0, %1"                     \
                   :                                                                                                   \
                   : "r"(vx_warp_id() * vx_num_threads() >> vortex_geometry->slot_shift),                              \
                     "r"(vortex_geometry->block_warps)                                                                 \
                   : "memory")
#define SIMT_TEXT(x) SIMT_TEXT_OF(x)
#define SIMT_TEXT_OF(x) #x
#define __syncthreads simt_barrier

// Ends the kernel with SIMT_FAILED, for the calling warp. Other warps must not wait for this warp at a barrier.
SIMT_NORETURN void simt_fail(void);

// ------------------------------------------------------------------------------------------------
// Implementation

#ifndef SIMT_SCRATCHPAD
#define SIMT_SCRATCHPAD vx_local_memory()
#endif

struct simt_geometry;

#define simt_closure() vortex_geometry

// Separates two blocks of a slot, which share shared memory. A block in rounds has no barrier, and each of its warps
// has its own part of shared memory. A barrier of fewer than two warps does not wait.
#define simt_block_ends()                                                                                              \
  __asm__ volatile(".insn r 0x0B, 4, 0x0, x0, %0, %1"                                                                  \
                   :                                                                                                   \
                   : "r"(vx_warp_id() * vx_num_threads() >> vortex_geometry->slot_shift),                              \
                     "r"(vortex_geometry->block_warps)                                                                 \
                   : "memory")

// The thread's function returns to its caller, which called it on all lanes of the warp.
#define simt_exit() return
#define SIMT_THREAD __attribute__((noinline, used))
#define SIMT_ROUND , unsigned simt_first_
#define SIMT_NAME(kernel) static void kernel##_thread(const struct kernel##_object *object SIMT_ROUND) __asm__(#kernel);
#define SIMT_ENTRY(kernel)                                                                                             \
  static const struct simt_kernel kernel __asm__(#kernel ".kernel")                                                    \
      SIMT_UNUSED = {(void (*)(void))kernel##_thread, #kernel};

#endif
