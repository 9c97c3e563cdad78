/* Reads what a program's file tells of its making: the target in an ELF note, the compiler in a section. */
#include <gelf.h>
#include <string.h>

#include "program/image.h"

static const char owner[] = "simtlab";
enum { TARGET = 1 };

/* Returns the target's name in a note section; NULL if the section has none or the note is truncated. */
static const char *find(Elf_Data *data)
{
  GElf_Nhdr note;
  size_t at = 0, name, text;
  while ((at = gelf_getnote(data, at, &note, &name, &text)) > 0) {
    const char *bytes = data->d_buf;
    if (note.n_type == TARGET && note.n_namesz == sizeof owner && memcmp(bytes + name, owner, sizeof owner) == 0 &&
        note.n_descsz > 0 && bytes[text + note.n_descsz - 1] == '\0')
      return bytes + text;
  }
  return NULL;
}

/* The data of a section of this type, and of this name unless that is NULL. */
static Elf_Data *data_of(Elf *elf, Elf_Scn *section, unsigned type, const char *name)
{
  GElf_Shdr header;
  size_t names;
  if (gelf_getshdr(section, &header) == NULL || header.sh_type != type)
    return NULL;
  const char *own = name != NULL && elf_getshdrstrndx(elf, &names) == 0 ? elf_strptr(elf, names, header.sh_name) : NULL;
  if (name != NULL && (own == NULL || strcmp(own, name) != 0))
    return NULL;
  Elf_Data *data = elf_getdata(section, NULL);
  return data != NULL && data->d_buf != NULL ? data : NULL;
}

void sl_target_read(struct sl_program *program)
{
  for (Elf_Scn *section = elf_nextscn(program->elf, NULL); section != NULL;
       section = elf_nextscn(program->elf, section)) {
    Elf_Data *note = data_of(program->elf, section, SHT_NOTE, NULL),
             *comment = data_of(program->elf, section, SHT_PROGBITS, ".comment");
    if (program->target == NULL && note != NULL)
      program->target = find(note);
    if (program->toolchain == NULL && comment != NULL && memchr(comment->d_buf, '\0', comment->d_size) != NULL)
      program->toolchain = comment->d_buf;
  }
}

const char *sl_program_target(const struct sl_program *program)
{
  return program->target;
}

const char *sl_program_toolchain(const struct sl_program *program)
{
  return program->toolchain;
}
