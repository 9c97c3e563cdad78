# Kernels that do what an SM cannot do, one by -DFAULT_NAME each. The instruction at fault has its name as a comment.
# Only warp 5 gets there, the others end; a block is two warps. With -DBELOW=N or -DABOVE=N only its lanes below or from N
# on do, while the others wait: under nesting those above come first, those below second.
#define KERNEL
#include "_host.S"

# A label is what gives words a source line.
        .loc_mark_labels 1
#define WORD(x) 9: .word x
#define PUSH WORD(0x00000009)
#define POP WORD(0x00001009)

        .text
        .globl  kernel
        .type   kernel, @function
kernel: csrr    a0, mhartid
        andi    a1, a0, 31                      # lane
        srli    a2, a0, 5                       # warp
        slli    a3, a1, 2
        lui     a4, 0x10000
        add     a4, a4, a3                      # a word of data memory for each lane
        li      sp, -64
        addi    t0, a2, -5
        bnez    t0, end
#if defined BELOW
        PUSH
        sltiu   t0, a1, BELOW
        beqz    t0, wait
#elif defined ABOVE
        PUSH
        sltiu   t0, a1, ABOVE
        bnez    t0, wait
#endif

#if defined FAULT_UNKNOWN
        WORD(0xffffffff)                        # FAULT_UNKNOWN
#elif defined FAULT_MALFORMED
        WORD(0x02051513)                        # FAULT_MALFORMED: slli with a shift amount of six bits
#elif defined FAULT_FLOAT
        WORD(0x00b50553)                        # FAULT_FLOAT: fadd.s without a floating-point unit
#elif defined FAULT_LRSC
        lr.w    t0, (a4)                        # FAULT_LRSC
#elif defined FAULT_MISALIGNED
        andi    t1, a1, 3
        add     t1, t1, a4
        lh      t2, 2(t1)                       # FAULT_MISALIGNED
#elif defined FAULT_MISALIGNED_STORE
        addi    t1, a4, 1
        sw      a0, 0(t1)                       # FAULT_MISALIGNED_STORE
#elif defined FAULT_NULL
        lw      t1, 8(zero)                     # FAULT_NULL
#elif defined FAULT_CODE
        lla     t1, kernel
        addi    t2, a1, -31
        bnez    t2, 1f
        sb      a0, 0(t1)                       # FAULT_CODE: one lane writes instruction memory
1:      nop
#elif defined FAULT_ATOMIC
        amoadd.w t0, a0, (a4)                   # FAULT_ATOMIC
#elif defined FAULT_NEST_OVERFLOW
1:      PUSH                                    # FAULT_NEST_OVERFLOW
        j       1b
#elif defined FAULT_NEST_UNDERFLOW
        PUSH
        POP
        POP                                     # FAULT_NEST_UNDERFLOW
#elif defined FAULT_DIVERGED
        PUSH
        sltiu   t1, a1, 8
        beqz    t1, 1f
        csrw    0x830, zero                     # FAULT_DIVERGED: a barrier for lanes 0 to 7
1:      POP
#elif defined FAULT_DIVERGED_END
        slti    t1, a1, 16
        bnez    t1, 1f
        li      t2, 3
        csrw    0x830, t2                       # FAULT_DIVERGED_END
1:      addi    t3, t3, 1
        j       1b
#elif defined FAULT_JUMP
        jalr    ra, 0x100(zero)                 # FAULT_JUMP: a null function pointer, almost
#elif defined FAULT_JUMP_ODD
        lla     t1, end
        addi    t1, t1, 2
        jr      t1                              # FAULT_JUMP_ODD
#elif defined FAULT_BRANCH
        WORD(0x80000063)                        # FAULT_BRANCH: 4 KiB back, below instruction memory
#elif defined FAULT_END_OF_CODE
        lui     t1, 0x08008
        jalr    zero, -4(t1)                    # into the last word, which holds no instruction
#elif defined FAULT_CSR
        csrr    t0, 0x123                       # FAULT_CSR
#elif defined FAULT_ECALL
        ecall                                   # FAULT_ECALL
#elif defined FAULT_DEADLOCK
        csrw    0x830, zero                     # FAULT_DEADLOCK: the other warp of the block has ended
#elif defined FAULT_ENDLESS
1:      addi    t0, t0, 1                       # FAULT_ENDLESS
        j       1b
#elif defined FAULT_STACK
        addi    sp, sp, -2047                   # 2 KiB of stack for each thread
        addi    sp, sp, -1
        sw      a0, 0(sp)                       # FAULT_STACK
#endif

#if defined BELOW || defined ABOVE
wait:   POP
#endif
end:    li      t0, 3
        csrw    0x830, t0
        .size   kernel, . - kernel
