/* Steps: the instructions of a straight stretch of code, each decoded once to a function and where its operands are.
 *
 * A step does on the lanes of a path what sl_path_execute() does, or nothing: whatever may be a fault, or needs an
 * order of lanes that is not plain, it leaves to that function, which also has the words for it. So a step knows
 * addresses that are surely good, in flat memory. What instructions compute is the semantics column of rv32.def, as in
 * isa/lanes.h, built for several x86-64 levels and lane counts in the same way. */
#ifndef SL_WARP_BLOCKS_STEPS_H
#define SL_WARP_BLOCKS_STEPS_H

#include "isa/fp_lanes.h"
#include "isa/lanes.h"
#include "mem/memory.h"

/* Addresses of data: from low on so many bytes. */
struct sl_step_region {
  uint8_t *bytes; /* where the byte of address 0 would be */
  uint32_t low, size;
};

enum { SL_STEP_MEMORY, SL_STEP_LOCAL };

/* The lanes that steps work on, and their memory. */
struct sl_step_lanes {
  uint32_t *x; /* registers of the warp */
  sl_lanes active;
  unsigned lanes;
  bool last_wins;           /* of lanes that store to one place in DRAM the highest, not the lowest */
  bool filled;              /* memory holds another word than 0 until it is written */
  struct sl_memory *memory; /* flat */
  /* Own stacks apart: the memory, and what the core has of its own beside it, all of which is there; or nothing. */
  struct sl_step_region region[2];
  uint32_t scratchpad_base, scratchpad_bytes;
  struct sl_stack_map stack; /* of this warp */
  /* Where floating point has flags and rounding modes. */
  const struct sl_fp_ops *fp;
  const struct sl_insn *insn; /* of the code */
  uint32_t *fcsr;             /* of this warp */
};

struct sl_step;

/* False: nothing that could be seen has been done; the instruction is for sl_path_execute(). */
typedef bool sl_step_function(const struct sl_step_lanes *s, const struct sl_step *step);

struct sl_step {
  sl_step_function *all, *some; /* with all lanes active, and with any set of them */
  uint32_t d, a, b;             /* where rd, rs1 and rs2 begin in the registers */
  uint32_t imm;                 /* with the pc added, where the instruction does so */
};

/* The functions of one build level and lane count; NULL for what is no step. */
struct sl_step_ops {
  sl_step_function *all[SL_OP_COUNT], *some[SL_OP_COUNT];
};

/* The best functions this host can run for a lane count from 1 to 64, or those of the portable build. */
const struct sl_step_ops *sl_step_ops(unsigned lanes, bool portable);

/* The step of an instruction at pc. False: it is none. */
bool sl_step_make(const struct sl_step_ops *ops, const struct sl_insn *in, uint32_t pc, unsigned lane_bits,
                  struct sl_step *step);

/* The step of an instruction of floating point with flags and rounding modes, which is the one of that number. */
struct sl_step sl_step_float(uint32_t number);

#endif
