/* Random PTX programs: 64 threads leave the same memory as an interpreter without warps. The interpreter does not read
 * PTX; it reads the data that the text is generated from, and has its own semantics of each instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "ptx/run/ptx_grid.h"

enum {
  WORDS = 8,
  WIDES = 5,
  FLOATS = 5,
  PREDICATES = 4,
  REGISTERS = WORDS + WIDES + FLOATS,
  THREADS = 64,
  LENGTH = 40
};

/* Classes of registers: w(ord), l(ong), f(loat), p(redicate). */
struct form {
  const char *text;     /* of PTX */
  const char *operands; /* class of destination and sources; i: an immediate shift or position */
};

/* clang-format off */
static const struct form forms[] = {
  {"add.s32", "www"}, {"sub.u32", "www"}, {"mul.lo.s32", "www"}, {"mul.hi.u32", "www"}, {"mul.hi.s32", "www"},
  {"mad.lo.u32", "wwww"}, {"min.s32", "www"}, {"max.u32", "www"}, {"and.b32", "www"}, {"or.b32", "www"},
  {"xor.b32", "www"}, {"not.b32", "ww"}, {"shl.b32", "wwi"}, {"shr.u32", "wwi"}, {"shr.s32", "wwi"}, {"neg.s32", "ww"},
  {"abs.s32", "ww"}, {"div.u32", "www"}, {"rem.s32", "www"}, {"popc.b32", "ww"}, {"clz.b32", "ww"}, {"brev.b32", "ww"},
  {"bfe.u32", "wwii"}, {"bfe.s32", "wwii"}, {"bfi.b32", "wwwii"}, {"shf.l.wrap.b32", "wwww"}, {"shf.r.clamp.b32", "wwww"},
  {"prmt.b32", "wwww"}, {"sad.s32", "wwww"}, {"mul24.lo.u32", "www"}, {"add.sat.s32", "www"}, {"bfind.u32", "ww"},
  {"mul.wide.s32", "lww"}, {"mul.wide.u32", "lww"}, {"add.s64", "lll"}, {"mul.lo.u64", "lll"}, {"mul.hi.u64", "lll"},
  {"shr.s64", "lli"}, {"xor.b64", "lll"}, {"cvt.u64.u32", "lw"}, {"cvt.s64.s32", "lw"}, {"cvt.u32.u64", "wl"},
  {"cvt.s32.s8", "ww"}, {"cvt.u32.u16", "ww"}, {"cvt.sat.s8.s32", "ww"}, {"cvt.rn.f32.s32", "fw"},
  {"cvt.rz.f32.u32", "fw"}, {"cvt.rzi.s32.f32", "wf"}, {"cvt.rmi.u32.f32", "wf"}, {"add.f32", "fff"},
  {"mul.rz.f32", "fff"}, {"sub.rp.f32", "fff"}, {"fma.rn.f32", "ffff"}, {"div.rn.f32", "fff"}, {"min.f32", "fff"},
  {"max.f32", "fff"}, {"neg.f32", "ff"}, {"abs.f32", "ff"}, {"sqrt.rn.f32", "ff"}, {"add.sat.f32", "fff"},
  {"mul.ftz.f32", "fff"}, {"setp.lt.s32", "pww"}, {"setp.hi.u32", "pww"}, {"setp.eq.u64", "pll"}, {"setp.ltu.f32", "pff"},
  {"setp.ge.f32", "pff"}, {"and.pred", "ppp"}, {"xor.pred", "ppp"}, {"not.pred", "pp"}, {"selp.b32", "wwwp"},
  {"selp.b64", "lllp"}, {"slct.u32.s32", "wwww"},
};
/* clang-format on */
enum { FORMS = sizeof forms / sizeof *forms };

struct insn {
  unsigned form; /* FORMS: a branch */
  uint8_t operand[5];
  int guard; /* -1: none; odd: negated */
  unsigned target;
};

struct thread {
  uint32_t w[WORDS];
  uint64_t l[WIDES];
  float f[FLOATS];
  bool p[PREDICATES];
};

static uint64_t next(uint64_t *x)
{
  *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
  return *x * UINT64_C(0x2545f4914f6cdd1d);
}

static unsigned below(uint64_t *x, unsigned n)
{
  return (unsigned)(next(x) >> 33) % n;
}

/* --- the interpreter --- */

static uint32_t bits_of(float v)
{
  uint32_t b;
  memcpy(&b, &v, sizeof b);
  return b;
}

static float canonical(double v)
{
  const float f = (float)v;
  const uint32_t nan = 0x7fffffff;
  float n;
  memcpy(&n, &nan, sizeof n);
  return isnan(f) ? n : f;
}

/* A value with all its digits, rounded towards zero. */
static float towards_zero(double exact)
{
  const float near = (float)exact;
  if (isnan(exact) || (double)near == exact)
    return canonical(exact);
  return fabs((double)near) > fabs(exact) ? nextafterf(near, 0) : near;
}

/* a - b, rounded up: the nearest number, or the next above if the rounding error is positive. */
static float upwards(float a, float b)
{
  const float near = a - b;
  if (isnan(near) || isinf(a) || isinf(b))
    return canonical((double)near);
  if (isinf(near))
    return near > 0 ? near : -0x1.fffffep127f;
  const double x = a, y = b, sum = x - y, part = sum - x;
  const double error = (x - (sum - part)) + (-y - part); /* Knuth's two-sum: exact, far from overflow */
  return sum > (double)near || (sum == (double)near && error > 0) ? nextafterf(near, INFINITY) : near;
}

static float flushed(float v)
{
  return v != 0 && fabsf(v) < 0x1p-126f ? copysignf(0, v) : v;
}

static uint32_t field(uint32_t v, unsigned from, unsigned length, bool sign)
{
  uint32_t result = 0;
  const unsigned top = from + length - 1 < 31 ? from + length - 1 : 31;
  const bool fill = sign && length > 0 && (v >> top & 1);
  for (unsigned i = 0; i < 32; i++)
    result |= (uint32_t)(i < length && from + i < 32 ? v >> (from + i) & 1 : fill) << i;
  return result;
}

static double least(float a, float b)
{
  if (isnan(a) || isnan(b))
    return isnan(a) ? (double)b : (double)a;
  return a == b ? (signbit(a) ? (double)a : (double)b) : a < b ? (double)a : (double)b;
}

static uint32_t word_result(const char *op, const uint32_t *w, const uint64_t *l, const float *f, const unsigned *i,
                            bool p)
{
#define IS(name) (strcmp(op, name) == 0)
  const uint32_t a = w[0], b = w[1], c = w[2];
  const int32_t sa = (int32_t)a, sb = (int32_t)b;
  const uint64_t pair = (uint64_t)b << 32 | a;
  uint32_t r = 0;
  if (IS("add.s32"))
    return a + b;
  if (IS("sub.u32"))
    return a - b;
  if (IS("mul.lo.s32"))
    return a * b;
  if (IS("mul.hi.u32"))
    return (uint32_t)((uint64_t)a * b >> 32);
  if (IS("mul.hi.s32"))
    return (uint32_t)((int64_t)sa * sb >> 32);
  if (IS("mad.lo.u32"))
    return a * b + c;
  if (IS("min.s32"))
    return sa < sb ? a : b;
  if (IS("max.u32"))
    return a > b ? a : b;
  if (IS("and.b32"))
    return a & b;
  if (IS("or.b32"))
    return a | b;
  if (IS("xor.b32"))
    return a ^ b;
  if (IS("not.b32"))
    return ~a;
  if (IS("shl.b32"))
    return i[0] > 31 ? 0 : a << i[0];
  if (IS("shr.u32"))
    return i[0] > 31 ? 0 : a >> i[0];
  if (IS("shr.s32"))
    return (uint32_t)((int64_t)sa >> (i[0] > 32 ? 32 : i[0]));
  if (IS("neg.s32"))
    return 0 - a;
  if (IS("abs.s32"))
    return a & 0x80000000 ? 0 - a : a;
  if (IS("div.u32"))
    return b ? a / b : UINT32_MAX;
  if (IS("rem.s32"))
    return b ? (uint32_t)((int64_t)sa % sb) : a;
  if (IS("popc.b32")) {
    for (unsigned k = 0; k < 32; k++)
      r += a >> k & 1;
    return r;
  }
  if (IS("clz.b32")) {
    while (r < 32 && (a >> (31 - r) & 1) == 0)
      r++;
    return r;
  }
  if (IS("bfind.u32")) {
    for (r = 32; r > 0 && (a >> (r - 1) & 1) == 0;)
      r--;
    return r - 1;
  }
  if (IS("brev.b32")) {
    for (unsigned k = 0; k < 32; k++)
      r |= (a >> k & 1) << (31 - k);
    return r;
  }
  if (IS("bfe.u32"))
    return field(a, i[0], i[1], false);
  if (IS("bfe.s32"))
    return field(a, i[0], i[1], true);
  if (IS("bfi.b32")) {
    r = b;
    for (unsigned k = 0; k < i[1] && i[0] + k < 32; k++)
      r = (r & ~(1u << (i[0] + k))) | (a >> k & 1) << (i[0] + k);
    return r;
  }
  if (IS("shf.l.wrap.b32"))
    return (uint32_t)(pair << (c % 32) >> 32);
  if (IS("shf.r.clamp.b32"))
    return c >= 32 ? b : (uint32_t)(pair >> c);
  if (IS("prmt.b32")) {
    for (unsigned k = 0; k < 4; k++) {
      const unsigned s = c >> (4 * k) & 15;
      const uint8_t byte = (uint8_t)(pair >> (8 * (s % 8)));
      r |= (uint32_t)(s < 8 ? byte : byte > 127 ? 255 : 0) << (8 * k);
    }
    return r;
  }
  if (IS("sad.s32"))
    return c + (uint32_t)(sa < sb ? (int64_t)sb - sa : (int64_t)sa - sb);
  if (IS("mul24.lo.u32"))
    return (uint32_t)((uint64_t)(a % (1 << 24)) * (b % (1 << 24)));
  if (IS("add.sat.s32")) {
    const int64_t sum = (int64_t)sa + sb;
    return (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
  }
  if (IS("cvt.u32.u64"))
    return (uint32_t)l[0];
  if (IS("cvt.s32.s8"))
    return (uint32_t)(int8_t)(uint8_t)a;
  if (IS("cvt.u32.u16"))
    return a % 65536;
  if (IS("cvt.sat.s8.s32"))
    return (uint32_t)(sa > 127 ? 127 : sa < -128 ? -128 : sa);
  if (IS("cvt.rzi.s32.f32")) {
    const double t = trunc((double)f[0]);
    return isnan(t) ? 0 : t >= 2147483647.0 ? INT32_MAX : t <= -2147483648.0 ? 0x80000000 : (uint32_t)(int32_t)t;
  }
  if (IS("cvt.rmi.u32.f32")) {
    const double t = floor((double)f[0]);
    return isnan(t) || t <= 0 ? 0 : t >= 4294967295.0 ? UINT32_MAX : (uint32_t)t;
  }
  if (IS("selp.b32"))
    return p ? a : b;
  if (IS("slct.u32.s32"))
    return c < 0x80000000 ? a : b;
  fail_msg("no meaning of %s", op);
  return 0;
}

static uint64_t wide_result(const char *op, const uint32_t *w, const uint64_t *l, const unsigned *i, bool p)
{
  const uint64_t a = l[0], b = l[1];
  if (IS("mul.wide.s32"))
    return (uint64_t)((int64_t)(int32_t)w[0] * (int32_t)w[1]);
  if (IS("mul.wide.u32"))
    return (uint64_t)w[0] * w[1];
  if (IS("add.s64"))
    return a + b;
  if (IS("mul.lo.u64"))
    return a * b;
  if (IS("mul.hi.u64")) {
    const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    const uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (other >> 32);
  }
  if (IS("shr.s64"))
    return (uint64_t)((int64_t)a >> (i[0] > 63 ? 63 : i[0]));
  if (IS("xor.b64"))
    return a ^ b;
  if (IS("cvt.u64.u32"))
    return w[0];
  if (IS("cvt.s64.s32"))
    return w[0] & 0x80000000 ? w[0] | UINT64_C(0xffffffff00000000) : w[0];
  if (IS("selp.b64"))
    return p ? a : b;
  fail_msg("no meaning of %s", op);
  return 0;
}

static float float_result(const char *op, const uint32_t *w, const float *f)
{
  const float a = f[0], b = f[1];
  const double da = (double)a, db = (double)b;
  if (IS("cvt.rn.f32.s32"))
    return (float)(double)(int32_t)w[0];
  if (IS("cvt.rz.f32.u32"))
    return towards_zero((double)w[0]);
  if (IS("add.f32"))
    return canonical((double)(a + b));
  if (IS("mul.rz.f32"))
    return isinf((float)(da * db)) && !isinf(a) && !isinf(b) ? copysignf(0x1.fffffep127f, (float)(da * db))
                                                             : towards_zero(da * db);
  if (IS("sub.rp.f32"))
    return upwards(a, b);
  if (IS("fma.rn.f32"))
    return canonical((double)fmaf(a, b, f[2]));
  if (IS("div.rn.f32"))
    return canonical((double)(a / b));
  if (IS("min.f32"))
    return canonical(least(a, b));
  if (IS("max.f32"))
    return canonical(isnan(a) || isnan(b) ? least(a, b) : -least(-a, -b));
  if (IS("neg.f32") || IS("abs.f32")) {
    const uint32_t r = IS("neg.f32") ? bits_of(a) ^ 0x80000000 : bits_of(a) & 0x7fffffff;
    float v;
    memcpy(&v, &r, sizeof v);
    return v;
  }
  if (IS("sqrt.rn.f32"))
    return canonical((double)sqrtf(a));
  if (IS("add.sat.f32"))
    return a + b > 1 ? 1 : a + b > 0 ? a + b : 0;
  if (IS("mul.ftz.f32"))
    return canonical((double)flushed(flushed(a) * flushed(b)));
  fail_msg("no meaning of %s", op);
  return 0;
}

static bool predicate_result(const char *op, const uint32_t *w, const uint64_t *l, const float *f, const bool *p)
{
  if (IS("setp.lt.s32"))
    return (w[0] ^ 0x80000000) < (w[1] ^ 0x80000000);
  if (IS("setp.hi.u32"))
    return w[1] < w[0];
  if (IS("setp.eq.u64"))
    return l[0] == l[1];
  if (IS("setp.ltu.f32"))
    return isunordered(f[0], f[1]) || isless(f[0], f[1]);
  if (IS("setp.ge.f32"))
    return isgreaterequal(f[0], f[1]);
  if (IS("and.pred"))
    return p[0] && p[1];
  if (IS("xor.pred"))
    return p[0] != p[1];
  if (IS("not.pred"))
    return !p[0];
  fail_msg("no meaning of %s", op);
  return false;
}

static void interpret(const struct insn *code, struct thread *t)
{
  for (unsigned pc = 0; pc < LENGTH;) {
    const struct insn *in = &code[pc++];
    uint32_t w[4] = {0};
    uint64_t l[4] = {0};
    float f[4] = {0};
    bool p[4] = {0};
    unsigned i[4] = {0}, nw = 0, nl = 0, nf = 0, np = 0, ni = 0;
    if (in->guard >= 0 && t->p[in->guard / 2] == (in->guard % 2 != 0))
      continue;
    if (in->form == FORMS) {
      pc = in->target;
      continue;
    }
    const char *kinds = forms[in->form].operands, *op = forms[in->form].text;
    for (unsigned k = 1; kinds[k] != '\0'; k++)
      switch (kinds[k]) {
      case 'w': w[nw++] = t->w[in->operand[k]]; break;
      case 'l': l[nl++] = t->l[in->operand[k]]; break;
      case 'f': f[nf++] = t->f[in->operand[k]]; break;
      case 'p': p[np++] = t->p[in->operand[k]]; break;
      default: i[ni++] = in->operand[k]; break;
      }
    switch (kinds[0]) {
    case 'w': t->w[in->operand[0]] = word_result(op, w, l, f, i, p[0]); break;
    case 'l': t->l[in->operand[0]] = wide_result(op, w, l, i, p[0]); break;
    case 'f': t->f[in->operand[0]] = float_result(op, w, f); break;
    default: t->p[in->operand[0]] = predicate_result(op, w, l, f, p); break;
    }
  }
}

/* --- programs --- */

static void invent(struct insn *code, uint64_t *x)
{
  for (unsigned pc = 0; pc < LENGTH; pc++) {
    struct insn *in = &code[pc];
    *in = (struct insn){.form = below(x, 6) == 0 && pc + 2 < LENGTH ? FORMS : below(x, FORMS), .guard = -1};
    if (below(x, 4) == 0 || (in->form == FORMS && below(x, 4) != 0))
      in->guard = (int)below(x, 2 * PREDICATES);
    if (in->form == FORMS) {
      in->target = pc + 1 + below(x, LENGTH - pc);
      continue;
    }
    const char *kinds = forms[in->form].operands;
    for (unsigned k = 0; kinds[k] != '\0'; k++)
      in->operand[k] = (uint8_t)below(x, kinds[k] == 'w'   ? WORDS
                                         : kinds[k] == 'l' ? WIDES
                                         : kinds[k] == 'f' ? FLOATS
                                         : kinds[k] == 'p' ? PREDICATES
                                                           : 70);
  }
}

static size_t write_text(const struct insn *code, char *to, size_t room)
{
  size_t n = 0;
#define PUT(...) n += (size_t)snprintf(to + n, room - n, __VA_ARGS__)
  PUT(".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 data)\n{\n"
      ".reg .pred %%p<%d>;\n.reg .b32 %%w<%d>;\n.reg .b64 %%l<%d>;\n.reg .f32 %%f<%d>;\n.reg .b32 %%t;\n.reg .b64 "
      "%%a;\n"
      ".reg .b64 %%b;\nmov.u32 %%t, %%tid.x;\nld.param.u64 %%a, [data];\nmul.wide.u32 %%b, %%t, %d;\nadd.s64 %%a, %%a, "
      "%%b;\n",
      PREDICATES, WORDS, WIDES, FLOATS, 8 * REGISTERS);
  for (int i = 0; i < WORDS; i++)
    PUT("ld.global.u32 %%w%d, [%%a+%d];\n", i, 8 * i);
  for (int i = 0; i < WIDES; i++)
    PUT("ld.global.u64 %%l%d, [%%a+%d];\n", i, 8 * (WORDS + i));
  for (int i = 0; i < FLOATS; i++)
    PUT("ld.global.f32 %%f%d, [%%a+%d];\n", i, 8 * (WORDS + WIDES + i));
  for (int i = 0; i < PREDICATES; i++)
    PUT("setp.lt.s32 %%p%d, %%w%d, %%w%d;\n", i, i, i + 1);
  for (unsigned pc = 0; pc < LENGTH; pc++) {
    const struct insn *in = &code[pc];
    PUT("$L%u:\n", pc);
    if (in->guard >= 0)
      PUT("@%s%%p%d ", in->guard % 2 ? "!" : "", in->guard / 2);
    if (in->form == FORMS) {
      PUT("bra $L%u;\n", in->target);
      continue;
    }
    const char *kinds = forms[in->form].operands;
    PUT("%s", forms[in->form].text);
    for (unsigned k = 0; kinds[k] != '\0'; k++)
      if (kinds[k] == 'i')
        PUT(", %u", in->operand[k]);
      else
        PUT("%s %%%c%u", k ? "," : "", kinds[k], in->operand[k]);
    PUT(";\n");
  }
  PUT("$L%d:\n", LENGTH);
  for (int i = 0; i < WORDS; i++)
    PUT("st.global.u32 [%%a+%d], %%w%d;\n", 8 * i, i);
  for (int i = 0; i < WIDES; i++)
    PUT("st.global.u64 [%%a+%d], %%l%d;\n", 8 * (WORDS + i), i);
  for (int i = 0; i < FLOATS; i++)
    PUT("st.global.f32 [%%a+%d], %%f%d;\n", 8 * (WORDS + WIDES + i), i);
  PUT("ret;\n}\n");
  assert_true(n < room);
  return n;
}

static const uint32_t corners[] = {0,          1,          UINT32_MAX, 0x80000000, 0x7fffffff, 0x3f800000, 0xbf800000,
                                   0x00000001, 0x7f800000, 0x7fc00000, 0x4f000000, 0x00800000, 100,        0x3fc00000};

static uint64_t value(uint64_t *x)
{
  const uint32_t a = below(x, 3) ? (uint32_t)next(x) : corners[below(x, sizeof corners / sizeof *corners)];
  return (uint64_t)(below(x, 2) ? (uint32_t)next(x) : 0) << 32 | a;
}

static void run(const char *text, size_t length, uint64_t *data, size_t bytes)
{
  struct sl_error err = {0};
  struct sl_ptx_module *m;
  struct sl_ptx_memory memory;
  struct sl_ptx_counts counts = {0};
  uint64_t address;
  uint8_t params[8];
  if (sl_ptx_parse(&m, text, length, "random", NULL, &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(sl_ptx_memory_init(&memory, m, &err), SL_OK);
  assert_int_equal(sl_ptx_memory_allocate(&memory, bytes, &address, &err), SL_OK);
  memcpy(sl_ptx_memory_at(&memory, address, bytes), data, bytes);
  memcpy(params, &address, sizeof params);
  const struct sl_ptx_launch launch = {.module = m,
                                       .kernel = sl_ptx_entry(m, "k"),
                                       .grid = {1, 1, 1},
                                       .block = {THREADS, 1, 1},
                                       .params = params,
                                       .memory = &memory};
  if (sl_ptx_grid_run(&launch, &(struct sl_ptx_bounds){0}, &counts, &err) != SL_OK)
    fail_msg("%s", err.text);
  memcpy(data, sl_ptx_memory_at(&memory, address, bytes), bytes);
  sl_ptx_memory_free(&memory);
  sl_ptx_free(m);
}

static void compare(const struct insn *code, const uint64_t *before, const uint64_t *after, unsigned seed,
                    const char *text)
{
  for (unsigned thread = 0; thread < THREADS; thread++) {
    const uint64_t *in = before + thread * REGISTERS, *out = after + thread * REGISTERS;
    struct thread t;
    for (unsigned i = 0; i < WORDS; i++)
      t.w[i] = (uint32_t)in[i];
    for (unsigned i = 0; i < WIDES; i++)
      t.l[i] = in[WORDS + i];
    for (unsigned i = 0; i < FLOATS; i++)
      memcpy(&t.f[i], &in[WORDS + WIDES + i], sizeof t.f[i]);
    for (unsigned i = 0; i < PREDICATES; i++)
      t.p[i] = (int32_t)t.w[i] < (int32_t)t.w[i + 1];
    interpret(code, &t);
    for (unsigned i = 0; i < REGISTERS; i++) {
      const uint64_t is = i >= WORDS && i < WORDS + WIDES ? out[i] : (uint32_t)out[i];
      const uint64_t wanted = i < WORDS ? t.w[i] : i < WORDS + WIDES ? t.l[i - WORDS] : bits_of(t.f[i - WORDS - WIDES]);
      if (is != wanted)
        fail_msg("program %u, thread %u, register %u: %llx, not %llx\n%s", seed, thread, i, (unsigned long long)is,
                 (unsigned long long)wanted, text);
    }
  }
}

static void threads_compute_the_same_as_alone(void **state)
{
  enum { PROGRAMS = 300 };
  static uint64_t before[THREADS * REGISTERS], after[THREADS * REGISTERS];
  static char text[16384];
  struct insn code[LENGTH];
  (void)state;
  for (unsigned seed = 1; seed <= PROGRAMS; seed++) {
    uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15);
    invent(code, &x);
    const size_t length = write_text(code, text, sizeof text);
    for (unsigned i = 0; i < THREADS * REGISTERS; i++)
      before[i] = value(&x);
    memcpy(after, before, sizeof after);
    run(text, length, after, sizeof after);
    compare(code, before, after, seed, text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_compute_the_same_as_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
