/* The x86-64 levels with lane functions. The build compiles each source of lane functions once per level. simtlab
 * chooses the highest level that the build has and the processor supports.
 *
 * Source: x86-64 psABI, section 3.1.1 (microarchitecture levels v3 and v4), and AVX-512CD for the conflict
 * instructions. */
#ifndef SL_ISA_HOST_LEVEL_H
#define SL_ISA_HOST_LEVEL_H

enum sl_host_level { SL_HOST_BASELINE, SL_HOST_AVX2, SL_HOST_AVX512 };

enum sl_host_level sl_host_level(void);

#endif
