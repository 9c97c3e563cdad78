/* A hand-made program file: code (zeros, or filled in by the test), data and a symbol table. */
#ifndef SL_TESTS_IMAGE_H
#define SL_TESTS_IMAGE_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CODE = 0x08000400, DATA = 0x08008000, CODE_SIZE = 64, DATA_SIZE = 16, BSS_SIZE = 32, SYMBOLS = 7 };

struct image {
  Elf32_Ehdr header;
  Elf32_Phdr segments[2];
  uint8_t code[CODE_SIZE];
  uint8_t data[DATA_SIZE];
  Elf32_Sym symbols[SYMBOLS];
  char strings[64];
  char section_names[32];
  Elf32_Shdr sections[4];
};

static inline uint32_t add_string(char *strings, size_t *used, const char *text)
{
  uint32_t at = (uint32_t)*used;
  strcpy(strings + at, text);
  *used += strlen(text) + 1;
  return at;
}

static inline Elf32_Sym make_symbol(uint32_t name, uint32_t address, uint32_t size, unsigned bind, unsigned type)
{
  return (Elf32_Sym){.st_name = name,
                     .st_value = address,
                     .st_size = size,
                     .st_info = (uint8_t)ELF32_ST_INFO(bind, type),
                     .st_shndx = SHN_ABS};
}

static inline void add_symbols(struct image *image)
{
  size_t used = 1;
  char *s = image->strings;
  image->symbols[1] = make_symbol(add_string(s, &used, "_start"), CODE, 0, STB_GLOBAL, STT_NOTYPE);
  image->symbols[2] = make_symbol(add_string(s, &used, "kernel"), CODE + 16, 24, STB_GLOBAL, STT_FUNC);
  image->symbols[3] = make_symbol(add_string(s, &used, "loop"), CODE + 24, 0, STB_LOCAL, STT_NOTYPE);
  image->symbols[4] = make_symbol(add_string(s, &used, "table"), DATA, 8, STB_GLOBAL, STT_OBJECT);
  image->symbols[5] = make_symbol(add_string(s, &used, ".L1"), CODE + 28, 0, STB_LOCAL, STT_NOTYPE);
  image->symbols[6] = make_symbol(add_string(s, &used, "tail"), CODE + 48, 0, STB_LOCAL, STT_NOTYPE);
}

static inline void add_sections(struct image *image)
{
  size_t used = 1;
  char *names = image->section_names;
  image->sections[1] = (Elf32_Shdr){.sh_name = add_string(names, &used, ".symtab"),
                                    .sh_type = SHT_SYMTAB,
                                    .sh_offset = offsetof(struct image, symbols),
                                    .sh_size = sizeof image->symbols,
                                    .sh_link = 2,
                                    .sh_entsize = sizeof(Elf32_Sym)};
  image->sections[2] = (Elf32_Shdr){.sh_name = add_string(names, &used, ".strtab"),
                                    .sh_type = SHT_STRTAB,
                                    .sh_offset = offsetof(struct image, strings),
                                    .sh_size = sizeof image->strings};
  image->sections[3] = (Elf32_Shdr){.sh_name = add_string(names, &used, ".shstrtab"),
                                    .sh_type = SHT_STRTAB,
                                    .sh_offset = offsetof(struct image, section_names),
                                    .sh_size = sizeof image->section_names};
}

static inline struct image make_image(void)
{
  struct image image = {
      .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                 .e_type = ET_EXEC,
                 .e_machine = EM_RISCV,
                 .e_version = EV_CURRENT,
                 .e_entry = CODE,
                 .e_phoff = offsetof(struct image, segments),
                 .e_shoff = offsetof(struct image, sections),
                 .e_ehsize = sizeof(Elf32_Ehdr),
                 .e_phentsize = sizeof(Elf32_Phdr),
                 .e_phnum = 2,
                 .e_shentsize = sizeof(Elf32_Shdr),
                 .e_shnum = 4,
                 .e_shstrndx = 3},
      .segments = {{.p_type = PT_LOAD,
                    .p_offset = offsetof(struct image, data),
                    .p_vaddr = DATA,
                    .p_filesz = DATA_SIZE,
                    .p_memsz = DATA_SIZE + BSS_SIZE,
                    .p_flags = PF_R | PF_W},
                   {.p_type = PT_LOAD,
                    .p_offset = offsetof(struct image, code),
                    .p_vaddr = CODE,
                    .p_filesz = CODE_SIZE,
                    .p_memsz = CODE_SIZE,
                    .p_flags = PF_R | PF_X}},
  };
  memset(image.data, 0xd5, sizeof image.data);
  add_symbols(&image);
  add_sections(&image);
  return image;
}

#endif
