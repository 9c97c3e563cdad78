// clang-format off
// Warp control in both encodings, and checks of values that all active lanes agree on. The first that fails leaves its
// number as the exit code. In 1.x split and join have no token, and pred has no second operand.
#ifdef ENCODING_1
#define TMC(set) .insn r 0x6b, 0, 0, x0, set, x0
#define WSPAWN(n, pc) .insn r 0x6b, 1, 0, x0, n, pc
#define SPLIT(t, p) .insn r 0x6b, 2, 0, x0, p, x0
#define JOIN(t) .insn r 0x6b, 3, 0, x0, x0, x0
#define BAR(i, n) .insn r 0x6b, 4, 0, x0, i, n
#define WARP(r) csrr r, 0xcc3
#else
#define TMC(set) .insn r 0x0b, 0, 0, x0, set, x0
#define WSPAWN(n, pc) .insn r 0x0b, 1, 0, x0, n, pc
#define SPLIT(t, p) .insn r 0x0b, 2, 0, t, p, x0
#define JOIN(t) .insn r 0x0b, 3, 0, x0, t, x0
#define BAR(i, n) .insn r 0x0b, 4, 0, x0, i, n
#define PRED(p, mask) .insn r 0x0b, 5, 0, x0, p, mask
#define PRED_N(p, mask) .insn r 0x0b, 5, 0, x1, p, mask
#define WARP(r) csrr r, 0xcc1
#endif

#define LANE(r) csrr r, 0xcc0
#define MASK(r) csrr r, 0xcc4
#define WARPS(r) csrr r, 0xfc1

#define EXIT_CODE 0x88

// On warps of 16 lanes; all of them are on.
.macro begin
  .globl _start
_start:
  li t0, -1
  TMC(t0)
.endm

.macro check number, reg, value
  li t5, \value
  li t6, \number
  beq \reg, t5, 1f
  j leave
1:
.endm

// The word of each lane in `out`.
.macro put reg
  LANE(t0)
  slli t0, t0, 2
  la t1, out
  add t0, t0, t1
  sw \reg, (t0)
.endm

// The word of lane `lane`.
.macro check_put number, lane, value
  la t1, out
  lw t0, 4 * \lane(t1)
  check \number, t0, \value
.endm

.macro end
  li t6, 0
leave:
  li t0, 1
  TMC(t0)
  li t0, EXIT_CODE
  sw t6, (t0)
  fence
  TMC(zero)
  .balign 4
out: .skip 256
.endm
