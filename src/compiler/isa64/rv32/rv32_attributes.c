#include "compiler/isa64/rv32/rv32_attributes.h"

#include <ctype.h>
#include <string.h>

#define REMEDY "compile with -march=rv32ima_zicsr_zfinx -mabi=ilp32"

enum { ATTRIBUTES = 0x70000003, TAG_FILE = 1, TAG_ARCH = 5 };

struct cursor {
  const uint8_t *at, *end;
};

static uint32_t take_number(struct cursor *c)
{
  uint32_t value = 0;
  for (unsigned shift = 0; c->at < c->end; shift += 7) {
    const uint8_t byte = *c->at++;
    value |= shift < 32 ? (uint32_t)(byte & 0x7f) << shift : 0;
    if (byte < 0x80)
      break;
  }
  return value;
}

/* Returns a part that begins with its length, which counts itself and `before` bytes before it; empty if invalid. */
static struct cursor take_part(struct cursor *c, size_t before)
{
  uint32_t length = 0;
  const uint8_t *const begin = c->at;
  if (c->end - c->at >= 4)
    memcpy(&length, c->at, sizeof length);
  struct cursor part = {c->end, c->end};
  if (length >= before + 4 && length - before <= (size_t)(c->end - begin)) {
    part = (struct cursor){begin + 4, begin + (length - before)};
    c->at = part.end;
  } else
    c->at = c->end;
  return part;
}

static const char *take_string(struct cursor *c)
{
  const uint8_t *const begin = c->at, *const end = memchr(begin, 0, (size_t)(c->end - begin));
  c->at = end != NULL ? end + 1 : c->end;
  return end != NULL ? (const char *)begin : NULL;
}

static const char *arch_of_file(struct cursor attributes)
{
  while (attributes.at < attributes.end) {
    const uint32_t tag = take_number(&attributes);
    if (tag % 2 == 0)
      take_number(&attributes);
    else {
      const char *text = take_string(&attributes);
      if (tag == TAG_ARCH)
        return text;
    }
  }
  return NULL;
}

/* NULL: the object does not have it. */
static const char *find_arch(struct cursor c)
{
  if (c.at == c.end || *c.at++ != 'A')
    return NULL;
  while (c.at < c.end) {
    struct cursor vendor = take_part(&c, 0);
    const char *name = vendor.at < vendor.end ? take_string(&vendor) : NULL;
    while (name != NULL && strcmp(name, "riscv") == 0 && vendor.at < vendor.end) {
      const bool file = *vendor.at++ == TAG_FILE;
      const struct cursor part = take_part(&vendor, 1);
      const char *arch = file ? arch_of_file(part) : NULL;
      if (arch != NULL)
        return arch;
    }
  }
  return NULL;
}

static enum sl_status check_extension(const char *name, struct sl_error *err)
{
  if (strncmp(name, "zc", 2) == 0 || (name[0] == 'c' && isdigit((unsigned char)name[1])))
    return sl_fail(err, SL_USAGE, "is compiled with compressed instructions; " REMEDY);
  if (strchr("fdq", name[0]) != NULL && isdigit((unsigned char)name[1]))
    return sl_fail(err, SL_USAGE,
                   "is compiled for floating-point registers, which programs of 64-bit words do not have; " REMEDY);
  if (name[0] == 'v' && isdigit((unsigned char)name[1]))
    return sl_fail(err, SL_USAGE, "is compiled with vector instructions; " REMEDY);
  return SL_OK;
}

/* Underscores separate extensions with their versions: rv32i2p1_m2p0_zfinx1p0. */
static enum sl_status check_arch(const char *arch, struct sl_error *err)
{
  if (strncmp(arch, "rv32i", 5) != 0)
    return sl_fail(err, SL_USAGE, "is compiled for %.60s; " REMEDY, arch);
  for (const char *name = strchr(arch, '_'); name != NULL; name = strchr(name + 1, '_'))
    if (name[1] != '\0' && check_extension(name + 1, err) != SL_OK)
      return SL_USAGE;
  return SL_OK;
}

enum sl_status sl_rv32_attributes_check(const struct sl_elf_object *elf, struct sl_error *err)
{
  if (elf->flags & EF_RISCV_RVC)
    return sl_fail(err, SL_USAGE, "is compiled with compressed instructions; " REMEDY);
  if (elf->flags & EF_RISCV_RVE)
    return sl_fail(err, SL_USAGE, "is compiled for 16 registers (RV32E); " REMEDY);
  if ((elf->flags & EF_RISCV_FLOAT_ABI) != EF_RISCV_FLOAT_ABI_SOFT)
    return sl_fail(err, SL_USAGE, "passes arguments in floating-point registers; " REMEDY);
  for (uint32_t i = 1; i < elf->section_count; i++) {
    const uint8_t *bytes = sl_elf_object_bytes(elf, i);
    const char *arch = elf->sections[i].sh_type == ATTRIBUTES
                           ? find_arch((struct cursor){bytes, bytes + elf->sections[i].sh_size})
                           : NULL;
    if (arch != NULL)
      return check_arch(arch, err);
  }
  return SL_OK;
}
