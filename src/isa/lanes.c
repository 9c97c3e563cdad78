/* Built once per x86-64 level (SL_LEVEL names it); the loops are plain C for the compiler to vectorise. */
#include "isa/lanes.h"

#include "isa/semantics.h"

#define S(x) ((int32_t)(x))
#define JOIN3_(a, b, c) a##_##b##_##c
#define JOIN3(a, b, c) JOIN3_(a, b, c)

#if defined(__clang__)
#define EACH_LANE(n) _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < (n); l++)
#else
#define EACH_LANE(n) _Pragma("GCC ivdep") for (unsigned l = 0; l < (n); l++)
#endif

/* A value for rd on the active lanes; all lanes active is the common case and needs no blending. */
#define VALUE_FUNCTION(name, n, set_t, expression)                                                                     \
  static sl_lanes name(uint32_t *x, const struct sl_insn *in, sl_lanes active, uint32_t pc, unsigned lanes)            \
  {                                                                                                                    \
    (void)lanes, (void)pc;                                                                                             \
    uint32_t *d = x + in->rd * (n);                                                                                    \
    const uint32_t *ra = x + in->rs1 * (n), *rb = x + in->rs2 * (n);                                                   \
    const uint32_t imm = in->imm;                                                                                      \
    (void)imm;                                                                                                         \
    if (active == sl_low_bits(n)) {                                                                                    \
      EACH_LANE(n)                                                                                                     \
      {                                                                                                                \
        const uint32_t a = ra[l], b = rb[l];                                                                           \
        (void)a, (void)b;                                                                                              \
        d[l] = (uint32_t)(expression);                                                                                 \
      }                                                                                                                \
    } else {                                                                                                           \
      const set_t on = (set_t)active;                                                                                  \
      EACH_LANE(n)                                                                                                     \
      {                                                                                                                \
        const uint32_t a = ra[l], b = rb[l];                                                                           \
        (void)a, (void)b;                                                                                              \
        const uint32_t value = (uint32_t)(expression);                                                                 \
        d[l] = (on >> l) & 1 ? value : d[l];                                                                           \
      }                                                                                                                \
    }                                                                                                                  \
    return 0;                                                                                                          \
  }

/* The active lanes for which a condition over rs1 and rs2 holds. */
#define CONDITION_FUNCTION(name, n, set_t, expression)                                                                 \
  static sl_lanes name(uint32_t *x, const struct sl_insn *in, sl_lanes active, uint32_t pc, unsigned lanes)            \
  {                                                                                                                    \
    (void)lanes, (void)pc;                                                                                             \
    const uint32_t *ra = x + in->rs1 * (n), *rb = x + in->rs2 * (n);                                                   \
    set_t taken = 0;                                                                                                   \
    for (unsigned l = 0; l < (n); l++) {                                                                               \
      const uint32_t a = ra[l], b = rb[l];                                                                             \
      taken |= (set_t)((set_t)(expression) << l);                                                                      \
    }                                                                                                                  \
    return taken & active;                                                                                             \
  }

#define MEMORY_FUNCTIONS(suffix, n, set_t)                                                                             \
  /* Moves the addresses of own stacks to where they are in memory; returns whether some address is in the gap. */     \
  static bool interleave_##suffix(uint32_t *address, const struct sl_stack_map *map, unsigned lanes)                   \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    const uint32_t stacks = map->virtual_base, memory = map->physical_base | map->lane0;                               \
    const uint32_t gap = map->gap_bytes, gap_base = stacks - gap;                                                      \
    const unsigned slot = map->slot_shift;                                                                             \
    uint32_t stray = 0;                                                                                                \
    EACH_LANE(n)                                                                                                       \
    {                                                                                                                  \
      const uint32_t v = address[l];                                                                                   \
      const uint32_t p = memory | ((v - stacks) >> 2) << slot | (uint32_t)(l << 2) | (v & 3);                          \
      address[l] = v >= stacks ? p : v;                                                                                \
      stray |= v - gap_base < gap;                                                                                     \
    }                                                                                                                  \
    return stray;                                                                                                      \
  }                                                                                                                    \
  static void addresses_##suffix(const uint32_t *base, const struct sl_insn *in, sl_lanes active,                      \
                                 const struct sl_stack_map *map, uint32_t *address, struct sl_addresses *summary,      \
                                 unsigned lanes)                                                                       \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    const set_t on = (set_t)active;                                                                                    \
    const unsigned lowest = sl_lowest(active);                                                                         \
    const uint32_t imm = in->imm, width = in->width;                                                                   \
    const uint32_t any = base[lowest] + imm;                                                                           \
    uint32_t top = 0;                                                                                                  \
    EACH_LANE(n)                                                                                                       \
    {                                                                                                                  \
      const uint32_t v = (on >> l) & 1 ? base[l] + imm : any;                                                          \
      address[l] = v;                                                                                                  \
      top = v > top ? v : top;                                                                                         \
    }                                                                                                                  \
    const bool stray = top >= map->virtual_base - map->gap_bytes && interleave_##suffix(address, map, lanes);          \
    const uint32_t first = address[lowest], lane0 = first - lowest * width;                                            \
    uint32_t low = first, high = first, bits = 0, off_stride = 0;                                                      \
    EACH_LANE(n)                                                                                                       \
    {                                                                                                                  \
      const uint32_t a = (on >> l) & 1 ? address[l] : first;                                                           \
      const uint32_t off = (on >> l) & 1 ? a ^ (lane0 + (uint32_t)l * width) : 0;                                      \
      address[l] = a;                                                                                                  \
      bits |= a;                                                                                                       \
      low = a < low ? a : low;                                                                                         \
      high = a > high ? a : high;                                                                                      \
      off_stride |= off;                                                                                               \
    }                                                                                                                  \
    *summary = (struct sl_addresses){.low = low,                                                                       \
                                     .high = high,                                                                     \
                                     .first = first,                                                                   \
                                     .misaligned = (bits & (width - 1)) != 0,                                          \
                                     .stray = stray,                                                                   \
                                     .consecutive = off_stride == 0};                                                  \
  }                                                                                                                    \
  static sl_lanes equal_##suffix(const uint32_t *address, uint32_t value, unsigned lanes)                              \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    set_t set = 0;                                                                                                     \
    for (unsigned l = 0; l < (n); l++)                                                                                 \
      set |= (set_t)((set_t)(address[l] == value) << l);                                                               \
    return set;                                                                                                        \
  }                                                                                                                    \
  static sl_lanes within_##suffix(const uint32_t *address, uint32_t low, uint32_t size, unsigned lanes)                \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    set_t set = 0;                                                                                                     \
    for (unsigned l = 0; l < (n); l++)                                                                                 \
      set |= (set_t)((set_t)(address[l] - low < size) << l);                                                           \
    return set;                                                                                                        \
  }                                                                                                                    \
  static sl_lanes strided_##suffix(const uint32_t *address, uint32_t base, uint32_t stride, unsigned lanes)            \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    set_t set = 0;                                                                                                     \
    for (unsigned l = 0; l < (n); l++)                                                                                 \
      set |= (set_t)((set_t)(address[l] == base + l * stride) << l);                                                   \
    return set;                                                                                                        \
  }                                                                                                                    \
  static void broadcast_##suffix(uint32_t *d, uint32_t value, sl_lanes active, unsigned lanes)                         \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    const set_t on = (set_t)active;                                                                                    \
    EACH_LANE(n)                                                                                                       \
    d[l] = (on >> l) & 1 ? value : d[l];                                                                               \
  }                                                                                                                    \
  static void fill_##suffix(uint32_t *d, uint32_t base, uint32_t stride, unsigned lanes)                               \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    EACH_LANE(n)                                                                                                       \
    d[l] = base + (uint32_t)l * stride;                                                                                \
  }

/* The kinds that have no function here are the engines' own work. */
#define FUNCTION_ALU(name, n, set_t, e) VALUE_FUNCTION(name, n, set_t, e)
#define FUNCTION_MUL(name, n, set_t, e) VALUE_FUNCTION(name, n, set_t, e)
#define FUNCTION_DIV(name, n, set_t, e) VALUE_FUNCTION(name, n, set_t, e)
#define FUNCTION_FPU(name, n, set_t, e) VALUE_FUNCTION(name, n, set_t, e)
#define FUNCTION_BRANCH(name, n, set_t, e) CONDITION_FUNCTION(name, n, set_t, e)
#define FUNCTION_FPX(name, n, set_t, e)
#define FUNCTION_JAL(name, n, set_t, e)
#define FUNCTION_JALR(name, n, set_t, e)
#define FUNCTION_LOAD(name, n, set_t, e)
#define FUNCTION_STORE(name, n, set_t, e)
#define FUNCTION_AMO(name, n, set_t, e)
#define FUNCTION_LRSC(name, n, set_t, e)
#define FUNCTION_FENCE(name, n, set_t, e)
#define FUNCTION_CSR(name, n, set_t, e)
#define FUNCTION_SYSTEM(name, n, set_t, e)
#define FUNCTION_PUSH(name, n, set_t, e)
#define FUNCTION_POP(name, n, set_t, e)
#define FUNCTION_FLUSH(name, n, set_t, e)
#define FUNCTION_WARP(name, n, set_t, e)

#define ENTRY_ALU(id, name) [SL_OP_##id] = name,
#define ENTRY_MUL(id, name) [SL_OP_##id] = name,
#define ENTRY_DIV(id, name) [SL_OP_##id] = name,
#define ENTRY_FPU(id, name) [SL_OP_##id] = name,
#define ENTRY_BRANCH(id, name) [SL_OP_##id] = name,
#define ENTRY_FPX(id, name)
#define ENTRY_JAL(id, name)
#define ENTRY_JALR(id, name)
#define ENTRY_LOAD(id, name)
#define ENTRY_STORE(id, name)
#define ENTRY_AMO(id, name)
#define ENTRY_LRSC(id, name)
#define ENTRY_FENCE(id, name)
#define ENTRY_CSR(id, name)
#define ENTRY_SYSTEM(id, name)
#define ENTRY_PUSH(id, name)
#define ENTRY_POP(id, name)
#define ENTRY_FLUSH(id, name)
#define ENTRY_WARP(id, name)

#define TABLE_FUNCTIONS(suffix)                                                                                        \
  .addresses = addresses_##suffix, .equal = equal_##suffix, .within = within_##suffix, .strided = strided_##suffix,    \
  .broadcast = broadcast_##suffix, .fill = fill_##suffix

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* Lane counts 16 and 32 as constants, any other by the parameter; and a single value. */
#define ROW(kind, id, name, match, mask, format, set, e) FUNCTION_##kind(exec1_##id, 1u, uint32_t, e)
#include "isa/rv32.def"
#undef ROW
MEMORY_FUNCTIONS(1, 1u, uint32_t)

#define ROW(kind, id, name, match, mask, format, set, e) FUNCTION_##kind(exec16_##id, 16u, uint32_t, e)
#include "isa/rv32.def"
#undef ROW
MEMORY_FUNCTIONS(16, 16u, uint32_t)

#define ROW(kind, id, name, match, mask, format, set, e) FUNCTION_##kind(exec32_##id, 32u, uint32_t, e)
#include "isa/rv32.def"
#undef ROW
MEMORY_FUNCTIONS(32, 32u, uint32_t)

#define ROW(kind, id, name, match, mask, format, set, e) FUNCTION_##kind(execn_##id, lanes, uint64_t, e)
#include "isa/rv32.def"
#undef ROW
MEMORY_FUNCTIONS(n, lanes, uint64_t)

const struct sl_lane_ops JOIN3(sl_lane_ops, SL_LEVEL, 1) = {.level = TEXT(SL_LEVEL),
                                                            .execute =
                                                                {
#define ROW(kind, id, name, match, mask, format, set, e) ENTRY_##kind(id, exec1_##id)
#include "isa/rv32.def"
#undef ROW
                                                                },
                                                            TABLE_FUNCTIONS(1)};

const struct sl_lane_ops JOIN3(sl_lane_ops, SL_LEVEL, 16) = {.level = TEXT(SL_LEVEL),
                                                             .execute =
                                                                 {
#define ROW(kind, id, name, match, mask, format, set, e) ENTRY_##kind(id, exec16_##id)
#include "isa/rv32.def"
#undef ROW
                                                                 },
                                                             TABLE_FUNCTIONS(16)};

const struct sl_lane_ops JOIN3(sl_lane_ops, SL_LEVEL, 32) = {.level = TEXT(SL_LEVEL),
                                                             .execute =
                                                                 {
#define ROW(kind, id, name, match, mask, format, set, e) ENTRY_##kind(id, exec32_##id)
#include "isa/rv32.def"
#undef ROW
                                                                 },
                                                             TABLE_FUNCTIONS(32)};

const struct sl_lane_ops JOIN3(sl_lane_ops, SL_LEVEL, n) = {.level = TEXT(SL_LEVEL),
                                                            .execute =
                                                                {
#define ROW(kind, id, name, match, mask, format, set, e) ENTRY_##kind(id, execn_##id)
#include "isa/rv32.def"
#undef ROW
                                                                },
                                                            TABLE_FUNCTIONS(n)};
