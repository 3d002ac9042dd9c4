# The largest of the 3 x 3 bytes around every pixel.

# max3x3(to, from, width, height, to_stride, from_stride): `from` is the upper left neighbour of the first pixel,
# so it has width + 2 columns and height + 2 rows. Needs a height of at least 1.
        .text
        .align  4
        .global max3x3
        .type   max3x3, @function
max3x3:
        addi    a1, a1, -16
        s32i    a12, a1, 0
        s32i    a13, a1, 4
        movi    a8, ramp
        ivp_lv2nx8_i v10, a8, 0
        movi    a8, 1
        ivp_movva8 v8, a8
        ivp_add2nx8 v11, v10, v8        # selects the pixels one and
        ivp_add2nx8 v12, v11, v8        # two to the right
        ivp_zalign u3
        sub     a6, a6, a4              # from the end of a row to the next
1:      mov     a8, a3                  # three rows at once
        add     a9, a8, a7
        add     a10, a9, a7
        ivp_la_pp u0, a8
        ivp_la_pp u1, a9
        ivp_la_pp u2, a10
        addi    a11, a4, 2              # bytes left to load
        { ivp_lav2nx8_xp v0, u0, a8, a11; ivp_lav2nx8_xp v1, u1, a9, a11 }
        { ivp_lav2nx8_xp v2, u2, a10, a11; addi a11, a11, -64; nop; ivp_maxu2nx8 v4, v0, v1 }
        ivp_maxu2nx8 v4, v4, v2
        addi    a13, a4, 63
        srli    a13, a13, 6
        mov     a12, a4                 # bytes left to store
        # v4 are the maxima of 64 columns, v5 those of the next 64: a pixel needs two beyond its own.
        loopgtz a13, 2f
        { ivp_lav2nx8_xp v0, u0, a8, a11; ivp_lav2nx8_xp v1, u1, a9, a11 }
        { ivp_lav2nx8_xp v2, u2, a10, a11; addi a11, a11, -64; nop; ivp_maxu2nx8 v5, v0, v1 }
        ivp_maxu2nx8 v5, v5, v2
        ivp_sel2nx8 v6, v5, v4, v11
        ivp_sel2nx8 v7, v5, v4, v12
        ivp_maxu2nx8 v4, v4, v6
        ivp_maxu2nx8 v4, v4, v7
        { ivp_sav2nx8_xp v4, u3, a2, a12; addi a12, a12, -64; nop; ivp_movvv v4, v5 }
2:      ivp_sapos_fpxp u3, a2, a6
        add     a3, a3, a7
        addi    a5, a5, -1
        bnez    a5, 1b
        l32i    a12, a1, 0
        l32i    a13, a1, 4
        addi    a1, a1, 16
        ret
        .size   max3x3, . - max3x3

        .set    REGION, 2560            # 64 + 63 before, 13 rows of a stride up to 180
        .set    CASE, 16

        .align  4
        .global _start
        .type   _start, @function
_start:
        movi    a12, cases
next_case:
        movi    a2, source
        movi    a3, target
        movi    a4, REGION
        call0   prepare
        l32i    a4, a12, 0
        l32i    a5, a12, 4
        l32i    a6, a12, 8
        l32i    a7, a12, 12
        call0   max3x3
        movi    a2, target
        movi    a3, REGION
        call0   report
        addi    a12, a12, CASE
        movi    a2, cases_end
        bltu    a12, a2, next_case
        j       exit
        .size   _start, . - _start

        .section .rodata
        .align  64
ramp:   .byte   0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        .byte   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        .byte   32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
        .byte   48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63
cases:                                  # width, height, strides of target and source
        .word   0, 2, 4, 4
        .word   1, 1, 1, 3
        .word   2, 5, 9, 11
        .word   61, 3, 64, 64
        .word   62, 3, 64, 64
        .word   63, 3, 64, 65
        .word   64, 11, 64, 66
        .word   65, 4, 100, 67
        .word   126, 3, 128, 128
        .word   128, 2, 160, 144
        .word   178, 11, 180, 180
cases_end:

        .bss
        .align  64
source: .space  REGION
target: .space  REGION
