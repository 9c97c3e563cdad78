/* How Volta moves the matrices of wmma (16 x 16 x 16) between registers and shared memory (shared.fragments).
 *
 * wmma.load and wmma.store of PTX are several loads or stores of machine code. Four lanes are a thread group. Of the
 * factors each element is in two lanes, so a warp reads 1,024 bytes for 512:
 *
 *   A by rows, B by columns    a lane has a row of A, a column of B: two accesses of 16 bytes
 *   A by columns, B by rows    four parts of a line: four accesses of 8 bytes
 *   sums of f32                by rows pairs of elements: four accesses of 8 bytes; by columns eight of 4 bytes
 *   sums of f16                by rows one access of 16 bytes; by columns eight of 2 bytes
 *
 * An access of 16 bytes has four passes, of eight lanes each; one of 8 bytes two. A pass takes a cycle for each
 * different word in one bank.
 *
 * Sources: rows and columns of thread groups: Raihan et al., arXiv:1811.08309, section III (table II), and
 * thread_group_offset of GPGPU-Sim, whose columns of B are others. Widths: the same function, and the shared-memory
 * instructions of a Quadro V100, which they explain to the instruction (reference/silicon). Passes: CUDA C Programming
 * Guide 4.2, section F.4.3. */
#ifndef SL_MACHINE_SM7_FRAGMENTS_H
#define SL_MACHINE_SM7_FRAGMENTS_H

#include "machine/sm7/sm7_code.h"
#include "ptx/ptx.h"

struct sl_sm7_fragment_cost {
  unsigned accesses, cycles;
};

/* Of an instruction of kind TILE whose line i is at line[i]. Other shapes and formats: no accesses. */
struct sl_sm7_fragment_cost sl_sm7_fragment_cost(const struct sl_ptx_insn *in, const uint64_t *line);

#endif
