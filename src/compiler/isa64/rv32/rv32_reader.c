#include "compiler/isa64/rv32/rv32_reader.h"

#include <inttypes.h>
#include <stdio.h>

const char *sl_rv32_place(const struct sl_rv32_reader *reader, uint32_t section, uint32_t offset,
                          char text[SL_RV32_PLACE_SIZE])
{
  const struct sl_elf_object *elf = &reader->elf;
  const char *name = sl_elf_object_section_name(elf, section);
  uint32_t from = 0;
  for (size_t i = 0; i < elf->symbol_count; i++) {
    const Elf32_Sym symbol = sl_elf_object_symbol(elf, i);
    if (ELF32_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx != section || symbol.st_value > offset ||
        symbol.st_value < from)
      continue;
    name = sl_elf_object_string(elf, elf->sections[elf->symbols].sh_link, symbol.st_name);
    from = symbol.st_value;
  }
  snprintf(text, SL_RV32_PLACE_SIZE, "%.80s+0x%" PRIx32, name, offset - from);
  return text;
}
