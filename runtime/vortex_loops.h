// Loops and streams that run in hardware on a machine with the extensions (SIMT_CFM, SIMT_DMSL), and in software on any
// other. The source is the same. Included by simt_work.h.
//
//   SIMT_LOOP_SET(items, 0, share.rounds, share.tail);        loop unit 0: iterations, thread mask of the last one
//   SIMT_STREAM_IN(0, x + hart, harts, share.rounds);         stream unit 0: base, step, number of elements
//   SIMT_STREAM_IN(1, y + hart, harts, share.rounds);
//   SIMT_STREAM_OUT(2, y + hart, harts, share.rounds);
//   SIMT_LOOP (items, i < n) {
//     SIMT_STREAM_MADD(2, a, 0, 1);                           next of 2 = a * next of 0 + next of 1
//   } SIMT_LOOP_WHILE(items, i += harts, i < n);
//   SIMT_STREAM_END(2);

#ifndef VORTEX_LOOPS_H
#define VORTEX_LOOPS_H

// Number of a unit's CSR: type (0 loop, 1 stream), unit, register.
#define VX_UNIT_CSR(type, unit, reg) (0x800 | (type) << 7 | (unit) << 3 | (reg))
#define VX_UNIT_WRITE(type, unit, reg, value)                                                                          \
  __asm__ volatile("csrw %0, %1" : : "i"(VX_UNIT_CSR(type, unit, reg)), "rJ"(value) : "memory")

// ------------------------------------------------------------------------------------------------
// Loops. SIMT_LOOP_SET comes before the outermost loop of a nest, once for each loop. A body runs at least once.
//
//   SIMT_LOOP (name, lanes) { ... } SIMT_LOOP_WHILE(name, step, condition);
//     the iteration count differs between lanes; `lanes` is the condition of the first iteration
//   SIMT_REPEAT (name) { ... } SIMT_REPEAT_WHILE(name, step, condition);
//     the iteration count is the same for all lanes of the warp
//
// In software the first is a predicated loop, where lanes whose condition fails wait for the others. The second is a
// plain loop. In hardware the conditions are not evaluated, and only those parts of the step remain that the body uses.
// The last instruction of the body is a `nop` at the end address, unless a suffix specifies it:
//   _STORE(name, pointer, value, step, condition)   *pointer = value, of float
//   _SUM(name, sum, a, b, step, condition)          sum += a * b, of float; SIMT_SUM(sum) declares the sum and
//                                                   keeps it in one register
//   _WITH(name, inner, step, condition)             the last instruction of the loop `inner`, which ends directly
//   before
// A loop's name must be unique in its file, and its function must not be inlined twice.

#ifdef SIMT_CFM

#define SIMT_LOOP_SET(name, unit, rounds, tail)                                                                        \
  do {                                                                                                                 \
    unsigned vx_place_;                                                                                                \
    __asm__ volatile("lla %0, .Lsimt_" #name "_start\n\tcsrw %1, %0\n\t"                                               \
                     "lla %0, .Lsimt_" #name "_end\n\tcsrw %2, %0"                                                     \
                     : "=&r"(vx_place_)                                                                                \
                     : "i"(VX_UNIT_CSR(0, unit, 0)), "i"(VX_UNIT_CSR(0, unit, 1))                                      \
                     : "memory");                                                                                      \
    VX_UNIT_WRITE(0, unit, 2, tail);                                                                                   \
    SIMT_LOOP_ROUNDS(name, unit, rounds);                                                                              \
  } while (0)
#define SIMT_LOOP_ROUNDS(name, unit, rounds) VX_UNIT_WRITE(0, unit, 3, (rounds) | 1u << 31)

// The compiler sees a loop with an unknown end. Code between the loop's last instruction and its first would not
// execute; the assembler checks that there is none.
#define SIMT_REPEAT(name)                                                                                              \
  {                                                                                                                    \
    __label__ vx_##name##_top;                                                                                         \
    vx_##name##_top : __asm__ volatile(".Lsimt_" #name "_start:" : : : "memory");
#define VX_LOOP_BACK(name)                                                                                             \
  __asm__ goto(".if . - .Lsimt_" #name "_end - 4\n\t.error \"loop " #name ": the compiler has put code behind its "    \
               "last instruction\"\n\t.endif\n\t.if %l[vx_" #name "_top] - .Lsimt_" #name "_start\n\t"                 \
               ".error \"loop " #name ": the compiler has put code on the way back\"\n\t.endif"                        \
               :                                                                                                       \
               :                                                                                                       \
               : "memory"                                                                                              \
               : vx_##name##_top);                                                                                     \
  }                                                                                                                    \
  do {                                                                                                                 \
  } while (0)
#define SIMT_REPEAT_WHILE(name, step, condition)                                                                       \
  (void)(step), (void)(condition);                                                                                     \
  __asm__ volatile(".Lsimt_" #name "_end: nop" : : : "memory");                                                        \
  VX_LOOP_BACK(name)
#define SIMT_REPEAT_STORE(name, pointer, value, step, condition)                                                       \
  (void)(step), (void)(condition);                                                                                     \
  __asm__ volatile(".Lsimt_" #name "_end: fsw %1, %0" : "=m"(*(pointer)) : "f"(value) : "memory");                     \
  VX_LOOP_BACK(name)
#define SIMT_REPEAT_SUM(name, sum, a, b, step, condition)                                                              \
  (void)(step), (void)(condition);                                                                                     \
  __asm__ volatile(".Lsimt_" #name "_end: fmadd.s %0, %1, %2, %0" : "+f"(sum) : "f"(a), "f"(b) : "memory");            \
  VX_LOOP_BACK(name)
#define SIMT_REPEAT_WITH(name, inner, step, condition)                                                                 \
  (void)(step), (void)(condition);                                                                                     \
  __asm__ volatile(".set .Lsimt_" #name "_end, .Lsimt_" #inner "_end" : : : "memory");                                 \
  VX_LOOP_BACK(name)
#define SIMT_LOOP(name, lanes) SIMT_REPEAT(name)
#define SIMT_SUM(name) register float name __asm__("ft8")
#define SIMT_LOOP_WHILE SIMT_REPEAT_WHILE
#define SIMT_LOOP_STORE SIMT_REPEAT_STORE
#define SIMT_LOOP_SUM SIMT_REPEAT_SUM
#define SIMT_LOOP_WITH SIMT_REPEAT_WITH

// A whole loop in assembly: the body without its last instruction, the last instruction, then the operands as for asm.
#define SIMT_LOOP_ASM(name, body, last, ...)                                                                           \
  __asm__ volatile(".Lsimt_" #name "_start: " body "\n.Lsimt_" #name "_end: " last : __VA_ARGS__)

#else

#define SIMT_LOOP_SET(name, unit, rounds, tail)                                                                        \
  do {                                                                                                                 \
  } while (0)
#define SIMT_LOOP_ROUNDS(name, unit, rounds)                                                                           \
  do {                                                                                                                 \
  } while (0)
#define SIMT_SUM(name) float name
#define SIMT_REPEAT(name)                                                                                              \
  {                                                                                                                    \
    do
#define SIMT_REPEAT_WHILE(name, step, condition)                                                                       \
  while (step, (condition))                                                                                            \
    ;                                                                                                                  \
  }                                                                                                                    \
  do {                                                                                                                 \
  } while (0)
#define SIMT_REPEAT_STORE(name, pointer, value, step, condition)                                                       \
  SIMT_REPEAT_WHILE(name, (*(pointer) = (value), (step)), condition)
#define SIMT_REPEAT_SUM(name, sum, a, b, step, condition)                                                              \
  SIMT_REPEAT_WHILE(name, ((sum) = __builtin_fmaf(a, b, sum), (step)), condition)
#define SIMT_REPEAT_WITH(name, inner, step, condition) SIMT_REPEAT_WHILE(name, step, condition)
#if defined SIMT_AUTO_MARKS || defined SIMT_GRID
#define SIMT_LOOP(name, lanes)                                                                                         \
  if (lanes) {                                                                                                         \
    do
#define SIMT_LOOP_WHILE SIMT_REPEAT_WHILE
#else
// A condition that the compiler knows to hold needs no split.
#define SIMT_LOOP(name, lanes)                                                                                         \
  {                                                                                                                    \
    const int simt_any_ = !!(lanes), simt_all_ = __builtin_constant_p(simt_any_) && simt_any_;                         \
    const unsigned simt_token_ = simt_all_ ? 0 : vx_split(simt_any_);                                                  \
    if (simt_any_)                                                                                                     \
    SIMT_DO
#define SIMT_LOOP_WHILE(name, step, condition)                                                                         \
  SIMT_DO_WHILE((step, (condition)));                                                                                  \
  if (!simt_all_)                                                                                                      \
    vx_join(simt_token_);                                                                                              \
  }                                                                                                                    \
  do {                                                                                                                 \
  } while (0)
#endif
#define SIMT_LOOP_STORE(name, pointer, value, step, condition)                                                         \
  SIMT_LOOP_WHILE(name, (*(pointer) = (value), (step)), condition)
#define SIMT_LOOP_SUM(name, sum, a, b, step, condition)                                                                \
  SIMT_LOOP_WHILE(name, ((sum) = __builtin_fmaf(a, b, sum), (step)), condition)
#define SIMT_LOOP_WITH(name, inner, step, condition) SIMT_LOOP_WHILE(name, step, condition)

#endif

// ------------------------------------------------------------------------------------------------
// Streams of float. Unit 0 is register ft9, unit 1 ft10, unit 2 ft11; with SIMT_DMSL the compiler does not allocate
// these registers. Each use of an input takes its next element. Steps are in elements. A stream _2D has rows of `row`
// elements, whose starts are `row_step` apart; 0 repeats the row.

#define VX_STREAM_MAPPED(unit) ((29 + (unit)) | 1u << 5 | 1u << 11) // register number, float, mapped to the register
#define VX_STREAM_READS(unit) (VX_STREAM_MAPPED(unit) | 1u << 10)   // prefetched
#define VX_STREAM_WRITES(unit) (VX_STREAM_MAPPED(unit) | 1u << 6)

#ifdef SIMT_DMSL

#define VX_STREAM_REGISTER_0 "ft9"
#define VX_STREAM_REGISTER_1 "ft10"
#define VX_STREAM_REGISTER_2 "ft11"
#define VX_STREAM_REGISTER_(unit) VX_STREAM_REGISTER_##unit
#define VX_STREAM_REGISTER(unit) VX_STREAM_REGISTER_(unit)

// Writes the mapping last, because it starts the stream.
#define VX_STREAM_SET(unit, base, step, row, count, config)                                                            \
  do {                                                                                                                 \
    VX_UNIT_WRITE(1, unit, 0, base);                                                                                   \
    VX_UNIT_WRITE(1, unit, 5, 4 * (step));                                                                             \
    VX_UNIT_WRITE(1, unit, 6, row);                                                                                    \
    VX_UNIT_WRITE(1, unit, 3, count);                                                                                  \
    VX_UNIT_WRITE(1, unit, 1, config);                                                                                 \
  } while (0)
#define SIMT_STREAM_IN(unit, base, step, count) VX_STREAM_SET(unit, base, step, 0, count, VX_STREAM_READS(unit))
#define SIMT_STREAM_IN_2D(unit, base, step, row, row_step, count)                                                      \
  do {                                                                                                                 \
    VX_UNIT_WRITE(1, unit, 4, 4 * (row_step));                                                                         \
    VX_STREAM_SET(unit, base, step, row, count, VX_STREAM_READS(unit));                                                \
  } while (0)
#define SIMT_STREAM_OUT(unit, base, step, count) VX_STREAM_SET(unit, base, step, 0, count, VX_STREAM_WRITES(unit))
// Restarts the stream at another address.
#define SIMT_STREAM_MOVE(unit, base) VX_UNIT_WRITE(1, unit, 0, base)
// Unmaps the register; all elements of an output are then in memory.
#define SIMT_STREAM_END(unit) VX_UNIT_WRITE(1, unit, 1, 0)

#define SIMT_STREAM_GET(unit)                                                                                          \
  __extension__({                                                                                                      \
    float vx_next_;                                                                                                    \
    __asm__ volatile("fmv.s %0, " VX_STREAM_REGISTER(unit) : "=f"(vx_next_));                                          \
    vx_next_;                                                                                                          \
  })
#define SIMT_STREAM_PUT(unit, value) __asm__ volatile("fmv.s " VX_STREAM_REGISTER(unit) ", %0" : : "f"(value))
// out = x * next of in + next of in2
#define SIMT_STREAM_MADD(out, x, in, in2)                                                                              \
  __asm__ volatile("fmadd.s " VX_STREAM_REGISTER(out) ", %0, " VX_STREAM_REGISTER(in) ", " VX_STREAM_REGISTER(in2)     \
                   :                                                                                                   \
                   : "f"(x))
// product of the next two elements; sum + product; the same to a stream
#define SIMT_STREAM_MUL(in, in2)                                                                                       \
  __extension__({                                                                                                      \
    float vx_next_;                                                                                                    \
    __asm__ volatile("fmul.s %0, " VX_STREAM_REGISTER(in) ", " VX_STREAM_REGISTER(in2) : "=f"(vx_next_));              \
    vx_next_;                                                                                                          \
  })
#define SIMT_STREAM_SUM(sum, in, in2)                                                                                  \
  __asm__ volatile("fmadd.s %0, " VX_STREAM_REGISTER(in) ", " VX_STREAM_REGISTER(in2) ", %0" : "+f"(sum))
#define SIMT_STREAM_SUM_OUT(out, sum, in, in2)                                                                         \
  __asm__ volatile("fmadd.s " VX_STREAM_REGISTER(out) ", " VX_STREAM_REGISTER(in) ", " VX_STREAM_REGISTER(in2) ", %0"  \
                   :                                                                                                   \
                   : "f"(sum))

#else

// Declares a pointer and its steps in the current scope.
#define VX_STREAM_SET(type, unit, base, step, row, row_step)                                                           \
  type *vx_at_##unit = (base);                                                                                         \
  const int vx_step_##unit = (int)(step), vx_row_step_##unit = (int)(row_step);                                        \
  const unsigned vx_row_##unit = (row);                                                                                \
  unsigned vx_left_##unit = vx_row_##unit
#define SIMT_STREAM_IN(unit, base, step, count) VX_STREAM_SET(const float, unit, base, step, 0, 0)
#define SIMT_STREAM_IN_2D(unit, base, step, row, row_step, count)                                                      \
  VX_STREAM_SET(const float, unit, base, step, row, row_step)
#define SIMT_STREAM_OUT(unit, base, step, count) VX_STREAM_SET(float, unit, base, step, 0, 0)
#define SIMT_STREAM_MOVE(unit, base) (void)(vx_at_##unit = (base), vx_left_##unit = vx_row_##unit)
#define SIMT_STREAM_END(unit) (void)(vx_at_##unit)

// Returns the address of the next element and advances the pointer. All lanes are at the same position of a row.
#define VX_STREAM_NEXT(unit)                                                                                           \
  __extension__({                                                                                                      \
    __typeof__(vx_at_##unit) vx_here_ = vx_at_##unit;                                                                  \
    vx_at_##unit += vx_step_##unit;                                                                                    \
    if (vx_row_##unit != 0 && --vx_left_##unit == 0) {                                                                 \
      vx_at_##unit += vx_row_step_##unit - vx_step_##unit * (int)vx_row_##unit;                                        \
      vx_left_##unit = vx_row_##unit;                                                                                  \
    }                                                                                                                  \
    vx_here_;                                                                                                          \
  })
#define SIMT_STREAM_GET(unit) (*VX_STREAM_NEXT(unit))
#define SIMT_STREAM_PUT(unit, value) (void)(*VX_STREAM_NEXT(unit) = (value))
#define VX_STREAM_FMA(in, in2, sum) __builtin_fmaf(SIMT_STREAM_GET(in), SIMT_STREAM_GET(in2), sum)
#define SIMT_STREAM_MADD(out, x, in, in2)                                                                              \
  SIMT_STREAM_PUT(out, __builtin_fmaf(x, SIMT_STREAM_GET(in), SIMT_STREAM_GET(in2)))
#define SIMT_STREAM_MUL(in, in2) (SIMT_STREAM_GET(in) * SIMT_STREAM_GET(in2))
#define SIMT_STREAM_SUM(sum, in, in2) (void)((sum) = VX_STREAM_FMA(in, in2, sum))
#define SIMT_STREAM_SUM_OUT(out, sum, in, in2) SIMT_STREAM_PUT(out, VX_STREAM_FMA(in, in2, sum))

#endif
#endif
