/* Descriptions of kernels in a program image: those defined with SIMT_KERNEL of runtime/simt.h, with their parameters
 * as in the source. The section .simt.kernels, which is not loaded, has for each kernel its address, its name, and its
 * parameters, "(int, n), (int *, a)". */
#ifndef SL_PROGRAM_KERNELS_H
#define SL_PROGRAM_KERNELS_H

#include <libelf.h>

#include "program/program.h"

/* Internals of a program image, for the files of this folder. */

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

/* Fills in program->symbols, which are empty for a file without symbols. */
enum sl_status sl_symbols_read(struct sl_program *program, struct sl_error *err);
void sl_symbols_free(struct sl_symbols *symbols);

/* Creates the line table of a program without reading it. */
enum sl_status sl_lines_create(Elf *elf, size_t file_size, struct sl_lines **lines, struct sl_error *err);
void sl_lines_free(struct sl_lines *lines);

/* Source file and line of an address; returns false if unknown. */
bool sl_lines_find(struct sl_lines *lines, uint32_t address, const char **file, unsigned *line, unsigned *column);
void sl_lines_rename(struct sl_lines *lines, const char *from, const char *to);

/* The call site of inlined code. If the line of an address belongs to another file than the compiled one, this finds
 * the call in the compiled file, through any number of inlined calls. Returns false if the code is not inlined or the
 * call site is unknown. */
bool sl_lines_find_call(struct sl_lines *lines, uint32_t address, const char **file, unsigned *line);

/* The innermost line of an address that is in no file of a library. */
bool sl_lines_find_frame(struct sl_lines *lines, uint32_t address, bool (*is_library)(const char *file),
                         const char **file, unsigned *line);

/* The variable in a register at an address, by DWARF's numbers of RISC-V, which are those of sl_insn; NULL: unknown. */
const char *sl_lines_find_variable(struct sl_lines *lines, uint32_t address, unsigned reg);

/* A kernel description. The strings live as long as the program. */
struct sl_kernel {
  const char *name;
  const char *parameters;
};

size_t sl_program_kernel_count(const struct sl_program *program);
struct sl_kernel sl_program_kernel(const struct sl_program *program, size_t i);

/* Finds a kernel by name; returns false if the image does not describe it. */
bool sl_program_find_kernel(const struct sl_program *program, const char *name, struct sl_kernel *kernel);

enum sl_parameter_kind {
  SL_PARAMETER_INTEGER,
  SL_PARAMETER_FLOAT,
  SL_PARAMETER_POINTER,
  SL_PARAMETER_OTHER /* a type of unknown size */
};

struct sl_parameter {
  enum sl_parameter_kind kind;
  unsigned size;           /* bytes, as aligned; 0: unknown */
  char type[48], name[48]; /* truncated to fit */
};

/* Returns the number of parameters and fills in the first `most`. */
size_t sl_kernel_parameters(const struct sl_kernel *kernel, struct sl_parameter *parameter, size_t most);

#endif
