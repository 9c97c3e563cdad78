# Entry of a host program. The machine calls it like a function, with the stack pointer set,
# a0 = argc and a1 = argv; a0 = 0 means that no arguments were given.

        # For whom the program is, as simtlab cc --target has it.
        .section .note.simtlab, "", @note
        .balign 4
        .word   1f - 0f, 3f - 2f, 1
0:      .asciz  "simtlab"
1:
#ifdef SIMT_GRID
2:      .asciz  "sm7"
#else
2:      .asciz  "simt"
#endif
3:      .balign 4

        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
_start:
        lla     tp, __tls_base                  # errno of the C library is thread-local
        mv      s0, a0
        mv      s1, a1
        call    __libc_init_array
        mv      a0, s0
        mv      a1, s1
        bnez    a0, 1f
        li      a0, 1
        lla     a1, default_argv
1:      call    main
        tail    exit
        .size   _start, . - _start

        .section .data.default_argv, "aw", @progbits
        .balign 4
default_argv:
        .word   default_name, 0

        .section .rodata.default_name, "a", @progbits
default_name:
        .string "program"
