/* Reading of ELF files: validation and segments. */
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/wide.h"
#include "program/file_bytes.h"
#include "program/image.h"
#include "program/wide_file.h"

enum { MOST_SEGMENTS = 256, RISCV_COMPRESSED_FLAG = 1, RV32_REGISTERS = 32 };

/* Checks the bytes of e_ident, which identify the kind of file, before libelf reads it. */
static enum sl_status check_ident(const unsigned char *bytes, size_t size, struct sl_error *err)
{
  if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
    return sl_fail(err, SL_USAGE, "not an ELF file; programs are made by simtlab cc or a RISC-V GCC");
  if (size < EI_NIDENT)
    return sl_fail(err, SL_USAGE, "the file ends within the ELF header, after %zu bytes", size);
  if (bytes[EI_CLASS] != ELFCLASS32)
    return sl_fail(err, SL_USAGE, "not a 32-bit ELF file; compile with -march=rv32ima_zicsr -mabi=ilp32");
  if (bytes[EI_DATA] != ELFDATA2LSB)
    return sl_fail(err, SL_USAGE, "not a little-endian ELF file; these machines are little-endian");
  if (size < sizeof(Elf32_Ehdr))
    return sl_fail(err, SL_USAGE, "the file ends within the ELF header, after %zu bytes", size);
  return SL_OK;
}

static enum sl_status check_type(unsigned type, struct sl_error *err)
{
  switch (type) {
  case ET_EXEC: return SL_OK;
  case ET_REL: return sl_fail(err, SL_USAGE, "a relocatable object, not an executable; link it with simtlab cc");
  case ET_DYN:
    return sl_fail(err, SL_USAGE, "a position-independent executable or shared object; link with -static -no-pie");
  default: return sl_fail(err, SL_USAGE, "not an executable (ELF type %u); link it with simtlab cc", type);
  }
}

/* Checks the header flags of a program of 64-bit words. */
static enum sl_status check_wide(uint32_t flags, struct sl_error *err)
{
  const unsigned registers = sl_wide_file_registers(flags), banks = sl_wide_file_banks(flags);
  if (sl_wide_file_version(flags) != SL_WIDE_FILE_VERSION)
    return sl_fail(
        err, SL_USAGE,
        "a program of 64-bit instruction words of version %u, but this simtlab reads version %d; recompile it",
        sl_wide_file_version(flags), SL_WIDE_FILE_VERSION);
  if (registers < 16 || registers > SL_WIDE_REGISTERS || banks < 1 || banks > SL_WIDE_FILE_BANKS)
    return sl_fail(err, SL_USAGE, "a program for %u registers in %u banks, which is impossible; the file is damaged",
                   registers, banks);
  return SL_OK;
}

static enum sl_status check_header(const Elf32_Ehdr *header, struct sl_error *err)
{
  const bool wide = header->e_machine == SL_WIDE_FILE_MACHINE;
  if (header->e_machine != EM_RISCV && !wide)
    return sl_fail(err, SL_USAGE, "not for RISC-V (ELF machine %u); compile with riscv64-unknown-elf-gcc",
                   header->e_machine);
  enum sl_status code = check_type(header->e_type, err);
  if (code != SL_OK)
    return code;
  if (wide)
    return check_wide(header->e_flags, err);
  if (header->e_flags & RISCV_COMPRESSED_FLAG)
    return sl_fail(err, SL_USAGE,
                   "uses compressed instructions, which these machines lack; compile with -march=rv32ima_zicsr");
  return SL_OK;
}

/* Reads and checks one loadable program header, number i. */
static enum sl_status read_segment(const struct sl_program *program, size_t i, const GElf_Phdr *header,
                                   struct sl_segment *segment, struct sl_error *err)
{
  if (header->p_filesz > header->p_memsz)
    return sl_fail(err, SL_USAGE, "segment %zu has more bytes in the file (%" PRIu64 ") than in memory (%" PRIu64 ")",
                   i, header->p_filesz, header->p_memsz);
  if (header->p_offset > program->size || header->p_filesz > program->size - header->p_offset)
    return sl_fail(err, SL_USAGE,
                   "segment %zu, %" PRIu64 " bytes at offset %" PRIu64 ", goes beyond the end of the file at %zu; "
                   "the file is damaged or cut short",
                   i, header->p_filesz, header->p_offset, program->size);
  if (header->p_vaddr + header->p_memsz > UINT32_MAX)
    return sl_fail(err, SL_USAGE,
                   "segment %zu, %" PRIu64 " bytes at 0x%08" PRIx64 ", goes beyond the end of the address space", i,
                   header->p_memsz, header->p_vaddr);
  *segment = (struct sl_segment){
      .address = (uint32_t)header->p_vaddr,
      .size = (uint32_t)header->p_memsz,
      .file_size = (uint32_t)header->p_filesz,
      .executable = (header->p_flags & PF_X) != 0,
      .writable = (header->p_flags & PF_W) != 0,
      .bytes = (const uint8_t *)program->bytes + header->p_offset,
  };
  return SL_OK;
}

static int compare_segments(const void *a, const void *b)
{
  const struct sl_segment *x = a, *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

static enum sl_status check_disjoint(const struct sl_program *program, struct sl_error *err)
{
  for (size_t i = 1; i < program->segment_count; i++) {
    const struct sl_segment *low = &program->segments[i - 1], *high = &program->segments[i];
    if (high->address - low->address < low->size)
      return sl_fail(err, SL_USAGE,
                     "segments at 0x%08" PRIx32 " (%" PRIu32 " bytes) and 0x%08" PRIx32 " (%" PRIu32 " bytes) overlap",
                     low->address, low->size, high->address, high->size);
  }
  return SL_OK;
}

static enum sl_status read_headers(struct sl_program *program, size_t count, struct sl_error *err)
{
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr header;
    if (gelf_getphdr(program->elf, (int)i, &header) == NULL)
      return sl_fail(err, SL_USAGE, "program header %zu cannot be read (%s)", i, elf_errmsg(-1));
    if (header.p_type == PT_INTERP || header.p_type == PT_DYNAMIC)
      return sl_fail(err, SL_USAGE, "needs a dynamic linker; link with -static");
    if (header.p_type != PT_LOAD || header.p_memsz == 0)
      continue;
    if (program->segment_count == MOST_SEGMENTS)
      return sl_fail(err, SL_USAGE, "more than %d loadable segments", MOST_SEGMENTS);
    enum sl_status code = read_segment(program, i, &header, &program->segments[program->segment_count], err);
    if (code != SL_OK)
      return code;
    program->segment_count++;
  }
  return SL_OK;
}

static enum sl_status read_segments(struct sl_program *program, struct sl_error *err)
{
  size_t count;
  if (elf_getphdrnum(program->elf, &count) != 0)
    return sl_fail(err, SL_USAGE, "the program headers cannot be read (%s)", elf_errmsg(-1));
  program->segments = calloc(MOST_SEGMENTS, sizeof *program->segments);
  if (program->segments == NULL)
    return sl_no_memory(err, MOST_SEGMENTS * sizeof *program->segments);
  enum sl_status code = read_headers(program, count, err);
  if (code != SL_OK)
    return code;
  if (program->segment_count == 0)
    return sl_fail(err, SL_USAGE, "no loadable segment; the file holds no program");
  qsort(program->segments, program->segment_count, sizeof *program->segments, compare_segments);
  return check_disjoint(program, err);
}

/* An entry of 0 says that the file names none (System V ABI, ELF header), as for machines that start at one address. */
static enum sl_status check_entry(const struct sl_program *program, struct sl_error *err)
{
  const unsigned bytes = sl_isa(program->isa)->word_bytes;
  if (program->entry % bytes != 0)
    return sl_fail(err, SL_USAGE, "the entry point 0x%08" PRIx32 " is not a multiple of %u", program->entry, bytes);
  if (program->entry != 0 && sl_image_code(program, program->entry) == NULL)
    return sl_fail(err, SL_USAGE, "the entry point 0x%08" PRIx32 " lies outside the program's code", program->entry);
  return SL_OK;
}

/* Reads everything except the bytes. */
static enum sl_status read_image(struct sl_program *program, struct sl_error *err)
{
  const bool is_elf = program->size >= SELFMAG && memcmp(program->bytes, ELFMAG, SELFMAG) == 0;
  if (!is_elf && sl_image_is_raw(program->name))
    return sl_image_read_raw(program, err);
  enum sl_status code = check_ident((const unsigned char *)program->bytes, program->size, err);
  if (code != SL_OK)
    return code;
  if (elf_version(EV_CURRENT) == EV_NONE)
    return sl_fail(err, SL_INTERNAL, "libelf is older than its header");
  program->elf = elf_memory(program->bytes, program->size);
  const Elf32_Ehdr *header = program->elf != NULL ? elf32_getehdr(program->elf) : NULL;
  if (header == NULL)
    return sl_fail(err, SL_USAGE, "the ELF header cannot be read (%s)", elf_errmsg(-1));
  program->entry = header->e_entry;
  program->float_registers = header->e_machine == EM_RISCV && (header->e_flags & EF_RISCV_FLOAT_ABI) != 0;
  if (header->e_machine == SL_WIDE_FILE_MACHINE) {
    program->isa = SL_ISA_WIDE64;
    program->registers = sl_wide_file_registers(header->e_flags);
    program->banks = sl_wide_file_banks(header->e_flags);
  }
  code = check_header(header, err);
  if (code == SL_OK)
    code = read_segments(program, err);
  if (code == SL_OK)
    code = check_entry(program, err);
  if (code == SL_OK)
    code = sl_symbols_read(program, err);
  if (code == SL_OK)
    sl_target_read(program);
  if (code == SL_OK)
    code = sl_lines_create(program->elf, program->size, &program->lines, err);
  return code;
}

/* Takes ownership of the bytes, also on failure. */
static enum sl_status take_image(const char *name, char *bytes, size_t size, struct sl_program **result,
                                 struct sl_error *err)
{
  struct sl_program *program = calloc(1, sizeof *program);
  char *name_copy = strdup(name);
  if (program == NULL || name_copy == NULL) {
    free(program);
    free(name_copy);
    free(bytes);
    return sl_no_memory(err, sizeof *program + strlen(name));
  }
  program->name = name_copy;
  program->bytes = bytes;
  program->size = size;
  program->isa = SL_ISA_RV32;
  program->registers = RV32_REGISTERS;
  program->banks = 1;
  enum sl_status code = read_image(program, err);
  if (code != SL_OK) {
    sl_error_prefix(err, "%.200s: ", name);
    sl_program_free(program);
    return code;
  }
  *result = program;
  return SL_OK;
}

enum sl_status sl_program_parse(const char *name, const void *bytes, size_t size, struct sl_program **program,
                                struct sl_error *err)
{
  char *copy = malloc(size + 1);
  if (copy == NULL)
    return sl_no_memory(err, size);
  if (size > 0)
    memcpy(copy, bytes, size);
  return take_image(name, copy, size, program, err);
}

enum sl_status sl_program_load(const char *path, struct sl_program **program, struct sl_error *err)
{
  char *bytes = NULL;
  size_t size = 0;
  enum sl_status code = sl_file_bytes_read(path, &bytes, &size, err);
  return code == SL_OK ? take_image(path, bytes, size, program, err) : code;
}

void sl_program_free(struct sl_program *program)
{
  if (program == NULL)
    return;
  sl_lines_free(program->lines);
  sl_symbols_free(&program->symbols);
  elf_end(program->elf);
  free(program->segments);
  free(program->bytes);
  free(program->name);
  free(program);
}

static uint64_t code_at(const struct sl_program *program, uint32_t address, unsigned bytes)
{
  const struct sl_segment *segment = sl_image_code(program, address);
  uint64_t word = 0;
  for (uint32_t i = 0; i < bytes && segment != NULL; i++)
    if (address - segment->address + i < segment->file_size)
      word |= (uint64_t)segment->bytes[address - segment->address + i] << (8 * i);
  return word;
}

uint32_t sl_program_word(const struct sl_program *program, uint32_t address)
{
  return (uint32_t)code_at(program, address, sizeof(uint32_t));
}

uint64_t sl_program_instruction(const struct sl_program *program, uint32_t address)
{
  return code_at(program, address, sl_isa(program->isa)->word_bytes);
}

const char *sl_program_name(const struct sl_program *program)
{
  return program->name;
}

enum sl_isa_number sl_program_isa(const struct sl_program *program)
{
  return program->isa;
}

unsigned sl_program_registers(const struct sl_program *program)
{
  return program->registers;
}

bool sl_program_has_float_registers(const struct sl_program *program)
{
  return program->float_registers;
}

unsigned sl_program_banks(const struct sl_program *program)
{
  return program->banks;
}

uint32_t sl_program_entry(const struct sl_program *program)
{
  return program->entry;
}

size_t sl_program_segment_count(const struct sl_program *program)
{
  return program->segment_count;
}

const struct sl_segment *sl_program_segment(const struct sl_program *program, size_t i)
{
  return &program->segments[i];
}

uint32_t sl_program_end(const struct sl_program *program)
{
  const struct sl_segment *last = &program->segments[program->segment_count - 1];
  return last->address + last->size;
}

static void hash_bytes(uint64_t *hash, const void *bytes, size_t size)
{
  const unsigned char *b = bytes;
  for (size_t i = 0; i < size; i++)
    *hash = (*hash ^ b[i]) * UINT64_C(0x100000001b3);
}

uint64_t sl_program_hash(const struct sl_program *program)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  hash_bytes(&hash, &program->entry, sizeof program->entry);
  for (size_t i = 0; i < program->segment_count; i++) {
    const struct sl_segment *s = &program->segments[i];
    const uint32_t shape[] = {s->address, s->size, s->file_size, (uint32_t)s->executable << 1 | s->writable};
    hash_bytes(&hash, shape, sizeof shape);
    hash_bytes(&hash, s->bytes, s->file_size);
  }
  return hash;
}
