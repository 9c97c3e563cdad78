/* A program image: the checked contents of an ELF file in memory, with symbols and source lines.
 *
 * It accepts statically linked 32-bit little-endian RISC-V executables (ELF, System V ABI, RISC-V psABI), programs of
 * 64-bit instruction words (isa/wide.h), and raw images for Vortex. Raw images are named .bin (loaded at 0x80000000)
 * or .vxbin (with their address range at the beginning). Every size and offset is checked against the file before use.
 * It uses libelf and libdw. An image is immutable after loading, so several devices and threads may share it. */
#ifndef SL_PROGRAM_PROGRAM_H
#define SL_PROGRAM_PROGRAM_H

#include "base/error.h"
#include "base/types.h"
#include "isa/isa.h"

/* A loadable segment: `size` bytes at `address`. The first `file_size` bytes come from the file; the rest is zero. */
struct sl_segment {
  uint32_t address;
  uint32_t size;
  uint32_t file_size;
  bool executable, writable;
  const uint8_t *bytes;
};

/* The source location of an address. The strings live as long as the program. If unknown, file is NULL, line and column
 * 0; function is NULL if no symbol covers the address. */
struct sl_location {
  const char *function;
  uint32_t function_offset;
  const char *file;
  unsigned line, column;
};

struct sl_program;

/* Loads a file. SL_USAGE: the file cannot be read or is not a program for these machines. */
enum sl_status sl_program_load(const char *path, struct sl_program **program, struct sl_error *err);

/* Loads a program from memory. Messages use `name` as the file name. The bytes are copied. */
enum sl_status sl_program_parse(const char *name, const void *bytes, size_t size, struct sl_program **program,
                                struct sl_error *err);

void sl_program_free(struct sl_program *program);

const char *sl_program_name(const struct sl_program *program);

/* The instruction set according to the file's header, and, for 64-bit words, the numbers of registers and banks for
 * which the code was compiled. RV32 has 32 registers in one bank. */
enum sl_isa_number sl_program_isa(const struct sl_program *program);
unsigned sl_program_registers(const struct sl_program *program);
unsigned sl_program_banks(const struct sl_program *program);

/* Whether floating point has separate registers, according to the RV32 ABI. */
bool sl_program_has_float_registers(const struct sl_program *program);

/* What it has been linked for, "simt", "vortex" or "sm7", as its note says; NULL: it has none. */
const char *sl_program_target(const struct sl_program *program);

/* The compiler's name and version as the file has it, "GCC: (12.2.0) 12.2.0"; NULL: the file has none. */
const char *sl_program_toolchain(const struct sl_program *program);

uint32_t sl_program_entry(const struct sl_program *program);
size_t sl_program_segment_count(const struct sl_program *program);
const struct sl_segment *sl_program_segment(const struct sl_program *program, size_t i);

/* The 32-bit word of code at an address, or 0 outside the program. */
uint32_t sl_program_word(const struct sl_program *program, uint32_t address);

/* The instruction at an address, of the program's word size; decode it with sl_isa(sl_program_isa(program)). */
uint64_t sl_program_instruction(const struct sl_program *program, uint32_t address);

/* The first address after all segments, where free memory begins. */
uint32_t sl_program_end(const struct sl_program *program);

/* 64-bit FNV-1a hash of the loaded contents: entry, and address, size, rights and bytes of the segments. It excludes
 * contents that are not loaded, such as debugging information with folder names. */
uint64_t sl_program_hash(const struct sl_program *program);

/* The function symbol and the source line of an address. Thread-safe. */
struct sl_location sl_program_locate(const struct sl_program *program, uint32_t address);

/* The line of the compiled file that calls the inlined function of another file to which an address belongs. Returns
 * false if there is none. Thread-safe. */
bool sl_program_call_line(const struct sl_program *program, uint32_t address, const char **file, unsigned *line);

/* The innermost line, of the address itself or of a call of an inlined function, that is in no file of a library.
 * Returns false if there is none. Thread-safe. */
bool sl_program_frame(const struct sl_program *program, uint32_t address, bool (*is_library)(const char *file),
                      const char **file, unsigned *line);

/* Gives a source file another name in locations; the names must live as long as the program. */
void sl_program_rename_source(struct sl_program *program, const char *from, const char *to);

/* The function that contains an address: stores its name and the address after it. Returns false if there is none. */
bool sl_program_function(const struct sl_program *program, uint32_t address, const char **name, uint32_t *end);

/* The variable that is in a register, 0 to 31 or 32 to 63 for f0 to f31, before the instruction at an address; NULL:
 * unknown. The name lives as long as the program. Thread-safe. */
const char *sl_program_register_variable(const struct sl_program *program, uint32_t address, unsigned reg);

/* Stores the address of a symbol; returns false if there is none. */
bool sl_program_symbol(const struct sl_program *program, const char *name, uint32_t *address);

/* Writes the known location, "kernel+0x1c (vec_add.c:12)", into text. For inlined code this is "kernel+0x1c
 * (vec_add.c:12; inlined from simt.h:140)"; the first place is in the compiled file. */
void sl_location_format(const struct sl_program *program, uint32_t address, char *text, size_t size);

/* ELF identification of programs with 64-bit instruction words (isa/wide.h). They have a machine number that no other
 * processor uses, so that RISC-V tools and machines reject them. e_machine is the bytes "V6" in the file. e_flags holds
 * the version of this convention, the number of register banks for which the code was compiled, and the maximum number
 * of registers that it uses. */

enum { SL_WIDE_FILE_MACHINE = 0x3656, SL_WIDE_FILE_VERSION = 1, SL_WIDE_FILE_BANKS = 64 };

/* Bits 8:0: registers, 23:16: banks, 31:24: version. */
static inline uint32_t sl_wide_file_flags(unsigned registers, unsigned banks)
{
  return (uint32_t)SL_WIDE_FILE_VERSION << 24 | (banks & 0xff) << 16 | (registers & 0x1ff);
}

static inline unsigned sl_wide_file_version(uint32_t flags)
{
  return flags >> 24;
}

static inline unsigned sl_wide_file_banks(uint32_t flags)
{
  return flags >> 16 & 0xff;
}

static inline unsigned sl_wide_file_registers(uint32_t flags)
{
  return flags & 0x1ff;
}

/* Reads a whole file of up to 1 GiB; the caller frees the bytes, after which comes a zero byte. */
enum sl_status sl_file_bytes_read(const char *path, char **bytes, size_t *size, struct sl_error *err);

/* The text of a source file, by lines.
 *
 * The file name comes from a program's debug information and may be arbitrary: an endless device, or a file of another
 * computer. Only regular files of up to 16 MiB are read. */

struct sl_source {
  char *text;
  const char **line; /* without line ends */
  size_t count;      /* number of lines; 0 if the file cannot be read */
};

/* Reads a file. An unreadable file gives a source without lines; only lack of memory is an error. */
enum sl_status sl_source_read(struct sl_source *source, const char *path, struct sl_error *err);

/* Copies a text. */
enum sl_status sl_source_copy(struct sl_source *source, const char *text, size_t length, struct sl_error *err);
void sl_source_free(struct sl_source *source);

/* The text of a line, from 1; NULL if there is none. */
const char *sl_source_line(const struct sl_source *source, unsigned line);

/* Appends code to an ELF program: a section and a segment behind the file's contents, with a symbol for each function.
 * The file's bytes keep their offsets; new tables follow them. Source: System V ABI, chapters 4 and 5. */

/* Decompression of Zstandard data. */

/* Whether bytes begin with the signature of compressed data. */
bool sl_is_packed(const char *bytes, size_t size);

/* Decompresses bytes; the caller frees the result. Messages use `name` as the file name. SL_USAGE: the data are
 * truncated, damaged, or longer than `most`. The allocated memory is at most 1.5 times the result's size. */
enum sl_status sl_unpack(const char *name, const char *bytes, size_t size, size_t most, char **text, size_t *text_size,
                         struct sl_error *err);

struct sl_appended_function {
  const char *name;
  uint32_t address, bytes;
};

struct sl_appended_code {
  const char *section; /* name of the section */
  uint32_t address;
  const uint32_t *word;
  uint32_t words;
  const struct sl_appended_function *function;
  size_t functions;
};

/* Returns a copy of a 32-bit little-endian file with the code; the caller frees it. SL_USAGE: the file's tables do not
 * allow an addition, or it has a section of that name. */
enum sl_status sl_elf_append(char **result, size_t *result_size, const char *bytes, size_t size,
                             const struct sl_appended_code *code, struct sl_error *err);

#endif
