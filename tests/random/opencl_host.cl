/* The built-in functions of OpenCL C that random kernels call (opencl_kernels.py), written plainly for the host, where
 * clang compiles this file and the kernels. opencl_compare.c has the work-items. */
#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

unsigned long simtlab_host_id(int which, uint dimension);
void simtlab_host_barrier(void);

#define ITEM(name, which)                                                                                              \
  size_t OVERLOAD name(uint d)                                                                                         \
  {                                                                                                                    \
    return simtlab_host_id(which, d);                                                                                  \
  }
ITEM(get_local_id, 0)
ITEM(get_group_id, 1)
ITEM(get_local_size, 2)
ITEM(get_num_groups, 3)
ITEM(get_global_offset, 4)
size_t OVERLOAD get_global_size(uint d)
{
  return get_num_groups(d) * get_local_size(d);
}
size_t OVERLOAD get_global_id(uint d)
{
  return get_group_id(d) * get_local_size(d) + get_local_id(d) + get_global_offset(d);
}
void __attribute__((convergent)) OVERLOAD barrier(cl_mem_fence_flags flags)
{
  simtlab_host_barrier();
}
event_t OVERLOAD async_work_group_copy(local uint *to, const global uint *from, size_t count, event_t event)
{
  for (size_t i = 0; i < count; i++)
    to[i] = from[i];
  return event;
}
/* Clang declares it for the generic address space, which this language version cannot name. */
void wait_for_events(int count, event_t *events) __asm__("_Z17wait_group_eventsiPU9CLgeneric9ocl_event");
void wait_for_events(int count, event_t *events)
{
  simtlab_host_barrier();
}

/* ---- atomics; work-items of the host run one at a time ----------------------------------------------------------- */

#define ATOMIC(name, space, value)                                                                                     \
  uint OVERLOAD atomic_##name(volatile space uint *p, uint x)                                                          \
  {                                                                                                                    \
    const uint old = *p;                                                                                               \
    *p = value;                                                                                                        \
    return old;                                                                                                        \
  }
#define ATOMICS(space)                                                                                                 \
  ATOMIC(add, space, old + x)                                                                                          \
  ATOMIC(sub, space, old - x)                                                                                          \
  ATOMIC(xor, space, old ^ x)                                                                                          \
  ATOMIC(or, space, old | x)                                                                                           \
  ATOMIC(and, space, old &x)                                                                                           \
  ATOMIC(min, space, x < old ? x : old)                                                                                \
  ATOMIC(max, space, x > old ? x : old)                                                                                \
  uint OVERLOAD atomic_inc(volatile space uint *p)                                                                     \
  {                                                                                                                    \
    return (*p)++;                                                                                                     \
  }
ATOMICS(global)
ATOMICS(local)
uint OVERLOAD atomic_cmpxchg(volatile global uint *p, uint expected, uint value)
{
  const uint old = *p;
  if (old == expected)
    *p = value;
  return old;
}

/* ---- all widths -------------------------------------------------------------------------------------------------- */

#define WIDE1(to, name, t)                                                                                             \
  to##2 OVERLOAD name(t##2 a) { return (to##2)(name(a.x), name(a.y)); }                                                \
  to##3 OVERLOAD name(t##3 a) { return (to##3)(name(a.x), name(a.y), name(a.z)); }                                     \
  to##4 OVERLOAD name(t##4 a) { return (to##4)(name(a.lo), name(a.hi)); }                                              \
  to##8 OVERLOAD name(t##8 a) { return (to##8)(name(a.lo), name(a.hi)); }                                              \
  to##16 OVERLOAD name(t##16 a) { return (to##16)(name(a.lo), name(a.hi)); }
#define WIDE2(to, name, t, u)                                                                                          \
  to##2 OVERLOAD name(t##2 a, u##2 b) { return (to##2)(name(a.x, b.x), name(a.y, b.y)); }                              \
  to##3 OVERLOAD name(t##3 a, u##3 b) { return (to##3)(name(a.x, b.x), name(a.y, b.y), name(a.z, b.z)); }              \
  to##4 OVERLOAD name(t##4 a, u##4 b) { return (to##4)(name(a.lo, b.lo), name(a.hi, b.hi)); }                          \
  to##8 OVERLOAD name(t##8 a, u##8 b) { return (to##8)(name(a.lo, b.lo), name(a.hi, b.hi)); }                          \
  to##16 OVERLOAD name(t##16 a, u##16 b) { return (to##16)(name(a.lo, b.lo), name(a.hi, b.hi)); }
#define WIDE3(name, t, u, v)                                                                                           \
  t##2 OVERLOAD name(t##2 a, u##2 b, v##2 c) { return (t##2)(name(a.x, b.x, c.x), name(a.y, b.y, c.y)); }              \
  t##3 OVERLOAD name(t##3 a, u##3 b, v##3 c)                                                                           \
  {                                                                                                                    \
    return (t##3)(name(a.x, b.x, c.x), name(a.y, b.y, c.y), name(a.z, b.z, c.z));                                      \
  }                                                                                                                    \
  t##4 OVERLOAD name(t##4 a, u##4 b, v##4 c) { return (t##4)(name(a.lo, b.lo, c.lo), name(a.hi, b.hi, c.hi)); }        \
  t##8 OVERLOAD name(t##8 a, u##8 b, v##8 c) { return (t##8)(name(a.lo, b.lo, c.lo), name(a.hi, b.hi, c.hi)); }        \
  t##16 OVERLOAD name(t##16 a, u##16 b, v##16 c) { return (t##16)(name(a.lo, b.lo, c.lo), name(a.hi, b.hi, c.hi)); }

/* ---- integers ---------------------------------------------------------------------------------------------------- */

typedef __int128 wide;
#define ONE(to, name, t, value)                                                                                        \
  to OVERLOAD name(t a) { return (to)(value); }                                                                        \
  WIDE1(to, name, t)
#define TWO(to, name, t, value)                                                                                        \
  to OVERLOAD name(t a, t b) { return (to)(value); }                                                                   \
  WIDE2(to, name, t, t)
#define THREE(name, t, v, value)                                                                                       \
  t OVERLOAD name(t a, t b, v c) { return (t)(value); }                                                                \
  WIDE3(name, t, t, v)
#define WITHIN(x, least, most) ((x) < (wide)(least) ? (wide)(least) : (x) > (wide)(most) ? (wide)(most) : (x))
#define BITS(t) (8 * (int)sizeof(t))

static int bits_of(ulong x)
{
  int n = 0;
  for (; x != 0; x >>= 1)
    n += x & 1;
  return n;
}
static int length_of(ulong x)
{
  int n = 0;
  for (; x != 0; x >>= 1)
    n++;
  return n;
}

#define INTEGER(t, u, s, least, most)                                                                                  \
  TWO(t, min, t, b < a ? b : a)                                                                                        \
  TWO(t, max, t, a < b ? b : a)                                                                                        \
  THREE(clamp, t, t, a < b ? b : a > c ? c : a)                                                                        \
  TWO(t, rotate, t, (u)a << (b & (BITS(t) - 1)) | (u)a >> (BITS(t) - 1 - (b & (BITS(t) - 1))) >> 1)                    \
  TWO(t, hadd, t, ((wide)a + b) >> 1)                                                                                  \
  TWO(t, rhadd, t, ((wide)a + b + 1) >> 1)                                                                             \
  TWO(t, add_sat, t, WITHIN((wide)a + b, least, most))                                                                 \
  TWO(t, sub_sat, t, WITHIN((wide)a - b, least, most))                                                                 \
  TWO(t, mul_hi, t, sizeof(t) == 8 && (t)-1 > 0 ? (wide)((unsigned __int128)a * (unsigned __int128)b >> 64)                    \
                                                : (wide)a * b >> BITS(t))                                              \
  THREE(mad_sat, t, t, sizeof(t) == 8 && (t)-1 > 0 && ((unsigned __int128)a * (unsigned __int128)b >> 64) != 0                 \
                           ? (wide)(most)                                                                              \
                           : WITHIN(((t)-1 > 0 ? (wide)((unsigned __int128)a * (unsigned __int128)b) : (wide)a * b) + c,       \
                                    least, most))                                                                      \
  ONE(t, clz, t, BITS(t) - length_of((u)a))                                                                            \
  ONE(t, popcount, t, bits_of((u)a))                                                                                   \
  ONE(u, abs, t, a < 0 ? -(u)a : (u)a)                                                                                 \
  TWO(u, abs_diff, t, a < b ? (u)b - (u)a : (u)a - (u)b)                                                               \
  THREE(bitselect, t, t, (a & ~c) | (b & c))                                                                           \
  t OVERLOAD select(t a, t b, s c) { return c != 0 ? b : a; }                                                          \
  static t OVERLOAD chosen(t a, t b, s c) { return c < 0 ? b : a; }
INTEGER(char, uchar, char, CHAR_MIN, CHAR_MAX)
INTEGER(uchar, uchar, char, 0, UCHAR_MAX)
INTEGER(short, ushort, short, SHRT_MIN, SHRT_MAX)
INTEGER(ushort, ushort, short, 0, USHRT_MAX)
INTEGER(int, uint, int, INT_MIN, INT_MAX)
INTEGER(uint, uint, int, 0, UINT_MAX)
INTEGER(long, ulong, long, LONG_MIN, LONG_MAX)
INTEGER(ulong, ulong, long, 0, ULONG_MAX)
#define FLOATS(t, s)                                                                                                   \
  t OVERLOAD select(t a, t b, s c) { return c != 0 ? b : a; }                                                          \
  static t OVERLOAD chosen(t a, t b, s c) { return c < 0 ? b : a; }
FLOATS(float, int)
FLOATS(double, long)

/* A vector's elements are chosen by their sign. */
#define CHOOSE(t, s)                                                                                                   \
  t##2 OVERLOAD select(t##2 a, t##2 b, s##2 c) { return (t##2)(chosen(a.x, b.x, c.x), chosen(a.y, b.y, c.y)); }        \
  t##3 OVERLOAD select(t##3 a, t##3 b, s##3 c)                                                                         \
  {                                                                                                                    \
    return (t##3)(chosen(a.x, b.x, c.x), chosen(a.y, b.y, c.y), chosen(a.z, b.z, c.z));                                \
  }                                                                                                                    \
  t##4 OVERLOAD select(t##4 a, t##4 b, s##4 c) { return (t##4)(select(a.lo, b.lo, c.lo), select(a.hi, b.hi, c.hi)); }  \
  t##8 OVERLOAD select(t##8 a, t##8 b, s##8 c) { return (t##8)(select(a.lo, b.lo, c.lo), select(a.hi, b.hi, c.hi)); }  \
  t##16 OVERLOAD select(t##16 a, t##16 b, s##16 c)                                                                     \
  {                                                                                                                    \
    return (t##16)(select(a.lo, b.lo, c.lo), select(a.hi, b.hi, c.hi));                                                \
  }
CHOOSE(char, char) CHOOSE(uchar, char) CHOOSE(short, short) CHOOSE(ushort, short) CHOOSE(int, int) CHOOSE(uint, int)
CHOOSE(long, long) CHOOSE(ulong, long) CHOOSE(float, int) CHOOSE(double, long)

#define ANY(t)                                                                                                         \
  int OVERLOAD any(t##2 a) { return (a.x | a.y) < 0; }                                                                 \
  int OVERLOAD any(t##3 a) { return (a.x | a.y | a.z) < 0; }                                                           \
  int OVERLOAD any(t##4 a) { return any(a.lo | a.hi); }                                                                \
  int OVERLOAD any(t##8 a) { return any(a.lo | a.hi); }                                                                \
  int OVERLOAD any(t##16 a) { return any(a.lo | a.hi); }                                                               \
  int OVERLOAD all(t##2 a) { return (a.x & a.y) < 0; }                                                                 \
  int OVERLOAD all(t##3 a) { return (a.x & a.y & a.z) < 0; }                                                           \
  int OVERLOAD all(t##4 a) { return all(a.lo & a.hi); }                                                                \
  int OVERLOAD all(t##8 a) { return all(a.lo & a.hi); }                                                                \
  int OVERLOAD all(t##16 a) { return all(a.lo & a.hi); }
ANY(char) ANY(short) ANY(int) ANY(long)

/* ---- floats ------------------------------------------------------------------------------------------------------ */

#define ROUNDED(t, name, host)                                                                                         \
  t OVERLOAD name(t a) { return host(a); }                                                                             \
  WIDE1(t, name, t)
#define FLOAT(t, f)                                                                                \
  ROUNDED(t, floor, __builtin_floor##f)                                                                                \
  ROUNDED(t, ceil, __builtin_ceil##f)                                                                                  \
  ROUNDED(t, trunc, __builtin_trunc##f)                                                                                \
  ROUNDED(t, rint, __builtin_rint##f)                                                                                  \
  ROUNDED(t, round, __builtin_round##f)                                                                                \
  ROUNDED(t, fabs, __builtin_fabs##f)                                                                                  \
  t OVERLOAD fma(t a, t b, t c) { return __builtin_fma##f(a, b, c); }                                                  \
  WIDE3(fma, t, t, t)                                                                                                  \
  t OVERLOAD copysign(t a, t b) { return __builtin_copysign##f(a, b); }                                                \
  WIDE2(t, copysign, t, t)                                                                                             \
  t OVERLOAD ldexp(t a, int b) { return __builtin_ldexp##f(a, b); }                                                    \
  t##2 OVERLOAD ldexp(t##2 a, int b) { return (t##2)(ldexp(a.x, b), ldexp(a.y, b)); }                                  \
  t##3 OVERLOAD ldexp(t##3 a, int b) { return (t##3)(ldexp(a.x, b), ldexp(a.y, b), ldexp(a.z, b)); }                   \
  t##4 OVERLOAD ldexp(t##4 a, int b) { return (t##4)(ldexp(a.lo, b), ldexp(a.hi, b)); }                                \
  t##8 OVERLOAD ldexp(t##8 a, int b) { return (t##8)(ldexp(a.lo, b), ldexp(a.hi, b)); }                                \
  t##16 OVERLOAD ldexp(t##16 a, int b) { return (t##16)(ldexp(a.lo, b), ldexp(a.hi, b)); }
FLOAT(float, f)
FLOAT(double, )

/* ---- conversions ------------------------------------------------------------------------------------------------- */

enum { TO_NEAREST, TO_ZERO, TO_POSITIVE, TO_NEGATIVE };

static double whole(double x, int mode)
{
  return mode == TO_NEAREST    ? __builtin_rint(x)
         : mode == TO_ZERO     ? __builtin_trunc(x)
         : mode == TO_POSITIVE ? __builtin_ceil(x)
                               : __builtin_floor(x);
}
static wide bounded(double x, int mode)
{
  x = whole(x, mode);
  return x != x ? 0 : x > 0x1p70 ? (wide)1 << 70 : x < -0x1p70 ? -((wide)1 << 70) : (wide)x;
}
/* An integer with so many significant bits. */
static wide shortened(wide x, int digits, int mode)
{
  const bool minus = x < 0;
  unsigned __int128 size = minus ? -(unsigned __int128)x : (unsigned __int128)x, low;
  const int cut = (size >> 64 ? 64 : length_of((ulong)size)) - digits;
  if (cut <= 0)
    return x;
  low = size & (((unsigned __int128)1 << cut) - 1);
  size -= low;
  const unsigned __int128 unit = (unsigned __int128)1 << cut;
  const bool up = mode == TO_NEAREST    ? 2 * low > unit || (2 * low == unit && (size >> cut & 1))
                  : mode == TO_POSITIVE ? low != 0 && !minus
                  : mode == TO_NEGATIVE ? low != 0 && minus
                                        : false;
  size += up ? unit : 0;
  return minus ? -(wide)size : (wide)size;
}

#define CONVERT(to, name, from, value)                                                                                 \
  to OVERLOAD convert_##to##name(from a) { return (to)(value); }                                                       \
  to##2 OVERLOAD convert_##to##2##name(from##2 a) { return (to##2)(convert_##to##name(a.x), convert_##to##name(a.y)); } \
  to##3 OVERLOAD convert_##to##3##name(from##3 a)                                                                      \
  {                                                                                                                    \
    return (to##3)(convert_##to##name(a.x), convert_##to##name(a.y), convert_##to##name(a.z));                         \
  }                                                                                                                    \
  to##4 OVERLOAD convert_##to##4##name(from##4 a)                                                                      \
  {                                                                                                                    \
    return (to##4)(convert_##to##2##name(a.lo), convert_##to##2##name(a.hi));                                          \
  }                                                                                                                    \
  to##8 OVERLOAD convert_##to##8##name(from##8 a)                                                                      \
  {                                                                                                                    \
    return (to##8)(convert_##to##4##name(a.lo), convert_##to##4##name(a.hi));                                          \
  }                                                                                                                    \
  to##16 OVERLOAD convert_##to##16##name(from##16 a)                                                                   \
  {                                                                                                                    \
    return (to##16)(convert_##to##8##name(a.lo), convert_##to##8##name(a.hi));                                         \
  }
#define FROM_FLOAT(to, from, least, most)                                                                              \
  CONVERT(to, _sat, from, WITHIN(bounded(a, TO_ZERO), least, most))                                                    \
  CONVERT(to, _sat_rte, from, WITHIN(bounded(a, TO_NEAREST), least, most))                                             \
  CONVERT(to, _sat_rtz, from, WITHIN(bounded(a, TO_ZERO), least, most))                                                \
  CONVERT(to, _sat_rtp, from, WITHIN(bounded(a, TO_POSITIVE), least, most))                                            \
  CONVERT(to, _sat_rtn, from, WITHIN(bounded(a, TO_NEGATIVE), least, most))
#define TO_FLOAT(to, from, digits)                                                                                     \
  CONVERT(to, , from, shortened(a, digits, TO_NEAREST))                                                                \
  CONVERT(to, _rte, from, shortened(a, digits, TO_NEAREST))                                                            \
  CONVERT(to, _rtz, from, shortened(a, digits, TO_ZERO))                                                               \
  CONVERT(to, _rtp, from, shortened(a, digits, TO_POSITIVE))                                                           \
  CONVERT(to, _rtn, from, shortened(a, digits, TO_NEGATIVE))
#define FROM_INTEGER(to, from, least, most)                                                                            \
  CONVERT(to, , from, a)                                                                                               \
  CONVERT(to, _sat, from, WITHIN((wide)a, least, most))
#define CONVERSIONS(to, least, most)                                                                                   \
  FROM_INTEGER(to, char, least, most)                                                                                  \
  FROM_INTEGER(to, uchar, least, most)                                                                                 \
  FROM_INTEGER(to, short, least, most)                                                                                 \
  FROM_INTEGER(to, ushort, least, most)                                                                                \
  FROM_INTEGER(to, int, least, most)                                                                                   \
  FROM_INTEGER(to, uint, least, most)                                                                                  \
  FROM_INTEGER(to, long, least, most)                                                                                  \
  FROM_INTEGER(to, ulong, least, most)                                                                                 \
  FROM_FLOAT(to, float, least, most)                                                                                   \
  FROM_FLOAT(to, double, least, most)                                                                                  \
  TO_FLOAT(float, to, 24)                                                                                              \
  TO_FLOAT(double, to, 53)
CONVERSIONS(char, CHAR_MIN, CHAR_MAX)
CONVERSIONS(uchar, 0, UCHAR_MAX)
CONVERSIONS(short, SHRT_MIN, SHRT_MAX)
CONVERSIONS(ushort, 0, USHRT_MAX)
CONVERSIONS(int, INT_MIN, INT_MAX)
CONVERSIONS(uint, 0, UINT_MAX)
CONVERSIONS(long, LONG_MIN, LONG_MAX)
CONVERSIONS(ulong, 0, ULONG_MAX)
CONVERT(float, , float, a)
CONVERT(double, , float, a)
CONVERT(float, , double, a)
CONVERT(double, , double, a)

/* ---- vectors in memory ------------------------------------------------------------------------------------------- */

#define MEMORY(t, n, space)                                                                                            \
  t##n OVERLOAD vload##n(size_t at, const space t *p)                                                                  \
  {                                                                                                                    \
    union {                                                                                                            \
      t##n v;                                                                                                          \
      t e[16];                                                                                                         \
    } u;                                                                                                               \
    for (int i = 0; i < n; i++)                                                                                        \
      u.e[i] = p[at * n + i];                                                                                          \
    return u.v;                                                                                                        \
  }                                                                                                                    \
  void OVERLOAD vstore##n(t##n v, size_t at, space t *p)                                                               \
  {                                                                                                                    \
    union {                                                                                                            \
      t##n v;                                                                                                          \
      t e[16];                                                                                                         \
    } u = {v};                                                                                                         \
    for (int i = 0; i < n; i++)                                                                                        \
      p[at * n + i] = u.e[i];                                                                                          \
  }
#define MEMORIES(t)                                                                                                    \
  MEMORY(t, 2, global) MEMORY(t, 3, global) MEMORY(t, 4, global) MEMORY(t, 8, global) MEMORY(t, 16, global)            \
  MEMORY(t, 2, private) MEMORY(t, 3, private) MEMORY(t, 4, private) MEMORY(t, 8, private) MEMORY(t, 16, private)
MEMORIES(char) MEMORIES(uchar) MEMORIES(short) MEMORIES(ushort) MEMORIES(int) MEMORIES(uint) MEMORIES(long)
MEMORIES(ulong) MEMORIES(float) MEMORIES(double)
