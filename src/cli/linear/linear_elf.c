#include "cli/linear/linear_elf.h"

#include <inttypes.h>
#include <string.h>

#include "machine/sm7/riscv/sm7_rv_execute.h"
#include "machine/sm7/riscv/sm7_rv_flow.h"
#include "machine/sm7/sm7.h"

const struct sl_linear_abi sl_linear_sm7_abi = {.place_csr = SL_SM7_RV_CSR_PLACE,
                                                .launch_csr = SL_SM7_RV_CSR_LAUNCH,
                                                .end_csr = SL_SM7_RV_CSR_COMMAND,
                                                .grid_at = offsetof(struct sl_sm7_rv_launch, grid),
                                                .block_at = offsetof(struct sl_sm7_rv_launch, block),
                                                .arguments_at = sizeof(struct sl_sm7_rv_launch)};

/* All executable words, from the first to the last. */
static enum sl_status decode(struct sl_linear_elf *elf, struct sl_error *err)
{
  uint32_t base = UINT32_MAX, end = 0;
  for (size_t i = 0; i < sl_program_segment_count(elf->program); i++) {
    const struct sl_segment *s = sl_program_segment(elf->program, i);
    if (!s->executable || s->file_size == 0)
      continue;
    base = s->address < base ? s->address : base;
    end = s->address + s->file_size > end ? s->address + s->file_size : end;
  }
  if (base >= end)
    return sl_fail(err, SL_USAGE, "%s: has no code", sl_program_name(elf->program));
  base &= ~3u;
  const uint32_t words = (end - base) / 4;
  struct sl_sm7_spec spec;
  sl_keys_defaults(&sl_sm7_keys, &spec);
  const enum sl_status status =
      sl_code_init(&elf->code, sl_isa(SL_ISA_RV32), sl_sm7.soc(&spec).isa_sets, base, words, err);
  for (uint32_t i = 0; status == SL_OK && i < words; i++)
    sl_code_write(&elf->code, i, sl_program_word(elf->program, base + 4 * i));
  return status;
}

enum sl_status sl_linear_elf_open(struct sl_linear_elf *elf, const char *path, struct sl_error *err)
{
  uint32_t value;
  enum sl_status status = sl_program_load(path, &elf->program, err);
  if (status != SL_OK)
    return status;
  if (sl_program_isa(elf->program) != SL_ISA_RV32 || !sl_program_symbol(elf->program, "__simt_grid", &value))
    return sl_fail(err, SL_USAGE,
                   "%s: its kernels distribute their blocks in software and have no indices; compile it with "
                   "simtlab cc --target sm7, or --target ptx for PTX",
                   path);
  return decode(elf, err);
}

void sl_linear_elf_close(struct sl_linear_elf *elf)
{
  sl_code_free(&elf->code);
  if (elf->program != NULL)
    sl_program_free(elf->program);
  elf->program = NULL;
}

bool sl_linear_elf_find(const struct sl_linear_elf *elf, const char *name, struct sl_linear_machine_code *function)
{
  uint32_t address;
  if (!sl_program_symbol(elf->program, name, &address))
    return false;
  *function = (struct sl_linear_machine_code){.code = &elf->code, .abi = &sl_linear_sm7_abi};
  function->first = function->end = sl_code_index(&elf->code, address);
  for (; function->end < elf->code.count; function->end++) {
    const struct sl_location at = sl_program_locate(elf->program, sl_code_address(&elf->code, function->end));
    if (at.function == NULL || strcmp(at.function, name) != 0)
      break;
  }
  return function->end > function->first;
}
