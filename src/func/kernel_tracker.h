/* Kernel detection in programs that launch kernels themselves, such as Vortex programs. Counters of a launch cover the
 * cycles from its begin to its end. Detection has no timing and costs the program no instruction.
 *
 * One of three rules finds a kernel's span:
 * - places: one instruction of the program's runtime begins a launch on a core and another ends it. All cores take
 *   part. A launch is over when each core has ended it as often as the first core has begun it.
 * - function: from its first call on any warp to its last return.
 * - spawns: from a WSPAWN of more than one warp to the exit of the warps that it started. For unknown programs. */
#ifndef SL_WARP_KERNEL_TRACKER_H
#define SL_WARP_KERNEL_TRACKER_H

#include "isa/isa.h"

enum sl_kernel_rule { SL_KERNEL_UNWATCHED, SL_KERNEL_PLACES, SL_KERNEL_FUNCTION, SL_KERNEL_SPAWNS };

struct sl_kernel_tracker {
  enum sl_kernel_rule rule;
  uint32_t begin, end; /* addresses of the two places; begin: the function */
};

/* Returns the kinds of instructions that can begin or end a kernel, as bits 1 << enum sl_kind. */
uint64_t sl_kernel_kinds(const struct sl_kernel_tracker *watch);

/* The kernel span of one core. Plain data, no pointers. */
struct sl_kernel_span {
  sl_warps inside;             /* warps inside a kernel */
  uint64_t begun, ended;       /* how often the core has executed the places */
  uint32_t entry;              /* of the latest kernel: the function, the WSPAWN target, or 0 if unknown */
  uint32_t back[SL_MAX_WARPS]; /* return address of the function */
};

/* One executed instruction of these kinds. */
struct sl_kernel_step {
  enum sl_kind kind;
  unsigned warp;
  uint32_t pc, next; /* address of the instruction, and of the warp's next one */
  uint32_t link;     /* value of the return address register */
  unsigned spawned;  /* warps that WSPAWN requests; 0: not a WSPAWN */
  uint32_t target;   /* WSPAWN: their start address */
  bool ends;         /* the warp exits */
};

/* Records an instruction. Returns true if the span has changed. */
bool sl_kernel_see(const struct sl_kernel_tracker *watch, struct sl_kernel_span *span,
                   const struct sl_kernel_step *step);

/* Returns true if a kernel is in progress on the cores with these spans. */
bool sl_kernel_under_way(const struct sl_kernel_tracker *watch, const struct sl_kernel_span *const span[],
                         unsigned cores);

#endif
