/* Address mapping: slice and set of L2, bank and row of DRAM. Consecutive blocks of 256 bytes go to the partitions of
 * the 24 channels in turn. The remaining bits are hashed by polynomials over GF(2) to spread strides. The rules are
 * those of GPGPU-Sim's TITANV configuration. */
#ifndef SL_MACHINE_SM7_ADDRESS_H
#define SL_MACHINE_SM7_ADDRESS_H

#include "machine/sm7/sm7_spec.h"

struct sl_sm7_place {
  uint8_t slice, bank;
  uint16_t row;
};

struct sl_sm7_place sl_sm7_place(const struct sl_sm7_spec *spec, uint64_t address);
uint32_t sl_sm7_l2_set(const struct sl_sm7_spec *spec, uint64_t address);

#endif
