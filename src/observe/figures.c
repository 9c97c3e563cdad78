#include "observe/figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sl_known sl_role_total(const struct sl_machine *machine, enum sl_counter_role role,
                              const struct sl_launch *launches, size_t count)
{
  struct sl_known total = {0};
  for (size_t i = 0; i < machine->counters->count; i++) {
    if (machine->counters->counter[i].role != role)
      continue;
    total.known = true;
    total.value += sl_counter_total(machine, i, launches, count);
  }
  return total;
}

struct sl_figures sl_figures_of(const struct sl_machine *machine, const struct sl_launch *launches, size_t count)
{
  struct sl_figures figures = {
      .cycles = sl_role_total(machine, SL_COUNTER_CYCLES, launches, count).value,
      .thread_instructions = sl_role_total(machine, SL_COUNTER_THREAD_INSTRUCTIONS, launches, count).value,
      .warp_instructions = sl_role_total(machine, SL_COUNTER_WARP_INSTRUCTIONS, launches, count),
      .dram_beats = sl_role_total(machine, SL_COUNTER_DRAM_BEATS, launches, count),
      .dram_lines = sl_role_total(machine, SL_COUNTER_DRAM_LINES, launches, count),
      .retries = sl_role_total(machine, SL_COUNTER_RETRIES, launches, count),
  };
  if (figures.cycles > 0)
    figures.ipc = (double)figures.thread_instructions / (double)figures.cycles;
  return figures;
}

double sl_launch_seconds(const struct sl_launch *launches, size_t count)
{
  double seconds = 0;
  for (size_t i = 0; i < count; i++)
    seconds += launches[i].host_seconds;
  return seconds;
}

double sl_geometric_mean(const double *values, size_t count)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (!(values[i] > 0))
      return 0;
    sum += log(values[i]);
  }
  return count > 0 ? exp(sum / (double)count) : 0;
}

double sl_rate(uint64_t quantity, double seconds)
{
  return seconds > 0 ? (double)quantity / seconds : 0;
}

const char *sl_kernel_name(const struct sl_program *program, uint32_t entry, char text[SL_KERNEL_TEXT])
{
  const char *name;
  uint32_t end;
  if (sl_program_function(program, entry, &name, &end))
    return name;
  snprintf(text, SL_KERNEL_TEXT, "0x%08" PRIx32, entry);
  return text;
}

bool sl_launch_chosen(const struct sl_launch_choice *choice, const struct sl_program *program, uint64_t number,
                      uint32_t entry)
{
  char text[SL_KERNEL_TEXT];
  return (choice->number == SL_EVERY_LAUNCH || choice->number == number) &&
         (choice->kernel == NULL || strcmp(choice->kernel, sl_kernel_name(program, entry, text)) == 0);
}

struct sl_launch *sl_choose_launches(const struct sl_launch_choice *choice, const struct sl_program *program,
                                     const struct sl_result *result, size_t *count)
{
  struct sl_launch *chosen = calloc(result->launch_count + 1, sizeof *chosen);
  *count = 0;
  for (size_t i = 0; i < result->launch_count && chosen != NULL; i++)
    if (sl_launch_chosen(choice, program, i, result->launches[i].entry))
      chosen[(*count)++] = result->launches[i];
  return chosen;
}

/* Lists the first distinct kernels: "a, b". */
static void list_kernels(const struct sl_program *program, const struct sl_result *result, char *text, size_t size)
{
  size_t length = 0;
  text[0] = '\0';
  for (size_t i = 0; i < result->launch_count && length < size; i++) {
    char name[SL_KERNEL_TEXT];
    size_t before = 0;
    while (result->launches[before].entry != result->launches[i].entry)
      before++;
    if (before == i)
      length += (size_t)snprintf(text + length, size - length, "%s%.60s", i > 0 ? ", " : "",
                                 sl_kernel_name(program, result->launches[i].entry, name));
  }
}

enum sl_status sl_launch_choice_check(const struct sl_launch_choice *choice, const struct sl_program *program,
                                      const struct sl_result *result, size_t chosen, struct sl_error *err)
{
  char kernels[300];
  if (chosen > 0 || result->launch_count == 0)
    return SL_OK;
  if (choice->kernel == NULL)
    return sl_fail(err, SL_USAGE, "there is no launch %" PRIu64 ": the program's are numbered 0 to %zu", choice->number,
                   result->launch_count - 1);
  list_kernels(program, result, kernels, sizeof kernels);
  return sl_fail(err, SL_USAGE, "no launch of a kernel %s: the program has launched %s", choice->kernel, kernels);
}

enum { WORD_BITS = 32, STRIDE_BITS = 2, READ_PORTS = 2, REGISTERS = 32 };

static unsigned log2_rounded_up(uint64_t n)
{
  unsigned bits = 0;
  while (UINT64_C(1) << bits < n)
    bits++;
  return bits;
}

uint64_t sl_storage_bits(const struct sl_register_storage *file)
{
  const uint64_t registers = (uint64_t)file->warps * file->registers, vector = (uint64_t)file->lanes * WORD_BITS;
  if (!file->compressed)
    return registers * vector;
  const uint64_t slots = file->slots != 0 ? file->slots : registers;
  const uint64_t entry = WORD_BITS + (file->affine ? STRIDE_BITS : 0) + 1;
  return READ_PORTS * registers * entry + slots * vector + slots * log2_rounded_up(slots);
}

bool sl_storage_of(const struct sl_config *config, struct sl_register_storage *file)
{
  uint32_t lanes, warps, compressed, slots, affine;
  if (!sl_config_value(config, "lanes", &lanes) || !sl_config_value(config, "warps", &warps) ||
      !sl_config_value(config, "registers", &compressed) || !sl_config_value(config, "registers.slots", &slots) ||
      !sl_config_value(config, "registers.affine", &affine))
    return false;
  *file = (struct sl_register_storage){lanes, warps, REGISTERS, compressed != 0, slots, affine != 0};
  return true;
}
