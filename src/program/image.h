/* Internals of a program image, for the files of this folder. */
#ifndef SL_PROGRAM_IMAGE_H
#define SL_PROGRAM_IMAGE_H

#include <libelf.h>

#include "program/program.h"

/* A function or code label. It covers the addresses from `address` to before `end`. */
struct sl_function {
  uint32_t address;
  uint32_t end;
  const char *name;
};

struct sl_symbol {
  uint32_t address;
  const char *name;
};

/* The file's symbols. Names point into the ELF handle. */
struct sl_symbols {
  struct sl_function *functions; /* sorted by address, disjoint */
  size_t function_count;
  struct sl_symbol *all; /* sorted by name */
  size_t count;
};

/* The line table; it is read at the first lookup. */
struct sl_lines;

struct sl_program {
  char *name;
  char *bytes; /* contents of the file */
  size_t size;
  Elf *elf; /* handle over bytes; NULL: they are a raw image */
  enum sl_isa_number isa;
  bool float_registers;
  unsigned registers, banks;
  const char *target;    /* of the note; NULL: it has none */
  const char *toolchain; /* the first text of its section .comment; NULL: none */
  uint32_t entry;
  struct sl_segment *segments; /* sorted by address */
  size_t segment_count;
  struct sl_symbols symbols;
  struct sl_lines *lines;
};

/* The executable segment that contains an address, or NULL. */
const struct sl_segment *sl_image_code(const struct sl_program *program, uint32_t address);

/* Raw images: whether the name of a file without ELF header is that of a raw image; reads its single segment, whose
 * start is the entry. */
bool sl_image_is_raw(const char *name);
enum sl_status sl_image_read_raw(struct sl_program *program, struct sl_error *err);

/* Fills in program->symbols, which are empty for a file without symbols. */
enum sl_status sl_symbols_read(struct sl_program *program, struct sl_error *err);
void sl_symbols_free(struct sl_symbols *symbols);

/* Reads program->target from the file's note, which the runtime's start code puts there. */
void sl_target_read(struct sl_program *program);

/* Creates the line table of a program without reading it. */
enum sl_status sl_lines_create(Elf *elf, size_t file_size, struct sl_lines **lines, struct sl_error *err);
void sl_lines_free(struct sl_lines *lines);

/* Source file and line of an address; returns false if unknown. */
bool sl_lines_find(struct sl_lines *lines, uint32_t address, const char **file, unsigned *line);

/* The call site of inlined code. If the line of an address belongs to another file than the compiled one, this finds
 * the call in the compiled file, through any number of inlined calls. Returns false if the code is not inlined or the
 * call site is unknown. */
bool sl_lines_find_call(struct sl_lines *lines, uint32_t address, const char **file, unsigned *line);

#endif
