/* Key figures of a run: counters summed over the launches, and the values that every summary shows. */
#ifndef SL_OBSERVE_FIGURES_H
#define SL_OBSERVE_FIGURES_H

#include "config/config.h"
#include "device/device.h"

/* A number of a run; unknown if the machine does not count it. */
struct sl_known {
  uint64_t value;
  bool known;
};

struct sl_figures {
  uint64_t cycles;
  uint64_t thread_instructions;
  double ipc; /* thread instructions per cycle, 0 without cycles */
  struct sl_known warp_instructions, dram_beats, dram_lines, retries;
};

/* Sums the counters that have a role, over all launches; unknown if no counter has it. */
struct sl_known sl_role_total(const struct sl_machine *machine, enum sl_counter_role role,
                              const struct sl_launch *launches, size_t count);

struct sl_figures sl_figures_of(const struct sl_machine *machine, const struct sl_launch *launches, size_t count);

/* Host seconds for the simulation of launches. */
double sl_launch_seconds(const struct sl_launch *launches, size_t count);

/* Returns the geometric mean of non-negative values: 0 if a value is 0 or there are none. */
double sl_geometric_mean(const double *values, size_t count);

/* quantity / seconds, 0 if no time has passed. */
double sl_rate(uint64_t quantity, double seconds);

/* Filter for the launches of a run that are counted: all, those of one kernel, or one launch. */

#define SL_EVERY_LAUNCH UINT64_MAX

struct sl_launch_choice {
  const char *kernel; /* NULL: any kernel */
  uint64_t number;    /* SL_EVERY_LAUNCH, or the number of a launch, from 0 */
};

/* Returns the kernel's name at an address, or "0x80000000" if no function is known; the result is in text, or belongs
 * to the program. */
enum { SL_KERNEL_TEXT = 16 };
const char *sl_kernel_name(const struct sl_program *program, uint32_t entry, char text[SL_KERNEL_TEXT]);

/* Whether a launch is counted. */
bool sl_launch_chosen(const struct sl_launch_choice *choice, const struct sl_program *program, uint64_t number,
                      uint32_t entry);

/* Returns the counted launches of a result in order; the caller frees them. NULL: out of memory. */
struct sl_launch *sl_choose_launches(const struct sl_launch_choice *choice, const struct sl_program *program,
                                     const struct sl_result *result, size_t *count);

/* SL_USAGE, with a list of the kernels: the result has launches, but none is selected. */
enum sl_status sl_launch_choice_check(const struct sl_launch_choice *choice, const struct sl_program *program,
                                      const struct sl_result *result, size_t chosen, struct sl_error *err);

/* Storage of a register file, in bits of the modelled structures.
 *
 * Plain: a word per register, lane and warp. Compressed: a scalar register file, a vector register file with a number
 * of vectors ("slots"), and a stack of the free slots. An entry of the scalar register file has a word (the base, or
 * the vector's slot) and a bit that distinguishes base from slot. If it also holds affine vectors, it has two bits of
 * stride. The scalar register file is duplicated for two read ports. SIMTight paper, section III-B; the numbers are
 * those of its Figure 8. */

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
