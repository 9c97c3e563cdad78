/* An RV32I interpreter of one thread, written from the manual alone: the reference for every thread of a Simty core,
 * independent of warps, paths and timing. Threads run one after the other. */
#ifndef SL_TESTS_INTERPRETER_H
#define SL_TESTS_INTERPRETER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct thread {
  uint8_t *memory;
  uint32_t bytes;
  uint32_t hart, pc, x[32];
  uint64_t executed;
  bool wrong; /* it did something that no correct program does */
};

static inline uint32_t field(uint32_t word, unsigned low, unsigned bits)
{
  return word >> low & ((1u << bits) - 1);
}

/* The low `bits` bits of a value, sign-extended. */
static inline uint32_t extended(uint32_t value, unsigned bits)
{
  const uint32_t sign = 1u << (bits - 1);
  return (value & (sign | (sign - 1))) - ((value & sign) << 1);
}

static inline uint32_t imm_i(uint32_t w)
{
  return extended(w >> 20, 12);
}

static inline uint32_t imm_s(uint32_t w)
{
  return extended(field(w, 25, 7) << 5 | field(w, 7, 5), 12);
}

static inline uint32_t imm_b(uint32_t w)
{
  return extended(field(w, 31, 1) << 12 | field(w, 7, 1) << 11 | field(w, 25, 6) << 5 | field(w, 8, 4) << 1, 13);
}

static inline uint32_t imm_j(uint32_t w)
{
  return extended(field(w, 31, 1) << 20 | field(w, 12, 8) << 12 | field(w, 20, 1) << 11 | field(w, 21, 10) << 1, 21);
}

static inline uint32_t arithmetic(uint32_t w, uint32_t a, uint32_t b, bool immediate)
{
  const bool other = field(w, 30, 1);
  switch (field(w, 12, 3)) {
  case 0: return other && !immediate ? a - b : a + b;
  case 1: return a << (b & 31);
  case 2: return (int32_t)a < (int32_t)b;
  case 3: return a < b;
  case 4: return a ^ b;
  case 5: return other ? (a >> (b & 31)) | (b & 31 ? (0u - (a >> 31)) << (32 - (b & 31)) : 0) : a >> (b & 31);
  case 6: return a | b;
  default: return a & b;
  }
}

static inline bool condition(uint32_t w, uint32_t a, uint32_t b)
{
  const uint32_t which = field(w, 12, 3);
  const bool holds = which < 2 ? a == b : which < 6 ? (int32_t)a < (int32_t)b : a < b;
  return holds != (which & 1);
}

static inline uint8_t *place(struct thread *t, uint32_t address, unsigned width)
{
  if (address % width == 0 && address <= t->bytes - width)
    return t->memory + address;
  t->wrong = true;
  return t->memory;
}

static inline uint32_t loaded(struct thread *t, uint32_t w, uint32_t address)
{
  const uint32_t kind = field(w, 12, 3);
  const unsigned width = 1u << (kind & 3);
  uint32_t value = 0;
  memcpy(&value, place(t, address, width), width);
  return kind < 2 ? extended(value, 8 * width) : value;
}

static inline void step(struct thread *t)
{
  uint32_t w, next = t->pc + 4;
  memcpy(&w, place(t, t->pc, 4), 4);
  const uint32_t a = t->x[field(w, 15, 5)], b = t->x[field(w, 20, 5)];
  uint32_t *d = &t->x[field(w, 7, 5)];
  switch (field(w, 0, 7)) {
  case 0x37: *d = w & ~0xfffu; break;
  case 0x17: *d = t->pc + (w & ~0xfffu); break;
  case 0x6f:
    *d = next;
    next = t->pc + imm_j(w);
    break;
  case 0x67:
    *d = next;
    next = (a + imm_i(w)) & ~1u;
    break;
  case 0x63: next = condition(w, a, b) ? t->pc + imm_b(w) : next; break;
  case 0x03: *d = loaded(t, w, a + imm_i(w)); break;
  case 0x23: memcpy(place(t, a + imm_s(w), 1u << field(w, 12, 2)), &b, 1u << field(w, 12, 2)); break;
  case 0x13: *d = arithmetic(w, a, imm_i(w), true); break;
  case 0x33: *d = arithmetic(w, a, b, false); break;
  case 0x0f: break;
  case 0x73: *d = w >> 20 == 0xf14 ? t->hart : 0; break;
  default: t->wrong = true;
  }
  t->x[0] = 0;
  t->pc = next;
  t->executed++;
}

/* Runs a thread from the entry until it has stored its done word or is lost. */
static inline void run_thread(struct thread *t, uint32_t entry, uint32_t done_base)
{
  uint32_t done = 0;
  t->pc = entry;
  memset(t->x, 0, sizeof t->x);
  t->executed = 0;
  while (!t->wrong && done != 1) {
    step(t);
    memcpy(&done, t->memory + done_base + 4 * t->hart, 4);
    t->wrong |= t->executed > 10000000;
  }
}

#endif
