# What the speed guard runs: every unit of the SM at work in proportions of real kernels. All instructions are written
# out, so the program is the same whatever assembles it.
        .option norelax
        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
_start: csrwi   0x827, 0                        # all warps are one block
        lui     a0, %hi(kernel)
        addi    a0, a0, %lo(kernel)
        csrw    0x823, a0
        csrr    a0, 0x825                       # waits for the end
        csrw    0x801, a0
        .size   _start, . - _start

# 12 rounds over 64 warps of 32 lanes.
        .text
        .globl  kernel
        .type   kernel, @function
kernel: csrr    a0, mhartid
        slli    a1, a0, 2
        lui     a2, 0x10000                     # data memory
        lui     a3, 0xbfff0                     # scratchpad
        add     a4, a2, a1
        add     a5, a3, a1
        addi    sp, zero, -16
        andi    a6, a0, 31
        addi    s0, zero, 12
        addi    s1, zero, 0

# As in a product of tiles: consecutive words from memory to the scratchpad, then a barrier.
round:  lw      t0, 0(a4)
        add     t0, t0, a0
        sw      t0, 0(a5)
        csrw    0x830, zero                     # barrier
        addi    t1, a3, 0
        addi    s2, zero, 8
inner:  lw      t2, 0(t1)                       # one word for all lanes
        lw      t3, 0(a5)                       # a word for each lane
        mul     t4, t2, t3
        add     s1, s1, t4
        addi    t1, t1, 4
        addi    s2, s2, -1
        bne     s2, zero, inner
        csrw    0x830, zero                     # barrier

# Lanes that go different ways, and converge.
        .word   0x00000009                      # push
        addi    t5, a6, -16
        blt     t5, zero, other
        slli    t6, s1, 3
        xor     s1, s1, t6
        jal     zero, join
other:  sub     s1, s1, t5
        srai    t6, s1, 1
        or      s1, s1, t6
join:   .word   0x00001009                      # pop

# Stack, atomics, scattered words, a division.
        sw      s1, 0(sp)
        andi    t2, a6, 3
        slli    t2, t2, 2
        add     t2, t2, a3
        amoadd.w zero, a6, (t2)
        andi    t3, a6, 3
        slli    t3, t3, 7
        add     t3, t3, a2
        lw      t4, 0(t3)
        addi    t5, a6, 3
        remu    t4, s1, t5
        add     s1, s1, t4
        lw      t6, 0(sp)
        add     s1, s1, t6
        sw      s1, 0(a4)
        addi    s0, s0, -1
        bne     s0, zero, round

        addi    t0, zero, 3                     # ends, with success
        csrw    0x830, t0
        .size   kernel, . - kernel
