/* A hand-made program file with a line table (DWARF 3): image.h plus source lines for the function `kernel`.
 *
 * Its instructions from CODE + 16 on belong to lines 2, 3, 2 and 4 of the file; `tail` has no line. */
#ifndef SL_TESTS_DEBUG_IMAGE_H
#define SL_TESTS_DEBUG_IMAGE_H

#include "image.h"

enum { DEBUG_SECTIONS = 7, DEBUG_BLOB = 512 };

struct debug_image {
  struct image image;
  Elf32_Shdr sections[DEBUG_SECTIONS];
  char names[96];
  uint8_t abbrev[16];
  uint8_t info[DEBUG_BLOB];
  uint8_t line[DEBUG_BLOB];
};

struct blob {
  uint8_t *bytes;
  uint32_t size;
};

static inline void put_bytes(struct blob *blob, const void *bytes, size_t size)
{
  memcpy(blob->bytes + blob->size, bytes, size);
  blob->size += (uint32_t)size;
}

static inline void put_word(struct blob *blob, uint32_t word)
{
  put_bytes(blob, &word, sizeof word);
}

/* Writes the length before the data that follows it. */
static inline void set_length(struct blob *blob, uint32_t at)
{
  const uint32_t length = blob->size - at - 4;
  memcpy(blob->bytes + at, &length, sizeof length);
}

static inline uint32_t make_info(uint8_t *bytes, const char *file)
{
  struct blob blob = {bytes, 0};
  put_word(&blob, 0);
  put_bytes(&blob, "\3\0\0\0\0\0\4\1\0\0\0\0", 12); /* version, abbreviations, address size, the unit, its line table */
  put_bytes(&blob, file, strlen(file) + 1);
  set_length(&blob, 0);
  return blob.size;
}

static inline uint32_t make_line_table(uint8_t *bytes, const char *file)
{
  static const uint8_t lengths[] = {1, 1, (uint8_t)-5, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0};
  static const uint8_t rows[] = {3, 1,  1,           /* line 2 */
                                 2, 4,  3, 1,    1,  /* 4 bytes on, line 3 */
                                 2, 4,  3, 0x7f, 1,  /* line 2 */
                                 2, 4,  3, 2,    1,  /* line 4 */
                                 2, 12, 0, 1,    1}; /* the end of the sequence */
  struct blob blob = {bytes, 0};
  put_word(&blob, 0);
  put_bytes(&blob, "\3\0", 2);
  put_word(&blob, 0);
  put_bytes(&blob, lengths, sizeof lengths);
  put_bytes(&blob, file, strlen(file) + 1);
  put_bytes(&blob, "\0\0\0\0", 4);
  set_length(&blob, 6);
  put_bytes(&blob, "\0\5\2", 3);
  put_word(&blob, CODE + 16);
  put_bytes(&blob, rows, sizeof rows);
  set_length(&blob, 0);
  return blob.size;
}

static inline void add_section(struct debug_image *image, unsigned i, size_t *used, const char *name, size_t offset,
                               size_t size)
{
  image->sections[i] = (Elf32_Shdr){.sh_name = add_string(image->names, used, name),
                                    .sh_type = SHT_PROGBITS,
                                    .sh_offset = (uint32_t)offset,
                                    .sh_size = (uint32_t)size,
                                    .sh_addralign = 1};
}

/* The file's name is at most 400 bytes long. */
static inline void make_debug_image(struct debug_image *image, const char *file)
{
  static const uint8_t abbrev[] = {1, 0x11, 0, 0x10, 6, 3, 8, 0, 0, 0};
  size_t used = 1;
  memset(image, 0, sizeof *image);
  image->image = make_image();
  memcpy(image->sections, image->image.sections, 3 * sizeof image->sections[0]);
  memcpy(image->abbrev, abbrev, sizeof abbrev);
  const uint32_t info = make_info(image->info, file), line = make_line_table(image->line, file);
  image->sections[1].sh_name = add_string(image->names, &used, ".symtab");
  image->sections[2].sh_name = add_string(image->names, &used, ".strtab");
  add_section(image, 3, &used, ".shstrtab", offsetof(struct debug_image, names), sizeof image->names);
  image->sections[3].sh_type = SHT_STRTAB;
  add_section(image, 4, &used, ".debug_abbrev", offsetof(struct debug_image, abbrev), sizeof abbrev);
  add_section(image, 5, &used, ".debug_info", offsetof(struct debug_image, info), info);
  add_section(image, 6, &used, ".debug_line", offsetof(struct debug_image, line), line);
  image->image.header.e_shoff = offsetof(struct debug_image, sections);
  image->image.header.e_shnum = DEBUG_SECTIONS;
}

#endif
