#include "grid_program.h"

#include <string.h>

enum { CODE = 0x08000400, DATA = 0x10000000 };

/* Grid, block, size of the launch block, shared memory of a block. */
static const uint32_t launch[] = {3, 1, 1, 40, 1, 1, 64, 256, 0};

void sl_grid_program(struct sl_grid_program *p, const uint8_t *bytes, size_t size)
{
  static const char names[] = "\0__simt_grid";
  memset(p, 0, sizeof *p);
  sl_whole_program(&p->whole, bytes, size);
  p->whole.header.e_entry = p->whole.segments[0].p_vaddr = CODE;
  p->whole.segments[1].p_vaddr = DATA;
  p->whole.segments[1].p_filesz = p->whole.segments[1].p_memsz = sizeof p->whole.data;
  memmove(p->whole.data + sizeof launch, p->whole.data, sizeof p->whole.data - sizeof launch);
  memcpy(p->whole.data, launch, sizeof launch);
  memcpy(p->names, names, sizeof names);
  p->symbols[1] =
      (Elf32_Sym){.st_name = 1, .st_value = 1, .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_NOTYPE), .st_shndx = SHN_ABS};
  p->sections[1] = (Elf32_Shdr){.sh_type = SHT_SYMTAB,
                                .sh_offset = offsetof(struct sl_grid_program, symbols),
                                .sh_size = sizeof p->symbols,
                                .sh_link = 2,
                                .sh_info = 1,
                                .sh_entsize = sizeof *p->symbols};
  p->sections[2] = (Elf32_Shdr){
      .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct sl_grid_program, names), .sh_size = sizeof p->names};
  p->whole.header.e_shoff = offsetof(struct sl_grid_program, sections);
  p->whole.header.e_shentsize = sizeof *p->sections;
  p->whole.header.e_shnum = sizeof p->sections / sizeof *p->sections;
  p->whole.header.e_shstrndx = 2;
}
