#include "compiler/isa64/link/link64.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

uint32_t sl_link_address(const struct sl_link *link, const struct sl_link_ref *ref)
{
  switch (ref->kind) {
  case SL_LINK_DEFINED: {
    const struct sl_link_section *section = &link->units[ref->unit].sections[ref->section];
    return section->live ? section->address + ref->value : 0;
  }
  case SL_LINK_COMMON:
  case SL_LINK_VALUE:
  case SL_LINK_MAP: return ref->value;
  default: return 0;
  }
}

/* The image_place of a relocation. */
struct image_place {
  uint32_t unit, section, offset;
};

static bool is_code(const struct sl_link *link, const struct sl_link_ref *ref)
{
  return ref->kind == SL_LINK_DEFINED && link->units[ref->unit].object->sections[ref->section].executable;
}

static bool is_thread_local(const struct sl_link *link, const struct sl_link_ref *ref)
{
  return ref->kind == SL_LINK_DEFINED && link->units[ref->unit].object->sections[ref->section].thread_local_data;
}

static enum sl_status does_not_do(const struct sl_link *link, const struct image_place *at, uint32_t symbol,
                                  const char *why, struct sl_error *err)
{
  char text[SL_LINK_PLACE_SIZE];
  sl_link_place(link, at->unit, at->section, at->offset, text);
  return sl_fail(err, SL_USAGE, "%.200s %s; %s uses it", link->units[at->unit].object->symbols[symbol].name, why, text);
}

/* S + A. An offset into code of another unit would be an RV32 offset, and that unit may not be translated from RV32. */
static enum sl_status find_value(const struct sl_link *link, const struct image_place *at, uint32_t symbol,
                                 int32_t addend, bool thread_local_data, uint32_t *value, struct sl_error *err)
{
  const struct sl_link_ref ref = sl_link_resolve(link, at->unit, symbol);
  const bool weak = ref.kind == SL_LINK_UNDEFINED;
  if (addend != 0 && link->units[at->unit].object->translated && is_code(link, &ref) && ref.unit != at->unit)
    return does_not_do(link, at, symbol, "is code of another file, where offsets cannot be translated", err);
  if (thread_local_data != is_thread_local(link, &ref) && !weak)
    return does_not_do(link, at, symbol,
                       thread_local_data ? "is not thread-local" : "is thread-local, and has no single address", err);
  *value = sl_link_address(link, &ref) + (uint32_t)addend;
  return SL_OK;
}

static uint32_t upper(uint32_t value)
{
  return (value + 0x800) & 0xfffff000u;
}

/* Applies the relocation type to S + A at P. */
static uint32_t immediate(const struct sl_link *link, enum sl_fix64 fix, uint32_t value, uint32_t pc)
{
  const uint32_t offset = value - link->spans[SL_LINK_TDATA].address;
  switch (fix) {
  case SL_FIX_PC: return value - pc;
  case SL_FIX_HIGH: return upper(value);
  case SL_FIX_LOW: return value - upper(value);
  case SL_FIX_TP: return offset;
  case SL_FIX_TP_HIGH: return upper(offset);
  case SL_FIX_TP_LOW: return offset - upper(offset);
  default: return value;
  }
}

static bool jumps(const struct sl_wide *insn)
{
  const enum sl_kind kind = sl_op_info(insn->op)->kind;
  return kind == SL_KIND_BRANCH || kind == SL_KIND_JAL;
}

/* The code must use no registers beyond those that the file declares: these would belong to other threads. */
static enum sl_status check_registers(const struct sl_link *link, const struct image_place *at,
                                      const struct sl_wide *insn, struct sl_error *err)
{
  const unsigned has = sl_op_info(insn->op)->fields;
  const uint8_t used[] = {has & SL_FIELD_RD ? insn->rd : 0, has & SL_FIELD_RS1 ? insn->rs1 : 0,
                          has & SL_FIELD_RS2 ? insn->rs2 : 0, has & SL_FIELD_RS3 ? insn->rs3 : 0};
  char text[SL_LINK_PLACE_SIZE];
  for (unsigned i = 0; i < sizeof used; i++)
    if (used[i] >= link->options->registers)
      return sl_fail(err, SL_USAGE, "%s uses register %s, but the program is for %u registers",
                     sl_link_place(link, at->unit, at->section, at->offset, text), sl_wide_register_name(used[i]),
                     link->options->registers);
  return SL_OK;
}

static enum sl_status encode(const struct sl_link *link, const struct image_place *at, const struct sl_code64 *code,
                             uint8_t *bytes, struct sl_error *err)
{
  struct sl_wide insn = code->insn;
  if (check_registers(link, at, &insn, err) != SL_OK)
    return SL_USAGE;
  if (code->fix != SL_FIX_NONE) {
    const uint32_t pc = link->units[at->unit].sections[at->section].address + at->offset;
    const bool tp = code->fix == SL_FIX_TP || code->fix == SL_FIX_TP_HIGH || code->fix == SL_FIX_TP_LOW;
    uint32_t value = 0;
    if (find_value(link, at, code->symbol, code->addend, tp, &value, err) != SL_OK)
      return SL_USAGE;
    if (jumps(&insn) && value % SL_WIDE_BYTES != 0)
      return does_not_do(link, at, code->symbol, "is the target of a jump, but not an instruction", err);
    insn.imm = immediate(link, code->fix, value, pc);
  }
  const uint64_t word = sl_wide_encode(&insn);
  for (unsigned i = 0; i < SL_WIDE_BYTES; i++)
    bytes[i] = (uint8_t)(word >> 8 * i);
  return SL_OK;
}

static enum sl_status encode_section(const struct sl_link *link, struct image_place at,
                                     const struct sl_section64 *section, uint8_t *bytes, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (uint32_t i = 0; i < section->code_count && code == SL_OK; i++) {
    at.offset = i * SL_WIDE_BYTES;
    code = encode(link, &at, &section->code[i], bytes + at.offset, err);
  }
  return code;
}

static enum sl_status fix_data(const struct sl_link *link, struct image_place at, const struct sl_section64 *section,
                               uint8_t *bytes, struct sl_error *err)
{
  for (size_t i = 0; i < section->fix_count; i++) {
    const struct sl_data_fix64 *fix = &section->fixes[i];
    uint32_t value = 0, old;
    at.offset = fix->offset;
    if (find_value(link, &at, fix->symbol, fix->addend, false, &value, err) != SL_OK)
      return SL_USAGE;
    memcpy(&old, bytes + fix->offset, sizeof old);
    value = fix->fix == SL_FIX_ADD ? old + value : fix->fix == SL_FIX_SUB ? old - value : value;
    memcpy(bytes + fix->offset, &value, sizeof value);
  }
  return SL_OK;
}

static enum sl_status make_piece(const struct sl_link *link, const struct sl_link_piece *piece,
                                 const struct sl_link_span *span, struct sl_error *err)
{
  const struct sl_link_unit *unit = &link->units[piece->unit];
  const struct sl_section64 *section = &unit->object->sections[piece->section];
  const struct image_place at = {piece->unit, piece->section, 0};
  uint8_t *bytes = span->bytes + (unit->sections[piece->section].address - span->address);
  if (section->executable)
    return encode_section(link, at, section, bytes, err);
  if (section->bytes != NULL)
    memcpy(bytes, section->bytes, section->size);
  return fix_data(link, at, section, bytes, err);
}

/* Gaps between pieces of code hold words that do not decode. */
enum sl_status sl_link_image(struct sl_link *link, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (unsigned i = 0; i < SL_LINK_OUTPUTS; i++) {
    struct sl_link_span *span = &link->spans[i];
    if (i == SL_LINK_TBSS || i == SL_LINK_BSS)
      continue;
    span->bytes = calloc((size_t)span->size + 1, 1);
    if (span->bytes == NULL)
      return sl_no_memory(err, span->size);
    for (size_t k = 0; k < span->count && code == SL_OK; k++)
      code = make_piece(link, &link->pieces[span->first + k], span, err);
  }
  return code;
}

/* A cache line has 64 bytes. */
enum { START = 0, LINE = 64, TLS_ALIGNMENT = 16, WORD = 4, LAST_PRIORITY = 65536 };
#define START_ADDRESS UINT32_C(0x80000000)

/* Ranks within the arrays: three arrays, each ordered by priority. */
enum array { PREINIT = 0, INIT = 1 << 20, FINI = 2 << 20, ARRAYS_END = 3 << 20 };
/* Ranks within the data: small data comes last, and the global pointer points to its middle. */
enum { DATA, SMALL_DATA };

static const struct {
  const char *name;
  uint32_t alignment;
} outputs[SL_LINK_OUTPUTS] = {
    [SL_LINK_TEXT] = {".text", SL_WIDE_BYTES},
    [SL_LINK_RODATA] = {".rodata", LINE},
    [SL_LINK_ARRAYS] = {".init_array", WORD},
    [SL_LINK_TDATA] = {".tdata", TLS_ALIGNMENT},
    [SL_LINK_TBSS] = {".tbss", TLS_ALIGNMENT},
    [SL_LINK_DATA] = {".data", LINE},
    [SL_LINK_BSS] = {".bss", LINE},
    [SL_LINK_KERNELS] = {".simt.kernels", 1},
};

const char *sl_link_output_name(enum sl_link_output output)
{
  return outputs[output].name;
}

/* ---- output sections --------------------------------------------------------------------------------------------- */

/* ".text" and ".text.main", not ".texture". */
static bool is_of(const char *name, const char *kind)
{
  const size_t length = strlen(kind);
  return strncmp(name, kind, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

/* Array entries with a priority come first. */
static uint32_t priority_of(const char *name, const char *kind)
{
  const char *text = name + strlen(kind);
  char *end;
  const unsigned long number = text[0] == '.' ? strtoul(text + 1, &end, 10) : LAST_PRIORITY;
  return number < LAST_PRIORITY ? (uint32_t)number : LAST_PRIORITY;
}

static bool is_array(const char *name, uint32_t *rank)
{
  static const struct {
    const char *kind;
    enum array first;
  } arrays[] = {{".preinit_array", PREINIT}, {".init_array", INIT}, {".fini_array", FINI}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (is_of(name, arrays[i].kind)) {
      *rank = arrays[i].first + priority_of(name, arrays[i].kind);
      return true;
    }
  return false;
}

/* Sections with unusual names go to the output section of their kind. */
static enum sl_link_output output_of(const struct sl_section64 *s, uint32_t *rank)
{
  *rank = 0;
  if (s->not_loaded)
    return SL_LINK_KERNELS;
  if (s->executable) {
    *rank = strcmp(s->name, ".text.start") != 0;
    return SL_LINK_TEXT;
  }
  if (s->thread_local_data)
    return s->bytes != NULL ? SL_LINK_TDATA : SL_LINK_TBSS;
  if (is_array(s->name, rank))
    return SL_LINK_ARRAYS;
  if (s->bytes == NULL && s->writable) {
    *rank = !is_of(s->name, ".sbss");
    return SL_LINK_BSS;
  }
  if (s->writable && !is_of(s->name, ".data.rel.ro")) {
    *rank = is_of(s->name, ".sdata") ? SMALL_DATA : DATA;
    return SL_LINK_DATA;
  }
  *rank = is_of(s->name, ".rodata") ? 0 : is_of(s->name, ".srodata") ? 1 : 2;
  return SL_LINK_RODATA;
}

static int compare_pieces(const void *a, const void *b)
{
  const struct sl_link_piece *x = a, *y = b;
  if (x->output != y->output)
    return x->output < y->output ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->unit != y->unit)
    return x->unit < y->unit ? -1 : 1;
  return x->section < y->section ? -1 : x->section > y->section;
}

static enum sl_status collect(struct sl_link *link, struct sl_error *err)
{
  for (uint32_t unit = 0; unit < link->unit_count; unit++)
    for (uint32_t i = 0; i < link->units[unit].object->section_count; i++) {
      if (!link->units[unit].sections[i].live)
        continue;
      if (!SL_GROW(link->pieces, link->piece_count))
        return sl_no_memory(err, 2 * link->piece_count * sizeof *link->pieces);
      struct sl_link_piece *piece = &link->pieces[link->piece_count++];
      *piece = (struct sl_link_piece){.unit = unit, .section = i};
      piece->output = output_of(&link->units[unit].object->sections[i], &piece->rank);
      link->units[unit].sections[i].output = piece->output;
    }
  qsort(link->pieces, link->piece_count, sizeof *link->pieces, compare_pieces);
  for (size_t i = link->piece_count; i-- > 0;) {
    struct sl_link_span *span = &link->spans[link->pieces[i].output];
    span->first = i;
    span->count++;
  }
  return SL_OK;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static uint64_t align(uint64_t address, uint32_t alignment)
{
  return (address + alignment - 1) & ~(uint64_t)(alignment - 1);
}

static uint64_t place_piece(struct sl_link *link, const struct sl_link_piece *piece, uint64_t at)
{
  const struct sl_section64 *section = &link->units[piece->unit].object->sections[piece->section];
  at = align(at, section->alignment);
  link->units[piece->unit].sections[piece->section].address = (uint32_t)at;
  return at + section->size;
}

/* Places the used common symbols after all others of the same output section. */
static uint64_t place_commons(struct sl_link *link, uint64_t at)
{
  for (size_t i = 0; i < link->names.count; i++) {
    struct sl_link_global *g = &link->globals[i];
    if (g->kind != SL_LINK_COMMON || !g->live)
      continue;
    at = align(at, g->alignment > 0 ? g->alignment : 1);
    g->value = (uint32_t)at;
    at += g->size;
  }
  return at;
}

static uint32_t alignment_of(const struct sl_link *link, enum sl_link_output output)
{
  uint32_t alignment = outputs[output].alignment;
  for (size_t i = 0; i < link->spans[output].count; i++) {
    const struct sl_link_piece *piece = &link->pieces[link->spans[output].first + i];
    const uint32_t needed = link->units[piece->unit].object->sections[piece->section].alignment;
    alignment = needed > alignment ? needed : alignment;
  }
  return alignment;
}

/* Returns the end of the output section. */
static uint64_t place_output(struct sl_link *link, enum sl_link_output output, uint64_t at)
{
  struct sl_link_span *span = &link->spans[output];
  span->alignment = alignment_of(link, output);
  at = align(at, span->alignment);
  span->address = (uint32_t)at;
  for (size_t i = 0; i < span->count; i++)
    at = place_piece(link, &link->pieces[span->first + i], at);
  if (output == SL_LINK_BSS)
    at = place_commons(link, at);
  if (output == SL_LINK_TDATA || output == SL_LINK_BSS)
    at = align(at, WORD);
  if (output == SL_LINK_TBSS)
    at = align(at, TLS_ALIGNMENT);
  span->size = (uint32_t)(at - span->address);
  return at;
}

static enum sl_status place_all(struct sl_link *link, struct sl_error *err)
{
  uint64_t at = link->options->start != START ? link->options->start : START_ADDRESS;
  if (at % SL_WIDE_BYTES != 0)
    return sl_fail(err, SL_USAGE, "the start address 0x%08" PRIx64 " is not a multiple of %d", at, SL_WIDE_BYTES);
  for (unsigned i = 0; i < SL_LINK_OUTPUTS; i++) {
    const uint64_t end = place_output(link, (enum sl_link_output)i, i == SL_LINK_KERNELS ? 0 : at);
    if (end > UINT32_MAX - LINE)
      return sl_fail(err, SL_USAGE, "the program does not fit into the address space: %s would end at 0x%" PRIx64,
                     outputs[i].name, end);
    at = i == SL_LINK_TBSS || i == SL_LINK_KERNELS ? at : end;
  }
  return SL_OK;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

enum place {
  TEXT_END,
  DATA_END,
  PREINIT_BEGIN,
  PREINIT_END,
  INIT_BEGIN,
  INIT_END,
  FINI_BEGIN,
  FINI_END,
  TDATA_BEGIN,
  TDATA_END,
  GLOBAL_POINTER,
  BSS_BEGIN,
  BSS_END,
  END,
  TLS_FIRST,
  TLS_SECOND
};

static const struct {
  const char *name;
  enum place place;
} map_symbols[] = {
    {"__preinit_array_start", PREINIT_BEGIN},
    {"__preinit_array_end", PREINIT_END},
    {"__init_array_start", INIT_BEGIN},
    {"__init_array_end", INIT_END},
    {"__fini_array_start", FINI_BEGIN},
    {"__fini_array_end", FINI_END},
    {"__tdata_start", TDATA_BEGIN},
    {"__tdata_end", TDATA_END},
    {"__global_pointer$", GLOBAL_POINTER},
    {"__bss_start", BSS_BEGIN},
    {"__bss_end", BSS_END},
    {"__tls_first", TLS_FIRST},
    {"__tls_second", TLS_SECOND},
    {"_etext", TEXT_END},
    {"etext", TEXT_END},
    {"_edata", DATA_END},
    {"edata", DATA_END},
    {"_end", END},
    {"end", END},
};

const char *sl_link_map_symbol(size_t i)
{
  return i < sizeof map_symbols / sizeof map_symbols[0] ? map_symbols[i].name : NULL;
}

static uint32_t end_of(const struct sl_link_span *span)
{
  return span->address + span->size;
}

/* Returns the address of the first piece with this rank or a higher one. */
static uint32_t rank_begin(const struct sl_link *link, enum sl_link_output output, uint32_t rank)
{
  const struct sl_link_span *span = &link->spans[output];
  for (size_t i = 0; i < span->count; i++) {
    const struct sl_link_piece *piece = &link->pieces[span->first + i];
    if (piece->rank >= rank)
      return link->units[piece->unit].sections[piece->section].address;
  }
  return end_of(span);
}

static uint32_t address_of(const struct sl_link *link, enum place place)
{
  const struct sl_link_span *spans = link->spans;
  const uint32_t tls_first = (uint32_t)align(end_of(&spans[SL_LINK_BSS]), LINE);
  const uint32_t tls_bytes = end_of(&spans[SL_LINK_TBSS]) - spans[SL_LINK_TDATA].address;
  switch (place) {
  case TEXT_END: return end_of(&spans[SL_LINK_TEXT]);
  case DATA_END: return end_of(&spans[SL_LINK_DATA]);
  case PREINIT_BEGIN: return spans[SL_LINK_ARRAYS].address;
  case PREINIT_END:
  case INIT_BEGIN: return rank_begin(link, SL_LINK_ARRAYS, INIT);
  case INIT_END:
  case FINI_BEGIN: return rank_begin(link, SL_LINK_ARRAYS, FINI);
  case FINI_END: return rank_begin(link, SL_LINK_ARRAYS, ARRAYS_END);
  case TDATA_BEGIN: return spans[SL_LINK_TDATA].address;
  case TDATA_END: return end_of(&spans[SL_LINK_TDATA]);
  case GLOBAL_POINTER: return rank_begin(link, SL_LINK_DATA, SMALL_DATA) + 0x800;
  case BSS_BEGIN: return spans[SL_LINK_BSS].address;
  case BSS_END:
  case END: return end_of(&spans[SL_LINK_BSS]);
  case TLS_FIRST: return tls_first;
  case TLS_SECOND: return tls_first + (uint32_t)align(tls_bytes, TLS_ALIGNMENT);
  }
  return 0;
}

enum sl_status sl_link_layout(struct sl_link *link, struct sl_error *err)
{
  enum sl_status code = collect(link, err);
  if (code == SL_OK)
    code = place_all(link, err);
  for (size_t i = 0; i < sizeof map_symbols / sizeof map_symbols[0] && code == SL_OK; i++) {
    struct sl_link_global *global = &link->globals[sl_link_names_find(&link->names, map_symbols[i].name)];
    if (global->kind == SL_LINK_MAP)
      global->value = address_of(link, map_symbols[i].place);
  }
  return code;
}
