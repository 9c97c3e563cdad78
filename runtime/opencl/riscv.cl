/* Launch, work-item functions, barriers and atomics of OpenCL C on machines with RISC-V instructions.
 *
 * A launch of kernel K starts the function K on all lanes (src/compiler/opencl). The groups of a range are dealt to
 * slots: a slot has as many lanes as a group has work-items, rounded up to a power of two, and executes every
 * `slots`-th group. SIMTLAB_VORTEX selects a machine whose warps have one program counter. */
#include "riscv.h"

/* The item's place in the range; the compiler replaces calls by a variable of K. */
__attribute__((const)) struct simtlab_item *simtlab_item(void);
/* Calls the kernel with the arguments that follow the range. */
void simtlab_body(__global const struct simtlab_launch *launch);

#define INLINE __attribute__((always_inline))
#define CSR(name)                                                                                                      \
  ({                                                                                                                   \
    uint value_;                                                                                                       \
    __asm__ volatile("csrr %0, " #name : "=r"(value_) : : "memory");                                                   \
    value_;                                                                                                            \
  })

static INLINE uint same(uint word)
{
  __asm__("# the same for all lanes" : "+r"(word));
  return word;
}

#ifdef SIMTLAB_VORTEX
static INLINE void activate(uint lanes)
{
  __asm__ volatile(".insn r 0x0B, 0, 0, x0, %0, x0" : : "r"(lanes) : "memory");
}
#else
#ifdef SIMTLAB_MARKS
#define COMMAND(number) __asm__ volatile(".word 0x00051009\n\t.word 0x00050009\n\tcsrwi 0x830, " #number : : : "memory")
#else
/* Lanes that are one call less deep wait for all others: a return and a call. */
#define COMMAND(number)                                                                                                \
  do {                                                                                                                 \
    uint ra_;                                                                                                          \
    __asm__ volatile("mv %0, ra\n\tlla ra, 1f\n\tjr ra\n1:\tcsrwi 0x830, " #number "\n\tjal ra, 2f\n2:\tmv ra, %0"        \
                     : "=&r"(ra_)                                                                                      \
                     :                                                                                                 \
                     : "memory");                                                                                      \
  } while (0)
#endif
#endif

#ifndef SIMTLAB_VORTEX
#ifdef SIMTLAB_MARKS
#define PUSH() __asm__ volatile(".word 0x00050009" : : : "memory")
#define POP() __asm__ volatile(".word 0x00051009" : : : "memory")
#define CONVERGE() __asm__ volatile(".word 0x00051009\n\t.word 0x00050009" : : : "memory")
#else
#define AROUND(text)                                                                                                   \
  do {                                                                                                                 \
    uint ra_;                                                                                                          \
    __asm__ volatile("mv %0, ra\n\t" text "mv ra, %0" : "=&r"(ra_) : : "memory");                                      \
  } while (0)
#define PUSH() AROUND("jal ra, 2f\n2:\t")
#define POP() AROUND("lla ra, 1f\n\tjr ra\n1:\t")
#define CONVERGE() AROUND("lla ra, 1f\n\tjr ra\n1:\tjal ra, 2f\n2:\t")
#endif

/* Words of the group's local memory, for barriers of groups that do not fill their warps: how many warps have arrived,
 * and how often all have. */
struct gathering {
  uint arrived, turn;
};

static INLINE volatile __local struct gathering *gathering_of(const struct simtlab_item *item,
                                                              __global const struct simtlab_launch *launch)
{
  return (volatile __local struct gathering *)(item->local_base + launch->shared_bytes - sizeof(struct gathering));
}

/* One lane of each warp counts; the last one lets all go on. */
static INLINE void gather(const struct simtlab_item *item, __global const struct simtlab_launch *launch)
{
  volatile __local struct gathering *g = gathering_of(item, launch);
  CONVERGE();
  const uint turn = g->turn;
  CONVERGE();
  if (item->flat % launch->partial == 0 &&
      __atomic_fetch_add(&g->arrived, 1, __ATOMIC_RELAXED) == launch->warps - 1) {
    g->arrived = 0;
    __asm__ volatile("fence" : : : "memory");
    g->turn = turn + 1;
  }
  CONVERGE();
  while (g->turn == turn)
    ;
  CONVERGE();
}
#endif

static INLINE void wait_for_group(const struct simtlab_item *item, __global const struct simtlab_launch *launch)
{
#ifdef SIMTLAB_VORTEX
  __asm__ volatile(".insn r 0x0B, 4, 0, x0, %0, %1" : : "r"(item->slot), "r"(launch->warps) : "memory");
#else
  if (launch->partial)
    gather(item, launch);
  else
    COMMAND(0);
#endif
}

static INLINE void place_item(struct simtlab_item *item, __global const struct simtlab_launch *launch, uint flat)
{
  item->launch = launch;
  item->flat = flat;
  const uint x = launch->local_size[0], y = launch->local_size[1];
  uint row = 0;
  item->local_id[0] = flat;
  if (x < launch->items) {
    row = flat / x;
    item->local_id[0] = flat - row * x;
  }
  const uint layer = row / y;
  item->local_id[1] = row - layer * y;
  item->local_id[2] = layer;
}

static INLINE void run_groups(struct simtlab_item *item, __global const struct simtlab_launch *launch, uint slot)
{
  const uint step = launch->slots, end = launch->count;
  for (uint i = slot; i < end; i += step) {
    const uint row = i / launch->groups[0], layer = row / launch->groups[1];
    item->group[0] = i - row * launch->groups[0];
    item->group[1] = row - layer * launch->groups[1];
    item->group[2] = layer;
    for (uint d = 0; d < 3; d++)
      item->first[d] = item->group[d] * launch->local_size[d] + launch->offset[d];
    simtlab_body(launch);
    if (launch->separate)
      wait_for_group(item, launch);
  }
}

/* A record for printf. Those that find no room share a place behind the others. */
__global uint *simtlab_print(uint bytes, uint format)
{
  __global uint *buffer = (__global uint *)simtlab_item()->launch->print;
  const uint at = __atomic_fetch_add(buffer, bytes, __ATOMIC_RELAXED), room = buffer[1];
  const uint fits = 0 - (uint)(at < room && bytes <= room - at);
  __global uint *record = buffer + 4 + ((at & fits) | (room & ~fits)) / 4;
  record[0] = bytes;
  record[1] = format;
  return record;
}

/* The bits of a float as a double. */
ulong simtlab_widen(uint bits)
{
  uint exponent = bits >> 23 & 255, fraction = bits & 0x7fffff;
  const ulong sign = (ulong)(bits >> 31) << 63;
  if (exponent == 0 && fraction != 0) {
    const uint shift = clz(fraction) - 8;
    fraction = fraction << shift & 0x7fffff;
    exponent = 1 - shift;
  } else if (exponent == 0)
    return sign;
  const uint wide = exponent == 255 ? 0x7ff : exponent + 896;
  return sign | (ulong)wide << 52 | (ulong)fraction << 29;
}

void simtlab_run(__global const struct simtlab_launch *launch)
{
  struct simtlab_item *item = simtlab_item();
#ifdef SIMTLAB_VORTEX
  const uint lanes = CSR(0xFC0), from = CSR(0xCC1) * lanes, lane = CSR(0xCC0), slot = from >> launch->slot_shift;
  const uint in_group = from - (slot << launch->slot_shift), number = CSR(0xCC2) * launch->core_slots + slot;
  if (slot >= launch->core_slots || number >= launch->slots || in_group >= launch->items)
    return;
  if (launch->items - in_group < lanes)
    activate((1u << (launch->items - in_group)) - 1);
  item->slot = slot;
  item->local_base = CSR(0xFC3) + slot * launch->shared_bytes;
  place_item(item, launch, in_group + lane);
  run_groups(item, launch, number);
  activate(~0u);
#else
  const uint hart = CSR(0xF14), slot = same(hart >> launch->slot_shift);
  if (slot < launch->slots) {
    item->slot = slot;
    item->local_base = 0xBFFF0000u + slot * launch->shared_bytes;
    place_item(item, launch, hart - (slot << launch->slot_shift));
    if (launch->partial) {
      if (item->flat == 0) {
        gathering_of(item, launch)->arrived = 0;
        gathering_of(item, launch)->turn = 0;
      }
      COMMAND(0);
    }
    if (item->flat < launch->items) {
      PUSH();
      run_groups(item, launch, slot);
      POP();
    }
  }
  __asm__ volatile("fence" : : : "memory");
  COMMAND(3);
#endif
}

/* ---- work-item functions ----------------------------------------------------------------------------------------- */

#define OF_DIMENSION(d, array, otherwise) ((d) == 0 ? array[0] : (d) == 1 ? array[1] : (d) == 2 ? array[2] : (otherwise))

uint OVERLOAD get_work_dim(void)
{
  return simtlab_item()->launch->dimensions;
}
size_t OVERLOAD get_local_id(uint d)
{
  return OF_DIMENSION(d, simtlab_item()->local_id, 0);
}
size_t OVERLOAD get_local_size(uint d)
{
  return OF_DIMENSION(d, simtlab_item()->launch->local_size, 1);
}
size_t OVERLOAD get_group_id(uint d)
{
  return OF_DIMENSION(d, simtlab_item()->group, 0);
}
size_t OVERLOAD get_num_groups(uint d)
{
  return OF_DIMENSION(d, simtlab_item()->launch->groups, 1);
}
size_t OVERLOAD get_global_offset(uint d)
{
  return OF_DIMENSION(d, simtlab_item()->launch->offset, 0);
}
size_t OVERLOAD get_global_size(uint d)
{
  return get_num_groups(d) * get_local_size(d);
}
size_t OVERLOAD get_global_id(uint d)
{
  return OF_DIMENSION(d, simtlab_item()->first, 0) + get_local_id(d);
}
size_t OVERLOAD get_global_linear_id(void)
{
  const size_t y = get_global_id(1) - get_global_offset(1), z = get_global_id(2) - get_global_offset(2);
  return (z * get_global_size(1) + y) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
}
size_t OVERLOAD get_local_linear_id(void)
{
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

void OVERLOAD mem_fence(cl_mem_fence_flags flags)
{
  (void)flags;
  __asm__ volatile("fence" : : : "memory");
}
void OVERLOAD read_mem_fence(cl_mem_fence_flags flags)
{
  mem_fence(flags);
}
void OVERLOAD write_mem_fence(cl_mem_fence_flags flags)
{
  mem_fence(flags);
}
void __attribute__((convergent)) OVERLOAD barrier(cl_mem_fence_flags flags)
{
  if ((flags & CLK_GLOBAL_MEM_FENCE) != 0)
    mem_fence(flags);
  wait_for_group(simtlab_item(), simtlab_item()->launch);
}

/* ---- operations that code generation would turn into loops or calls ---------------------------------------------- */

uint simtlab_exchange(__private uint *at, uint expected, uint value)
{
  uint old, failed = 1;
  do {
    __asm__ volatile("lr.w %0, (%1)" : "=&r"(old) : "r"(at) : "memory");
    if (old != expected)
      failed = 0;
    else
      __asm__ volatile("sc.w %0, %2, (%1)" : "=&r"(failed) : "r"(at), "r"(value) : "memory");
  } while (failed != 0);
  return old;
}

void simtlab_fill(__private uchar *to, uint value, uint bytes)
{
  for (uint i = 0; i < bytes; i++)
    ((volatile __private uchar *)to)[i] = (uchar)value;
}

void simtlab_copy(__private uchar *to, __private const uchar *from, uint bytes)
{
  for (uint i = 0; i < bytes; i++)
    ((volatile __private uchar *)to)[i] = from[i];
}
void simtlab_move(__private uchar *to, __private const uchar *from, uint bytes)
{
  for (uint i = 0; i < bytes; i++) {
    const uint k = (uint)to <= (uint)from ? i : bytes - 1 - i;
    ((volatile __private uchar *)to)[k] = from[k];
  }
}

/* Halves are words of 16 bits in memory. */
float simtlab_from_half(uint word)
{
  const uint sign = (word & 0x8000) << 16, size = word & 0x7FFF;
  const float scaled = as_float(size << 13) * 0x1p112f; /* also of subnormal ones */
  return as_float(sign | (size >= 0x7C00 ? (size << 13) + 0x70000000 : as_uint(scaled)));
}
uint simtlab_to_half(float x)
{
  const uint bits = as_uint(x), sign = bits >> 16 & 0x8000, size = bits & 0x7FFFFFFF;
  const uint normal = size - 0x38000000, even = normal >> 13 & 1;
  const uint rounded = (normal + 0xFFF + even) >> 13;
  const uint small = as_uint(as_float(size) + 0.5f) - 0x3F000000; /* rounds at the least half's place */
  const uint value = size >= 0x38800000 ? rounded : small;
  const uint large = size > 0x7F800000 ? 0x7E00 : 0x7C00;
  return sign | (size >= 0x477FF000 ? large : value);
}

/* Rounding by the conversion to integers, which truncates in every mode; floats from 2^23 on have no fraction. */
static INLINE float restore(float rounded, float x)
{
  return fabs(x) < 0x1p23f ? copysign(rounded, x) : x;
}
float simtlab_trunc(float x)
{
  return restore((float)(int)x, x);
}
float simtlab_floor(float x)
{
  const float t = (float)(int)x;
  return restore(t > x ? t - 1 : t, x);
}
float simtlab_ceil(float x)
{
  const float t = (float)(int)x;
  return restore(t < x ? t + 1 : t, x);
}
float simtlab_rint(float x)
{
  return restore((fabs(x) + 0x1p23f) - 0x1p23f, x);
}
float simtlab_round(float x)
{
  const float size = fabs(x), t = (float)(int)size;
  return restore(size - t >= 0.5f ? t + 1 : t, x);
}

/* The bits of a finite number that is not 0: |a| is the result times 2^*exponent. */
static ulong digits_of(float a, int *exponent)
{
  const uint bits = as_uint(a) & 0x7fffffff, field = bits >> 23;
  *exponent = (field == 0 ? 1 : (int)field) - 150;
  return field == 0 ? bits : (bits & 0x7fffff) | 0x800000;
}

static ulong shifted(ulong bits, int by) /* right; the lowest bit says that bits are lost */
{
  return by >= 64 ? bits != 0 : bits >> by | ((bits & (((ulong)1 << by) - 1)) != 0);
}

/* A function of its own: it is large. libclc's flushes subnormals, and has the wrong sign for -0 + 0. The sum has at least
 * 60 bits, of which 24 are rounded to. */
float simtlab_fma(float a, float b, float c)
{
  int e, f, g;
  if (!isfinite(a) || !isfinite(b) || a == 0 || b == 0)
    return a * b + c;
  if (!isfinite(c))
    return c;
  if (c == 0)
    return a * b;
  ulong product = digits_of(a, &e) * digits_of(b, &f), sum, other = digits_of(c, &g);
  e += f;
  while (product < (ulong)1 << 61) { /* of subnormals */
    product <<= 1;
    e--;
  }
  while (other < (ulong)1 << 61) {
    other <<= 1;
    g--;
  }
  const uint sign = (as_uint(a) ^ as_uint(b)) & 0x80000000;
  uint minus = sign;
  if (e >= g)
    other = shifted(other, e - g);
  else {
    product = shifted(product, g - e);
    e = g;
  }
  if (sign == (as_uint(c) & 0x80000000))
    sum = product + other;
  else {
    sum = product > other ? product - other : other - product;
    minus = product >= other ? sign : ~sign & 0x80000000;
  }
  if (sum == 0)
    return 0;
  const int least = max(e + 63 - (int)clz(sum) - 23, -149), by = least - e; /* the exponent of the last digit */
  ulong kept = sum;
  if (by <= 0)
    kept <<= -by;
  else {
    const ulong rest = shifted(sum, by > 2 ? by - 2 : 0) << (by > 2 ? 0 : 2 - by);
    kept = (rest >> 2) + ((rest & 2) != 0 && (rest & 5) != 0);
  }
  const int first = clamp(least, -75, 100); /* both products are exact, or too large */
  const float size = (float)(uint)kept * as_float((uint)(first + 127) << 23);
  return as_float(as_uint(size * as_float((uint)(min(least - first, 127) + 127) << 23)) | minus);
}

/* Intrinsics without an instruction, which are libclc's native functions. */
#define NATIVE(name)                                                                                                   \
  float simtlab_##name(float x)                                                                                        \
  {                                                                                                                    \
    return name(x);                                                                                                    \
  }
NATIVE(sin)
NATIVE(cos)
NATIVE(exp)
NATIVE(exp2)
NATIVE(log)
NATIVE(log2)
NATIVE(log10)
