/* Storage of a register file, in bits of the structures the model has.
 *
 * Plain: a word per register, lane and warp. Compressed: a scalar register file, a vector register file of so many
 * vectors ("slots"), and a stack of the free slots. An entry of the scalar register file has a word (the base, or the
 * slot of a vector), two bits of stride if affine vectors are held too, and a bit that tells base from slot; it is kept
 * twice, for two read ports. SIMTight paper, section III-B; the numbers are those of its Figure 8. */
#ifndef SL_OBSERVE_STORAGE_H
#define SL_OBSERVE_STORAGE_H

#include "config/config.h"

struct sl_register_storage {
  unsigned lanes, warps;
  unsigned registers; /* of a thread: 32, or 16 of RV32E */
  bool compressed;
  unsigned slots; /* of a compressed file; 0: one per register */
  bool affine;
};

uint64_t sl_storage_bits(const struct sl_register_storage *file);

/* The register file of a configuration; false when its machine has no keys that say. */
bool sl_storage_of(const struct sl_config *config, struct sl_register_storage *file);

#endif
