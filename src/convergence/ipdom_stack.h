/* The IPDOM stack of Vortex: divergence is explicit. SPLIT pushes the mask and the lanes of the other side, JOIN
 * resumes them, and then the mask before the split. PRED and TMC set the mask; lanes that they switch off are in no
 * state of the warp. Lanes that disagree on a branch do not diverge: the machine decides.
 *
 * Source: Tine et al., "Vortex: Extending the RISC-V ISA for GPGPU and 3D-graphics", MICRO 2021, section 4. */
#ifndef SL_CONVERGENCE_IPDOM_STACK_H
#define SL_CONVERGENCE_IPDOM_STACK_H

#include "convergence/convergence.h"

enum {
  SL_IPDOM_MAX = 2 * SL_MAX_LANES, /* open splits: 2.x needs lanes - 1; 1.x also pushes uniform splits */
  SL_IPDOM_ENTRY = 24,             /* bytes of an open split */
  SL_IPDOM_OWN = SL_IPDOM_ENTRY * SL_IPDOM_MAX
};

/* Limits of the schemes in schedulable_stack.c, split_stacks.c and thread_scheduling.c. */
enum { SL_SCS_ENTRIES = SL_IPDOM_MAX / 2 /* of the stack */ };
enum { SL_SPLIT_LEVELS = SL_MAX_LANES /* open splits of a warp: in each of them a lane waits */ };
enum { SL_ITS_BARRIERS = 32 /* of a warp, at most */ };

/* A warp runs the lanes of its mask at its pc. The convergence scheme knows where the others are. */
struct sl_ipdom_warp {
  uint32_t pc;
  sl_lanes mask;
  uint32_t fcsr;                         /* frm and fflags, one per warp */
  unsigned depth;                        /* open splits */
  uint32_t furthest, watched;            /* of the watchdog (func/ipdom_execute.h): greatest pc, instructions */
  _Alignas(8) uint8_t own[SL_IPDOM_OWN]; /* only the scheme knows it */
};

/* The functions of the scheme, for schemes that keep the same stack at the beginning of `own`. */
enum sl_marked sl_ipdom_mark(void *warp, unsigned group, const struct sl_mark *mark);
bool sl_ipdom_valid(const void *warp, sl_lanes lanes);
unsigned sl_ipdom_places(const void *warp, struct sl_warp_path path[SL_MAX_LANES]);

#endif
