/* A program image: what an ELF file holds, checked and in memory, with symbols and source lines.
 *
 * Accepts statically linked 32-bit little-endian RISC-V executables (ELF, System V ABI, RISC-V psABI), programs of
 * 64-bit instruction words (wide_file.h), and raw images for Vortex, named .bin (loaded at 0x80000000) and .vxbin
 * (which begin with their range of addresses). Every size and offset is checked against the file before use. Uses
 * libelf and libdw. Immutable after loading, so several devices and threads may share one. */
#ifndef SL_PROGRAM_PROGRAM_H
#define SL_PROGRAM_PROGRAM_H

#include "base/error.h"
#include "base/types.h"
#include "isa/isa.h"

/* A loadable piece: `size` bytes at `address`; the first `file_size` come from the file, the rest is zero. */
struct sl_segment {
  uint32_t address;
  uint32_t size;
  uint32_t file_size;
  bool executable, writable;
  const uint8_t *bytes;
};

/* Where an address is in the source. Strings live as long as the program; file is NULL and line 0 when unknown,
 * function is NULL when no symbol covers the address. */
struct sl_location {
  const char *function;
  uint32_t function_offset;
  const char *file;
  unsigned line;
};

struct sl_program;

/* Reads a file. SL_USAGE: the file cannot be read or is not a program for these machines. */
enum sl_status sl_program_load(const char *path, struct sl_program **program, struct sl_error *err);

/* The same from memory; `name` stands for the file in messages. The bytes are copied. */
enum sl_status sl_program_parse(const char *name, const void *bytes, size_t size, struct sl_program **program,
                                struct sl_error *err);

void sl_program_free(struct sl_program *program);

const char *sl_program_name(const struct sl_program *program);

/* What its words are, by the file's header, and what 64-bit words have been compiled for; of RV32 32 registers, in one
 * bank. */
enum sl_isa_number sl_program_isa(const struct sl_program *program);
unsigned sl_program_registers(const struct sl_program *program);
unsigned sl_program_banks(const struct sl_program *program);

/* Whether its floating point has registers of its own, by the ABI of RV32. */
bool sl_program_has_float_registers(const struct sl_program *program);

uint32_t sl_program_entry(const struct sl_program *program);
size_t sl_program_segment_count(const struct sl_program *program);
const struct sl_segment *sl_program_segment(const struct sl_program *program, size_t i);

/* The 32-bit word of code at an address, 0 where the program has none. */
uint32_t sl_program_word(const struct sl_program *program, uint32_t address);

/* The instruction there, of as many bytes as the program's have; to be decoded with sl_isa(sl_program_isa(program)). */
uint64_t sl_program_instruction(const struct sl_program *program, uint32_t address);

/* First address after every segment: where free memory begins. */
uint32_t sl_program_end(const struct sl_program *program);

/* FNV-1a, 64 bits, of what is loaded: entry, and address, size, rights and bytes of the segments. What is in no memory,
 * such as debugging information with the names of folders, does not count. */
uint64_t sl_program_hash(const struct sl_program *program);

/* The function symbol and the source line of an address. Thread-safe. */
struct sl_location sl_program_locate(const struct sl_program *program, uint32_t address);

/* The function that begins at an address, or is around it: its name and the address behind it. False: there is none. */
bool sl_program_function(const struct sl_program *program, uint32_t address, const char **name, uint32_t *end);

/* The address of a symbol; false when there is none. */
bool sl_program_symbol(const struct sl_program *program, const char *name, uint32_t *address);

/* "kernel+0x1c (vec_add.c:12)" or what is known of it, into text; of inlined code "kernel+0x1c (vec_add.c:12; inlined
 * from simt.h:140)", the first place being that of the file that was compiled. */
void sl_location_format(const struct sl_program *program, uint32_t address, char *text, size_t size);

#endif
