# Entry of a Vortex program: in every core, warp 0 begins here with lane 0, registers undefined.
#
# First, every thread of the core sets gp, sp and tp. Later only the thread's own calls change them, so a warp that a
# launch spawns still has them. Then core 0 calls main; the others wait for launches.

#define MHARTID 0xF14
#define MSCRATCH 0x340
#define MCYCLE 0xB00
#define CORE_ID 0xCC2
#define LANE_ID 0xCC0
#define LANES 0xFC0
#define ACTIVE 0xCC4
#define WARPS 0xFC1
#define STACK_TOP 0xFFFF0000
#define STACK_SHIFT 13 /* 8 KiB per thread */

        .macro  TMC mask
        .insn   r 0x0B, 0, 0, x0, \mask, x0
        .endm
        .macro  WSPAWN count, pc
        .insn   r 0x0B, 1, 0, x0, \count, \pc
        .endm
        .macro  PRED predicate, mask
        .insn   r 0x0B, 5, 0, x0, \predicate, \mask
        .endm
        .macro  YIELD
        .insn   r 0x0B, 0, 5, x0, x0, x0
        .endm

        # For whom the program is, as simtlab cc --target has it.
        .section .note.simtlab, "", @note
        .balign 4
        .word   1f - 0f, 3f - 2f, 1
0:      .asciz  "simtlab"
1:
2:      .asciz  "vortex"
3:      .balign 4

        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
_start:
        csrr    t0, WARPS
        lla     t1, warp_set_up
        WSPAWN  t0, t1
        li      t0, -1
        TMC     t0
        jal     t0, thread_set_up
        li      t0, 1
        TMC     t0
        WSPAWN  t0, zero                        # count 1: waits until the others have ended

        csrr    t0, CORE_ID
        bnez    t0, worker
        csrr    t0, MSCRATCH
        beqz    t0, 1f
        lw      t1, 0(t0)
        beqz    t1, launched
1:      lla     t0, __bss_start
        lla     t1, __bss_end
        bgeu    t0, t1, 2f
1:      sw      zero, 0(t0)
        addi    t0, t0, 4
        bltu    t0, t1, 1b
2:      call    __libc_init_array

        # The loader may pass {0, kernel, geometry}: that kernel then runs instead of main, and variables keep their
        # values. Or it passes {argc, argv[0], ...}, whose address is then in mscratch.
        csrr    t0, MSCRATCH
        li      a0, 1
        lla     a1, default_argv
        beqz    t0, 3f
        lw      a0, 0(t0)
        addi    a1, t0, 4
3:      call    main
        tail    exit
launched:
        mv      a0, t0
        tail    vortex_launched
worker:
        call    vortex_worker
        TMC     zero
        .size   _start, . - _start

warp_set_up:
        li      t0, -1
        TMC     t0
        jal     t0, thread_set_up
        TMC     zero

# Sets gp, sp, tp and the thread-local storage of each active thread; returns to t0.
thread_set_up:
        .option push
        .option norelax
        lla     gp, __global_pointer$
        .option pop
        csrr    t1, MHARTID
        slli    t2, t1, STACK_SHIFT
        li      sp, STACK_TOP
        sub     sp, sp, t2
        lla     tp, __tls_first
        lla     t2, __tls_second
        sub     t2, t2, tp                      # bytes per block
        mul     t1, t1, t2
        add     tp, tp, t1

        lla     t1, __tdata_start
        lla     t3, __tdata_end
        mv      t4, tp
        add     t2, tp, t2
        bgeu    t1, t3, 2f
1:      lw      t5, 0(t1)
        sw      t5, 0(t4)
        addi    t1, t1, 4
        addi    t4, t4, 4
        bltu    t1, t3, 1b
2:      bgeu    t4, t2, 4f                      # warp-uniform, because the sizes are
3:      sw      zero, 0(t4)
        addi    t4, t4, 4
        bltu    t4, t2, 3b
4:      jr      t0

# uint64_t vortex_warps(void)
#
# Runs entry(argument) on all threads of the core. Both values are in `vortex_call`, where the spawned warps and the
# other lanes of this warp read them. Returns when all threads have returned: the cycle before the spawn and, in the
# upper half, the cycle after all warps had ended.
        .section .text.vortex_warps, "ax", @progbits
        .globl  vortex_warps, vortex_warps_end
        .type   vortex_warps, @function
vortex_warps:
        addi    sp, sp, -112
        sw      ra, 108(sp)
        sw      s0, 104(sp)
        sw      s1, 100(sp)
        sw      s2, 96(sp)
        sw      s3, 92(sp)
        sw      s4, 88(sp)
        sw      s5, 84(sp)
        sw      s6, 80(sp)
        sw      s7, 76(sp)
        sw      s8, 72(sp)
        sw      s9, 68(sp)
        sw      s10, 64(sp)
        sw      s11, 60(sp)
#ifdef __riscv_flen
        fsw     fs0, 56(sp)
        fsw     fs1, 52(sp)
        fsw     fs2, 48(sp)
        fsw     fs3, 44(sp)
        fsw     fs4, 40(sp)
        fsw     fs5, 36(sp)
        fsw     fs6, 32(sp)
        fsw     fs7, 28(sp)
        fsw     fs8, 24(sp)
        fsw     fs9, 20(sp)
        fsw     fs10, 16(sp)
        fsw     fs11, 12(sp)
#endif
        lui     t0, %tprel_hi(vortex_frame)
        add     t0, t0, tp, %tprel_add(vortex_frame)
        sw      sp, %tprel_lo(vortex_frame)(t0)

# Simulators count a launch from this label to the other.
        .globl  vortex_kernel_begins
        .type   vortex_kernel_begins, @object
vortex_kernel_begins:
        csrr    t0, MCYCLE
        sw      t0, 8(sp)
        csrr    t0, WARPS
        lla     t1, vortex_warp
        WSPAWN  t0, t1
        li      t0, -1
        TMC     t0
        lla     t1, vortex_calls                # vortex_call or vortex_parts, which the linker chooses
        lw      t0, 0(t1)
        lw      a0, 4(t1)
        jalr    t0
        li      t0, 1
        TMC     t0

# A kernel that fails continues here, in warp 0 with only lane 0.
vortex_warps_end:
        li      t0, 1
        WSPAWN  t0, zero
        lui     t0, %tprel_hi(vortex_frame)
        add     t0, t0, tp, %tprel_add(vortex_frame)
        lw      sp, %tprel_lo(vortex_frame)(t0)
        .globl  vortex_kernel_ended
        .type   vortex_kernel_ended, @object
vortex_kernel_ended:
        csrr    a1, MCYCLE
        lw      a0, 8(sp)
        lw      ra, 108(sp)
        lw      s0, 104(sp)
        lw      s1, 100(sp)
        lw      s2, 96(sp)
        lw      s3, 92(sp)
        lw      s4, 88(sp)
        lw      s5, 84(sp)
        lw      s6, 80(sp)
        lw      s7, 76(sp)
        lw      s8, 72(sp)
        lw      s9, 68(sp)
        lw      s10, 64(sp)
        lw      s11, 60(sp)
#ifdef __riscv_flen
        flw     fs0, 56(sp)
        flw     fs1, 52(sp)
        flw     fs2, 48(sp)
        flw     fs3, 44(sp)
        flw     fs4, 40(sp)
        flw     fs5, 36(sp)
        flw     fs6, 32(sp)
        flw     fs7, 28(sp)
        flw     fs8, 24(sp)
        flw     fs9, 20(sp)
        flw     fs10, 16(sp)
        flw     fs11, 12(sp)
#endif
        addi    sp, sp, 112
        ret
        .size   vortex_warps, . - vortex_warps

vortex_warp:
        li      t0, -1
        TMC     t0
        lla     t1, vortex_call
        lw      t0, 0(t1)
        lw      a0, 4(t1)
        jalr    t0
        TMC     zero

# Programs with vx_yield, and those linked with vortex_splits defined: the lanes of the first warp may return from the
# kernel one after the other. Lane 0 waits for the others, which end. A word of each lane's stack tells that it has
# returned; those of the others are at the top of their stacks.
        .section .text.vortex_part, "ax", @progbits
        .type   vortex_part, @function
vortex_part:
        addi    sp, sp, -16
        sw      ra, 12(sp)
        sw      zero, 8(sp)
        lla     t1, vortex_call
        lw      t0, 0(t1)
        lw      a0, 4(t1)
        jalr    t0
        li      t0, 1
        sw      t0, 8(sp)
        csrr    t0, LANE_ID
        csrr    t1, ACTIVE
        seqz    t2, t0
        PRED    t2, t1                          # lane 0 goes on alone, if it is here
        bnez    t0, 4f

        csrr    t0, MHARTID
        slli    t0, t0, STACK_SHIFT
        li      t1, STACK_TOP - 8
        sub     t1, t1, t0
        csrr    t3, LANES
        li      t5, 1 << STACK_SHIFT
1:      mv      t2, t1
        li      t4, 1
2:      bgeu    t4, t3, 3f
        sub     t2, t2, t5
        addi    t4, t4, 1
        lw      t0, 0(t2)
        bnez    t0, 2b
        YIELD
        j       1b
3:      YIELD                                   # the last ones end
        lw      ra, 12(sp)
        addi    sp, sp, 16
        ret
4:      addi    sp, sp, 16
        TMC     zero
        .size   vortex_part, . - vortex_part

        .section .data.vortex_parts, "aw", @progbits
        .balign 4
        .globl  vortex_parts
vortex_parts:
        .word   vortex_part, 0

# void vortex_zero(char *from, char *to)
#
# Clears memory with all lanes of the warp; each lane clears the same number of words.
        .section .text.vortex_zero, "ax", @progbits
        .globl  vortex_zero
        .type   vortex_zero, @function
vortex_zero:
        lla     t2, zeroed
        sw      a0, 0(t2)
        sw      a1, 4(t2)
        li      t0, -1
        TMC     t0
        lla     t2, zeroed
        lw      t0, 0(t2)
        lw      t1, 4(t2)
        csrr    t3, LANE_ID
        csrr    t4, LANES
        slli    t3, t3, 2
        slli    t4, t4, 2
        add     t0, t0, t3
1:      sw      zero, 0(t0)
        add     t0, t0, t4
        bltu    t0, t1, 1b
        li      t0, 1
        TMC     t0
        ret
        .size   vortex_zero, . - vortex_zero

        .section .bss.zeroed, "aw", @nobits
        .balign 4
zeroed: .zero   8

        .section .data.default_argv, "aw", @progbits
        .balign 4
default_argv:
        .word   default_name, 0

        .section .rodata.default_name, "a", @progbits
default_name:
        .string "program"
