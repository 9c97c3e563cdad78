"""Writes a CUDA program of random kernels whose results must equal the host's.

Usage: random_kernels.py SEED COUNT >program.cu. A kernel is a list of phases between barriers. A phase is a function
that both sides compile: control flow, integers of 32 and 64 bits, float, double, shared memory, atomics. Between phases
the threads of a warp exchange values; the host has these operations over the states of all threads.
"""
import random
import sys

PROLOGUE = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <vector>

enum { BLOCK = 64, BLOCKS = 3, CELLS = 16 };
struct State { uint32_t u[4]; int32_t i[4]; uint64_t w[2]; float f[4]; double d[2]; };
struct Cells { uint32_t u[CELLS]; int32_t i[CELLS]; unsigned long long w[CELLS]; float f[CELLS]; };

#ifdef __CUDA_ARCH__
#define ON_DEVICE(device, host) device
#else
#define ON_DEVICE(device, host) host
#endif
#define BOTH static __host__ __device__ inline
BOTH uint32_t popc(uint32_t a) { return ON_DEVICE(__popc(a), __builtin_popcount(a)); }
BOTH uint32_t popcll(uint64_t a) { return ON_DEVICE(__popcll(a), __builtin_popcountll(a)); }
BOTH uint32_t clz(uint32_t a) { return ON_DEVICE(__clz(a), a == 0 ? 32 : __builtin_clz(a)); }
BOTH uint32_t ffs_(uint32_t a) { return ON_DEVICE(__ffs(a), __builtin_ffs(a)); }
BOTH uint32_t brev(uint32_t a) { return ON_DEVICE(__brev(a), __builtin_bitreverse32(a)); }
BOTH uint32_t mulhi(uint32_t a, uint32_t b) { return ON_DEVICE(__umulhi(a, b), (uint32_t)((uint64_t)a * b >> 32)); }
BOTH int32_t smulhi(int32_t a, int32_t b) { return ON_DEVICE(__mulhi(a, b), (int32_t)((int64_t)a * b >> 32)); }
BOTH uint64_t mulhill(uint64_t a, uint64_t b) { return ON_DEVICE(__umul64hi(a, b), (uint64_t)((unsigned __int128)a * b >> 64)); }
BOTH uint32_t funnel(uint32_t a, uint32_t b, uint32_t s)
{
  return ON_DEVICE(__funnelshift_l(a, b, s), (uint32_t)((((uint64_t)b << 32 | a) << (s & 31)) >> 32));
}
BOTH uint32_t bytes(uint32_t a, uint32_t b, uint32_t s)
{
#ifdef __CUDA_ARCH__
  return __byte_perm(a, b, s & 0x7777);
#else
  uint32_t r = 0;
  for (int k = 0; k < 4; k++)
    r |= (uint32_t)((((uint64_t)b << 32 | a) >> 8 * (s >> 4 * k & 7)) & 255) << 8 * k;
  return r;
#endif
}
BOTH uint32_t sad(int32_t a, int32_t b, uint32_t c) { return ON_DEVICE(__sad(a, b, c), c + (a > b ? (uint32_t)a - b : (uint32_t)b - a)); }
BOTH uint32_t add4(uint32_t a, uint32_t b)
{
  return ON_DEVICE(__vadd4(a, b), ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080));
}
BOTH float tame(float a) { return fabsf(a) < 1e15f && fabsf(a) > 1e-15f ? a : 1.25f; }
BOTH double tame(double a) { return fabs(a) < 1e100 && fabs(a) > 1e-100 ? a : 0.75; }
BOTH int32_t toint(float a) { return fabsf(a) < 1e9f ? (int32_t)a : 7; }
BOTH int64_t toint(double a) { return fabs(a) < 1e18 ? (int64_t)a : 9; }

#define ATOMIC(name, type, expression)                                                                                 \
  BOTH void cell_##name(type *p, type v)                                                                               \
  {                                                                                                                    \
    ON_DEVICE(atomic##name(p, v), const type a = *p; *p = (expression));                                               \
  }
ATOMIC(Add, uint32_t, a + v)
ATOMIC(Add, unsigned long long, a + v)
ATOMIC(Add, float, a + v)
ATOMIC(Sub, uint32_t, a - v)
ATOMIC(Min, int32_t, a < v ? a : v)
ATOMIC(Max, int32_t, a > v ? a : v)
ATOMIC(Min, uint32_t, a < v ? a : v)
ATOMIC(Max, uint32_t, a > v ? a : v)
ATOMIC(Max, unsigned long long, a > v ? a : v)
ATOMIC(Xor, uint32_t, a ^ v)
ATOMIC(Xor, unsigned long long, a ^ v)
ATOMIC(Or, unsigned long long, a | v)
ATOMIC(And, uint32_t, a & v)

BOTH void begin(State &s, uint32_t block, uint32_t thread)
{
  uint32_t x = (block * BLOCK + thread + 1) * 2654435761u;
  for (int k = 0; k < 4; k++)
    s.u[k] = x = x * 1664525u + 1013904223u;
  for (int k = 0; k < 4; k++) {
    s.i[k] = (int32_t)(x = x * 1664525u + 1013904223u);
    s.f[k] = (float)(int32_t)(x = x * 1664525u + 1013904223u) / 65536.0f;
  }
  for (int k = 0; k < 2; k++) {
    s.w[k] = (uint64_t)(x = x * 1664525u + 1013904223u) << 32 | s.u[k];
    s.d[k] = (double)(int32_t)(x = x * 1664525u + 1013904223u) / 1024.0;
  }
}
BOTH uint32_t digest(const State &s)
{
  uint32_t h = 2166136261u, word;
  for (unsigned k = 0; k < sizeof s / 4; k++) {
    memcpy(&word, (const char *)&s + 4 * k, 4);
    h = (h ^ word) * 16777619u;
  }
  return h;
}
static void clear(Cells &c)
{
  memset(&c, 0, sizeof c);
  for (int k = 0; k < CELLS; k++)
    c.u[k] = 0x5a5a5a5au * k;
}
static int compare(int kernel, const Cells &gpu, const Cells &cpu, const uint32_t *out, const std::vector<uint32_t> &digests)
{
  int wrong = memcmp(&gpu, &cpu, sizeof gpu) != 0;
  for (size_t k = 0; k < digests.size(); k++)
    wrong += out[k] != digests[k];
  if (wrong)
    printf("kernel %d: %d results differ\n", kernel, wrong);
  return wrong != 0;
}
"""

MAIN = r"""
typedef void kernel(uint32_t *, Cells *);
typedef void reference(std::vector<uint32_t> &, Cells &);
int main()
{
  static kernel *const kernels[] = {%s};
  static reference *const references[] = {%s};
  int wrong = 0;
  const int count = sizeof kernels / sizeof *kernels;
  uint32_t *out, h[BLOCKS * BLOCK];
  Cells *cells;
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&cells, sizeof *cells);
  for (int k = 0; k < count; k++) {
    Cells gpu, cpu;
    std::vector<uint32_t> digests(BLOCKS * BLOCK);
    clear(gpu);
    clear(cpu);
    cudaMemcpy(cells, &gpu, sizeof gpu, cudaMemcpyHostToDevice);
    kernels[k]<<<BLOCKS, BLOCK>>>(out, cells);
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) {
      printf("kernel %%d: %%s\n", k, cudaGetErrorString(cudaGetLastError()));
      return 1;
    }
    cudaMemcpy(&gpu, cells, sizeof gpu, cudaMemcpyDeviceToHost);
    references[k](digests, cpu);
    wrong += compare(k, gpu, cpu, h, digests);
  }
  printf("%%d of %%d kernels equal\n", count - wrong, count);
  return wrong != 0;
}
"""


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = 0

    def pick(self, *choices):
        return self.r.choice(choices)

    def u(self, depth):
        if depth == 0 or self.r.random() < 0.2:
            return self.pick("s.u[%d]" % self.r.randrange(4), "0x%xu" % self.r.getrandbits(32),
                             "%du" % self.r.randrange(40), "thread", "block", "previous[%s %% BLOCK]" % self.leaf_u())
        a, b = self.u(depth - 1), self.u(depth - 1)
        return self.pick(
            "(%s + %s)" % (a, b), "(%s - %s)" % (a, b), "(%s * %s)" % (a, b), "(%s & %s)" % (a, b),
            "(%s | %s)" % (a, b), "(%s ^ %s)" % (a, b), "(~%s)" % a, "(%s << (%s & 31))" % (a, b),
            "(%s >> (%s & 31))" % (a, b), "(%s / (%s | 1))" % (a, b), "(%s %% (%s | 1))" % (a, b), "popc(%s)" % a,
            "clz(%s)" % a, "ffs_(%s)" % a, "brev(%s)" % a, "mulhi(%s, %s)" % (a, b),
            "funnel(%s, %s, %s)" % (a, b, self.leaf_u()), "bytes(%s, %s, %s)" % (a, b, self.leaf_u()),
            "add4(%s, %s)" % (a, b), "(%s ? %s : %s)" % (self.condition(depth - 1), a, b),
            "(uint32_t)%s" % self.i(depth - 1), "(uint32_t)%s" % self.w(depth - 1),
            "(uint32_t)(%s >> 32)" % self.w(depth - 1), "sad(%s, %s, %s)" % (self.i(0), self.i(0), a),
            "(uint32_t)(uint8_t)%s" % a, "(uint32_t)(int16_t)%s" % a, "popcll(%s)" % self.w(depth - 1))

    def leaf_u(self):
        return "s.u[%d]" % self.r.randrange(4)

    def i(self, depth):
        if depth == 0 or self.r.random() < 0.2:
            return self.pick("s.i[%d]" % self.r.randrange(3), "%d" % self.r.randrange(-100, 100))
        a, b = self.i(depth - 1), self.i(depth - 1)
        return self.pick(
            "(int32_t)((uint32_t)%s + (uint32_t)%s)" % (a, b), "(int32_t)((uint32_t)%s * (uint32_t)%s)" % (a, b),
            "(%s >> (%s & 31))" % (a, self.leaf_u()), "(%s / (int32_t)(1 + (%s & 1023)))" % (a, self.leaf_u()),
            "(%s %% (int32_t)(1 + (%s & 1023)))" % (a, self.leaf_u()), "smulhi(%s, %s)" % (a, b),
            "(%s < %s ? %s : %s)" % (a, b, a, b), "(int32_t)%s" % self.u(depth - 1), "toint(%s)" % self.f(depth - 1),
            "(int32_t)(int8_t)%s" % a, "(int32_t)toint(%s)" % self.d(depth - 1))

    def w(self, depth):
        if depth == 0 or self.r.random() < 0.2:
            return self.pick("s.w[%d]" % self.r.randrange(2), "0x%xull" % self.r.getrandbits(64))
        a, b = self.w(depth - 1), self.w(depth - 1)
        return self.pick(
            "(%s + %s)" % (a, b), "(%s - %s)" % (a, b), "(%s * %s)" % (a, b), "(%s ^ %s)" % (a, b),
            "(%s << (%s & 63))" % (a, self.leaf_u()), "(%s >> (%s & 63))" % (a, self.leaf_u()),
            "(%s / (%s | 1))" % (a, b), "(%s %% (%s | 1))" % (a, b), "(uint64_t)%s" % self.u(depth - 1),
            "(uint64_t)(int64_t)%s" % self.i(depth - 1), "mulhill(%s, %s)" % (a, b),
            "(uint64_t)((int64_t)%s >> (%s & 63))" % (a, self.leaf_u()), "(uint64_t)toint(%s)" % self.d(depth - 1))

    def real(self, depth, kind):
        if depth == 0 or self.r.random() < 0.2:
            suffix = "f" if kind == "f" else ""
            return self.pick("s.%s[%d]" % (kind, self.r.randrange(3 if kind == "f" else 2)),
                             "%.3f%s" % (self.r.uniform(0.1, 9), suffix))
        a, b = self.real(depth - 1, kind), self.real(depth - 1, kind)
        suffix, name = ("f", "float") if kind == "f" else ("", "double")
        other = self.real(0, "d" if kind == "f" else "f")
        return self.pick(
            "(%s + %s)" % (a, b), "(%s - %s)" % (a, b), "(%s * %s)" % (a, b), "(%s / tame(%s))" % (a, b),
            "sqrt%s(fabs%s(%s))" % (suffix, suffix, a), "fma%s(%s, %s, tame(%s))" % (suffix, a, b, a),
            "fmin%s(tame(%s), tame(%s))" % (suffix, a, b), "fmax%s(tame(%s), tame(%s))" % (suffix, a, b),
            "floor%s(%s)" % (suffix, a), "(%s)%s" % (name, self.i(depth - 1)), "(%s)%s" % (name, self.u(depth - 1)),
            "(%s)%s" % (name, other), "(%s)(int64_t)%s" % (name, self.w(depth - 1)))

    def f(self, depth):
        return self.real(depth, "f")

    def d(self, depth):
        return self.real(depth, "d")

    def condition(self, depth):
        return self.pick("%s < %s" % (self.u(depth), self.u(depth)), "%s > %s" % (self.i(depth), self.i(depth)),
                         "(%s & 1) != 0" % self.u(depth), "%s < %s" % (self.f(depth), self.f(depth)),
                         "%s < %s" % (self.w(depth), self.w(depth)), "thread %% %d == 0" % self.r.randrange(2, 9))

    def assignment(self):
        kind = self.pick("u", "u", "i", "w", "f", "d")
        if kind in "fd":
            return "s.%s[%d] = tame(%s);" % (kind, self.r.randrange(3 if kind == "f" else 2), self.real(3, kind))
        index = self.r.randrange({"u": 4, "i": 3, "w": 2}[kind])
        return "s.%s[%d] = %s;" % (kind, index, getattr(self, kind)(3))

    def atomic(self):
        cell = "%s %% CELLS" % self.leaf_u()
        part = self.r.randrange(7)
        # One operation for each cell: operations of different kinds do not commute.
        return (
            "cell_Add(&cells->u[%s / 4], %s);" % (cell, self.u(1)),
            "cell_Sub(&cells->u[%s / 4], %s);" % (cell, self.u(1)),
            "cell_%s(&cells->u[4 + %s / 4], %s);" % ("Xor", cell, self.u(1)),
            "cell_%s(&cells->u[8 + %s / 4], %s);" % ("Max", cell, self.u(1)),
            "cell_%s(&cells->i[%s %% 8], %s);" % ("Min", cell, self.i(1)),
            "cell_Add(&cells->w[%s %% 8], %s);" % (cell, self.w(1)),
            "cell_Add(&cells->f[%s], (float)(%s & 15));" % (cell, self.leaf_u()))[part]

    def statement(self, depth, loops):
        kind = self.r.random()
        if depth == 0 or kind < 0.5:
            return self.atomic() if kind < 0.08 else self.assignment()
        if kind < 0.7:
            return "if (%s) { %s } else { %s }" % (self.condition(1), self.block(depth - 1, loops),
                                                   self.block(depth - 1, loops))
        if kind < 0.85 and loops < 2:
            self.names += 1
            k = "k%d" % self.names
            leave = "if (%s) %s;" % (self.condition(1), self.pick("break", "continue"))
            return "for (uint32_t %s = 0; %s < (%s & 7); %s++) { %s %s %s }" % (
                k, k, "0x%x" % self.r.getrandbits(8) if self.r.random() < 0.5 else "thread + block", k,
                self.block(depth - 1, loops + 1), leave, self.block(0, loops + 1))
        if kind < 0.95:
            cases = " ".join("case %d: %s%s" % (n, self.block(depth - 1, 9), self.pick(" break;", ""))
                             for n in range(4))
            return "switch (%s %% 6) { %s default: %s }" % (self.u(1), cases, self.block(0, 9))
        return "if (%s) return;" % self.condition(1)

    def block(self, depth, loops):
        return " ".join(self.statement(depth, loops) for _ in range(self.r.randrange(1, 4)))

    def exchange(self):
        """An operation on a warp: its device statement, and the host's for the states t[0..31] to copies n[0..31]."""
        kind = self.pick("u", "i", "w", "f", "d")
        to = "%s[%d]" % (kind, self.r.randrange(2))
        of = "%s[%d]" % (kind, self.r.randrange(2))
        k, width = self.r.randrange(1, 32), self.pick(32, 16, 8, 4)
        form = self.r.randrange(7)
        base = "(l & ~%d)" % (width - 1)
        if form == 0:
            return ("s.%s = __shfl_xor_sync(~0u, s.%s, %d);" % (to, of, k), "n[l].%s = t[l ^ %d].%s;" % (to, k, of))
        if form == 1:
            return ("s.%s = __shfl_down_sync(~0u, s.%s, %d, %d);" % (to, of, k, width),
                    "n[l].%s = t[(l & %d) + %d < %d ? l + %d : l].%s;" % (to, width - 1, k, width, k, of))
        if form == 2:
            return ("s.%s = __shfl_up_sync(~0u, s.%s, %d, %d);" % (to, of, k, width),
                    "n[l].%s = t[(l & %d) >= %d ? l - %d : l].%s;" % (to, width - 1, k, k, of))
        if form == 3:
            return ("s.%s = __shfl_sync(~0u, s.%s, (int)(s.u[0] & 31), %d);" % (to, of, width),
                    "n[l].%s = t[%s + (t[l].u[0] & 31 & %d)].%s;" % (to, base, width - 1, of))
        if form == 4:
            return ("s.u[1] = __ballot_sync(~0u, s.u[2] & 1);",
                    "n[l].u[1] = 0; for (int m = 0; m < 32; m++) n[l].u[1] |= (t[m].u[2] & 1) << m;")
        if form == 5:
            return ("s.u[3] ^= __match_any_sync(~0u, s.u[1] %% %du);" % self.r.randrange(2, 6),
                    "%s") if False else (
                        "s.i[0] += __any_sync(~0u, s.i[1] < -2000000000) + 2 * __all_sync(~0u, s.u[0] != 0);",
                        "{ int any = 0, all = 1; for (int m = 0; m < 32; m++) { any |= t[m].i[1] < -2000000000; "
                        "all &= t[m].u[0] != 0; } n[l].i[0] = (int32_t)((uint32_t)t[l].i[0] + any + 2 * all); }")
        modulus = self.r.randrange(2, 6)
        return ("s.u[3] ^= __match_any_sync(~0u, s.u[1] %% %du);" % modulus,
                "{ uint32_t same = 0; for (int m = 0; m < 32; m++) same |= (uint32_t)(t[m].u[1] %% %du == t[l].u[1] %% "
                "%du) << m; n[l].u[3] ^= same; }" % (modulus, modulus))

    def kernel(self, number):
        phases = self.r.randrange(2, 5)
        text, device, host = [], [], []
        for p in range(phases):
            text.append(
                "BOTH void phase%d_%d(State &s, const uint32_t *previous, Cells *cells, uint32_t block, uint32_t thread)\n"
                "{\n#pragma clang fp contract(off)\n  %s\n}\n" % (number, p, self.block(2, 0)))
            device.append("  phase%d_%d(s, shared[%d], cells, blockIdx.x, threadIdx.x);" % (number, p, p % 2))
            host.append("    for (int i = 0; i < BLOCK; i++) phase%d_%d(t[i], shared[%d], &cells, b, i);" %
                        (number, p, p % 2))
            value = self.pick("u[0]", "u[1]", "i[0]")
            device.append("  shared[%d][threadIdx.x] = (uint32_t)s.%s;\n  __syncthreads();" % (1 - p % 2, value))
            host.append("    for (int i = 0; i < BLOCK; i++) shared[%d][i] = (uint32_t)t[i].%s;" % (1 - p % 2, value))
            d, h = self.exchange()
            device.append("  %s" % d)
            host.append("    exchange(t, [](const State *t, State *n, int l) { %s });" % h)
        return "%s__global__ void kernel%d(uint32_t *out, Cells *cells)\n{\n  __shared__ uint32_t shared[2][BLOCK];\n" \
            "  State s;\n  begin(s, blockIdx.x, threadIdx.x);\n  shared[0][threadIdx.x] = threadIdx.x;\n  __syncthreads();\n" \
            "%s\n  out[blockIdx.x * BLOCK + threadIdx.x] = digest(s);\n}\n" \
            "static void reference%d(std::vector<uint32_t> &out, Cells &cells)\n{\n  for (uint32_t b = 0; b < BLOCKS; b++) {\n" \
            "    std::vector<State> t(BLOCK);\n    uint32_t shared[2][BLOCK];\n" \
            "    for (uint32_t i = 0; i < BLOCK; i++) { begin(t[i], b, i); shared[0][i] = i; }\n%s\n" \
            "    for (int i = 0; i < BLOCK; i++) out[b * BLOCK + i] = digest(t[i]);\n  }\n}\n" % (
                "".join(text), number, "\n".join(device), number, "\n".join(host))


EXCHANGE = """
template <class F> static void exchange(std::vector<State> &t, F f)
{
  const std::vector<State> before = t;
  for (int w = 0; w < BLOCK; w += 32)
    for (int l = 0; l < 32; l++)
      f(&before[w], &t[w], l);
}
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(PROLOGUE + EXCHANGE)
    for number in range(count):
        print(Generator(seed * 1000003 + number).kernel(number))
    print(MAIN % (", ".join("kernel%d" % n for n in range(count)), ", ".join("reference%d" % n for n in range(count))))


main()
