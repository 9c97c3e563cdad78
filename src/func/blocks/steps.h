/* Steps: the instructions of a basic block, each decoded once to a function pointer and operand offsets.
 *
 * A step either does what sl_path_execute() does for the lanes of a path, or nothing. It leaves to that function every
 * possible fault and every access that needs a special lane order. So a step handles only valid addresses in flat
 * memory. The semantics column of rv32.def defines the computations, as in isa/lanes.h. The functions are built for
 * several x86-64 levels and lane counts. */
#ifndef SL_WARP_BLOCKS_STEPS_H
#define SL_WARP_BLOCKS_STEPS_H

#include "isa/fp_lanes.h"
#include "isa/lanes.h"
#include "mem/memory.h"

/* A region of data: `size` bytes from address `low`. */
struct sl_step_region {
  uint8_t *bytes; /* host address of address 0 */
  uint32_t low, size;
};

enum { SL_STEP_MEMORY, SL_STEP_LOCAL };

/* The lanes and the memory that steps work on. */
struct sl_step_lanes {
  uint32_t *x; /* registers of the warp */
  sl_lanes active;
  unsigned lanes;
  bool last_wins;           /* stores by several lanes to one DRAM address: the highest lane wins, not the lowest */
  bool filled;              /* untouched memory reads as a word other than 0 */
  struct sl_memory *memory; /* flat memory */
  /* Regions of data without interleaved stacks: the memory, and the core's own local memory. Unused: size 0. */
  struct sl_step_region region[2];
  uint32_t scratchpad_base, scratchpad_bytes;
  struct sl_stack_map stack; /* of this warp */
  /* For floating point with flags and rounding modes. */
  const struct sl_fp_ops *fp;
  const struct sl_insn *insn; /* instructions of the code */
  uint32_t *fcsr;             /* of this warp */
};

struct sl_step;

/* Returns false if it has changed nothing and sl_path_execute() must execute the instruction. */
typedef bool sl_step_function(const struct sl_step_lanes *s, const struct sl_step *step);

struct sl_step {
  sl_step_function *all, *some; /* for all lanes; for any set of active lanes */
  uint32_t d, a, b;             /* offsets of rd, rs1 and rs2 in the registers */
  uint32_t imm;                 /* plus the pc, for pc-relative instructions */
};

/* The step functions of one build level and lane count; NULL: not a step. */
struct sl_step_ops {
  sl_step_function *all[SL_OP_COUNT], *some[SL_OP_COUNT];
};

/* Returns the fastest functions of this host for a lane count from 1 to 64, or those of the portable build. */
const struct sl_step_ops *sl_step_ops(unsigned lanes, bool portable);

/* Makes the step of an instruction at pc. Returns false if it cannot be a step. */
bool sl_step_make(const struct sl_step_ops *ops, const struct sl_insn *in, uint32_t pc, unsigned lane_bits,
                  struct sl_step *step);

/* The step of floating-point instruction `number`, with flags and rounding modes. */
struct sl_step sl_step_float(uint32_t number);

#endif
