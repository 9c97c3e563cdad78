#include "compiler/cc/march.h"

#include <ctype.h>
#include <string.h>

/* Returns the length of an extension's name: a letter, or several from z, s or x to the next underscore, without the
 * version. */
static size_t extension_length(const char *at)
{
  if (strchr("zsx", at[0]) == NULL)
    return 1;
  size_t length = strcspn(at, "_");
  const char *digits = at + length;
  while (digits > at && isdigit((unsigned char)digits[-1]))
    digits--;
  return (size_t)(digits - at);
}

static const char *skip_version(const char *at)
{
  while (isdigit((unsigned char)*at) || *at == '_' || (*at == 'p' && isdigit((unsigned char)at[1])))
    at++;
  return at;
}

static bool is_one_of(const char *name, size_t length, const char *const *list)
{
  for (; *list != NULL; list++)
    if (strlen(*list) == length && strncmp(*list, name, length) == 0)
      return true;
  return false;
}

static bool has(const struct sl_march_target *target, const char *name, size_t length)
{
  static const char *const simt[] = {"m", "a", "zicsr", "zifencei", "zmmul", NULL};
  static const char *const vortex[] = {"m", "a", "f", "zicsr", "zifencei", "zmmul", "zicond", NULL};
  static const char *const of_fp[] = {"zfinx", NULL};
  return is_one_of(name, length, target->vortex ? vortex : simt) || (target->fp && is_one_of(name, length, of_fp));
}

static const char *remedy(const struct sl_march_target *target, const char *name, size_t length)
{
  static const char *const floats[] = {"f", "zfinx", NULL};
  if (!target->vortex && is_one_of(name, length, floats))
    return "float instructions are there by --fp, with Zfinx";
  return "leave it out";
}

static const char *machines(const struct sl_march_target *target)
{
  return target->vortex ? "Vortex" : "SIMTight and Simty";
}

enum sl_status sl_march_check(const struct sl_march_target *target, const char *march, struct sl_error *err)
{
  if (strncmp(march, "rv32", 4) != 0)
    return sl_fail(err, SL_USAGE, "-march=%.80s: %s have 32 bits; write -march=rv32...", march, machines(target));
  const char *at = march + 4;
  if (*at != (target->rv32e ? 'e' : 'i'))
    return sl_fail(err, SL_USAGE, "-march=%.80s: %s", march,
                   target->rv32e ? "--rv32e is for 16 registers; write rv32e..."
                   : *at == 'e'  ? "code for 16 registers is compiled with --rv32e"
                   : *at == 'g'  ? "G stands for extensions that the machine has not; write rv32i and those it has"
                                 : "the name of an instruction set begins with rv32i");
  for (at = skip_version(at + 1); *at != '\0'; at = skip_version(at)) {
    const size_t length = extension_length(at);
    if (length == 0 || !has(target, at, length))
      return sl_fail(err, SL_USAGE, "-march=%.80s: %s cannot run '%.*s'; %s", march, machines(target),
                     (int)(length > 0 ? length : 1), at, remedy(target, at, length));
    at += length;
  }
  return SL_OK;
}

enum sl_status sl_mabi_check(const struct sl_march_target *target, const char *abi, struct sl_error *err)
{
  const char *own = target->vortex ? "ilp32f" : target->rv32e ? "ilp32e" : "ilp32";
  return strcmp(abi, own) == 0
             ? SL_OK
             : sl_fail(err, SL_USAGE, "-mabi=%.80s: runtime and C library are compiled for %s; leave it out", abi, own);
}

bool sl_march_names_zicsr(const char *march)
{
  return strstr(march, "zicsr") != NULL;
}
