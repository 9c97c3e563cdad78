#include "compiler/isa64/compile_mir.h"

#include <string.h>

#include "compiler/isa64/allocate/allocate.h"
#include "compiler/isa64/lir/lir.h"

struct sl_backend_options sl_backend_defaults(void)
{
  return (struct sl_backend_options){.registers = 128, .banks = 4, .allocation = SL_COST};
}

void sl_backend_notes_free(struct sl_backend_notes *notes)
{
  for (size_t i = 0; i < notes->function_count; i++) {
    free(notes->function[i].name);
    free(notes->function[i].refusal);
  }
  free(notes->function);
  *notes = (struct sl_backend_notes){0};
}

/* Counts source pairs of an allocated function in one bank. */
static void count_conflicts(const struct sl_lir *lir, const struct sl_registers *registers,
                            struct sl_function_notes *notes)
{
  for (size_t b = 0; b < lir->block_count; b++)
    for (uint32_t i = 0; i < lir->block[b].insn_count; i++) {
      const struct sl_lir_insn *insn = &lir->insn[lir->block[b].insn + i];
      const unsigned pairs = sl_source_conflicts(lir, registers, insn);
      notes->all_conflicts += pairs > 0;
      notes->conflicts += pairs > 0 && sl_lir_field(lir, insn, SL_LIR_RD) != SL_LIR_NONE;
      notes->weighted_conflicts += pairs * lir->block[b].frequency;
    }
}

static enum sl_status allocated(struct sl_unit *unit, const struct sl_lir *lir, const struct sl_registers *registers,
                                const struct sl_backend_options *options, struct sl_function_notes *notes,
                                struct sl_error *err)
{
  struct sl_lir after;
  enum sl_status status = sl_allocate(lir, registers, options->allocation, &after, &notes->facts, err);
  if (status != SL_OK)
    return status;
  status = sl_check_allocation(lir, &after, registers, err);
  if (status == SL_OK)
    status = sl_emit(unit, &after, &notes->facts, &options->assembler, err);
  count_conflicts(&after, registers, notes);
  sl_lir_free(&after);
  return status;
}

static enum sl_status compile(struct sl_unit *unit, struct sl_mir_module *module, const struct sl_mir_function *f,
                              const struct sl_registers *registers, const struct sl_backend_options *options,
                              struct sl_function_notes *notes, struct sl_error *err)
{
  struct sl_lir lir;
  const size_t sections = unit->object->section_count;
  if (f->refusal != NULL)
    return sl_fail(err, SL_USAGE, "%s", f->refusal);
  enum sl_status status = sl_lir_select(module, f, &lir, err);
  if (status == SL_OK && !sl_lir_fold(&lir))
    status = sl_no_memory(err, lir.insn_count);
  if (status == SL_OK)
    status = allocated(unit, &lir, registers, options, notes, err);
  sl_lir_free(&lir);
  if (status == SL_OK)
    notes->instructions = (uint32_t)unit->object->sections[sections].code_count;
  return status;
}

/* Compiles one function. A refusal goes into the notes, and partial output is removed from the unit. */
static enum sl_status one(struct sl_unit *unit, struct sl_mir_module *module, const struct sl_mir_function *f,
                          const struct sl_registers *registers, const struct sl_backend_options *options,
                          struct sl_function_notes *notes, struct sl_error *err)
{
  struct sl_error mine = {0};
  const size_t sections = unit->object->section_count, symbols = unit->object->symbol_count;
  *notes = (struct sl_function_notes){.name = strdup(f->name)};
  const enum sl_status status = compile(unit, module, f, registers, options, notes, &mine);
  if (status == SL_OK && notes->name != NULL)
    return SL_OK;
  sl_unit_cut(unit, sections, symbols);
  if (status != SL_USAGE || notes->name == NULL)
    return sl_fail(err, SL_INTERNAL, "%s", mine.text);
  notes->refusal = strdup(mine.text);
  return notes->refusal != NULL ? SL_OK : sl_no_memory(err, sizeof mine);
}

/* The source files have the same numbers in module and unit. */
static enum sl_status hand_over_files(struct sl_mir_module *module, struct sl_object64 *object, struct sl_error *err)
{
  size_t room = 4;
  while (room <= module->file_count)
    room *= 2;
  object->files = calloc(room, sizeof *object->files);
  if (object->files == NULL)
    return sl_no_memory(err, room);
  object->file_count = module->file_count;
  for (size_t i = 0; i < module->file_count; i++)
    object->files[i] = module->file[i];
  module->file_count = 0;
  return SL_OK;
}

static enum sl_status functions(struct sl_mir_module *module, const struct sl_registers *registers,
                                const struct sl_backend_options *options, struct sl_object64 *object,
                                struct sl_backend_notes *notes, struct sl_error *err)
{
  struct sl_unit unit;
  notes->function = sl_zeroed(module->function_count, sizeof *notes->function);
  enum sl_status status = SL_OK;
  if (notes->function == NULL || !sl_unit_init(&unit, object, module))
    return sl_no_memory(err, sizeof *module->text);
  for (size_t i = 0; status == SL_OK && i < module->function_count; i++) {
    status = one(&unit, module, &module->function[i], registers, options, &notes->function[i], err);
    notes->function_count++;
  }
  sl_unit_free(&unit);
  return status == SL_OK ? hand_over_files(module, object, err) : status;
}

enum sl_status sl_compile_mir(const char *name, const char *text, size_t size, const struct sl_backend_options *options,
                              struct sl_object64 *object, struct sl_backend_notes *notes, struct sl_error *err)
{
  struct sl_registers registers;
  struct sl_mir_module module = {0};
  struct sl_backend_notes own = {0};
  *object = (struct sl_object64){.name = strdup(name)};
  enum sl_status status =
      sl_registers_init(&registers, options->registers, options->banks, options->bank, options->saved, err);
  if (status == SL_OK && object->name == NULL)
    status = sl_no_memory(err, strlen(name));
  if (status == SL_OK)
    status = sl_mir_read(name, text, size, &module, err);
  if (status == SL_OK)
    status = functions(&module, &registers, options, object, &own, err);
  sl_mir_free(&module);
  if (status != SL_OK)
    sl_object64_free(object);
  if (status != SL_OK || notes == NULL)
    sl_backend_notes_free(&own);
  if (notes != NULL)
    *notes = own;
  return status;
}
