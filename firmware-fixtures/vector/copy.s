# Copies any number of bytes between any two addresses.

# copy(to, from, size)
        .text
        .align  4
        .global copy
        .type   copy, @function
copy:
        ivp_la_pp u0, a3
        ivp_zalign u1
        srli    a5, a4, 6               # whole vectors
        beqz    a5, 2f
        addi    a5, a5, -1
        ivp_la2nx8_ip v0, u0, a3
        loopgtz a5, 1f
        # The store takes the vector of the pass before: it reads v0 before the load writes it.
        { ivp_sa2nx8_ip v0, u1, a2; ivp_la2nx8_ip v0, u0, a3 }
1:      ivp_sa2nx8_ip v0, u1, a2
2:      extui   a4, a4, 0, 6            # the rest; nothing happens for 0
        ivp_lav2nx8_xp v0, u0, a3, a4
        ivp_sav2nx8_xp v0, u1, a2, a4
        ivp_sapos_fp u1, a2
        ret
        .size   copy, . - copy

        .set    REGION, 1280            # 64 + 63 before, 1000 for the copy, the rest behind

# Every size with three pairs of alignments, the first of them 0 and 0.
        .align  4
        .global _start
        .type   _start, @function
_start:
        movi    a12, sizes
next_size:
        movi    a13, 0
next_pair:
        movi    a2, source
        movi    a3, REGION
        call0   fill
        movi    a2, target
        movi    a3, REGION
        call0   fill
        movi    a2, 63
        call0   random
        mull    a14, a2, a13
        extui   a14, a14, 0, 6          # alignment of the source
        movi    a2, 63
        call0   random
        mull    a2, a2, a13
        extui   a2, a2, 0, 6            # alignment of the target
        movi    a3, target + 64
        add     a2, a2, a3
        movi    a3, source + 64
        add     a3, a3, a14
        l32i    a4, a12, 0
        call0   copy
        movi    a2, target
        movi    a3, REGION
        call0   report
        addi    a13, a13, 1
        bnei    a13, 3, next_pair
        addi    a12, a12, 4
        movi    a2, sizes_end
        bltu    a12, a2, next_size
        j       exit
        .size   _start, . - _start

        .section .rodata
        .align  4
sizes:  .word   0, 1, 2, 31, 63, 64, 65, 127, 128, 129, 191, 192, 200, 255, 640, 1000
sizes_end:

        .bss
        .align  64
source: .space  REGION
target: .space  REGION
