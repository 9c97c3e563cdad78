#include "compiler/linear/rv32/rv32_write.h"

#include <stdlib.h>

#include "base/grow.h"

enum { WORD = 4, BRANCH_REACH = 4096, JUMP_REACH = 1 << 20 };

void sl_rv32_items_free(struct sl_rv32_items *items)
{
  free(items->item);
  *items = (struct sl_rv32_items){.count = 0};
}

void sl_rv32_add(struct sl_rv32_items *items, struct sl_rv32_item item)
{
  items->failed = items->failed || !SL_GROW(items->item, items->count);
  if (!items->failed)
    items->item[items->count++] = item;
}

uint32_t sl_rv32_word(enum sl_op op, struct sl_rv32_operands o)
{
  const uint32_t imm = (uint32_t)o.imm, word = sl_op_info(op)->match | o.rs1 << 15;
  switch (sl_op_info(op)->format) {
  case SL_FORMAT_U: return sl_op_info(op)->match | (imm & 0xfffff000) | o.rd << 7;
  case SL_FORMAT_S: return word | (imm >> 5 & 0x7f) << 25 | o.rs2 << 20 | (imm & 31) << 7;
  case SL_FORMAT_SH: return word | (imm & 31) << 20 | o.rd << 7;
  case SL_FORMAT_R: return word | o.rs2 << 20 | o.rd << 7;
  default: return word | imm << 20 | o.rd << 7;
  }
}

void sl_rv32_add_number(struct sl_rv32_items *items, uint32_t rd, uint32_t number)
{
  const int32_t low = (int32_t)(number << 20) >> 20;
  const uint32_t high = number - (uint32_t)low;
  if (high != 0)
    sl_rv32_add_word(items, 0, sl_rv32_word(SL_OP_LUI, (struct sl_rv32_operands){.rd = rd, .imm = (int32_t)high}));
  if (low != 0 || high == 0)
    sl_rv32_add_word(
        items, 0, sl_rv32_word(SL_OP_ADDI, (struct sl_rv32_operands){.rd = rd, .rs1 = high != 0 ? rd : 0, .imm = low}));
}

static void place_all(const struct sl_rv32_items *items, uint32_t *place)
{
  place[0] = 0;
  for (uint32_t i = 0; i < items->count; i++)
    place[i + 1] = place[i] + 1 + (items->item[i].prefix != 0) + 2u * items->item[i].far;
}

/* Returns the bytes from the word of item i to another item, or to an address. */
static int32_t distance(const struct sl_rv32_items *items, const uint32_t *place, uint32_t i, uint32_t to)
{
  return (int32_t)((to - place[i] - (items->item[i].prefix != 0)) * WORD);
}

void sl_rv32_places(struct sl_rv32_items *items, const uint32_t *label, uint32_t *place)
{
  for (bool changed = true; changed;) {
    changed = false;
    place_all(items, place);
    for (uint32_t i = 0; i < items->count; i++) {
      struct sl_rv32_item *item = &items->item[i];
      if (item->kind != SL_RV32_BRANCH || item->far)
        continue;
      const int32_t bytes = distance(items, place, i, place[label[item->target]]);
      item->far = bytes < -BRANCH_REACH || bytes >= BRANCH_REACH;
      changed |= item->far;
    }
  }
}

static uint32_t branch_bits(int32_t bytes)
{
  const uint32_t b = (uint32_t)bytes;
  return (b >> 12 & 1) << 31 | (b >> 5 & 63) << 25 | (b >> 1 & 15) << 8 | (b >> 11 & 1) << 7;
}

static uint32_t jump_bits(int32_t bytes)
{
  const uint32_t b = (uint32_t)bytes;
  return (b >> 20 & 1) << 31 | (b >> 1 & 1023) << 21 | (b >> 11 & 1) << 20 | (b >> 12 & 255) << 12;
}

/* False: the target is out of range. */
static bool jump(uint32_t *word, uint32_t link, int32_t bytes)
{
  *word = sl_op_info(SL_OP_JAL)->match | link | jump_bits(bytes);
  return bytes >= -JUMP_REACH && bytes < JUMP_REACH;
}

enum sl_status sl_rv32_items_write(const struct sl_rv32_items *items, const uint32_t *label, const uint32_t *place,
                                   uint32_t address, uint32_t *word, struct sl_error *err)
{
  enum { LINK = 31 << 7 };
  bool reached = true;
  for (uint32_t i = 0; i < items->count; i++) {
    const struct sl_rv32_item *item = &items->item[i];
    uint32_t at = place[i], *w = &word[at];
    if (item->prefix != 0)
      *w++ = item->prefix;
    *w = item->word;
    if (item->kind == SL_RV32_BRANCH && !item->far) {
      *w |= branch_bits(distance(items, place, i, place[label[item->target]]));
    } else if (item->kind == SL_RV32_BRANCH) {
      /* Not inverted, because the branch's outcome decides which lanes run first. */
      *w |= branch_bits(2 * WORD);
      reached &= jump(w + 1, 0, 2 * WORD);
      reached &= jump(w + 2, 0, distance(items, place, i, place[label[item->target]]) - 2 * WORD);
    } else if (item->kind == SL_RV32_JUMP) {
      reached &= jump(w, item->word & LINK, distance(items, place, i, place[label[item->target]]));
    } else if (item->kind == SL_RV32_CALL) {
      reached &= jump(w, item->word & LINK, distance(items, place, i, (item->target - address) / WORD));
    }
  }
  return reached ? SL_OK : sl_fail(err, SL_USAGE, "it jumps farther than 1 MiB");
}
