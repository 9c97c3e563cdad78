// Video instructions by inline assembly against the host's arithmetic on each element.
#include <cstdio>
#include <cstdint>

#define EACH(one) /* opcode, types, width, signed, saturates, sums, value of elements x and y */                       \
  one(vadd4.u32.u32.u32, 8, false, false, false, x + y) one(vadd4.s32.s32.s32.sat, 8, true, true, false, x + y)        \
  one(vsub4.u32.u32.u32.sat, 8, false, true, false, x - y) one(vsub2.s32.s32.s32, 16, true, false, false, x - y)       \
  one(vabsdiff4.u32.u32.u32.add, 8, false, false, true, x < y ? y - x : x - y)                                         \
  one(vabsdiff2.s32.s32.s32, 16, true, false, false, x < y ? y - x : x - y)                                            \
  one(vmin4.s32.s32.s32, 8, true, false, false, x < y ? x : y) one(vmax2.u32.u32.u32.add, 16, false, false, true, x > y ? x : y) \
  one(vavrg4.u32.u32.u32, 8, false, false, false, (x + y + 1) >> 1)

__global__ void kernel(const uint32_t *v, uint32_t *result, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint32_t a = v[i], b = v[(i * 7 + 3) % n], c = v[(i * 5 + 1) % n], *r = result + i * 12;
#define ONE(op, width, sign, sat, sums, value)                                                                         \
  asm(#op " %0, %1, %2, %3;" : "=r"(*r) : "r"(a), "r"(b), "r"(c));                                                     \
  r++;
  EACH(ONE)
#undef ONE
  asm("vadd.s32.s32.s32.sat %0, %1, %2;" : "=r"(*r) : "r"(a), "r"(b));
  r++;
  asm("vabsdiff.u32.u32.u32 %0, %1, %2;" : "=r"(*r) : "r"(a), "r"(b));
  r++;
  asm("vmax.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(*r) : "r"(a), "r"(b), "r"(c));
}

static int64_t element(uint32_t v, int at, int width, bool sign)
{
  const int64_t e = (int64_t)(v >> at) & ((1ll << width) - 1);
  return sign && e >> (width - 1) ? e - (1ll << width) : e;
}

int main()
{
  enum { N = 512 };
  static uint32_t v[N], got[N * 12];
  uint32_t *device, *result, random = 1;
  int bad = 0;
  for (int i = 0; i < N; i++)
    random = random * 1664525 + 1013904223, v[i] = random ^ random >> 13;
  v[0] = 0, v[1] = 0xffffffff, v[2] = 0x80808080, v[3] = 0x7f7f7f7f, v[4] = 0x80000000, v[5] = 0x7fffffff;
  cudaMalloc(&device, sizeof v);
  cudaMalloc(&result, sizeof got);
  cudaMemcpy(device, v, sizeof v, cudaMemcpyHostToDevice);
  kernel<<<N / 64, 64>>>(device, result, N);
  cudaMemcpy(got, result, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) {
    const uint32_t a = v[i], b = v[(i * 7 + 3) % N], c = v[(i * 5 + 1) % N], *r = got + i * 12;
#define ONE(op, width, sign, sat, sums, value)                                                                         \
  {                                                                                                                    \
    uint32_t wanted = sums ? c : 0;                                                                                    \
    for (int at = 0; at < 32; at += width) {                                                                           \
      const int64_t x = element(a, at, width, sign), y = element(b, at, width, sign);                                  \
      const int64_t most = (1ll << (sign ? width - 1 : width)) - 1, least = sign ? -most - 1 : 0;                      \
      int64_t z = value;                                                                                               \
      if (sat)                                                                                                         \
        z = z > most ? most : z < least ? least : z;                                                                   \
      const uint32_t bits = (uint32_t)z & (uint32_t)((1ll << width) - 1);                                              \
      wanted = sums ? wanted + (uint32_t)element(bits, 0, width, sign) : wanted | bits << at;                          \
    }                                                                                                                  \
    bad += *r++ != wanted;                                                                                             \
  }
    EACH(ONE)
    const int64_t sum = (int64_t)(int32_t)a + (int32_t)b;
    bad += *r++ != (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
    bad += *r++ != (a < b ? b - a : a - b);
    bad += *r++ != ((int32_t)a > (int32_t)b ? a : b) + c;
  }
  printf("%d %s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
