# Host programs that do what a host CPU cannot do, one by -DFAULT_NAME each.
#include "_host.S"

        .text
        .loc_mark_labels 1                      # gives words a source line
        .globl  host
        .type   host, @function
host:   lui     a0, 0x10000
#if defined FAULT_UNKNOWN
9:      .word   0xffffffff                      # FAULT_UNKNOWN
#elif defined FAULT_MISALIGNED
        lw      a1, 2(a0)                       # FAULT_MISALIGNED
#elif defined FAULT_NULL
        sw      a1, 0(zero)                     # FAULT_NULL
#elif defined FAULT_ATOMIC
        addi    a0, a0, 2
        amoadd.w a1, a2, (a0)                   # FAULT_ATOMIC: misaligned
#elif defined FAULT_JUMP
        jalr    ra, 0x100(zero)                 # FAULT_JUMP
#elif defined FAULT_CSR
        csrr    a1, 0x123                       # FAULT_CSR
#elif defined FAULT_ECALL
        ebreak                                  # FAULT_ECALL
#elif defined FAULT_ENDLESS
1:      addi    a1, a1, 1                       # FAULT_ENDLESS
        j       1b
#elif defined FAULT_INPUT
1:      csrr    a1, 0x804                       # FAULT_INPUT
        beqz    a1, 1b
#elif defined FAULT_LAUNCH
        lui     a1, 0x12345
        csrw    0x823, a1                       # a kernel where there is no program
        csrr    a1, 0x825
#endif
        ret
        .size   host, . - host
