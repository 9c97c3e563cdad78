#include "compiler/isa64/link/link_image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* The place of a relocation. */
struct place {
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

static enum sl_status does_not_do(const struct sl_link *link, const struct place *at, uint32_t symbol, const char *why,
                                  struct sl_error *err)
{
  char text[SL_LINK_PLACE_SIZE];
  sl_link_place(link, at->unit, at->section, at->offset, text);
  return sl_fail(err, SL_USAGE, "%.200s %s; %s uses it", link->units[at->unit].object->symbols[symbol].name, why, text);
}

/* S + A. An offset into code of another unit would be an RV32 offset, and that unit may not be translated from RV32. */
static enum sl_status find_value(const struct sl_link *link, const struct place *at, uint32_t symbol, int32_t addend,
                                 bool thread_local_data, uint32_t *value, struct sl_error *err)
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
static enum sl_status check_registers(const struct sl_link *link, const struct place *at, const struct sl_wide *insn,
                                      struct sl_error *err)
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

static enum sl_status encode(const struct sl_link *link, const struct place *at, const struct sl_code64 *code,
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

static enum sl_status encode_section(const struct sl_link *link, struct place at, const struct sl_section64 *section,
                                     uint8_t *bytes, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (uint32_t i = 0; i < section->code_count && code == SL_OK; i++) {
    at.offset = i * SL_WIDE_BYTES;
    code = encode(link, &at, &section->code[i], bytes + at.offset, err);
  }
  return code;
}

static enum sl_status fix_data(const struct sl_link *link, struct place at, const struct sl_section64 *section,
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
  const struct place at = {piece->unit, piece->section, 0};
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
