# Adds two images of bytes; what exceeds 255 becomes 255.

# add_images(to, first, second, width, height, stride): the images have the same stride (> 0, >= width).
        .text
        .align  4
        .global add_images
        .type   add_images, @function
add_images:
        movi    a8, 255
        ivp_movva16 v3, a8
        ivp_zalign u2
        sub     a7, a7, a5              # from the end of a row to the next
        addi    a9, a5, 31
        srli    a9, a9, 5               # blocks of 32 pixels in a row
        beqz    a6, 3f
1:      ivp_la_pp u0, a3
        ivp_la_pp u1, a4
        mov     a10, a5                 # bytes left in the row; loads and stores take at most 32
        loopgtz a9, 2f
        { ivp_lavnx8u_xp v0, u0, a3, a10; ivp_lavnx8u_xp v1, u1, a4, a10 }
        ivp_addnx16 v2, v0, v1          # no overflow: the lanes have 16 bits
        ivp_minnx16 v2, v2, v3
        # The store takes the number of bytes before the subtraction.
        { ivp_savnx8u_xp v2, u2, a2, a10; addi a10, a10, -32 }
2:      ivp_sapos_fpxp u2, a2, a7
        add     a3, a3, a7
        add     a4, a4, a7
        addi    a6, a6, -1
        bnez    a6, 1b
3:      ret
        .size   add_images, . - add_images

        .set    REGION, 2560            # 64 + 63 before, 11 rows of a stride up to 217
        .set    CASE, 12

        .align  4
        .global _start
        .type   _start, @function
_start:
        movi    a12, cases
next_case:
        movi    a2, first
        movi    a3, REGION
        call0   fill
        movi    a2, second
        movi    a3, REGION
        call0   fill
        movi    a2, target
        movi    a3, REGION
        call0   fill
        movi    a2, 63
        call0   random
        movi    a13, first + 64
        add     a13, a13, a2
        movi    a2, 63
        call0   random
        movi    a14, second + 64
        add     a14, a14, a2
        movi    a2, 63
        call0   random
        movi    a3, target + 64
        add     a2, a2, a3
        mov     a3, a13
        mov     a4, a14
        l32i    a5, a12, 0
        l32i    a6, a12, 4
        l32i    a7, a12, 8
        call0   add_images
        movi    a2, target
        movi    a3, REGION
        call0   report
        addi    a12, a12, CASE
        movi    a2, cases_end
        bltu    a12, a2, next_case
        j       exit
        .size   _start, . - _start

        .section .rodata
        .align  4
cases:                                  # width, height, stride
        .word   0, 3, 8
        .word   5, 0, 8
        .word   1, 1, 1
        .word   7, 11, 7
        .word   31, 5, 40
        .word   32, 5, 32
        .word   33, 5, 64
        .word   64, 4, 64
        .word   65, 3, 101
        .word   100, 11, 217
        .word   217, 11, 217
cases_end:

        .bss
        .align  64
first:  .space  REGION
second: .space  REGION
target: .space  REGION
