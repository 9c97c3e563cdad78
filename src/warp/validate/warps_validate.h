/* Validates the SM threads of a checkpoint (base/validate.h): paths and instruction memory. */
#ifndef SL_WARP_VALIDATE_WARPS_VALIDATE_H
#define SL_WARP_VALIDATE_WARPS_VALIDATE_H

#include "base/validate.h"
#include "warp/path_warps.h"

/* Validates the paths of one warp in the machine's scheme. */
bool sl_paths_valid(const struct sl_paths *paths, enum sl_scheme scheme, sl_lanes lanes);

/* Returns true if each instruction is the decoded word of this memory. */
bool sl_insns_valid(const struct sl_code *code, const struct sl_insn *insn);

#endif
