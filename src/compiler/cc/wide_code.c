#define _GNU_SOURCE /* memmem */
#include "compiler/cc/wide_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cc/machine_ir.h"
#include "compiler/isa64/assembler/assembler64.h"
#include "compiler/isa64/compile_mir.h"
#include "compiler/isa64/replace64.h"

static const char jump[] = "longjmp";

bool sl_wide_code_jumps(const struct sl_object64 *object)
{
  for (size_t i = 0; i < object->symbol_count; i++)
    if (strstr(object->symbols[i].name, jump) != NULL)
      return true;
  return false;
}

/* Archive members are read on demand, which would be too late for this check. */
bool sl_wide_code_archive_jumps(const struct sl_rv32_archive *archive)
{
  return memmem(archive->bytes, archive->size, jump, strlen(jump)) != NULL;
}

void sl_wide_code_allow_jumps(struct sl_wide_code *code)
{
  enum { OF_RISCV = 32 };
  memset(code->options.saved + OF_RISCV, 0, SL_REGISTERS - OF_RISCV);
}

static void note(struct sl_log *log, const struct sl_backend_notes *notes)
{
  char line[600];
  for (size_t i = 0; i < notes->function_count; i++)
    if (notes->function[i].refusal != NULL) {
      const int n = snprintf(line, sizeof line, "note: %.120s has the stock compiler's code for 32 registers: %.400s\n",
                             notes->function[i].name, notes->function[i].refusal);
      sl_log_add(log, line, (size_t)n);
    }
}

static enum sl_status compile(const struct sl_wide_code *code, struct sl_object64 *object,
                              const struct sl_section64 *text, struct sl_error *err)
{
  const struct sl_wide_options *o = &code->options;
  struct sl_object64 compiled;
  struct sl_backend_notes notes = {0};
  uint8_t bank[SL_REGISTERS];
  for (unsigned reg = 0; reg < SL_REGISTERS; reg++)
    bank[reg] = (uint8_t)sl_bank_of(o->map, o->banks, o->registers, reg);
  const struct sl_backend_options options = {.registers = o->registers,
                                             .banks = o->banks,
                                             .bank = bank,
                                             .saved = o->saved,
                                             .allocation = o->allocation,
                                             .assembler = {.assemble = sl_assemble64_words}};
  enum sl_status status =
      sl_compile_mir(object->name, (const char *)text->bytes, text->size, &options, &compiled, &notes, err);
  if (status != SL_OK)
    return status;
  if (code->notes != NULL)
    note(code->notes, &notes);
  sl_backend_notes_free(&notes);
  status = sl_object64_replace(object, &compiled, err);
  sl_object64_free(&compiled);
  return status;
}

enum sl_status sl_wide_code_compile(void *context, struct sl_object64 *object, struct sl_error *err)
{
  const struct sl_wide_code *code = context;
  enum sl_status status = SL_OK;
  for (size_t i = 0; i < object->section_count && status == SL_OK; i++) {
    struct sl_section64 *section = &object->sections[i];
    if (strcmp(section->name, SL_MACHINE_IR_SECTION) != 0)
      continue;
    const struct sl_section64 text = *section;
    section->bytes = NULL;
    section->size = 0;
    section->fix_count = 0;
    section->keep = false; /* the section is not part of the program */
    if (!code->options.stock && text.bytes != NULL)
      status = compile(code, object, &text, err);
    free(text.bytes);
  }
  return status;
}
