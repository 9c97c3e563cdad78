/* A launch on a machine with RISC-V instructions, as the host writes it (src/runtime/opencl/ocl_riscv.h). */
#ifndef SIMTLAB_OPENCL_RISCV_H
#define SIMTLAB_OPENCL_RISCV_H

#define OVERLOAD __attribute__((overloadable))

/* The geometry as runtime/simt.h has it; then the range; then the kernel's arguments. */
struct simtlab_launch {
  uint grid[3], block[3], slots, slot_shift, shifts[2], step[3], row_end, reciprocals[2], shared_bytes, shared_needed;
#ifdef SIMTLAB_VORTEX
  uint core_slots, block_warps;
#endif
  uint dimensions;
  uint count;    /* groups of the range */
  uint items;    /* of a group */
  uint warps;    /* of a group */
  uint separate; /* groups of a slot wait for each other */
  uint partial;  /* lanes of a warp if the slot has more lanes than a group has items; else 0 */
  uint offset[3], local_size[3], groups[3];
  uint print; /* address of the buffer of printf */
};

struct simtlab_item {
  __global const struct simtlab_launch *launch;
  uint slot;       /* of the core */
  uint local_base; /* address of the group's local memory */
  uint flat;       /* number of the item in its group */
  uint local_id[3], group[3];
  uint first[3]; /* global id of the group's first item */
};

#endif
