/* The Vortex machine (Tine et al., "Vortex: Extending the RISC-V ISA for GPGPU and 3D-graphics", MICRO 2021): cores of
 * warps with explicit divergence, without a host CPU. */
#ifndef SL_MACHINE_VORTEX_H
#define SL_MACHINE_VORTEX_H

#include "machine/machine.h"

extern const struct sl_machine sl_vortex;

#endif
