#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "func/jit/x86.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arrays.h"

static void byte(struct sl_x86 *o, unsigned value)
{
  if (o->used < o->room)
    o->code[o->used++] = (uint8_t)value;
  else
    o->full = true;
}

static void word(struct sl_x86 *o, uint32_t value)
{
  for (unsigned i = 0; i < 4; i++)
    byte(o, value >> 8 * i & 0xff);
}

/* ModRM, SIB and displacement. One-byte displacements count in units of `unit`. `tail`: following bytes of the
 * instruction. */
static void place(struct sl_x86 *o, unsigned reg, struct sl_x86_place p, unsigned unit, unsigned tail)
{
  reg &= 7;
  if (p.constant) {
    byte(o, reg << 3 | 5);
    if (o->constants < SL_X86_CONSTANTS)
      o->wanted[o->constants++] = (struct sl_x86_wanted){(uint32_t)p.displacement, o->used, o->used + 4 + tail};
    else
      o->full = true;
    word(o, 0);
    return;
  }
  const bool indexed = p.index != SL_X86_NO_INDEX, wide = indexed || (p.base & 7) == SL_RSP;
  const int32_t units = p.displacement / (int32_t)unit;
  const bool brief = units * (int32_t)unit == p.displacement && units >= -128 && units <= 127;
  byte(o, (brief ? 0x40u : 0x80u) | reg << 3 | (wide ? 4u : p.base & 7u));
  if (wide)
    byte(o, (indexed ? p.index & 7u : 4u) << 3 | (p.base & 7u));
  if (brief)
    byte(o, (uint8_t)units);
  else
    word(o, (uint32_t)p.displacement);
}

static void rex(struct sl_x86 *o, bool wide, unsigned reg, unsigned index, unsigned base)
{
  const unsigned value = (wide ? 8u : 0u) | (reg >> 3 & 1) << 2 | (index >> 3 & 1) << 1 | (base >> 3 & 1);
  if (value != 0)
    byte(o, 0x40 | value);
}

static void op_registers(struct sl_x86 *o, bool wide, unsigned opcode, unsigned reg, unsigned rm)
{
  rex(o, wide, reg, 0, rm);
  byte(o, opcode);
  byte(o, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

static void op_place(struct sl_x86 *o, bool wide, unsigned opcode, unsigned reg, struct sl_x86_place p, unsigned tail)
{
  rex(o, wide, reg, p.index == SL_X86_NO_INDEX || p.constant ? 0 : p.index, p.constant ? 0 : p.base);
  byte(o, opcode);
  place(o, reg, p, 1, tail);
}

void sl_x86_move(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register from)
{
  op_registers(o, false, 0x8b, to, from);
}

void sl_x86_move_wide(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register from)
{
  op_registers(o, true, 0x8b, to, from);
}

void sl_x86_move_number(struct sl_x86 *o, enum sl_x86_register to, uint32_t value)
{
  rex(o, false, 0, 0, to);
  byte(o, 0xb8u | (to & 7u));
  word(o, value);
}

void sl_x86_move_address(struct sl_x86 *o, enum sl_x86_register to, uint64_t value)
{
  rex(o, true, 0, 0, to);
  byte(o, 0xb8u | (to & 7u));
  word(o, (uint32_t)value);
  word(o, (uint32_t)(value >> 32));
}

void sl_x86_load(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place from)
{
  op_place(o, false, 0x8b, to, from, 0);
}

void sl_x86_load_wide(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place from)
{
  op_place(o, true, 0x8b, to, from, 0);
}

void sl_x86_store_wide(struct sl_x86 *o, struct sl_x86_place to, enum sl_x86_register from)
{
  op_place(o, true, 0x89, from, to, 0);
}

void sl_x86_load_address(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place p)
{
  op_place(o, false, 0x8d, to, p, 0);
}

void sl_x86_binary(struct sl_x86 *o, enum sl_x86_binary op, enum sl_x86_register a, enum sl_x86_register b)
{
  op_registers(o, false, (unsigned)op << 3 | 3, a, b);
}

void sl_x86_binary_place(struct sl_x86 *o, enum sl_x86_binary op, enum sl_x86_register a, struct sl_x86_place b)
{
  op_place(o, false, (unsigned)op << 3 | 3, a, b, 0);
}

static void immediate(struct sl_x86 *o, bool wide, enum sl_x86_binary op, enum sl_x86_register a, uint32_t value)
{
  const bool brief = (int32_t)value >= -128 && (int32_t)value <= 127;
  op_registers(o, wide, brief ? 0x83 : 0x81, op, a);
  if (brief)
    byte(o, value & 0xff);
  else
    word(o, value);
}

void sl_x86_binary_number(struct sl_x86 *o, enum sl_x86_binary op, enum sl_x86_register a, uint32_t value)
{
  immediate(o, false, op, a, value);
}

void sl_x86_add_registers_wide(struct sl_x86 *o, enum sl_x86_register a, enum sl_x86_register b)
{
  op_registers(o, true, 0x03, a, b);
}

void sl_x86_lowest_bit(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register of)
{
  rex(o, false, to, 0, of);
  byte(o, 0x0f);
  byte(o, 0xbc);
  byte(o, 0xc0 | (to & 7u) << 3 | (of & 7u));
}

void sl_x86_add_wide(struct sl_x86 *o, enum sl_x86_register a, int32_t value)
{
  immediate(o, true, SL_X86_ADD, a, (uint32_t)value);
}

static void shift(struct sl_x86 *o, unsigned kind, enum sl_x86_register a, unsigned bits)
{
  op_registers(o, false, 0xc1, kind, a);
  byte(o, bits);
}

void sl_x86_shift_left(struct sl_x86 *o, enum sl_x86_register a, unsigned bits)
{
  shift(o, 4, a, bits);
}

void sl_x86_shift_right(struct sl_x86 *o, enum sl_x86_register a, unsigned bits)
{
  shift(o, 5, a, bits);
}

void sl_x86_test_bits(struct sl_x86 *o, enum sl_x86_register a, uint32_t bits)
{
  op_registers(o, false, 0xf7, 0, a);
  word(o, bits);
}

void sl_x86_test_byte(struct sl_x86 *o)
{
  op_registers(o, false, 0x84, SL_RAX, SL_RAX);
}

void sl_x86_compare_places_wide(struct sl_x86 *o, enum sl_x86_register a, struct sl_x86_place b)
{
  op_place(o, true, 0x3b, a, b, 0);
}

void sl_x86_compare_byte(struct sl_x86 *o, struct sl_x86_place a, uint8_t value)
{
  op_place(o, false, 0x80, SL_X86_CMP, a, 1);
  byte(o, value);
}

void sl_x86_compare_wide(struct sl_x86 *o, struct sl_x86_place a, uint8_t value)
{
  op_place(o, true, 0x83, SL_X86_CMP, a, 1);
  byte(o, value);
}

static void half(struct sl_x86 *o, enum sl_x86_binary op, struct sl_x86_place a, unsigned value)
{
  byte(o, 0x66);
  op_place(o, false, 0x83, op, a, 1);
  byte(o, value & 0xff);
}

void sl_x86_compare_half(struct sl_x86 *o, struct sl_x86_place a, uint8_t value)
{
  half(o, SL_X86_CMP, a, value);
}

void sl_x86_add_half(struct sl_x86 *o, struct sl_x86_place a, int8_t value)
{
  half(o, SL_X86_ADD, a, (unsigned)value);
}

static void two_byte_place(struct sl_x86 *o, unsigned opcode, unsigned reg, struct sl_x86_place p)
{
  rex(o, false, reg, p.index == SL_X86_NO_INDEX ? 0 : p.index, p.base);
  byte(o, 0x0f);
  byte(o, opcode);
  place(o, reg, p, 1, 0);
}

static void two_byte_registers(struct sl_x86 *o, unsigned opcode, unsigned reg, unsigned rm)
{
  rex(o, false, reg, 0, rm);
  byte(o, 0x0f);
  byte(o, opcode);
  byte(o, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

void sl_x86_load_unit(struct sl_x86 *o, enum sl_x86_register to, struct sl_x86_place from, unsigned bytes, bool sign)
{
  if (bytes == 4)
    sl_x86_load(o, to, from);
  else
    two_byte_place(o, (sign ? 0xbeu : 0xb6u) | (bytes == 2), to, from);
}

void sl_x86_store_unit(struct sl_x86 *o, struct sl_x86_place to, enum sl_x86_register from, unsigned bytes)
{
  if (bytes == 2)
    byte(o, 0x66);
  op_place(o, false, bytes == 1 ? 0x88 : 0x89, from, to, 0);
}

void sl_x86_low_half(struct sl_x86 *o, enum sl_x86_register to, enum sl_x86_register from)
{
  two_byte_registers(o, 0xb7, to, from);
}

void sl_x86_shift_by_cl(struct sl_x86 *o, enum sl_x86_shift kind, enum sl_x86_register a)
{
  op_registers(o, false, 0xd3, kind, a);
}

void sl_x86_shift_by(struct sl_x86 *o, enum sl_x86_shift kind, enum sl_x86_register a, unsigned bits)
{
  shift(o, kind, a, bits);
}

void sl_x86_multiply(struct sl_x86 *o, enum sl_x86_register a, enum sl_x86_register b)
{
  two_byte_registers(o, 0xaf, a, b);
}

void sl_x86_unary(struct sl_x86 *o, enum sl_x86_unary op, enum sl_x86_register a)
{
  op_registers(o, false, 0xf7, op, a);
}

void sl_x86_sign_to_edx(struct sl_x86 *o)
{
  byte(o, 0x99);
}

void sl_x86_condition_to_eax(struct sl_x86 *o, unsigned condition)
{
  two_byte_registers(o, 0x90 | condition, 0, SL_RAX);
  two_byte_registers(o, 0xb6, SL_RAX, SL_RAX);
}

void sl_x86_test_wide(struct sl_x86 *o, enum sl_x86_register a)
{
  op_registers(o, true, 0x85, a, a);
}

void sl_x86_push(struct sl_x86 *o, enum sl_x86_register a)
{
  rex(o, false, 0, 0, a);
  byte(o, 0x50u | (a & 7u));
}

void sl_x86_pop(struct sl_x86 *o, enum sl_x86_register a)
{
  rex(o, false, 0, 0, a);
  byte(o, 0x58u | (a & 7u));
}

void sl_x86_call(struct sl_x86 *o, enum sl_x86_register address)
{
  op_registers(o, false, 0xff, 2, address);
}

void sl_x86_jump_register(struct sl_x86 *o, enum sl_x86_register address)
{
  op_registers(o, false, 0xff, 4, address);
}

void sl_x86_return(struct sl_x86 *o)
{
  byte(o, 0xc5);
  byte(o, 0xf8);
  byte(o, 0x77);
  byte(o, 0xc3);
}

size_t sl_x86_jump(struct sl_x86 *o, enum sl_x86_condition condition)
{
  if (condition == SL_X86_ALWAYS) {
    byte(o, 0xe9);
  } else {
    byte(o, 0x0f);
    byte(o, 0x80u | condition);
  }
  word(o, 0);
  return o->used - 4;
}

static void distance(struct sl_x86 *o, size_t at, size_t behind, size_t target)
{
  const int32_t value = (int32_t)((int64_t)target - (int64_t)behind);
  if (!o->full)
    memcpy(o->code + at, &value, sizeof value);
}

void sl_x86_land(struct sl_x86 *o, size_t jump, size_t target)
{
  distance(o, jump, jump + 4, target);
}

/* The four-byte EVEX prefix. r, a, x, b: register numbers of ModRM.reg, vvvv, index and base; or x = b/16 and b for
 * ModRM.rm. */
static void evex(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned r, unsigned a,
                 unsigned x, unsigned b, bool broadcast)
{
  const unsigned length = lanes.bits == 512 ? 2 : lanes.bits == 256 ? 1 : 0;
  byte(o, 0x62);
  byte(o, (~r >> 3 & 1) << 7 | (~x & 1) << 6 | (~b >> 3 & 1) << 5 | (~r >> 4 & 1) << 4 | op.map);
  byte(o, (~a & 15) << 3 | 4u | op.prefix);
  byte(o, (unsigned)lanes.zeroing << 7 | length << 5 | (unsigned)broadcast << 4 | (~a >> 4 & 1) << 3 | lanes.mask);
  byte(o, op.opcode);
}

void sl_x86_vector(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d, unsigned a,
                   unsigned b)
{
  evex(o, op, lanes, d, a, b >> 4, b, false);
  byte(o, 0xc0 | (d & 7) << 3 | (b & 7));
}

void sl_x86_vector_place(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d, unsigned a,
                         struct sl_x86_place b, unsigned unit, bool broadcast, unsigned tail)
{
  const bool indexed = !b.constant && b.index != SL_X86_NO_INDEX;
  evex(o, op, lanes, d, a, indexed ? b.index >> 3u : 0, b.constant ? 0 : b.base, broadcast);
  place(o, d, b, unit, tail);
}

void sl_x86_vector_scattered(struct sl_x86 *o, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d,
                             enum sl_x86_register base, unsigned index)
{
  evex(o, op, lanes, d, index & 16, index >> 3 & 1, base, false);
  byte(o, (d & 7) << 3 | 4);
  byte(o, (index & 7) << 3 | (base & 7u));
}

void sl_x86_tail(struct sl_x86 *o, uint8_t value)
{
  byte(o, value);
}

/* A three-byte VEX prefix and the opcode. r, a, x, b: register numbers of ModRM.reg, vvvv, index and base; or b for
 * ModRM.rm. */
static void vex(struct sl_x86 *o, struct sl_x86_vector op, unsigned length, unsigned r, unsigned a, unsigned x,
                unsigned b)
{
  byte(o, 0xc4);
  byte(o, (~r >> 3 & 1) << 7 | (~x >> 3 & 1) << 6 | (~b >> 3 & 1) << 5 | op.map);
  byte(o, (~a & 15) << 3 | length << 2 | op.prefix);
  byte(o, op.opcode);
}

void sl_x86_vex(struct sl_x86 *o, struct sl_x86_vector op, unsigned bits, unsigned d, unsigned a, unsigned b)
{
  vex(o, op, bits == 256, d, a, 0, b);
  byte(o, 0xc0 | (d & 7) << 3 | (b & 7));
}

void sl_x86_vex_place(struct sl_x86 *o, struct sl_x86_vector op, unsigned bits, unsigned d, unsigned a,
                      struct sl_x86_place b, unsigned tail)
{
  const bool indexed = !b.constant && b.index != SL_X86_NO_INDEX;
  vex(o, op, bits == 256, d, a, indexed ? b.index : 0, b.constant ? 0 : b.base);
  place(o, d, b, 1, tail);
}

void sl_x86_vex_blend(struct sl_x86 *o, unsigned bits, unsigned d, unsigned a, unsigned b, unsigned mask)
{
  sl_x86_vex(o, (struct sl_x86_vector){3, 1, 0x4c}, bits, d, a, b); /* vpblendvb */
  byte(o, mask << 4);
}

void sl_x86_vex_gather(struct sl_x86 *o, unsigned bits, unsigned d, enum sl_x86_register base, unsigned index,
                       unsigned mask)
{
  vex(o, (struct sl_x86_vector){2, 1, 0x90}, bits == 256, d, mask, index, base); /* vpgatherdd */
  byte(o, (d & 7) << 3 | 4);
  byte(o, (index & 7) << 3 | (base & 7u));
}

void sl_x86_vex_signs(struct sl_x86 *o, unsigned bits, enum sl_x86_register to, unsigned from)
{
  sl_x86_vex(o, (struct sl_x86_vector){1, 0, 0x50}, bits, to, 0, from); /* vmovmskps */
}

static void mask_op(struct sl_x86 *o, unsigned prefix, unsigned length, unsigned opcode, unsigned reg, unsigned a,
                    unsigned rm)
{
  vex(o, (struct sl_x86_vector){1, (uint8_t)prefix, (uint8_t)opcode}, length, reg, a, 0, rm);
  byte(o, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

void sl_x86_mask_copy(struct sl_x86 *o, unsigned to, unsigned from)
{
  mask_op(o, 0, 0, 0x90, to, 0, from);
}

void sl_x86_mask_all(struct sl_x86 *o, unsigned to)
{
  mask_op(o, 0, 1, 0x46, to, to, to);
}

void sl_x86_mask_from(struct sl_x86 *o, unsigned mask, enum sl_x86_register from)
{
  mask_op(o, 0, 0, 0x92, mask, 0, from);
}

void sl_x86_mask_to(struct sl_x86 *o, enum sl_x86_register to, unsigned mask)
{
  mask_op(o, 3, 0, 0x93, to, 0, mask);
}

void sl_x86_mask_join(struct sl_x86 *o, unsigned to, unsigned high, unsigned low)
{
  mask_op(o, 0, 1, 0x4b, to, high, low);
}

void sl_x86_mask_test(struct sl_x86 *o, unsigned a, unsigned b)
{
  mask_op(o, 0, 0, 0x98, a, 0, b);
}

void sl_x86_flush(struct sl_x86 *o)
{
  for (unsigned i = 0; i < o->constants; i++) {
    const struct sl_x86_wanted *w = &o->wanted[i];
    size_t at = o->used;
    for (unsigned j = 0; j < i; j++)
      if (o->wanted[j].value == w->value) { /* the constant exists already */
        int32_t away;
        memcpy(&away, o->code + o->wanted[j].at, sizeof away);
        at = (size_t)((int64_t)o->wanted[j].behind + away);
        break;
      }
    if (at == o->used)
      word(o, w->value);
    distance(o, w->at, w->behind, at);
  }
  o->constants = 0;
}

/* ---- memory for code --------------------------------------------------------------------------------------------- */

static size_t page_bytes(void)
{
  return (size_t)sysconf(_SC_PAGESIZE);
}

static bool protect(struct sl_executable *e, size_t from, size_t to, int protection)
{
  return from >= to || mprotect(e->code + from, to - from, protection) == 0;
}

bool sl_executable_open(struct sl_executable *e, size_t bytes)
{
  *e = (struct sl_executable){0};
#if defined(__x86_64__)
  const size_t page = page_bytes();
  bytes = (bytes + page - 1) & -page;
  void *code = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED)
    return false;
  sl_populate_beginning(code, bytes);
  *e = (struct sl_executable){.code = code, .bytes = bytes};
  return true;
#else
  (void)bytes;
  return false;
#endif
}

void sl_executable_close(struct sl_executable *e)
{
  if (e->code != NULL)
    munmap(e->code, e->bytes);
  *e = (struct sl_executable){0};
}

bool sl_executable_seal(struct sl_executable *e, size_t used)
{
  const size_t page = page_bytes(), end = (used + page - 1) & -page;
  if (!protect(e, e->sealed, end, PROT_READ | PROT_EXEC))
    return false;
  e->sealed = end > e->sealed ? end : e->sealed;
  return true;
}

bool sl_executable_reset(struct sl_executable *e)
{
  const bool done = protect(e, 0, e->sealed, PROT_READ | PROT_WRITE);
  e->sealed = 0;
  return done;
}
