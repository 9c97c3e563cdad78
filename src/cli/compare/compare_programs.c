#include "cli/compare_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/locations.h"
#include "toolchain/compile.h"

bool sl_is_source(const char *file)
{
  const char *dot = strrchr(file, '.');
  return dot != NULL && (strcmp(dot, ".c") == 0 || strcmp(dot, ".S") == 0);
}

static bool has_fpu(const struct sl_config *machine)
{
  const struct sl_keys *keys = machine->machine->keys;
  for (size_t i = 0; i < keys->count; i++)
    if (strcmp(keys->key[i].name, "fpu") == 0)
      return sl_key_value(&keys->key[i], machine->spec) != 0;
  return false;
}

static enum sl_compare_target target_of(const struct sl_config *machine)
{
  const struct sl_soc soc = machine->machine->soc(machine->spec);
  if (soc.launches == SL_LAUNCH_PROGRAM)
    return SL_TARGET_VORTEX;
  if (soc.launches == SL_LAUNCH_GRID)
    return SL_TARGET_GRID;
  return has_fpu(machine) ? SL_TARGET_SIMT_FP : SL_TARGET_SIMT;
}

static enum sl_status compile(const char *file, enum sl_compare_target target, const char *output, struct sl_error *err)
{
  char runtime[SL_PATH], marks_tool[SL_PATH];
  struct sl_log log = {0};
  const struct sl_input input = {.word = file};
  struct sl_tools tools = {.log = &log};
  struct sl_compile_order order = {.inputs = &input,
                                   .input_count = 1,
                                   .output = output,
                                   .runtime = runtime,
                                   .vortex = target == SL_TARGET_VORTEX,
                                   .grid = target == SL_TARGET_GRID,
                                   .auto_marks = target == SL_TARGET_VORTEX,
                                   .marks_tool = marks_tool,
                                   .fp = target == SL_TARGET_SIMT_FP || target == SL_TARGET_GRID};
  sl_find_helper("simtlab-marks", marks_tool);
  enum sl_status code = sl_find_data("runtime", runtime, err);
  if (code == SL_OK)
    code = sl_compile(&order, &tools, err);
  if (log.text != NULL)
    fputs(log.text, stderr);
  free(log.text);
  return code;
}

/* By way of a file that is gone afterwards. */
static enum sl_status make(struct sl_compare_program *program, enum sl_compare_target target, struct sl_error *err)
{
  char output[] = "/tmp/simtlab-compare-XXXXXX";
  const int descriptor = mkstemp(output);
  if (descriptor < 0)
    return sl_fail(err, SL_USAGE, "%s: no file can be made for the compiled program", output);
  close(descriptor);
  enum sl_status code = compile(program->file, target, output, err);
  if (code == SL_OK)
    code = sl_program_load(output, &program->made[target], err);
  unlink(output);
  return code;
}

enum sl_status sl_compare_program(struct sl_compare_program *program, const struct sl_config *machine,
                                  const struct sl_program **result, struct sl_error *err)
{
  const bool source = sl_is_source(program->file);
  const enum sl_compare_target target = source ? target_of(machine) : SL_TARGET_SIMT;
  enum sl_status code = SL_OK;
  if (program->made[target] == NULL)
    code = source ? make(program, target, err) : sl_program_load(program->file, &program->made[target], err);
  *result = program->made[target];
  return code;
}

void sl_compare_program_free(struct sl_compare_program *program)
{
  for (size_t i = 0; i < SL_TARGETS; i++)
    sl_program_free(program->made[i]);
}
