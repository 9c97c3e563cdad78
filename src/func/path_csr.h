/* CSRs of the SM: hart id, closure address, warp command, and the simulation-only output of a word. Source of the
 * numbers: SIMTight's published kernel library. */
#ifndef SL_WARP_PATH_CSR_H
#define SL_WARP_PATH_CSR_H

#include "func/path_warps.h"

enum sl_sm_csr {
  SL_CSR_PRINT_WORD = 0x800, /* simulation only */
  SL_CSR_END = 0x801,        /* simulation only: ends the program */
  SL_CSR_COMMAND = 0x830,
  SL_CSR_CLOSURE = 0x831,
  SL_CSR_HART_ID = 0xf14
};

/* Executes a CSR instruction. A warp command requires all lanes of the warp and takes lane 0's value. */
enum sl_effect sl_csr_access(struct sl_path_warps *t, unsigned warp, struct sl_execution *ex);

/* Returns true if an instruction that all lanes of a warp execute is a warp command, and sets *value to it. */
bool sl_csr_commands(const struct sl_path_warps *t, unsigned warp, const struct sl_insn *in, uint32_t *value);

#endif
