#include "compiler/isa64/link/link_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
      struct sl_link_piece *grown = sl_grow64(link->pieces, link->piece_count, sizeof *grown, err);
      if (grown == NULL)
        return SL_INTERNAL;
      link->pieces = grown;
      struct sl_link_piece *piece = &grown[link->piece_count++];
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
