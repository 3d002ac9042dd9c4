# Bytes above a threshold: packed one after another, and painted in place.

# pack(to, from, size, limit): the bytes that are at least `limit`, in order. Returns their number.
        .text
        .align  4
        .global pack
        .type   pack, @function
pack:
        mov     a9, a2
        ivp_movva8 v3, a5
        ivp_la_pp u0, a3
        ivp_zalign u1
        addi    a6, a4, 63
        srli    a6, a6, 6
        loopgtz a6, 1f
        # Bytes behind the end come as 0, which a limit of 0 would let through: vb1 keeps them out.
        { ivp_lav2nx8_xp v0, u0, a3, a4; ivp_ltrs2n vb1, a4 }
        { addi a4, a4, -64; nop; nop; ivp_leu2nx8 vb0, v3, v0 }
        { nop; ivp_andb vb0, vb0, vb1 }
        ivp_sqz2n v1, a7, vb0           # the numbers of the true lanes, and how many there are
        ivp_shfl2nx8 v1, v0, v1
        ivp_sav2nx8_xp v1, u1, a2, a7
1:      ivp_sapos_fp u1, a2
        sub     a2, a2, a9
        ret
        .size   pack, . - pack

# brighten(to, from, size, limit, amount): adds `amount`, modulo 256, to the bytes that are at least `limit` and
# copies the others. `to` is a multiple of 64: the store of selected lanes has no unaligned form.
        .align  4
        .global brighten
        .type   brighten, @function
brighten:
        ivp_movva8 v3, a5
        ivp_movva8 v4, a6
        ivp_la_pp u0, a3
        addi    a7, a4, 63
        srli    a7, a7, 6
        loopgtz a7, 1f
        { ivp_lav2nx8_xp v0, u0, a3, a4; ivp_ltrs2n vb1, a4 }
        { addi a4, a4, -64; nop; nop; ivp_leu2nx8 vb0, v3, v0 }
        ivp_add2nx8t v0, v0, v4, vb0
        ivp_sv2nx8t_ip v0, a2, 64, vb1
1:      ret
        .size   brighten, . - brighten

        .set    REGION, 896             # 64 + 63 before, 700 bytes, the rest behind
        .set    CASE, 8

# Two lines for every case: the packed bytes with their number, the brightened bytes.
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
        mov     a13, a3                 # for the second line
        l32i    a4, a12, 0
        l32i    a5, a12, 4
        call0   pack
        movi    a3, count
        s32i    a2, a3, 0
        movi    a2, target
        movi    a3, REGION + 4
        call0   report
        movi    a2, target + 64
        mov     a3, a13
        l32i    a4, a12, 0
        l32i    a5, a12, 4
        movi    a6, 40
        call0   brighten
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
cases:                                  # size, limit
        .word   0, 0
        .word   1, 0
        .word   63, 128
        .word   64, 128
        .word   65, 128
        .word   100, 0
        .word   100, 255
        .word   128, 1
        .word   200, 200
        .word   333, 30
        .word   640, 100
        .word   700, 250
cases_end:

        .bss
        .align  64
source: .space  REGION
target: .space  REGION
count:  .space  4
