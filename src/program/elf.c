/* Reading of ELF files: validation and segments. */
#include "program/program.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "isa/wide.h"
#include "program/kernels.h"

/* Larger files are rejected before they are read completely. */
#define LARGEST_FILE ((size_t)1 << 30)

/* Reads a stream to its end. */
static enum sl_status read_stream(const char *path, FILE *file, char **bytes, size_t *size, struct sl_error *err)
{
  size_t capacity = 1 << 16, used = 0;
  char *buffer = malloc(capacity + 1);
  while (buffer != NULL) {
    sl_populate(buffer + used, capacity - used);
    used += fread(buffer + used, 1, capacity - used, file);
    if (used < capacity || capacity >= LARGEST_FILE)
      break;
    capacity *= 2;
    char *larger = realloc(buffer, capacity + 1);
    if (larger == NULL)
      free(buffer);
    buffer = larger;
  }
  if (buffer == NULL)
    return sl_no_memory(err, capacity);
  if (ferror(file) || used == LARGEST_FILE) {
    free(buffer);
    return sl_fail(err, SL_USAGE, "%.200s: cannot be read (%s)", path,
                   used == LARGEST_FILE ? "larger than 1 GiB" : strerror(errno));
  }
  buffer[used] = '\0';
  *bytes = buffer;
  *size = used;
  return SL_OK;
}

enum sl_status sl_file_bytes_read(const char *path, char **bytes, size_t *size, struct sl_error *err)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return sl_fail(err, SL_USAGE, "%.200s: cannot be opened (%s)", path, strerror(errno));
  enum sl_status code = read_stream(path, file, bytes, size, err);
  fclose(file);
  return code;
}

/* Raw images of Vortex's tools: a .bin is memory from 0x80000000 on; a .vxbin begins with its address range. */

/* A .vxbin begins with the lowest address and the end address, uninitialised data included. */
enum { VXBIN_HEADER = 16 };

#define BIN_ADDRESS UINT32_C(0x80000000)

static bool ends_with(const char *text, const char *end)
{
  const size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Whether the name of a file without ELF header is that of a raw image. */
static bool is_raw(const char *name)
{
  return ends_with(name, ".bin") || ends_with(name, ".vxbin");
}

static uint64_t number(const char *bytes)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < 8; i++)
    value |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
  return value;
}

static enum sl_status check_range(uint64_t low, uint64_t high, uint64_t bytes, struct sl_error *err)
{
  if (high > UINT32_MAX || low >= high)
    return sl_fail(err, SL_USAGE,
                   "its header says 0x%" PRIx64 " to 0x%" PRIx64 ", which is not a range of 32-bit addresses; a .vxbin "
                   "begins with two 64-bit addresses",
                   low, high);
  if (low % 4 != 0)
    return sl_fail(err, SL_USAGE, "its lowest address 0x%" PRIx64 " is not a multiple of 4", low);
  if (bytes > high - low)
    return sl_fail(err, SL_USAGE,
                   "its image of %" PRIu64 " bytes is larger than the %" PRIu64
                   " bytes that its header names; the file "
                   "is damaged",
                   bytes, high - low);
  return SL_OK;
}

/* Reads the single segment of a raw image, whose start is the entry. */
static enum sl_status read_raw(struct sl_program *program, struct sl_error *err)
{
  const bool headed = ends_with(program->name, ".vxbin");
  const size_t skipped = headed ? VXBIN_HEADER : 0;
  if (program->size <= skipped)
    return sl_fail(err, SL_USAGE, "the file ends after %zu bytes, before any instruction", program->size);
  const uint64_t bytes = program->size - skipped;
  const uint64_t low = headed ? number(program->bytes) : BIN_ADDRESS;
  const uint64_t high = headed ? number(program->bytes + 8) : BIN_ADDRESS + bytes;
  const enum sl_status code = check_range(low, high, bytes, err);
  if (code != SL_OK)
    return code;
  program->segments = calloc(1, sizeof *program->segments);
  if (program->segments == NULL)
    return sl_no_memory(err, sizeof *program->segments);
  program->segments[0] = (struct sl_segment){.address = (uint32_t)low,
                                             .size = (uint32_t)(high - low),
                                             .file_size = (uint32_t)bytes,
                                             .executable = true,
                                             .writable = true,
                                             .bytes = (const uint8_t *)program->bytes + skipped};
  program->segment_count = 1;
  program->entry = (uint32_t)low;
  return sl_lines_create(NULL, 0, &program->lines, err);
}

/* Reads what a program's file tells of its making: the target in an ELF note, the compiler in a section. */

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

/* Reads program->target from the file's note, which the runtime's start code puts there. */
static void read_target(struct sl_program *program)
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
  if (!is_elf && is_raw(program->name))
    return read_raw(program, err);
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
    read_target(program);
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
