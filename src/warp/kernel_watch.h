/* Where kernels begin and end in a program that launches them itself, as Vortex programs do: what a launch takes is
 * counted from then to then. Nothing here costs the program an instruction.
 *
 * A kernel's span is seen by one of three rules:
 * - places: the program's runtime has an instruction that begins a launch on a core and one that ends it. All cores
 * take part: a launch is over when each has ended it as often as the first has begun it.
 * - a function: from its first call on any warp to the last return.
 * - spawns: from a WSPAWN of more than one warp to the end of those it spawned. For programs of which nothing is known.
 *
 * No time here. */
#ifndef SL_WARP_KERNEL_WATCH_H
#define SL_WARP_KERNEL_WATCH_H

#include "isa/isa.h"

enum sl_kernel_rule { SL_KERNEL_UNWATCHED, SL_KERNEL_PLACES, SL_KERNEL_FUNCTION, SL_KERNEL_SPAWNS };

struct sl_kernel_watch {
  enum sl_kernel_rule rule;
  uint32_t begin, end; /* instructions of the places; begin: the function */
};

/* Kinds of instructions that can begin or end a kernel, as bits 1 << enum sl_kind. */
uint64_t sl_kernel_kinds(const struct sl_kernel_watch *watch);

/* Of a core. Plain data, no pointers. */
struct sl_kernel_span {
  sl_warps inside;             /* warps that are in a kernel */
  uint64_t begun, ended;       /* how often places were come to */
  uint32_t entry;              /* of the latest kernel, as far as the rule tells: function, what is spawned, or 0 */
  uint32_t back[SL_MAX_WARPS]; /* where a function returns to */
};

/* What a warp has executed, of those kinds. */
struct sl_kernel_step {
  enum sl_kind kind;
  unsigned warp;
  uint32_t pc, next; /* of the instruction, and where the warp goes on */
  uint32_t link;     /* its return address register */
  unsigned spawned;  /* warps that it asks for; 0: it is no WSPAWN */
  uint32_t target;   /* and where they begin */
  bool ends;         /* the warp */
};

/* True: the span has changed. */
bool sl_kernel_see(const struct sl_kernel_watch *watch, struct sl_kernel_span *span, const struct sl_kernel_step *step);

/* Whether a kernel is under way on cores whose spans are these. */
bool sl_kernel_under_way(const struct sl_kernel_watch *watch, const struct sl_kernel_span *const span[],
                         unsigned cores);

#endif
