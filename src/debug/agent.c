#include "debug/remote.h"

#include <string.h>

enum { STACK = 64, MOST_STEPS = 10000 };

enum {
  OP_ADD = 0x02,
  OP_SUB,
  OP_MUL,
  OP_DIV_SIGNED,
  OP_DIV_UNSIGNED,
  OP_REM_SIGNED,
  OP_REM_UNSIGNED,
  OP_LSH,
  OP_RSH_SIGNED,
  OP_RSH_UNSIGNED,
  OP_LOG_NOT = 0x0e,
  OP_BIT_AND,
  OP_BIT_OR,
  OP_BIT_XOR,
  OP_BIT_NOT,
  OP_EQUAL,
  OP_LESS_SIGNED,
  OP_LESS_UNSIGNED,
  OP_EXT,
  OP_REF8,
  OP_REF16,
  OP_REF32,
  OP_REF64,
  OP_IF_GOTO = 0x20,
  OP_GOTO,
  OP_CONST8,
  OP_CONST16,
  OP_CONST32,
  OP_CONST64,
  OP_REG,
  OP_END,
  OP_DUP,
  OP_POP,
  OP_ZERO_EXT,
  OP_SWAP,
  OP_PICK = 0x32,
  OP_ROT
};

struct agent {
  const struct sl_agent_thread *thread;
  const uint8_t *code;
  size_t size, at;
  uint64_t stack[STACK];
  unsigned depth;
  bool bad;
};

static uint64_t operand(struct agent *a, unsigned bytes)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++) {
    if (a->at >= a->size) {
      a->bad = true;
      return 0;
    }
    value = value << 8 | a->code[a->at++];
  }
  return value;
}

static uint64_t pop(struct agent *a)
{
  if (a->depth == 0) {
    a->bad = true;
    return 0;
  }
  return a->stack[--a->depth];
}

static void push(struct agent *a, uint64_t value)
{
  if (a->depth == STACK)
    a->bad = true;
  else
    a->stack[a->depth++] = value;
}

static uint64_t divide(struct agent *a, unsigned op, uint64_t x, uint64_t y)
{
  const bool is_signed = op == OP_DIV_SIGNED || op == OP_REM_SIGNED;
  if (y == 0 || (is_signed && y == UINT64_MAX && x == (uint64_t)INT64_MIN)) {
    a->bad = true;
    return 0;
  }
  switch (op) {
  case OP_DIV_SIGNED: return (uint64_t)((int64_t)x / (int64_t)y);
  case OP_REM_SIGNED: return (uint64_t)((int64_t)x % (int64_t)y);
  case OP_DIV_UNSIGNED: return x / y;
  default: return x % y;
  }
}

static uint64_t shift(unsigned op, uint64_t x, uint64_t y)
{
  if (op == OP_RSH_SIGNED)
    return (uint64_t)((int64_t)x >> (y < 64 ? y : 63));
  return y >= 64 ? 0 : op == OP_LSH ? x << y : x >> y;
}

static void binary(struct agent *a, unsigned op)
{
  const uint64_t y = pop(a), x = pop(a);
  switch (op) {
  case OP_ADD: push(a, x + y); break;
  case OP_SUB: push(a, x - y); break;
  case OP_MUL: push(a, x * y); break;
  case OP_LSH:
  case OP_RSH_SIGNED:
  case OP_RSH_UNSIGNED: push(a, shift(op, x, y)); break;
  case OP_BIT_AND: push(a, x & y); break;
  case OP_BIT_OR: push(a, x | y); break;
  case OP_BIT_XOR: push(a, x ^ y); break;
  case OP_EQUAL: push(a, x == y); break;
  case OP_LESS_SIGNED: push(a, (int64_t)x < (int64_t)y); break;
  case OP_LESS_UNSIGNED: push(a, x < y); break;
  default: push(a, divide(a, op, x, y)); break;
  }
}

static void extend(struct agent *a, bool sign)
{
  const uint64_t bits = operand(a, 1), value = pop(a);
  if (bits == 0 || bits >= 64) {
    push(a, value);
    return;
  }
  const uint64_t low = value & ((UINT64_C(1) << bits) - 1), top = UINT64_C(1) << (bits - 1);
  push(a, sign ? (low ^ top) - top : low);
}

static void reference(struct agent *a, unsigned bytes)
{
  uint64_t value = 0;
  uint8_t memory[8] = {0};
  a->thread->load(a->thread->context, a->thread->thread, pop(a), memory, bytes);
  for (unsigned i = bytes; i-- > 0;)
    value = value << 8 | memory[i];
  push(a, value);
}

static void pick(struct agent *a, uint64_t n)
{
  if (n >= a->depth)
    a->bad = true;
  else
    push(a, a->stack[a->depth - 1 - n]);
}

static void read_register(struct agent *a)
{
  uint64_t value = 0;
  if (a->thread->read(a->thread->context, a->thread->thread, operand(a, 2), &value) == 0)
    a->bad = true;
  push(a, value);
}

static void jump(struct agent *a, bool taken, uint64_t to)
{
  if (taken)
    a->at = (size_t)to;
}

static void rotate(struct agent *a, unsigned op)
{
  const uint64_t z = pop(a), y = pop(a);
  const uint64_t x = op == OP_ROT ? pop(a) : 0;
  push(a, z);
  if (op == OP_ROT)
    push(a, x);
  push(a, y);
}

static void step(struct agent *a, unsigned op)
{
  switch (op) {
  case OP_LOG_NOT: push(a, pop(a) == 0); break;
  case OP_BIT_NOT: push(a, ~pop(a)); break;
  case OP_EXT:
  case OP_ZERO_EXT: extend(a, op == OP_EXT); break;
  case OP_REF8:
  case OP_REF16:
  case OP_REF32:
  case OP_REF64: reference(a, 1u << (op - OP_REF8)); break;
  case OP_IF_GOTO: {
    const uint64_t to = operand(a, 2);
    jump(a, pop(a) != 0, to);
    break;
  }
  case OP_GOTO: jump(a, true, operand(a, 2)); break;
  case OP_CONST8:
  case OP_CONST16:
  case OP_CONST32:
  case OP_CONST64: push(a, operand(a, 1u << (op - OP_CONST8))); break;
  case OP_REG: read_register(a); break;
  case OP_DUP: pick(a, 0); break;
  case OP_POP: pop(a); break;
  case OP_PICK: pick(a, operand(a, 1)); break;
  case OP_SWAP:
  case OP_ROT: rotate(a, op); break;
  default:
    if (op < OP_ADD || op > OP_LESS_UNSIGNED || (op > OP_RSH_UNSIGNED && op < OP_LOG_NOT))
      a->bad = true;
    else
      binary(a, op);
    break;
  }
}

bool sl_agent_holds(const struct sl_agent_thread *thread, const uint8_t *code, size_t size)
{
  struct agent a = {.thread = thread, .code = code, .size = size};
  for (unsigned steps = 0; steps < MOST_STEPS && !a.bad; steps++) {
    const unsigned op = (unsigned)operand(&a, 1);
    if (op == OP_END)
      return a.depth == 0 || a.bad || a.stack[a.depth - 1] != 0;
    if (!a.bad)
      step(&a, op);
  }
  return true;
}
