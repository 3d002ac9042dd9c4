// Program entry for the call0 fixtures.
//
// No processor state (PS, VECBASE, interrupts) is touched: the fixtures run on
// cores with different exception architectures, where such code differs.

#define SYS_argc      1000
#define SYS_argv_size 1001
#define SYS_argv      1002
#define ARGV_BYTES    1024

        .text
        .align  4
        .global _start
        .type   _start, @function
_start:
        movi    a0, 0
        movi    a1, __stack

        movi    a2, __bss_start
        movi    a3, __bss_end
        bgeu    a2, a3, .Lcleared
.Lclear:
        s32i    a0, a2, 0
        addi    a2, a2, 4
        bltu    a2, a3, .Lclear
.Lcleared:

        // No argument, no vector: QEMU crashes when asked for the vector while
        // the program name is all it could hold and was not given either.
        movi    a2, SYS_argc
        simcall
        mov     a6, a2
        movi    a7, 0
        bltui   a6, 2, .Lrun

        // A vector that does not fit is dropped too.
        movi    a2, SYS_argv_size
        simcall
        movi    a4, ARGV_BYTES
        bltu    a4, a2, .Lrun

        movi    a3, argv_buffer
        movi    a2, SYS_argv
        simcall
        mov     a7, a6
.Lrun:
        mov     a2, a7
        movi    a3, argv_buffer
        call0   main
        call0   _exit
        .size   _start, . - _start

        .section .bss.argv_buffer, "aw", @nobits
        .align  4
argv_buffer:
        .space  ARGV_BYTES
