# Transposes a matrix of 32 x 32 numbers of 16 bits.

# transpose(to, from, to_stride, from_stride): strides and addresses in bytes, any alignment.
#
# One pass interleaves row i with row i + 16 and makes rows 2i and 2i + 1 of the result. With the number of a row
# before that of a column, this rotates the ten bits of an element's position left by one; five passes exchange
# row and column. The passes before the last go back and forth between two buffers.
        .text
        .align  4
        .global transpose
        .type   transpose, @function
transpose:
        movi    a6, interleave
        ivp_lv2nx8_i v2, a6, 0
        movi    a6, buffers
        movi    a7, 4
1:      slli    a8, a5, 4
        add     a8, a8, a3              # row 16
        mov     a9, a6
        movi    a10, 16
        loop    a10, 2f
        ivp_l2u2nx8_xp v0, a3, a5
        ivp_l2u2nx8_xp v1, a8, a5
        ivp_dselnx16 v1, v0, v1, v0, v2
        ivp_sv2nx8_ip v0, a9, 64
        ivp_sv2nx8_ip v1, a9, 64
2:      mov     a3, a6                  # the result is read next,
        movi    a5, 64
        movi    a9, buffers
        movi    a10, buffers + 2048
        addi    a7, a7, -1
        mov     a6, a10                 # and the other buffer written
        beq     a3, a9, 3f
        mov     a6, a9
3:      bnez    a7, 1b

        # The last pass, by single selections, to rows of the caller.
        movi    a6, interleave + 64
        ivp_lv2nx8_i v3, a6, 0
        ivp_zalign u0
        addi    a4, a4, -64             # from the end of a row to the next
        movi    a8, 16 * 64
        add     a8, a8, a3
        movi    a10, 16
        loop    a10, 4f
        { ivp_lv2nx8_ip v0, a3, 64; ivp_lv2nx8_ip v1, a8, 64 }
        ivp_selnx16 v4, v1, v0, v2
        { ivp_sa2nx8_ip v4, u0, a2; nop; nop; ivp_selnx16 v5, v1, v0, v3 }
        ivp_sapos_fpxp u0, a2, a4
        ivp_sa2nx8_ip v5, u0, a2
        ivp_sapos_fpxp u0, a2, a4
4:      ret
        .size   transpose, . - transpose

        .set    REGION, 3584            # 64 + 63 before, 32 rows of a stride up to 103
        .set    CASE, 8

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
        call0   transpose
        movi    a2, target
        movi    a3, REGION
        call0   report
        addi    a12, a12, CASE
        movi    a2, cases_end
        bltu    a12, a2, next_case
        j       exit
        .size   _start, . - _start

        .section .rodata
        # Lanes of row i are 0-31 of the selection, those of row i + 16 are 32-63. The low byte of a number selects
        # for row 2i, the high byte for row 2i + 1 (DSELNX16); SELNX16 looks at the low six bits, so the second
        # table is there for row 2i + 1 alone.
        .align  64
interleave:
        .half   0x1000, 0x3020, 0x1101, 0x3121, 0x1202, 0x3222, 0x1303, 0x3323
        .half   0x1404, 0x3424, 0x1505, 0x3525, 0x1606, 0x3626, 0x1707, 0x3727
        .half   0x1808, 0x3828, 0x1909, 0x3929, 0x1a0a, 0x3a2a, 0x1b0b, 0x3b2b
        .half   0x1c0c, 0x3c2c, 0x1d0d, 0x3d2d, 0x1e0e, 0x3e2e, 0x1f0f, 0x3f2f
        .half   16, 48, 17, 49, 18, 50, 19, 51
        .half   20, 52, 21, 53, 22, 54, 23, 55
        .half   24, 56, 25, 57, 26, 58, 27, 59
        .half   28, 60, 29, 61, 30, 62, 31, 63
cases:                                  # strides of target and source
        .word   64, 64
        .word   64, 66
        .word   70, 64
        .word   98, 103
        .word   103, 90
cases_end:

        .bss
        .align  64
buffers:
        .space  2 * 2048
source: .space  REGION
target: .space  REGION
