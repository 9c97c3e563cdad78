/* Faults as sentences: machine, block, warp, lanes, pc, function, source line, instruction, problem and remedy. */
#ifndef SL_GPU_FAULT_TEXT_H
#define SL_GPU_FAULT_TEXT_H

#include "base/lanes_text.h"
#include "machine/machine.h"
#include "program/program.h"

/* Where a fault happened. */
struct sl_fault_place {
  const char *machine;
  const struct sl_program *program;
  unsigned warps_per_block;       /* of the launch; 0: all warps */
  unsigned warps;                 /* per core, if the machine has cores */
  unsigned cores;                 /* 0: a single SM */
  const struct sl_advice *advice; /* of the machine; NULL: none */
  unsigned isa_sets;              /* extensions of its programs */
};

void sl_fault_format(const struct sl_fault *fault, const struct sl_fault_place *place, char *text, size_t size);

/* Describes what an SM's warps do: "62 warps run at loop (k.c:20); 2 warps wait at the barrier at ...". */
void sl_warps_format(const struct sl_machine *machine, const struct sl_sm *sm, const struct sl_fault_place *place,
                     char *text, size_t size);

/* Describes the lanes that wait while others of their warp run: "; lanes 1-15 of warp 0 wait at f (k.c:20), ...". Empty
 * if there are none. */
void sl_diverged_format(const struct sl_machine *machine, const struct sl_sm *sm, const struct sl_fault_place *place,
                        char *text, size_t size);

/* Describes the lanes that a livelock's spinning lanes block: "lane 0 of this warp waits at f (k.c:20), ...". Empty if
 * there are none. */
void sl_waiting_format(const struct sl_machine *machine, const struct sl_sm *sm, const struct sl_fault *fault,
                       const struct sl_fault_place *place, char *text, size_t size);

#endif
