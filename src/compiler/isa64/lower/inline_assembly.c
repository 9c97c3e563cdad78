#include "compiler/isa64/compile_mir.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/grow.h"
#include "isa/wide.h"

/* ---- the unit that collects the functions ------------------------------------------------------------------------ */

bool sl_unit_init(struct sl_unit *unit, struct sl_object64 *object, struct sl_mir_module *module)
{
  for (size_t i = 0; i < module->function_count; i++)
    if (sl_mir_text(module, module->function[i].name, strlen(module->function[i].name)) == UINT32_MAX)
      return false;
  *unit = (struct sl_unit){.object = object, .module = module, .symbols = module->text_count};
  unit->symbol = sl_zeroed(unit->symbols, sizeof *unit->symbol);
  return unit->symbol != NULL;
}

void sl_unit_free(struct sl_unit *unit)
{
  free(unit->symbol);
  *unit = (struct sl_unit){0};
}

static uint32_t add_symbol(struct sl_unit *unit, const char *name, uint32_t section)
{
  struct sl_object64 *object = unit->object;
  char *copy = strdup(name);
  if (copy == NULL || !SL_GROW(object->symbols, object->symbol_count)) {
    free(copy);
    return UINT32_MAX;
  }
  object->symbols[object->symbol_count] =
      (struct sl_symbol64){.name = copy, .section = section, .global = section == SL_UNDEFINED64};
  return (uint32_t)object->symbol_count++;
}

/* Inline assembly adds symbols, too. */
static uint32_t find(const struct sl_object64 *object, const char *name)
{
  for (uint32_t i = 0; i < object->symbol_count; i++)
    if (strcmp(object->symbols[i].name, name) == 0)
      return i;
  return UINT32_MAX;
}

uint32_t sl_unit_symbol(struct sl_unit *unit, uint32_t text)
{
  if (unit->symbol[text] == 0) {
    uint32_t symbol = find(unit->object, unit->module->text[text]);
    if (symbol == UINT32_MAX)
      symbol = add_symbol(unit, unit->module->text[text], SL_UNDEFINED64);
    if (symbol == UINT32_MAX)
      return UINT32_MAX;
    unit->symbol[text] = symbol + 1;
  }
  return unit->symbol[text] - 1;
}

uint32_t sl_unit_label(struct sl_unit *unit, uint32_t section)
{
  return add_symbol(unit, "", section);
}

uint32_t sl_unit_section(struct sl_unit *unit, const struct sl_section64 *section)
{
  struct sl_object64 *object = unit->object;
  if (section->name == NULL || !SL_GROW(object->sections, object->section_count)) {
    free(section->name);
    free(section->code);
    free(section->bytes);
    free(section->fixes);
    return UINT32_MAX;
  }
  object->sections[object->section_count] = *section;
  return (uint32_t)object->section_count++;
}

void sl_unit_cut(struct sl_unit *unit, size_t sections, size_t symbols)
{
  struct sl_object64 *object = unit->object;
  while (object->section_count > sections) {
    struct sl_section64 *section = &object->sections[--object->section_count];
    free(section->name);
    free(section->code);
    free(section->bytes);
    free(section->fixes);
  }
  while (object->symbol_count > symbols)
    free(object->symbols[--object->symbol_count].name);
  for (size_t i = 0; i < unit->symbols; i++)
    if (unit->symbol[i] > symbols)
      unit->symbol[i] = 0;
}

/* ---- inline assembly --------------------------------------------------------------------------------------------- */

enum { ALIGNMENT = 16, WORD = 4, MOST = 1 << 30 };

/* LLVM reaches objects from registers that hold the address of another one when the offset from the stack pointer may
 * not fit 12 bits. It does so in no local frame as small as this one. */
enum { REACHED_DIRECTLY = 1024 };

static uint64_t aligned(uint64_t value, uint64_t alignment)
{
  return (value + alignment - 1) / alignment * alignment;
}

/* Gives each object its place above `bottom`; the place behind them. Distances between the objects of a local frame are
 * those that instructions know. */
static uint64_t place_objects(struct sl_stack_frame *frame, uint64_t bottom, uint32_t alignment)
{
  const struct sl_mir_function *f = frame->lir->source;
  const bool local = f->local_size > REACHED_DIRECTLY;
  if (local)
    bottom = aligned(bottom + f->local_size, alignment);
  const uint64_t top = bottom;
  for (size_t i = 0; i < f->stack_count; i++) {
    const struct sl_mir_object *object = &f->stack[i];
    if (object->kind == SL_MIR_DYNAMIC_OBJECT)
      continue;
    if (local && object->local < 0) {
      frame->object[i] = (uint32_t)(top - (uint32_t)-object->local);
      continue;
    }
    bottom = aligned(bottom, object->alignment);
    frame->object[i] = (uint32_t)bottom;
    bottom += object->size;
  }
  return bottom;
}

enum sl_status sl_stack_frame_init(struct sl_stack_frame *frame, const struct sl_lir *lir,
                                   const struct sl_allocation_facts *facts, struct sl_error *err)
{
  const struct sl_mir_function *f = lir->source;
  *frame = (struct sl_stack_frame){.lir = lir, .slots = facts->slots, .saved = facts->saved};
  frame->object = sl_zeroed(f->stack_count, sizeof *frame->object);
  if (frame->object == NULL)
    return sl_no_memory(err, f->stack_count * sizeof *frame->object);
  uint32_t alignment = ALIGNMENT;
  uint64_t bottom = lir->dynamic ? 0 : aligned(lir->outgoing, ALIGNMENT);
  for (size_t i = 0; i < f->stack_count; i++)
    alignment = f->stack[i].alignment > alignment ? f->stack[i].alignment : alignment;
  bottom = place_objects(frame, bottom, alignment);
  int32_t lowest = 0;
  for (size_t i = 0; i < f->fixed_count; i++)
    lowest = f->fixed[i].offset < lowest ? f->fixed[i].offset : lowest;
  const uint64_t variadic = f->save_size > (uint32_t)-lowest ? f->save_size : (uint32_t)-lowest;
  frame->variadic = (uint32_t)aligned(variadic, ALIGNMENT);
  const uint64_t top = frame->variadic + (uint64_t)WORD * (frame->slots + frame->saved);
  const uint64_t size = aligned(aligned(bottom, WORD) + top, ALIGNMENT);
  frame->alignment = alignment > ALIGNMENT ? alignment : 0;
  frame->size = (uint32_t)size;
  return size < MOST ? SL_OK : sl_fail(err, SL_USAGE, "its frame exceeds one gigabyte");
}

void sl_stack_frame_free(struct sl_stack_frame *frame)
{
  free(frame->object);
  *frame = (struct sl_stack_frame){0};
}

int32_t sl_object_offset(const struct sl_stack_frame *frame, enum sl_lir_place place, uint32_t object)
{
  const struct sl_lir *lir = frame->lir;
  if (place == SL_LIR_FIXED)
    return lir->source->fixed[object].offset + (lir->frame_pointer ? 0 : (int32_t)frame->size);
  return (int32_t)frame->object[object] - (lir->dynamic ? (int32_t)frame->size : 0);
}

int32_t sl_slot_offset(const struct sl_stack_frame *frame, uint32_t slot, bool framed)
{
  const uint32_t place = slot >= frame->slots ? slot - frame->slots : frame->saved + slot;
  return (framed ? 0 : (int32_t)frame->size) - (int32_t)(frame->variadic + WORD * (place + 1));
}

struct writer {
  const struct sl_stack_frame *frame;
  const struct sl_lir_insn *insn;
  uint32_t unique;
  char *text;
  size_t length, room;
  struct sl_error *err;
};

static enum sl_status put(struct writer *w, const char *text, size_t length)
{
  if (!sl_make_room((void **)&w->text, &w->room, w->length + length + 1, 1))
    return sl_no_memory(w->err, length);
  memcpy(w->text + w->length, text, length);
  w->length += length;
  w->text[w->length] = '\0';
  return SL_OK;
}

static enum sl_status put_text(struct writer *w, const char *text)
{
  return put(w, text, strlen(text));
}

static const char *register_of(const struct writer *w, const struct sl_lir_piece *piece)
{
  return sl_wide_register_name(sl_lir_operands(w->frame->lir, w->insn)[piece->operand].reg);
}

static enum sl_status number(struct writer *w, int32_t value)
{
  char text[16];
  snprintf(text, sizeof text, "%d", (int)value);
  return put_text(w, text);
}

/* Modifiers of LLVM's RISC-V assembly printer: z (x0 for the number 0) and i ('i' if it is a number). */
static enum sl_status operand(struct writer *w, const struct sl_lir_piece *piece, char modifier)
{
  const bool is_number = piece->kind == SL_LIR_PIECE_IMMEDIATE;
  if (modifier == 'i')
    return put_text(w, is_number ? "i" : "");
  if (modifier == 'z' && is_number && piece->value == 0)
    return put_text(w, "zero");
  enum sl_status status = SL_OK;
  switch (piece->kind) {
  case SL_LIR_PIECE_REGISTER: return put_text(w, register_of(w, piece));
  case SL_LIR_PIECE_IMMEDIATE: return number(w, piece->value);
  case SL_LIR_PIECE_SYMBOL:
    status = put_text(w, w->frame->lir->module->text[piece->target]);
    if (status == SL_OK && piece->value > 0)
      status = put_text(w, "+");
    return status == SL_OK && piece->value != 0 ? number(w, piece->value) : status;
  default: {
    const bool object = piece->place == SL_LIR_OBJECT || piece->place == SL_LIR_FIXED;
    const int32_t offset = object ? sl_object_offset(w->frame, (enum sl_lir_place)piece->place, piece->target) : 0;
    status = number(w, piece->value + offset);
    if (status == SL_OK)
      status = put_text(w, "(");
    if (status == SL_OK)
      status = put_text(w, register_of(w, piece));
    return status == SL_OK ? put_text(w, ")") : status;
  }
  }
}

static enum sl_status unknown(struct writer *w, const char *at)
{
  return sl_fail(w->err, SL_USAGE, "inline assembly: '%.20s' in the template is unknown", at);
}

/* Substitutes the text after a '$': "$", "0", "{0:z}", "{:uid}". Advances *at past it. */
static enum sl_status dollar(struct writer *w, const char **at)
{
  const char *start = *at - 1;
  if (**at == '$') {
    ++*at;
    return put_text(w, "$");
  }
  const bool braces = **at == '{';
  *at += braces;
  if (braces && strncmp(*at, ":uid}", 5) == 0) {
    *at += 5;
    return number(w, (int32_t)w->unique);
  }
  uint32_t index = 0;
  const char *digits = *at;
  while (isdigit((unsigned char)**at) && index < 100)
    index = index * 10 + (uint32_t)(*(*at)++ - '0');
  char modifier = '\0';
  if (braces && (*at)[0] == ':' && strchr("zi", (*at)[1]) != NULL) {
    modifier = (*at)[1];
    *at += 2;
  }
  if (*at == digits || index >= w->insn->piece_count || (braces && *(*at)++ != '}'))
    return unknown(w, start);
  return operand(w, &w->frame->lir->piece[w->insn->piece + index], modifier);
}

enum sl_status sl_inline_assembly(const struct sl_stack_frame *frame, const struct sl_lir_insn *insn, uint32_t unique,
                                  char **text, struct sl_error *err)
{
  struct writer w = {.frame = frame, .insn = insn, .unique = unique, .err = err};
  enum sl_status status = put(&w, "", 0);
  for (const char *at = frame->lir->module->text[insn->text]; status == SL_OK && *at != '\0';) {
    const size_t plain = strcspn(at, "$");
    status = put(&w, at, plain);
    at += plain;
    if (status == SL_OK && *at == '$') {
      at++;
      status = dollar(&w, &at);
    }
  }
  *text = status == SL_OK ? w.text : NULL;
  if (status != SL_OK)
    free(w.text);
  return status;
}
