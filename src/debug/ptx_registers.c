#include "debug/ptx_registers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa/lanes.h"

enum { NAME = 40 };

void sl_ptx_text(const struct sl_ptx_module *m, const struct sl_source *source, uint32_t pc, char *text, size_t size)
{
  const struct sl_ptx_insn *in = &m->code[pc];
  const char *line = sl_source_line(source, in->line);
  const char *from = line != NULL && strlen(line) >= in->column && in->column > 0 ? line + in->column - 1 : "";
  size_t n = 0;
  if (*from == '}' || *from == ';')
    from = "ret"; /* the one at the end of a function */
  for (; *from != '\0' && *from != ';' && n + 1 < size; from++)
    text[n++] = *from == '\t' ? ' ' : *from;
  text[n] = '\0';
}

/* The register that is operand `number` of an instruction, counted over the elements of vectors. */
static bool name_of(const char *text, unsigned number, char name[NAME])
{
  if (*text == '@')
    text += strcspn(text, " ");
  text += strspn(text, " ");
  text += strcspn(text, " "); /* the opcode */
  for (unsigned i = 0; *text != '\0'; i++) {
    text += strspn(text, " ,{|");
    const size_t size = strcspn(text, " ,{}|");
    if (i == number) {
      snprintf(name, NAME, "%.*s", (int)size, text);
      return size > 0 && size < NAME && name[0] != '_' && name[0] != '[';
    }
    text += size + strspn(text + size, " }");
  }
  return false;
}

/* Where an instruction puts its result of this number; the area is another one if the place is unknown. */
static struct sl_ptx_place place_of(const struct sl_ptx_insn *in, unsigned number)
{
  const bool moves = in->kind == SL_PTX_K_LOAD || in->kind == SL_PTX_K_TEX || in->kind == SL_PTX_K_UNPACK;
  if (moves && number < in->elements)
    return in->element[number];
  if (number == 0 && !moves)
    return in->d;
  return number == 1 && in->has_e ? in->e : (struct sl_ptx_place){.area = SL_PTX_CONSTANTS};
}

static uint64_t value_of(const struct sl_ptx_warp *w, struct sl_ptx_place place, unsigned words, unsigned lane)
{
  const uint8_t *lanes = w->area[place.area] + place.offset;
  uint64_t value = 0;
  if (words == 2)
    memcpy(&value, lanes + 8 * (size_t)lane, 8);
  else
    memcpy(&value, lanes + (words == 1 ? 4 * (size_t)lane : 0), 4);
  return words == 0 ? value >> lane & 1 : value;
}

static void print_one(const char *name, uint64_t value, unsigned words, enum sl_ptx_type type, struct sl_reply *to)
{
  const uint32_t word = (uint32_t)value;
  float single;
  double twice;
  memcpy(&single, &word, sizeof single);
  memcpy(&twice, &value, sizeof twice);
  if (words == 0)
    sl_reply_print(to, "%-10s %s\n", name, value != 0 ? "true" : "false");
  else if (type == SL_PTX_F32)
    sl_reply_print(to, "%-10s 0x%08" PRIx32 " %.9g\n", name, word, (double)single);
  else if (type == SL_PTX_F64)
    sl_reply_print(to, "%-10s 0x%016" PRIx64 " %.17g\n", name, value, twice);
  else if (words == 1)
    sl_reply_print(to, "%-10s 0x%08" PRIx32 " %" PRId32 "\n", name, word, (int32_t)word);
  else
    sl_reply_print(to, "%-10s 0x%016" PRIx64 " %" PRId64 "\n", name, value, (int64_t)value);
}

static const struct sl_ptx_function *function_at(const struct sl_ptx_module *m, uint32_t pc)
{
  for (unsigned i = 0; i < m->function_count; i++)
    if (m->functions[i].begin <= pc && pc < m->functions[i].end)
      return &m->functions[i];
  return NULL;
}

void sl_ptx_print_registers(const struct sl_ptx_warp *w, unsigned lane, uint32_t pc, const struct sl_source *source,
                            const char *wanted, struct sl_reply *to)
{
  enum { MOST = 4096 };
  const struct sl_ptx_module *m = w->block->launch->module;
  const struct sl_ptx_function *f = function_at(m, pc);
  uint64_t seen[MOST / 64] = {0};
  char text[300], name[NAME];
  for (uint32_t at = f != NULL ? f->begin : 0; f != NULL && at < f->end; at++) {
    const struct sl_ptx_insn *in = &m->code[at];
    sl_ptx_text(m, source, at, text, sizeof text);
    for (unsigned i = 0; i < in->dsts && i < SL_PTX_ELEMENTS; i++) {
      const struct sl_ptx_place place = place_of(in, i);
      const struct sl_ptx_reg reg = in->dst[i];
      if (place.area != SL_PTX_REGISTERS || reg.id >= MOST || (seen[reg.id / 64] >> reg.id % 64 & 1) != 0 ||
          !name_of(text, i, name) || (wanted[0] != '\0' && strcmp(wanted, name) != 0))
        continue;
      seen[reg.id / 64] |= sl_bit(reg.id % 64);
      print_one(name, value_of(w, place, reg.words, lane), reg.words, (enum sl_ptx_type)in->type, to);
    }
  }
  if (to->size == 0)
    sl_reply_print(to, wanted[0] != '\0' ? "no instruction of the function writes this register\n" : "no registers\n");
}
