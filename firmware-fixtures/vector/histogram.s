# Counts how often every value of a byte occurs.

# histogram(counts, from, size): 256 counts of 16 bits, modulo 65536.
        .text
        .align  4
        .global histogram
        .type   histogram, @function
histogram:
        ivp_la_pp u0, a3
        ivp_zalign u1
        movi    a5, 0
        ivp_movva8 v8, a5               # v8-v15: the counts
        ivp_movva8 v9, a5
        ivp_movva8 v10, a5
        ivp_movva8 v11, a5
        ivp_movva8 v12, a5
        ivp_movva8 v13, a5
        ivp_movva8 v14, a5
        ivp_movva8 v15, a5

        # 128 bytes at a time. The first form counts the values 0..31 and sets a5 for those after it.
        srli    a6, a4, 7
        loopgtz a6, 1f
        ivp_la2nx8_ip v0, u0, a3
        ivp_la2nx8_ip v1, u0, a3
        ivp_counteqz4nx8 v2, a5, v0, v1
        ivp_addnx16 v8, v8, v2
        ivp_counteq4nx8 v3, a5, v0, v1
        ivp_addnx16 v9, v9, v3
        ivp_counteq4nx8 v2, a5, v0, v1
        ivp_addnx16 v10, v10, v2
        ivp_counteq4nx8 v3, a5, v0, v1
        ivp_addnx16 v11, v11, v3
        ivp_counteq4nx8 v2, a5, v0, v1
        ivp_addnx16 v12, v12, v2
        ivp_counteq4nx8 v3, a5, v0, v1
        ivp_addnx16 v13, v13, v3
        ivp_counteq4nx8 v2, a5, v0, v1
        ivp_addnx16 v14, v14, v2
        ivp_counteq4nx8 v3, a5, v0, v1
        ivp_addnx16 v15, v15, v3
1:
        # The rest, 0..127 bytes: the loads fill up with zeros, which must not count.
        extui   a4, a4, 0, 7
        { ivp_lav2nx8_xp v0, u0, a3, a4; ivp_ltrs2n vb0, a4 }
        addi    a4, a4, -64
        { ivp_lav2nx8_xp v1, u0, a3, a4; ivp_ltrs2n vb1, a4 }
        ivp_counteqmz4nx8 v2, a5, v0, v1, vb0, vb1
        ivp_addnx16 v8, v8, v2
        ivp_counteqm4nx8 v3, a5, v0, v1, vb0, vb1
        ivp_addnx16 v9, v9, v3
        ivp_counteqm4nx8 v2, a5, v0, v1, vb0, vb1
        ivp_addnx16 v10, v10, v2
        ivp_counteqm4nx8 v3, a5, v0, v1, vb0, vb1
        ivp_addnx16 v11, v11, v3
        ivp_counteqm4nx8 v2, a5, v0, v1, vb0, vb1
        ivp_addnx16 v12, v12, v2
        ivp_counteqm4nx8 v3, a5, v0, v1, vb0, vb1
        ivp_addnx16 v13, v13, v3
        ivp_counteqm4nx8 v2, a5, v0, v1, vb0, vb1
        ivp_addnx16 v14, v14, v2
        ivp_counteqm4nx8 v3, a5, v0, v1, vb0, vb1
        ivp_addnx16 v15, v15, v3

        ivp_sa2nx8_ip v8, u1, a2
        ivp_sa2nx8_ip v9, u1, a2
        ivp_sa2nx8_ip v10, u1, a2
        ivp_sa2nx8_ip v11, u1, a2
        ivp_sa2nx8_ip v12, u1, a2
        ivp_sa2nx8_ip v13, u1, a2
        ivp_sa2nx8_ip v14, u1, a2
        ivp_sa2nx8_ip v15, u1, a2
        ivp_sapos_fp u1, a2
        ret
        .size   histogram, . - histogram

        .set    SOURCE, 1280            # up to 63 before, 1200 bytes
        .set    TARGET, 704             # 64 + 63 before, 512 for the counts, the rest behind

        .align  4
        .global _start
        .type   _start, @function
_start:
        movi    a12, sizes
next_size:
        movi    a2, source
        movi    a3, SOURCE
        call0   fill
        movi    a2, target
        movi    a3, TARGET
        call0   fill
        movi    a2, 63
        call0   random
        movi    a13, source
        add     a13, a13, a2
        movi    a2, 63
        call0   random
        movi    a3, target + 64
        add     a2, a2, a3
        mov     a3, a13
        l32i    a4, a12, 0
        call0   histogram
        movi    a2, target
        movi    a3, TARGET
        call0   report
        addi    a12, a12, 4
        movi    a2, sizes_end
        bltu    a12, a2, next_size
        j       exit
        .size   _start, . - _start

        .section .rodata
        .align  4
sizes:  .word   0, 1, 63, 64, 65, 127, 128, 129, 255, 256, 500, 1200
sizes_end:

        .bss
        .align  64
source: .space  SOURCE
target: .space  TARGET
