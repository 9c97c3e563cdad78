# Too few slots for vector registers. FAULT_DEADLOCK: all warps but the last end with four vectors each; the last one
# needs a fifth, when just as many slots are free as there must be, and has nothing else to spill.
#define KERNEL
#define WARPS_PER_BLOCK 0
#include "_host.S"

        .loc_mark_labels 1
        .text
        .globl  kernel
        .type   kernel, @function
kernel: csrr    a0, mhartid
        srli    a1, a0, 5                       # warp
        addi    a1, a1, -63
        beqz    a1, last
        xori    s2, a0, 1                       # neither uniform nor affine
        xori    s3, a0, 2
        xori    s4, a0, 3
        xori    s5, a0, 4
        j       end
last:   li      t0, 500                         # until the others have ended
1:      addi    t0, t0, -1
        bnez    t0, 1b
        xori    s2, a0, 1
2:      xor     t1, s2, a1                      # FAULT_DEADLOCK
end:    li      t0, 3
        csrw    0x830, t0
        .size   kernel, . - kernel
