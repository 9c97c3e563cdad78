#include "gpu/program_target.h"

#include <string.h>

/* Where every program begins at the same place they have been made by another compiler, whose files have a header of
 * RISC-V. */
static enum sl_status check_words(const struct sl_device *device, const struct sl_program *program,
                                  struct sl_error *err)
{
  const struct sl_isa *own = sl_isa(device->soc.isa), *its = sl_isa(sl_program_isa(program));
  const bool wide = device->soc.isa == SL_ISA_WIDE64, headed = device->soc.start != 0;
  if (own != its && !(wide && headed))
    return sl_fail(err, SL_USAGE, "%s: its instructions are %s, those of %s are %s. Choose a machine such as %s",
                   sl_program_name(program), its->name, device->name, own->name,
                   wide ? "vortex or simtight" : "vortex64");
  if (own == its && wide && sl_program_registers(program) > device->soc.registers)
    return sl_fail(err, SL_USAGE, "%s: compiled for %u registers, %s has %u; set registers to as many",
                   sl_program_name(program), sl_program_registers(program), device->name, device->soc.registers);
  return SL_OK;
}

/* A preset of each target of simtlab cc. */
static const struct {
  const char *target, *machine;
} presets[] = {{"simt", "simtight"}, {"vortex", "vortex"}, {"sm7", "sm7"}};

static const char *preset_of(const char *target)
{
  for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++)
    if (strcmp(presets[i].target, target) == 0)
      return presets[i].machine;
  return NULL;
}

/* What programs are linked for that the device runs; NULL: simtlab cc makes none. */
static const char *target_of(const struct sl_device *device)
{
  switch (device->soc.launches) {
  case SL_LAUNCH_PROGRAM: return device->soc.isa == SL_ISA_WIDE64 ? "vortex64" : "vortex";
  case SL_LAUNCH_GRID: return "sm7";
  default: return device->soc.no_host ? NULL : "simt";
  }
}

/* Programs say by a note of their start what they are for, and those for machines that deal the blocks themselves by a
 * symbol too, which is there also without the start. */
static enum sl_status check_note(const struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  uint32_t value;
  const bool dealt = sl_program_symbol(program, "__simt_grid", &value);
  const char *name = sl_program_name(program), *own = target_of(device);
  const char *its = dealt ? "sm7" : sl_program_target(program);
  if (its == NULL && device->soc.launches == SL_LAUNCH_GRID)
    return sl_fail(err, SL_USAGE,
                   "%s: compiled for another kind of machine than %s; compile it by simtlab cc --target sm7", name,
                   device->name);
  if (its == NULL || preset_of(its) == NULL || (own != NULL && strcmp(its, own) == 0))
    return SL_OK;
  if (own == NULL)
    return sl_fail(err, SL_USAGE,
                   "%s: compiled for %s, not for %s, which has no host CPU and runs programs without launches; run it "
                   "on %s",
                   name, its, device->name, preset_of(its));
  return sl_fail(err, SL_USAGE,
                 "%s: compiled for %s, not for %s; compile it by simtlab cc --target %s, or run it on %s", name, its,
                 device->name, own, preset_of(its));
}

enum sl_status sl_check_target(const struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  const enum sl_status code = check_words(device, program, err);
  return code == SL_OK ? check_note(device, program, err) : code;
}
