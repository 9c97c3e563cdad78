/* Checkpoints of RISC-V threads on the SM7 core: code, launch, and the resident warps and blocks. */
#ifndef SL_MACHINE_SM7_RV_ARCHIVE_H
#define SL_MACHINE_SM7_RV_ARCHIVE_H

#include "base/state_archive.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"

/* `resident`: a bit per resident warp, by SM. The state is restored into a new object for the same machine; `launched`:
 * a kernel has been launched there. */
void sl_sm7_rv_archive(struct sl_archive *archive, struct sl_sm7_rv *rv, uint64_t *resident, bool launched);

#endif
