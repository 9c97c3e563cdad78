#include "cli/compare/compare_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/locations.h"
#include "compiler/cc/compile.h"
#include "program/elf.h"

bool sl_is_source(const char *file)
{
  const struct sl_input input = {.word = file};
  return sl_is_source_kind(sl_input_kind(&input)) && strcmp(file, "-") != 0;
}

static bool has_fpu(const struct sl_config *machine)
{
  const struct sl_keys *keys = machine->machine->keys;
  for (size_t i = 0; i < keys->count; i++)
    if (strcmp(keys->key[i].name, "fpu") == 0)
      return sl_key_value(&keys->key[i], machine->spec) != 0;
  return false;
}

/* Compilation target of a source; `target` is NULL if the machine has none. */
static struct sl_compare_made made_for(const struct sl_config *machine)
{
  const struct sl_soc soc = machine->machine->soc(machine->spec);
  if (soc.launches == SL_LAUNCH_PROGRAM && soc.isa == SL_ISA_WIDE64)
    return (struct sl_compare_made){.target = "vortex64", .fp = true, .registers = soc.registers};
  if (soc.launches == SL_LAUNCH_PROGRAM)
    return (struct sl_compare_made){.target = "vortex"};
  if (soc.launches == SL_LAUNCH_GRID)
    return (struct sl_compare_made){.target = "sm7", .fp = true};
  return (struct sl_compare_made){.target = soc.no_host ? NULL : "simt", .fp = has_fpu(machine)};
}

static enum sl_status compile(const char *file, const struct sl_compare_made *made, const char *output,
                              struct sl_error *err)
{
  char runtime[SL_PATH], marks_tool[SL_PATH];
  struct sl_log log = {0};
  const struct sl_input input = {.word = file};
  const struct sl_wide_words words = {0};
  struct sl_tools tools = {.log = &log};
  const bool wide = strcmp(made->target, "vortex64") == 0, vortex = wide || strcmp(made->target, "vortex") == 0;
  struct sl_compile_order order = {.inputs = &input,
                                   .input_count = 1,
                                   .output = output,
                                   .runtime = runtime,
                                   .wide = wide,
                                   .vortex = vortex,
                                   .grid = strcmp(made->target, "sm7") == 0,
                                   .auto_marks = vortex && !wide,
                                   .marks_tool = marks_tool,
                                   .fp = made->fp};
  sl_find_helper("simtlab-marks", marks_tool);
  enum sl_status code = sl_find_data("runtime", runtime, err);
  if (code == SL_OK)
    code = sl_wide_options_read(&order.code, &words, err);
  if (code == SL_OK && wide)
    order.code.registers = made->registers;
  if (code == SL_OK)
    code = sl_compile(&order, &tools, err);
  if (log.text != NULL)
    fputs(log.text, stderr);
  free(log.text);
  return code;
}

/* Error messages name the source. */
static enum sl_status read_made(const char *file, const char *output, struct sl_program **program, struct sl_error *err)
{
  char *bytes = NULL;
  size_t size = 0;
  enum sl_status code = sl_file_bytes_read(output, &bytes, &size, err);
  if (code == SL_OK)
    code = sl_program_parse(file, bytes, size, program, err);
  free(bytes);
  return code;
}

/* Compiles through temporary files, which are deleted afterwards. */
static enum sl_status make(const char *file, const struct sl_compare_made *made, struct sl_program **program,
                           struct sl_error *err)
{
  char folder[] = "/tmp/simtlab-source-XXXXXX", output[sizeof folder + 8], dependencies[sizeof folder + 8];
  if (mkdtemp(folder) == NULL)
    return sl_fail(err, SL_USAGE, "%s: cannot make a folder for the compiled program", folder);
  snprintf(output, sizeof output, "%s/a.elf", folder);
  snprintf(dependencies, sizeof dependencies, "%s/a.d", folder);
  enum sl_status code = compile(file, made, output, err);
  if (code == SL_OK)
    code = read_made(file, output, program, err);
  unlink(output);
  unlink(dependencies);
  rmdir(folder);
  return code;
}

enum sl_status sl_program_for(const char *file, const struct sl_config *machine, struct sl_program **program,
                              struct sl_error *err)
{
  const struct sl_compare_made made = made_for(machine);
  if (!sl_is_source(file))
    return sl_program_load(file, program, err);
  if (made.target == NULL)
    return sl_fail(err, SL_USAGE,
                   "%.200s: simtlab cc makes no programs for %s; compile it by hand and run the ELF file", file,
                   machine->name);
  return make(file, &made, program, err);
}

static bool is_for(const struct sl_compare_made *made, const struct sl_compare_made *wanted)
{
  return wanted->target != NULL && strcmp(made->target, wanted->target) == 0 && made->fp == wanted->fp &&
         made->registers == wanted->registers;
}

enum sl_status sl_compare_program(struct sl_compare_program *program, const struct sl_config *machine,
                                  const struct sl_program **result, struct sl_error *err)
{
  const bool source = sl_is_source(program->file);
  struct sl_compare_made wanted = made_for(machine);
  for (size_t i = 0; i < program->count; i++)
    if (!source || is_for(&program->made[i], &wanted)) {
      *result = program->made[i].program;
      return SL_OK;
    }
  struct sl_compare_made *made = realloc(program->made, (program->count + 1) * sizeof *made);
  if (made == NULL)
    return sl_no_memory(err, (program->count + 1) * sizeof *made);
  program->made = made;
  const enum sl_status code = sl_program_for(program->file, machine, &wanted.program, err);
  if (code != SL_OK)
    return code;
  made[program->count++] = wanted;
  *result = wanted.program;
  return SL_OK;
}

void sl_compare_program_free(struct sl_compare_program *program)
{
  for (size_t i = 0; i < program->count; i++)
    sl_program_free(program->made[i].program);
  free(program->made);
}
