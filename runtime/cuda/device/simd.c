/* Arithmetic on the two halves or the four bytes of a word. */
#include "device.h"

/* Each lane of a word: a, b and the result r as int, of a signed (s) or an unsigned (u) element. */
#define LANES(count, type, expression)                                                                                 \
  unsigned int result = 0;                                                                                             \
  _Pragma("unroll") for (int lane = 0; lane < count; lane++)                                                           \
  {                                                                                                                    \
    const int bits = 32 / count;                                                                                       \
    const int x = (type)((unsigned int)a >> (lane * bits)), y = (type)((unsigned int)b >> (lane * bits));              \
    const int r = (expression);                                                                                        \
    result |= ((unsigned int)r & (0xffffffffu >> (32 - bits))) << (lane * bits);                                       \
  }                                                                                                                    \
  return (int)result;

#define FUNCTION2(name, s2, s4, expression)                                                                            \
  int __nv_##name##2(int a, int b)                                                                                     \
  {                                                                                                                    \
    LANES(2, s2, expression)                                                                                           \
  }                                                                                                                    \
  int __nv_##name##4(int a, int b)                                                                                     \
  {                                                                                                                    \
    LANES(4, s4, expression)                                                                                           \
  }
#define FUNCTION1(name, s2, s4, expression)                                                                            \
  int __nv_##name##2(int a)                                                                                            \
  {                                                                                                                    \
    const int b = 0;                                                                                                   \
    LANES(2, s2, expression)                                                                                           \
  }                                                                                                                    \
  int __nv_##name##4(int a)                                                                                            \
  {                                                                                                                    \
    const int b = 0;                                                                                                   \
    LANES(4, s4, expression)                                                                                           \
  }
#define S short, signed char
#define U unsigned short, unsigned char
#define APPLY(macro, ...) macro(__VA_ARGS__)
#define SIGNED2(name, ...) APPLY(FUNCTION2, name, S, __VA_ARGS__)
#define UNSIGNED2(name, ...) APPLY(FUNCTION2, name, U, __VA_ARGS__)
#define SIGNED1(name, ...) APPLY(FUNCTION1, name, S, __VA_ARGS__)

#define LARGEST ((1 << (bits - 1)) - 1)
#define UNSIGNED_LARGEST ((1 << bits) - 1)
#define CLAMP(value, low, high) ((value) < (low) ? (low) : (value) > (high) ? (high) : (value))

SIGNED1(vabs, x < 0 ? -x : x)
SIGNED1(vabsss, CLAMP(x < 0 ? -x : x, 0, LARGEST))
SIGNED1(vneg, -x)
SIGNED1(vnegss, CLAMP(-x, -LARGEST - 1, LARGEST))
SIGNED2(vabsdiffs, x > y ? x - y : y - x)
UNSIGNED2(vabsdiffu, x > y ? x - y : y - x)
UNSIGNED2(vadd, x + y)
SIGNED2(vaddss, CLAMP(x + y, -LARGEST - 1, LARGEST))
UNSIGNED2(vaddus, CLAMP(x + y, 0, UNSIGNED_LARGEST))
UNSIGNED2(vsub, x - y)
SIGNED2(vsubss, CLAMP(x - y, -LARGEST - 1, LARGEST))
UNSIGNED2(vsubus, CLAMP(x - y, 0, UNSIGNED_LARGEST))
/* Signed averages round away from zero. */
SIGNED2(vavgs, (x + y + (x + y >= 0)) >> 1)
UNSIGNED2(vavgu, (x + y + 1) >> 1)
UNSIGNED2(vhaddu, (x + y) >> 1)
SIGNED2(vmaxs, x > y ? x : y)
UNSIGNED2(vmaxu, x > y ? x : y)
SIGNED2(vmins, x < y ? x : y)
UNSIGNED2(vminu, x < y ? x : y)

/* Comparisons give all ones (vcmp) or 1 (vset). */
#define COMPARISON(name, kind, operation)                                                                              \
  kind(vcmp##name, x operation y ? -1 : 0) kind(vset##name, x operation y ? 1 : 0)
COMPARISON(eq, UNSIGNED2, ==)
COMPARISON(ne, UNSIGNED2, !=)
COMPARISON(ges, SIGNED2, >=)
COMPARISON(geu, UNSIGNED2, >=)
COMPARISON(gts, SIGNED2, >)
COMPARISON(gtu, UNSIGNED2, >)
COMPARISON(les, SIGNED2, <=)
COMPARISON(leu, UNSIGNED2, <=)
COMPARISON(lts, SIGNED2, <)
COMPARISON(ltu, UNSIGNED2, <)

/* Sums of absolute differences */
#define SUM(name, count, type)                                                                                         \
  int __nv_##name##count(int a, int b)                                                                                 \
  {                                                                                                                    \
    int sum = 0;                                                                                                       \
    for (int lane = 0; lane < count; lane++) {                                                                         \
      const int x = (type)((unsigned int)a >> (lane * 32 / count)),                                                    \
                y = (type)((unsigned int)b >> (lane * 32 / count));                                                    \
      sum += x > y ? x - y : y - x;                                                                                    \
    }                                                                                                                  \
    return sum;                                                                                                        \
  }
SUM(vsads, 2, short)
SUM(vsads, 4, signed char)
SUM(vsadu, 2, unsigned short)
SUM(vsadu, 4, unsigned char)
