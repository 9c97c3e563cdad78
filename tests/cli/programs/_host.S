# Start of the programs of this folder: says "so far", launches the kernel with WARPS_PER_BLOCK, says "after".
#ifndef WARPS_PER_BLOCK
#define WARPS_PER_BLOCK 2
#endif
        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
_start: lla     a0, so_far
        jal     ra, print
#ifdef KERNEL
        csrwi   0x827, WARPS_PER_BLOCK
        lla     a0, kernel
        csrw    0x823, a0
        csrr    s0, 0x825                       # waits for the end
#else
        jal     ra, host
        li      s0, 0
#endif
        lla     a0, after
        jal     ra, print
        csrw    0x801, s0                       # ends
        .size   _start, . - _start

        .type   print, @function
print:  lbu     a1, 0(a0)
        beqz    a1, 1f
        csrw    0x803, a1
        addi    a0, a0, 1
        j       print
1:      ret
        .size   print, . - print

        .section .rodata, "a", @progbits
so_far: .string "so far\n"
after:  .string "after\n"
