// Kernels on a Vortex machine, whose warps have one program counter: divergent statements, barrier, end and entry.
// Included by simt.h. Every core has its own barriers and local memory; a block is on one core.

#ifndef SIMT_VORTEX_H
#define SIMT_VORTEX_H

#include "vortex.h"

#define simt_push() ((void)0)
#define simt_pop() ((void)0)
#define simt_converge() ((void)0)

// ------------------------------------------------------------------------------------------------
// Divergence

#ifndef SIMT_AUTO_MARKS

// The lanes for which the condition holds, or does not, run first, the others next, each from the split on; both come
// to the one join, behind which the warp is whole.
#define SIMT_IF(condition)                                                                                             \
  {                                                                                                                    \
    const int simt_holds_ = !!(condition);                                                                             \
    const unsigned simt_token_ = vx_split(simt_holds_);                                                                \
    if (simt_holds_)
#define SIMT_ELSE else
#define SIMT_ENDIF                                                                                                     \
  vx_join(simt_token_);                                                                                                \
  }

// At least one turn for every lane; lanes for which the condition fails wait until it fails for all.
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

// With the condition first: the lanes that have no turn wait outside of the loop. A predicate at its head would not do:
// what the compiler moves from one register to another on the way into the loop, lanes that are off would not have
// moved.
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

// All threads of the block wait for each other. Reached by all of them, outside of divergent statements. Of a block
// that is larger than the core they are not there at the same time: the kernel ends, and the launch says where and why.
// The compiler sees no call there, for which it would keep registers in memory.
extern const struct simt_geometry *vortex_geometry;
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

// Ends the kernel with SIMT_FAILED; the warp's part of it, that is. Other warps must not wait for it at a barrier.
SIMT_NORETURN void simt_fail(void);

// ------------------------------------------------------------------------------------------------
// Machinery

#ifndef SIMT_SCRATCHPAD
#define SIMT_SCRATCHPAD vx_local_memory()
#endif

struct simt_geometry;

#define simt_closure() vortex_geometry

// Between two blocks of a slot, for the sake of shared memory. Of blocks in rounds, which have no barrier, each warp
// has its own part of that: for less than two warps a barrier does not wait.
#define simt_block_ends()                                                                                              \
  vx_bar(vx_warp_id() * vx_num_threads() >> vortex_geometry->slot_shift, vortex_geometry->block_warps)

// The thread's function returns to the code that has called it on all lanes of the warp.
#define simt_exit() return
#define SIMT_THREAD __attribute__((noinline, used))
#define SIMT_ROUND , unsigned simt_first_
#define SIMT_NAME(kernel) static void kernel##_thread(const struct kernel##_object *object SIMT_ROUND) __asm__(#kernel);
#define SIMT_ENTRY(kernel)                                                                                             \
  static const struct simt_kernel kernel __asm__(#kernel ".kernel")                                                    \
      SIMT_UNUSED = {(void (*)(void))kernel##_thread, #kernel};

#endif
