/* Random PTX kernels with loops, branches and exits from loops. */
#ifndef SL_TESTS_LINEAR_PROGRAMS_H
#define SL_TESTS_LINEAR_PROGRAMS_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/types.h"

enum { REGISTERS = 10, WIDES = 5, DEPTH = 4, THREAD_BYTES = 256 };

struct writer {
  char text[32768];
  size_t length;
  uint64_t x;
  unsigned labels, loops;
  unsigned leave[DEPTH + 1]; /* labels after the enclosing loops */
  bool stores;               /* to the thread's own THREAD_BYTES, of parameter `out` */
};

static inline unsigned below(struct writer *w, unsigned n)
{
  w->x ^= w->x << 13, w->x ^= w->x >> 7, w->x ^= w->x << 17;
  return (unsigned)(w->x * UINT64_C(0x2545f4914f6cdd1d) >> 33) % n;
}

static inline void put(struct writer *w, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(w->text + w->length, sizeof w->text - w->length, format, arguments);
  va_end(arguments);
  assert_true(n >= 0 && w->length + (size_t)n < sizeof w->text);
  w->length += (size_t)n;
}

/* A number, mostly small, of either sign. */
static inline int number(struct writer *w)
{
  return below(w, 8) == 0 ? (int)below(w, 1u << 30) - (1 << 29) : (int)below(w, 33) - 16;
}

static inline void operand(struct writer *w)
{
  if (below(w, 3) == 0)
    put(w, ", %d", number(w));
  else
    put(w, ", %%r%u", below(w, REGISTERS));
}

/* Words wrap around as vectors do; some 64-bit arithmetic has no 32-bit source. */
static inline void compute(struct writer *w)
{
  static const char *const two[] = {"add.s32", "sub.s32", "mul.lo.s32", "add.u32", "and.b32", "max.s32"};
  const unsigned to = below(w, REGISTERS), wide = below(w, WIDES);
  switch (below(w, 10)) {
  case 0: put(w, "mov.u32 %%r%u, %%r%u;\n", to, below(w, REGISTERS)); return;
  case 1: put(w, "shl.b32 %%r%u, %%r%u, %u;\n", to, below(w, REGISTERS), below(w, 5)); return;
  case 2:
    put(w, "mad.lo.s32 %%r%u, %%r%u", to, below(w, REGISTERS));
    operand(w);
    operand(w);
    break;
  case 3: put(w, "add.s32 %%r%u, %%r%u, %d", to, to, number(w)); break; /* registers that step in loops */
  case 4: put(w, "add.s64 %%rd%u, %%rd%u, %d", wide, wide, number(w)); break;
  case 5: put(w, "mad.lo.s64 %%rd%u, %%rd%u, %d, %%rd%u", wide, below(w, WIDES), number(w), below(w, WIDES)); break;
  case 6: put(w, "mov.u32 %%r%u, %%%s.%c", to, below(w, 2) ? "tid" : "ctaid", "xyz"[below(w, 3)]); break;
  case 7: put(w, "ld.param.u32 %%r%u, [n%u]", to, below(w, 2)); break;
  default: put(w, "%s %%r%u, %%r%u", two[below(w, sizeof two / sizeof *two)], to, below(w, REGISTERS)); operand(w);
  }
  put(w, ";\n");
}

/* A condition that may differ by lane. */
static inline void test(struct writer *w)
{
  put(w, "setp.lt.s32 %%p0, %%r%u, %d;\n", below(w, REGISTERS), number(w));
}

static inline void statements(struct writer *w, unsigned depth);

static inline void branch(struct writer *w, unsigned depth)
{
  const unsigned label = w->labels++;
  test(w);
  put(w, "@%%p0 bra E%u;\n", label);
  statements(w, depth + 1);
  if (below(w, 2)) {
    put(w, "bra F%u;\nE%u:\n", label, label);
    statements(w, depth + 1);
    put(w, "F%u:\n", label);
  } else {
    put(w, "E%u:\n", label);
  }
}

/* The loop counts in a register that nothing else writes, to a number, an argument or a value of each lane. */
static inline void loop(struct writer *w, unsigned depth)
{
  const unsigned label = w->labels++, counter = w->loops++;
  w->leave[depth] = label;
  put(w, "mov.u32 %%c%u, 0;\n", counter);
  if (w->stores)
    put(w, "mov.u64 %%pd%u, %%qd0;\n", counter);
  put(w, "L%u:\n", label);
  statements(w, depth + 1);
  if (w->stores)
    put(w, "st.global.u32 [%%pd%u], %%r%u;\nadd.s64 %%pd%u, %%pd%u, 4;\n", counter, below(w, REGISTERS), counter,
        counter);
  put(w, "add.s32 %%c%u, %%c%u, 1;\n", counter, counter);
  if (below(w, 3) == 0)
    put(w, "and.b32 %%t0, %%r%u, 3;\nsetp.lt.s32 %%p1, %%c%u, %%t0;\n", below(w, REGISTERS), counter);
  else
    put(w, "setp.lt.s32 %%p1, %%c%u, %u;\n", counter, 1 + below(w, 4));
  put(w, "@%%p1 bra L%u;\nX%u:\n", label, label);
  if (w->stores)
    put(w, "st.global.u32 [%%pd%u+20], %%r%u;\n", counter, below(w, REGISTERS)); /* wherever it was left */
  w->leave[depth] = UINT32_MAX;
}

static inline void leave(struct writer *w, unsigned depth)
{
  for (unsigned d = depth; d-- > 0;)
    if (w->leave[d] != UINT32_MAX) {
      test(w);
      put(w, "@%%p0 bra X%u;\n", w->leave[d]);
      return;
    }
}

/* Loads and stores between a thread's registers and its own word. */
static inline void access(struct writer *w)
{
  const unsigned word = 4 * below(w, 12), reg = below(w, REGISTERS);
  if (below(w, 3) == 0)
    put(w, "ld.global.u32 %%r%u, [%%qd0+%u];\n", reg, word);
  else
    put(w, "st.global.u32 [%%qd0+%u], %%r%u;\n", word, reg);
}

static inline void statements(struct writer *w, unsigned depth)
{
  for (unsigned n = 1 + below(w, depth == 0 ? 12 : 5); n > 0; n--) {
    const unsigned what = below(w, 12);
    if (what == 0 && depth < DEPTH)
      branch(w, depth);
    else if (what <= 2 && depth < DEPTH)
      loop(w, depth);
    else if (what == 3)
      leave(w, depth);
    else if (what == 4 && w->stores)
      access(w);
    else if (what == 4)
      put(w, "st.shared.u32 [%%r%u+4], 0;\n", below(w, 1) + REGISTERS); /* a register that is always 0 */
    else
      compute(w);
  }
}

/* The address of the thread's bytes: its index in the grid, dimension by dimension. */
static inline void write_place(struct writer *w)
{
  static const char *const size[] = {"nctaid.y", "nctaid.x", "ntid.z", "ntid.y", "ntid.x"};
  static const char *const index[] = {"ctaid.y", "ctaid.x", "tid.z", "tid.y", "tid.x"};
  put(w, "mov.u32 %%q0, %%ctaid.z;\n");
  for (unsigned i = 0; i < 5; i++)
    put(w, "mov.u32 %%q1, %%%s;\nmov.u32 %%q2, %%%s;\nmad.lo.s32 %%q0, %%q0, %%q1, %%q2;\n", size[i], index[i]);
  put(w, "mul.wide.s32 %%qd1, %%q0, %d;\nld.param.u64 %%qd2, [out];\nadd.s64 %%qd0, %%qd2, %%qd1;\n", THREAD_BYTES);
}

static inline void write_results(struct writer *w)
{
  const char *space = w->stores ? "global" : "shared", *to = w->stores ? "%qd0" : "%r10";
  for (unsigned i = 0; i < REGISTERS; i++)
    put(w, "st.%s.u32 [%s+%u], %%r%u;\n", space, to, w->stores ? 64 + 4 * i : 8, i);
  for (unsigned i = 0; i < WIDES; i++)
    put(w, "st.%s.u64 [%s+%u], %%rd%u;\n", space, to, w->stores ? 128 + 8 * i : 16, i);
}

static inline void write_kernel(struct writer *w)
{
  static char body[sizeof w->text];
  w->length = 0;
  w->labels = w->loops = 0;
  memset(w->leave, 0xff, sizeof w->leave);
  for (unsigned i = 0; i < REGISTERS; i++)
    put(w,
        i % 3 == 0   ? "mov.u32 %%r%u, %%tid.x;\n"
        : i % 3 == 1 ? "mov.u32 %%r%u, %%ctaid.y;\n"
                     : "mov.u32 %%r%u, 5;\n",
        i);
  put(w, "mov.u32 %%r%u, 0;\n", REGISTERS);
  for (unsigned i = 0; i < WIDES; i++)
    put(w, i % 2 ? "ld.param.u64 %%rd%u, [a];\n" : "cvt.u64.u32 %%rd%u, %%r0;\n", i);
  if (w->stores)
    write_place(w);
  statements(w, 0);
  write_results(w);
  memcpy(body, w->text, w->length + 1);
  const unsigned counters = w->loops + 1;
  w->length = 0;
  put(w,
      ".version 6.4\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u32 n0, .param .u32 n1, .param .u64 out)\n{\n.shared .align 8 .b8 "
      "space[64];\n"
      ".reg .pred %%p<2>;\n.reg .b32 %%r<%u>;\n.reg .b32 %%t<1>;\n.reg .b32 %%c<%u>;\n.reg .b64 %%rd<%u>;\n"
      ".reg .b32 %%q<3>;\n.reg .b64 %%qd<3>;\n.reg .b64 %%pd<%u>;\n%sret;\n}\n",
      REGISTERS + 1, counters, WIDES, counters, body);
}

#endif
