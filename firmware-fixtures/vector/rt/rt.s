# What every kernel's driver needs: pseudo-random bytes, a hash of memory as a line of output, the end.
#
# All programs of this directory use the call0 convention: arguments and result in a2.., a12-a15 are kept,
# everything else, vector registers included, may be changed.

        .set    SYS_exit, 1
        .set    SYS_write, 4
        .set    STDOUT, 1

        .text

# random(mask): the next number of the generator, masked. Changes a2-a5.
        .align  4
        .global random
        .type   random, @function
random:
        movi    a3, state
        l32i    a4, a3, 0
        movi    a5, 1664525
        mull    a4, a4, a5
        movi    a5, 1013904223
        add     a4, a4, a5
        s32i    a4, a3, 0
        srli    a4, a4, 15
        srli    a4, a4, 1               # the high half: the low bits of this generator are poor
        and     a2, a4, a2
        ret
        .size   random, . - random

# fill(to, size): pseudo-random bytes. Changes a2-a7.
        .align  4
        .global fill
        .type   fill, @function
fill:
        movi    a7, state
        l32i    a4, a7, 0
        movi    a5, 1664525
        movi    a6, 1013904223
        loopgtz a3, 1f
        mull    a4, a4, a5
        add     a4, a4, a6
        extui   a3, a4, 24, 8
        s8i     a3, a2, 0
        addi    a2, a2, 1
1:      s32i    a4, a7, 0
        ret
        .size   fill, . - fill

# prepare(source, target, size): fills both regions; then source is in a3 and target in a2, each moved by 64 to 127
# pseudo-random bytes. Changes a2-a11.
        .align  4
        .global prepare
        .type   prepare, @function
prepare:
        mov     a8, a0
        mov     a9, a2
        mov     a10, a3
        mov     a11, a4
        mov     a3, a11
        call0   fill
        mov     a2, a10
        mov     a3, a11
        call0   fill
        movi    a2, 63
        call0   random
        addi    a9, a9, 64
        add     a9, a9, a2
        movi    a2, 63
        call0   random
        addi    a10, a10, 64
        add     a2, a10, a2
        mov     a3, a9
        jx      a8
        .size   prepare, . - prepare

# report(from, size): prints the FNV-1a hash of some bytes as eight hexadecimal digits. Changes a2-a7.
        .align  4
        .global report
        .type   report, @function
report:
        movi    a4, 0x811c9dc5
        movi    a5, 0x01000193
        loopgtz a3, 1f
        l8ui    a6, a2, 0
        addi    a2, a2, 1
        xor     a4, a4, a6
        mull    a4, a4, a5
1:      movi    a2, line + 8
        movi    a3, line
        movi    a7, 10
2:      extui   a5, a4, 0, 4            # from the last digit to the first
        srli    a4, a4, 4
        addi    a2, a2, -1
        addi    a6, a5, '0'
        bltu    a5, a7, 3f
        addi    a6, a5, 'a' - 10
3:      s8i     a6, a2, 0
        bne     a2, a3, 2b
        movi    a2, SYS_write
        movi    a3, STDOUT
        movi    a4, line
        movi    a5, 9
        simcall 0
        ret
        .size   report, . - report

        .align  4
        .global exit
        .type   exit, @function
exit:
        movi    a2, SYS_exit
        movi    a3, 0
        simcall 0
        .size   exit, . - exit

        .data
        .align  4
state:  .word   1
line:   .ascii  "00000000\n"
