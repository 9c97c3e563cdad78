/* Reads the ELF note that names the target for which a program was linked. */
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

void sl_target_read(struct sl_program *program)
{
  for (Elf_Scn *section = elf_nextscn(program->elf, NULL); section != NULL && program->target == NULL;
       section = elf_nextscn(program->elf, section)) {
    GElf_Shdr header;
    Elf_Data *data =
        gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_NOTE ? elf_getdata(section, NULL) : NULL;
    program->target = data != NULL && data->d_buf != NULL ? find(data) : NULL;
  }
}

const char *sl_program_target(const struct sl_program *program)
{
  return program->target;
}
