#include "toolchain/object_symbols.h"

#include <ar.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "program/file_bytes.h"

struct span {
  const char *bytes;
  size_t size;
};

static bool copy(struct span from, size_t at, void *to, size_t size)
{
  if (at > from.size || size > from.size - at)
    return false;
  memcpy(to, from.bytes + at, size);
  return true;
}

static bool is_named(struct span object, const Elf32_Shdr *names, uint32_t name, const char *symbol)
{
  const size_t length = strlen(symbol) + 1, at = (size_t)names->sh_offset + name;
  return at <= object.size && length <= object.size - at && memcmp(object.bytes + at, symbol, length) == 0;
}

static bool table_refers(struct span object, const Elf32_Shdr *table, const Elf32_Shdr *names, const char *symbol)
{
  Elf32_Sym s;
  for (size_t at = 0; at + sizeof s <= table->sh_size; at += sizeof s)
    if (copy(object, table->sh_offset + at, &s, sizeof s) && s.st_shndx == SHN_UNDEF &&
        is_named(object, names, s.st_name, symbol))
      return true;
  return false;
}

static bool object_refers(struct span object, const char *symbol)
{
  Elf32_Ehdr header;
  Elf32_Shdr table, names;
  if (!copy(object, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS32)
    return false;
  for (size_t i = 0; i < header.e_shnum; i++)
    if (copy(object, header.e_shoff + i * sizeof table, &table, sizeof table) && table.sh_type == SHT_SYMTAB &&
        copy(object, header.e_shoff + table.sh_link * sizeof names, &names, sizeof names) &&
        table_refers(object, &table, &names, symbol))
      return true;
  return false;
}

/* Members begin at even offsets. */
static bool archive_refers(struct span archive, const char *symbol)
{
  struct ar_hdr header;
  for (size_t at = SARMAG; copy(archive, at, &header, sizeof header);) {
    char digits[sizeof header.ar_size + 1] = "";
    memcpy(digits, header.ar_size, sizeof header.ar_size);
    const size_t begin = at + sizeof header, size = strtoul(digits, NULL, 10);
    if (size > archive.size - begin)
      return false;
    if (object_refers((struct span){archive.bytes + begin, size}, symbol))
      return true;
    at = begin + size + size % 2;
  }
  return false;
}

bool sl_refers_to(const char *file, const char *symbol)
{
  char *bytes = NULL;
  size_t size = 0;
  struct sl_error err;
  if (sl_file_bytes_read(file, &bytes, &size, &err) != SL_OK)
    return false;
  const struct span whole = {bytes, size};
  const bool archive = size >= SARMAG && memcmp(bytes, ARMAG, SARMAG) == 0;
  const bool refers = archive ? archive_refers(whole, symbol) : object_refers(whole, symbol);
  free(bytes);
  return refers;
}
