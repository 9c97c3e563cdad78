/* Small vectors and bool as arguments and results of functions that are not inlined, and of kernels: the same as on the
 * host. Each function also takes scalars around the vectors, whose places depend on the vectors' sizes. Arguments:
 * build options, number of types. */
#include "check.h"

enum { ITEMS = 16, TYPES = 8, SIZES = 5, MOST = 16 };

static const struct {
  const char *name;
  unsigned bytes;
  int is_signed;
} types[TYPES] = {{"char", 1, 1}, {"uchar", 1, 0}, {"short", 2, 1}, {"ushort", 2, 0},
                  {"int", 4, 1},  {"uint", 4, 0},  {"long", 8, 1},  {"ulong", 8, 0}};
static const unsigned sizes[SIZES] = {2, 3, 4, 8, 16};

/* `@` stands for the type, `#` for the vector. */
static const char text[] =
    "NI # mix_#(char before, # a, short between, # b, bool negative, # c)\n"
    "{ return negative ? a * (@)3 - b * (@)before + c * (@)between : a + b * (@)5 - c * (@)7; }\n"
    "NI # other_#(# a) { return mix_#(2, a, -3, a + (@)1, a.s0 & 1, a - (@)2) + (@)9; }\n"
    "NI bool more_#(# a, # b) { return a.s0 + a.s1 > b.s0 - b.s1; }\n"
    "__kernel void k_#(__global @ *to, __global const @ *from, char before, # given, short after)\n"
    "{ const size_t i = get_global_id(0); # v; @ *e = (@ *)&v;\n"
    "  for (int j = 0; j < N_#; j++) e[j] = from[i * N_# + j];\n"
    "  # r = mix_#(before, v, after, given, i & 1, v * v) + other_#(v) * (@)more_#(v, given); e = (@ *)&r;\n"
    "  for (int j = 0; j < N_#; j++) to[i * N_# + j] = e[j]; }\n"
    "__kernel void call_#(__global @ *to, __global const @ *from, char before, # given, short after)\n"
    "{ k_#(to, from, before, given, after); }\n";

/* Structures with vectors of two bytes. */
static const char structures[] =
    "typedef struct { char2 a; short b; uchar2 c[2]; char3 d; } S;\n"
    "typedef struct { char2 a; } Inner;\ntypedef struct { Inner a; } P;\n"
    "NI S make(char2 a, int n)\n"
    "{ S s; s.a = a; s.b = (short)n; s.c[0] = (uchar2)(n, n + 1); s.c[1] = (uchar2)(n + 2, n + 3);\n"
    "  s.d = (char3)(1, 2, n); return s; }\n"
    "NI int use(S s, P p)\n"
    "{ return s.a.x + 10 * s.a.y + 100 * s.b + s.c[0].x * 3 + s.c[0].y * 5 + s.c[1].x * 7 + s.c[1].y * 11 + s.d.x +\n"
    "    s.d.y * 2 + s.d.z * 3 + p.a.a.x * 1000 + p.a.a.y * 10000; }\n"
    "NI P wrap(S s) { P p; p.a.a = s.a + (char2)(1, 2); return p; }\n"
    "NI char2 unwrap(P p) { return p.a.a.yx; }\n"
    "__kernel void structures(__global int *to)\n"
    "{ const int i = get_global_id(0); S s = make((char2)(i, i + 1), i * 3); P p = wrap(s); p.a.a += unwrap(p);\n"
    "  to[i] = use(s, p); }\n";

static int structure(int i)
{
  const int n = i * 3, x = i + 1, y = i + 3; /* of wrap(s) */
  return i + 10 * (i + 1) + 100 * n + n * 3 + (n + 1) * 5 + (n + 2) * 7 + (n + 3) * 11 + 1 + 2 * 2 + n * 3 +
         (x + y) * 1000 + (y + x) * 10000;
}

static void run_structures(cl_program program)
{
  const size_t items = ITEMS;
  int to[ITEMS];
  cl_kernel k = kernel_of(program, "structures");
  cl_mem out = buffer(sizeof to, NULL);
  OK(clSetKernelArg(k, 0, sizeof out, &out));
  OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof to, to, 0, NULL, NULL));
  for (int i = 0; i < ITEMS; i++)
    CHECK(to[i] == structure(i));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(k));
}

static void add(char *source, const char *type, unsigned size)
{
  char *to = source + strlen(source);
  to += sprintf(to, "#define N_%s%u %u\n", type, size, size);
  for (const char *at = text; *at != '\0'; at++)
    if (*at == '@')
      to += sprintf(to, "%s", type);
    else if (*at == '#')
      to += sprintf(to, "%s%u", type, size);
    else
      *to++ = *at;
  *to = '\0';
}

/* A number as the type stores it. */
static long long fit(unsigned type, long long value)
{
  switch (types[type].bytes * 2 + (unsigned)types[type].is_signed) {
  case 3: return (signed char)value;
  case 2: return (unsigned char)value;
  case 5: return (short)value;
  case 4: return (unsigned short)value;
  case 9: return (int)value;
  case 8: return (unsigned)value;
  default: return value;
  }
}

static long long load(unsigned type, const void *from, size_t at)
{
  unsigned long long value = 0;
  memcpy(&value, (const char *)from + at * types[type].bytes, types[type].bytes);
  return fit(type, (long long)value);
}

static long long mix(unsigned t, long long before, long long a, long long between, long long b, int negative,
                     long long c)
{
  return fit(t, negative ? a * 3 - b * before + c * between : a + b * 5 - c * 7);
}

/* Elements of char and short are promoted to int in sums; sums of the values below do not wrap in wider types. */
static int more(unsigned t, long long a0, long long a1, long long b0, long long b1)
{
  if (types[t].bytes >= 4 && !types[t].is_signed) {
    const unsigned long long mask = types[t].bytes == 4 ? 0xffffffff : ~0ull;
    return (((unsigned long long)(a0 + a1)) & mask) > (((unsigned long long)(b0 - b1)) & mask);
  }
  return a0 + a1 > b0 - b1;
}

static long long wanted(unsigned t, const void *from, const void *given, unsigned size, unsigned item, unsigned j)
{
  const size_t at = (size_t)item * size;
  const long long v = load(t, from, at + j), g = load(t, given, j), v0 = load(t, from, at);
  const long long one = mix(t, 2, v, -3, fit(t, v + 1), (int)(v0 & 1), fit(t, v - 2));
  const long long first = mix(t, 5, v, -11, g, (int)(item & 1), fit(t, v * v));
  return fit(t, first + fit(t, one + 9) * more(t, v0, load(t, from, at + 1), load(t, given, 0), load(t, given, 1)));
}

static void run(cl_program program, const char *prefix, unsigned t, unsigned size)
{
  char name[64], from[ITEMS * MOST * 8], given[MOST * 8], to[sizeof from];
  const size_t bytes = ITEMS * size * types[t].bytes, items = ITEMS;
  const cl_char before = 5;
  const cl_short after = -11;
  for (unsigned i = 0; i < ITEMS * size; i++) {
    const long long value = (long long)i * 7 - 100;
    memcpy(from + i * types[t].bytes, &value, types[t].bytes);
  }
  memset(given, 0, sizeof given);
  for (unsigned i = 0; i < size; i++) {
    const long long value = 50 - (long long)i * 9;
    memcpy(given + i * types[t].bytes, &value, types[t].bytes);
  }
  snprintf(name, sizeof name, "%s_%s%u", prefix, types[t].name, size);
  cl_kernel k = kernel_of(program, name);
  cl_mem in = buffer(bytes, from), out = buffer(bytes, NULL);
  OK(clSetKernelArg(k, 0, sizeof out, &out));
  OK(clSetKernelArg(k, 1, sizeof in, &in));
  OK(clSetKernelArg(k, 2, sizeof before, &before));
  OK(clSetKernelArg(k, 3, (size == 3 ? 4 : size) * types[t].bytes, given));
  OK(clSetKernelArg(k, 4, sizeof after, &after));
  OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
  unsigned wrong = 0;
  for (unsigned i = 0; i < ITEMS * size && wrong < 3; i++) {
    const long long is = load(t, to, i), should = wanted(t, from, given, size, i / size, i % size);
    if (is != should)
      printf("%s: item %u, element %u: %lld instead of %lld\n", name, i / size, i % size, is, should);
    wrong += is != should;
  }
  failures += wrong > 0;
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(k));
}

int main(int argc, char **argv)
{
  static char source[1 << 20] = "#define NI __attribute__((noinline))\n";
  const unsigned last = argc > 2 ? (unsigned)atoi(argv[2]) : TYPES;
  begin(0);
  for (unsigned t = 0; t < last; t++)
    for (unsigned s = 0; s < SIZES; s++)
      add(source, types[t].name, sizes[s]);
  strcat(source, structures);
  cl_program program = build(source, argc > 1 ? argv[1] : "");
  for (unsigned t = 0; t < last; t++)
    for (unsigned s = 0; s < SIZES; s++) {
      run(program, "k", t, sizes[s]);
      run(program, "call", t, sizes[s]);
    }
  run_structures(program);
  OK(clReleaseProgram(program));
  return end();
}
