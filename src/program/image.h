/* What the files of this folder share: the parts of a program image. */
#ifndef SL_PROGRAM_IMAGE_H
#define SL_PROGRAM_IMAGE_H

#include <libelf.h>

#include "program/program.h"

/* A function or code label: covers addresses from `address` to before `end`. */
struct sl_function {
  uint32_t address;
  uint32_t end;
  const char *name;
};

struct sl_symbol {
  uint32_t address;
  const char *name;
};

/* What symbols the file has; names point into the ELF handle. */
struct sl_symbols {
  struct sl_function *functions; /* sorted by address, disjoint */
  size_t function_count;
  struct sl_symbol *all; /* sorted by name */
  size_t count;
};

/* Line table, read when the first address is looked up. */
struct sl_lines;

struct sl_program {
  char *name;
  char *bytes; /* the file */
  size_t size;
  Elf *elf; /* over bytes; NULL: they are a raw image */
  enum sl_isa_number isa;
  bool float_registers;
  unsigned registers, banks;
  const char *target; /* of the note; NULL: it has none */
  uint32_t entry;
  struct sl_segment *segments; /* sorted by address */
  size_t segment_count;
  struct sl_symbols symbols;
  struct sl_lines *lines;
};

/* The executable segment that holds an address, or NULL. */
const struct sl_segment *sl_image_code(const struct sl_program *program, uint32_t address);

/* Raw images: whether a file without ELF header is one, by its name; and its single segment, entered at its start. */
bool sl_image_is_raw(const char *name);
enum sl_status sl_image_read_raw(struct sl_program *program, struct sl_error *err);

/* Fills in program->symbols; a file without symbols has none. */
enum sl_status sl_symbols_read(struct sl_program *program, struct sl_error *err);
void sl_symbols_free(struct sl_symbols *symbols);

/* Fills in program->target from the file's note, which the runtime's start puts there. */
void sl_target_read(struct sl_program *program);

/* The line table of a program; reads nothing yet. */
enum sl_status sl_lines_create(Elf *elf, size_t file_size, struct sl_lines **lines, struct sl_error *err);
void sl_lines_free(struct sl_lines *lines);

/* Source file and line of an address; false when unknown. */
bool sl_lines_find(struct sl_lines *lines, uint32_t address, const char **file, unsigned *line);

/* Of an instruction of an inlined function whose line is in another file than the one that was compiled: where that one
 * calls it, through however many others. False: it is not inlined, or that is not known. */
bool sl_lines_find_call(struct sl_lines *lines, uint32_t address, const char **file, unsigned *line);

#endif
