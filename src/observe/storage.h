/* Storage of a register file, in bits of the modelled structures.
 *
 * Plain: a word per register, lane and warp. Compressed: a scalar register file, a vector register file with a number
 * of vectors ("slots"), and a stack of the free slots. An entry of the scalar register file has a word (the base, or
 * the vector's slot) and a bit that distinguishes base from slot. If it also holds affine vectors, it has two bits of
 * stride. The scalar register file is duplicated for two read ports. SIMTight paper, section III-B; the numbers are
 * those of its Figure 8. */
#ifndef SL_OBSERVE_STORAGE_H
#define SL_OBSERVE_STORAGE_H

#include "config/config.h"

struct sl_register_storage {
  unsigned lanes, warps;
  unsigned registers; /* per thread: 32, or 16 of RV32E */
  bool compressed;
  unsigned slots; /* of a compressed file; 0: one per register */
  bool affine;
};

uint64_t sl_storage_bits(const struct sl_register_storage *file);

/* Returns the register file of a configuration; false if its machine has no such keys. */
bool sl_storage_of(const struct sl_config *config, struct sl_register_storage *file);

#endif
