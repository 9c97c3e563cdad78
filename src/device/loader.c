#include "base/grow.h"
#include "device/device_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/engine/sampled_launches.h"

/* Checks that a device can run a program. */

/* Checks instruction set and register count. Programs for a device with a fixed start address come from another
 * compiler; their ELF headers say RISC-V although their instructions are 64-bit words. */
static enum sl_status check_words(const struct sl_device *device, const struct sl_program *program,
                                  struct sl_error *err)
{
  const struct sl_isa *own = sl_isa(device->soc.isa), *its = sl_isa(sl_program_isa(program));
  const bool wide = device->soc.isa == SL_ISA_WIDE64, headed = device->soc.start != 0;
  if (own != its && !(wide && headed))
    return sl_fail(
        err, SL_USAGE, "%s: the program's instructions are %s, but %s executes %s; choose a machine such as %s",
        sl_program_name(program), its->name, device->name, own->name, wide ? "vortex or simtight" : "vortex64");
  if (own == its && wide && sl_program_registers(program) > device->soc.registers)
    return sl_fail(err, SL_USAGE, "%s: compiled for %u registers, %s has %u; set registers to at least %u",
                   sl_program_name(program), sl_program_registers(program), device->name, device->soc.registers,
                   sl_program_registers(program));
  return SL_OK;
}

/* A machine preset for each target of simtlab cc. */
static const struct {
  const char *target, *machine;
} presets[] = {{"simt", "simtight"}, {"vortex", "vortex"}, {"sm7", "sm7"}};

static const char *preset_of(const char *target)
{
  for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++)
    if (strcmp(presets[i].target, target) == 0)
      return presets[i].machine;
  return NULL;
}

/* The target of simtlab cc for the device; NULL: none. */
static const char *target_of(const struct sl_device *device)
{
  switch (device->soc.launches) {
  case SL_LAUNCH_PROGRAM: return device->soc.isa == SL_ISA_WIDE64 ? "vortex64" : "vortex";
  case SL_LAUNCH_GRID: return "sm7";
  default: return device->soc.no_host ? NULL : "simt";
  }
}

/* Checks the target. The start code contains a note with the target's name. Programs for machines that distribute
 * blocks in hardware also define a symbol, even without the start code. */
static enum sl_status check_note(const struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  uint32_t value;
  const bool dealt = sl_program_symbol(program, "__simt_grid", &value);
  const char *name = sl_program_name(program), *own = target_of(device);
  const char *its = dealt ? "sm7" : sl_program_target(program);
  if (its == NULL && device->soc.launches == SL_LAUNCH_GRID)
    return sl_fail(err, SL_USAGE,
                   "%s: compiled for another kind of machine than %s; compile it with simtlab cc --target sm7", name,
                   device->name);
  if (its == NULL || preset_of(its) == NULL || (own != NULL && strcmp(its, own) == 0))
    return SL_OK;
  if (own == NULL)
    return sl_fail(err, SL_USAGE,
                   "%s: compiled for %s, not for %s, which has no host CPU and runs programs without launches; run it "
                   "on %s",
                   name, its, device->name, preset_of(its));
  return sl_fail(err, SL_USAGE,
                 "%s: compiled for %s, not for %s; compile it with simtlab cc --target %s, or run it on %s", name, its,
                 device->name, own, preset_of(its));
}

/* SL_USAGE: the program has another instruction set, needs more registers, or was linked for another kind of machine.
 */
static enum sl_status check_target(const struct sl_device *device, const struct sl_program *program,
                                   struct sl_error *err)
{
  const enum sl_status code = check_words(device, program, err);
  return code == SL_OK ? check_note(device, program, err) : code;
}

enum { ARGUMENT_BYTES_MAX = 1 << 16 };

#define HOST_STACK_TOP UINT32_C(0xbff70000)

/* Loads code into the instruction memories of the host CPU and of the SM, which hold the same text. */
static void load_code(struct sl_device *device, uint32_t address, const uint8_t *bytes, uint32_t size)
{
  for (uint32_t offset = 0; offset < size; offset += 4) {
    uint32_t word = 0, left = size - offset;
    memcpy(&word, bytes + offset, left < 4 ? left : 4);
    sl_host_write_code(&device->host, address + offset, word);
    device->machine->life.write_instruction(device->sm, address + offset, word);
  }
}

/* Decodes code from data memory, which holds it too: the words from the one with `first` to before `end`. */
static void decode(struct sl_device *device, uint64_t first, uint64_t end)
{
  const unsigned step = sl_isa(device->soc.isa)->word_bytes;
  for (uint64_t at = first & ~(uint64_t)(step - 1); at < end; at += step) {
    uint64_t word = sl_memory_load(&device->memory, (uint32_t)at, 4);
    if (step > 4)
      word |= (uint64_t)sl_memory_load(&device->memory, (uint32_t)at + 4, 4) << 32;
    device->machine->life.write_instruction(device->sm, (uint32_t)at, word);
  }
}

/* Loads a segment into instruction memory as far as that extends, and the rest into data memory. Linkers combine
 * adjacent text and data in one segment. */
static enum sl_status load_segment(struct sl_device *device, const char *name, const struct sl_segment *segment,
                                   struct sl_error *err)
{
  const uint32_t code_base = device->soc.code_base, code_end = code_base + device->soc.code_words * 4;
  const uint32_t address = segment->address;
  if (address < code_base)
    return sl_fail(err, SL_USAGE,
                   "%s: the segment at 0x%08" PRIx32 " is below instruction memory, which begins at 0x%08" PRIx32
                   ". Link with the machine's linker script",
                   name, address, code_base);
  if (address < HOST_STACK_TOP && segment->size > HOST_STACK_TOP - address)
    return sl_fail(err, SL_USAGE,
                   "%s: the segment at 0x%08" PRIx32 " takes %" PRIu32
                   " bytes and would cover the host's stack, which begins "
                   "at 0x%08" PRIx32 ". Make its data smaller",
                   name, address, segment->size, HOST_STACK_TOP);
  uint32_t code = address >= code_end ? 0 : code_end - address;
  if (code > segment->file_size)
    code = segment->file_size;
  if (code > 0 && segment->executable && !segment->writable && segment->file_size > code)
    return sl_fail(err, SL_USAGE,
                   "%s: its text ends at 0x%08" PRIx32 ", after instruction memory does (0x%08" PRIx32
                   "). Make it smaller, or set code.words",
                   name, address + segment->file_size, code_end);
  if (code > 0 && address % 4 != 0)
    return sl_fail(err, SL_USAGE, "%s: code at 0x%08" PRIx32 " is not aligned to a word", name, address);
  load_code(device, address, segment->bytes, code);
  sl_memory_write(&device->memory, address + code, segment->bytes + code, segment->file_size - code);
  return SL_OK;
}

/* Checks that code lies where the machine can decode it. Linkers put the file's header before it in the same segment,
 * and data behind it; these may lie elsewhere. */
static enum sl_status load_decoded(struct sl_device *device, const char *name, const struct sl_segment *segment,
                                   struct sl_error *err)
{
  const uint64_t base = device->soc.code_base, end = base + UINT64_C(4) * device->soc.code_words;
  const uint64_t first = segment->address, last = first + segment->file_size;
  if (last <= base || first >= end || (last > end && !segment->writable))
    return sl_fail(err, SL_USAGE,
                   "%s: its code from 0x%08" PRIx64 " to 0x%08" PRIx64 " is not within the 0x%08" PRIx64
                   " to 0x%08" PRIx64 " where %s expects programs. Link it there, or set code.base and code.bytes",
                   name, first, last, base, end, device->name);
  decode(device, first < base ? base : first, last < end ? last : end);
  return sl_stored_code_extend(&device->memory.code, (uint32_t)(first < base ? base : first), last < end ? last : end,
                               err);
}

/* Zeroes the part of a segment beyond the file's bytes, also where unwritten memory is not 0 and where another program
 * was. */
static void clear_rest(struct sl_device *device, const struct sl_segment *segment)
{
  sl_memory_clear(&device->memory, segment->address + segment->file_size, segment->size - segment->file_size);
}

/* Loads a segment anywhere in the single memory of a machine without a host CPU, and decodes possible code from
 * there. */
static enum sl_status load_alone(struct sl_device *device, const char *name, const struct sl_segment *segment,
                                 struct sl_error *err)
{
  const uint32_t bytes = device->soc.code_words * 4, address = segment->address;
  if (device->soc.whole_memory) {
    sl_memory_write(&device->memory, address, segment->bytes, segment->file_size);
    return segment->executable ? load_decoded(device, name, segment, err) : SL_OK;
  }
  if (address > bytes || segment->size > bytes - address)
    return sl_fail(err, SL_USAGE,
                   "%s: the segment at 0x%08" PRIx32 " takes %" PRIu32 " bytes and leaves the memory of %" PRIu32
                   " bytes that %s has. Link it lower, or set memory.bytes higher",
                   name, address, segment->size, bytes, device->name);
  sl_memory_write(&device->memory, address, segment->bytes, segment->file_size);
  decode(device, address, (uint64_t)address + segment->file_size);
  return sl_stored_code_extend(&device->memory.code, address, (uint64_t)address + segment->file_size, err);
}

static enum sl_status check_entry(const struct sl_device *device, const struct sl_program *program,
                                  struct sl_error *err)
{
  const uint32_t start = device->soc.start, entry = start != 0 ? start : sl_program_entry(program);
  const uint32_t base = device->soc.code_base, bytes = device->soc.code_words * 4;
  if (entry - base < bytes && entry % sl_isa(device->soc.isa)->word_bytes == 0)
    return SL_OK;
  if (entry == 0)
    return sl_fail(err, SL_USAGE, "%s: the file names no entry point. Link it with one (-Wl,-e,_start)",
                   sl_program_name(program));
  return sl_fail(err, SL_USAGE,
                 "%s: the entry 0x%08" PRIx32 " is outside instruction memory (0x%08" PRIx32 " to 0x%08" PRIx32
                 "). Link with the machine's linker script, or set code.base and code.words",
                 sl_program_name(program), entry, base, base + bytes);
}

/* An argument as the program sees it. The name is that of the file without its path: a program's location must not
 * change its memory layout and thus the cycles of its kernels. */
static const char *argument(const char *const *argv, int i)
{
  const char *slash = i == 0 ? strrchr(argv[0], '/') : NULL;
  return slash != NULL ? slash + 1 : argv[i];
}

/* Puts arguments below the top of the host's stack: strings, then pointers to them, which a0 and a1 pass to the entry.
 * Without arguments the stack begins at its top. */
static enum sl_status load_arguments(struct sl_device *device, int argc, const char *const *argv, struct sl_error *err)
{
  uint32_t sp = HOST_STACK_TOP, pointer[64];
  const int most = (int)(sizeof pointer / sizeof pointer[0]) - 1;
  device->host.x[1] = SL_HOST_RETURN;
  device->host.x[2] = sp;
  if (argc <= 1)
    return SL_OK;
  if (argc > most)
    return sl_fail(err, SL_USAGE, "more than %d arguments for the program", most - 1);
  for (int i = 0; i < argc; i++) {
    const char *text = argument(argv, i);
    const size_t size = strlen(text) + 1;
    if (size > ARGUMENT_BYTES_MAX || HOST_STACK_TOP - sp + size > ARGUMENT_BYTES_MAX)
      return sl_fail(err, SL_USAGE, "the program's arguments take more than %d bytes", ARGUMENT_BYTES_MAX);
    sp -= (uint32_t)size;
    sl_memory_write(&device->memory, sp, text, size);
    pointer[i] = sp;
  }
  pointer[argc] = 0;
  sp = (sp - 4 * (uint32_t)(argc + 1)) & ~15u;
  sl_memory_write(&device->memory, sp, pointer, 4 * (size_t)(argc + 1));
  device->host.x[2] = sp;
  device->host.x[10] = (uint32_t)argc;
  device->host.x[11] = sp;
  return SL_OK;
}

/* A machine without a host CPU that takes arguments has a fixed block for them: their number, a pointer to each, a null
 * pointer, the strings. */
static enum sl_status load_block(struct sl_device *device, int argc, const char *const *argv, struct sl_error *err)
{
  const uint32_t base = device->soc.arguments;
  uint32_t at = base + 4 * ((uint32_t)argc + 2);
  if (argc <= 1)
    return SL_OK;
  if (base == 0)
    return sl_fail(err, SL_USAGE, "%s has no host CPU that could give the program arguments", device->name);
  sl_memory_store(&device->memory, base, 4, (uint32_t)argc);
  for (int i = 0; i < argc; i++) {
    const char *text = argument(argv, i);
    const size_t size = strlen(text) + 1;
    if (at - base > ARGUMENT_BYTES_MAX || size > ARGUMENT_BYTES_MAX - (at - base))
      return sl_fail(err, SL_USAGE, "the program's arguments take more than %d bytes", ARGUMENT_BYTES_MAX);
    sl_memory_store(&device->memory, base + 4 * (uint32_t)(i + 1), 4, at);
    sl_memory_write(&device->memory, at, text, size);
    at += (uint32_t)size;
  }
  sl_memory_store(&device->memory, base + 4 * ((uint32_t)argc + 1), 4, 0);
  device->interface.closure = base;
  return SL_OK;
}

/* Reserves a program's memory, including the thread-local storage of a Vortex program, so that buffers avoid it. */
static enum sl_status reserve(struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  uint32_t first, second;
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < sl_program_segment_count(program) && code == SL_OK; i++) {
    const struct sl_segment *segment = sl_program_segment(program, i);
    code = sl_allocator_reserve(&device->buffers, segment->address, segment->size, err);
  }
  if (code == SL_OK && device->soc.launches == SL_LAUNCH_PROGRAM && sl_program_symbol(program, "__tls_first", &first) &&
      sl_program_symbol(program, "__tls_second", &second)) {
    const uint64_t threads =
        (uint64_t)(device->soc.cores ? device->soc.cores : 1) * device->soc.warps * device->soc.lanes;
    code = sl_allocator_reserve(&device->buffers, first, threads * (second - first), err);
  }
  if (code != SL_OK)
    sl_error_prefix(err, "%.200s: ", sl_program_name(program));
  return code;
}

static bool overlap(const struct sl_program *a, const struct sl_program *b)
{
  for (size_t i = 0; i < sl_program_segment_count(a); i++)
    for (size_t k = 0; k < sl_program_segment_count(b); k++) {
      const struct sl_segment *x = sl_program_segment(a, i), *y = sl_program_segment(b, k);
      if (x->address < (uint64_t)y->address + y->size && y->address < (uint64_t)x->address + x->size)
        return true;
    }
  return false;
}

static struct sl_loaded *find(const struct sl_device *device, const struct sl_program *program)
{
  for (size_t i = 0; i < device->loaded_count; i++)
    if (device->loaded[i].program == program)
      return &device->loaded[i];
  return NULL;
}

static enum sl_status remember(struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  if (find(device, program) != NULL)
    return SL_OK;
  if (!SL_GROW(device->loaded, device->loaded_count))
    return sl_no_memory(err, (device->loaded_count + 1) * sizeof *device->loaded);
  device->loaded[device->loaded_count++] = (struct sl_loaded){.program = program};
  return SL_OK;
}

enum sl_status sl_device_add(struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  enum sl_status code = check_target(device, program, err);
  if (code == SL_OK)
    code = reserve(device, program, err);
  if (code == SL_OK)
    code = remember(device, program, err);
  for (size_t i = 0; i < sl_program_segment_count(program) && code == SL_OK; i++) {
    const struct sl_segment *segment = sl_program_segment(program, i);
    code = device->soc.no_host ? load_alone(device, sl_program_name(program), segment, err)
                               : load_segment(device, sl_program_name(program), segment, err);
    if (code == SL_OK)
      clear_rest(device, segment);
  }
  if (code == SL_OK)
    code = sl_device_check_memory(device, err);
  if (code != SL_OK)
    return code;
  for (size_t i = 0; i < device->loaded_count; i++)
    if (overlap(device->loaded[i].program, program))
      device->loaded[i].resident = device->loaded[i].program == program;
  return SL_OK;
}

enum sl_status sl_device_make_resident(struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  return find(device, program)->resident ? SL_OK : sl_device_add(device, program, err);
}

const struct sl_program *sl_device_program_at(const struct sl_device *device, uint32_t address)
{
  for (size_t i = 0; i < device->loaded_count; i++)
    for (size_t k = 0; device->loaded[i].resident && k < sl_program_segment_count(device->loaded[i].program); k++) {
      const struct sl_segment *segment = sl_program_segment(device->loaded[i].program, k);
      if (segment->executable && address >= segment->address && address - segment->address < segment->size)
        return device->loaded[i].program;
    }
  return NULL;
}

enum sl_status sl_device_load(struct sl_device *device, const struct sl_program *program, int argc,
                              const char *const *argv, struct sl_error *err)
{
  device->program = program;
  device->host.pc = sl_program_entry(program);
  enum sl_status code = sl_device_add(device, program, err);
  if (code == SL_OK)
    code = check_entry(device, program, err);
  if (code == SL_OK)
    code = sl_spans_watch(device, program, err);
  if (code == SL_OK)
    code = sl_forward_check(device, err);
  if (code == SL_OK)
    code = sl_sampled_check(device, err);
  if (code != SL_OK)
    return code;
  code = device->soc.no_host ? load_block(device, argc, argv, err) : load_arguments(device, argc, argv, err);
  return code == SL_OK ? sl_device_check_memory(device, err) : code;
}
