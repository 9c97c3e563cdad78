#include "gpu/program_target.h"

#include <string.h>

/* Checks instruction set and register count. Programs for a device with a fixed start address come from another
 * compiler; their ELF headers say RISC-V although their instructions are 64-bit words. */
static enum sl_status check_words(const struct sl_device *device, const struct sl_program *program,
                                  struct sl_error *err)
{
  const struct sl_isa *own = sl_isa(device->soc.isa), *its = sl_isa(sl_program_isa(program));
  const bool wide = device->soc.isa == SL_ISA_WIDE64, headed = device->soc.start != 0;
  if (own != its && !(wide && headed))
    return sl_fail(
        err, SL_USAGE, "%s: the program's instructions are %s, but %s executes %s; choose a machine such as %s",
        sl_program_name(program), its->name, device->name, own->name, wide ? "vortex or simtight" : "vortex64");
  if (own == its && wide && sl_program_registers(program) > device->soc.registers)
    return sl_fail(err, SL_USAGE, "%s: compiled for %u registers, %s has %u; set registers to at least %u",
                   sl_program_name(program), sl_program_registers(program), device->name, device->soc.registers,
                   sl_program_registers(program));
  return SL_OK;
}

/* A machine preset for each target of simtlab cc. */
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

/* The target of simtlab cc for the device; NULL: none. */
static const char *target_of(const struct sl_device *device)
{
  switch (device->soc.launches) {
  case SL_LAUNCH_PROGRAM: return device->soc.isa == SL_ISA_WIDE64 ? "vortex64" : "vortex";
  case SL_LAUNCH_GRID: return "sm7";
  default: return device->soc.no_host ? NULL : "simt";
  }
}

/* Checks the target. The start code contains a note with the target's name. Programs for machines that distribute
 * blocks in hardware also define a symbol, even without the start code. */
static enum sl_status check_note(const struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  uint32_t value;
  const bool dealt = sl_program_symbol(program, "__simt_grid", &value);
  const char *name = sl_program_name(program), *own = target_of(device);
  const char *its = dealt ? "sm7" : sl_program_target(program);
  if (its == NULL && device->soc.launches == SL_LAUNCH_GRID)
    return sl_fail(err, SL_USAGE,
                   "%s: compiled for another kind of machine than %s; compile it with simtlab cc --target sm7", name,
                   device->name);
  if (its == NULL || preset_of(its) == NULL || (own != NULL && strcmp(its, own) == 0))
    return SL_OK;
  if (own == NULL)
    return sl_fail(err, SL_USAGE,
                   "%s: compiled for %s, not for %s, which has no host CPU and runs programs without launches; run it "
                   "on %s",
                   name, its, device->name, preset_of(its));
  return sl_fail(err, SL_USAGE,
                 "%s: compiled for %s, not for %s; compile it with simtlab cc --target %s, or run it on %s", name, its,
                 device->name, own, preset_of(its));
}

enum sl_status sl_check_target(const struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  const enum sl_status code = check_words(device, program, err);
  return code == SL_OK ? check_note(device, program, err) : code;
}
