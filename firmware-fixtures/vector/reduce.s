# Sum and maximum of an array of signed 16-bit numbers.

# sum(from, count): modulo 2^32.
        .text
        .align  4
        .global sum
        .type   sum, @function
sum:
        add     a3, a3, a3              # in bytes
        ivp_la_pp u0, a2
        movi    a4, 0
        ivp_movva32 v1, a4
        addi    a4, a3, 31
        srli    a4, a4, 5
        loopgtz a4, 1f
        # 16 numbers in lanes of 32 bits; those behind the end are 0 and do no harm.
        { ivp_lavn_2x16s_xp v0, u0, a2, a3; addi a3, a3, -32 }
        ivp_addn_2x32 v1, v1, v0
1:      ivp_raddn_2x32 v1, v1
        ivp_movav32 a2, v1
        ret
        .size   sum, . - sum

# maximum(from, count): -32768 of nothing.
        .align  4
        .global maximum
        .type   maximum, @function
maximum:
        ivp_la_pp u0, a2
        movi    a4, -32768
        ivp_movva16 v1, a4
        add     a5, a3, a3              # in bytes
        addi    a4, a3, 31
        srli    a4, a4, 5
        loopgtz a4, 1f
        # Zeros behind the end would win against negative numbers.
        { ivp_lav2nx8_xp v0, u0, a2, a5; ivp_ltrsn vb0, a3 }
        { addi a3, a3, -32; addi a5, a5, -64; nop; ivp_maxnx16t v1, v1, v0, vb0 }
1:      ivp_rmaxnx16 v1, v1
        ivp_movav16 a2, v1
        ret
        .size   maximum, . - maximum

        .set    REGION, 2176            # up to 126 before, 1000 numbers

# Every size at four addresses, odd ones included; the first time with negative numbers only.
        .align  4
        .global _start
        .type   _start, @function
_start:
        movi    a12, sizes
next_size:
        movi    a13, 0
next_start:
        movi    a2, numbers
        movi    a3, REGION
        call0   fill
        bnez    a13, 2f
        movi    a2, numbers             # numbers of bytes from 128 on are negative
        movi    a3, REGION
        movi    a5, 128
        loop    a3, 1f
        l8ui    a4, a2, 0
        or      a4, a4, a5
        s8i     a4, a2, 0
        addi    a2, a2, 1
1:
2:      movi    a2, 63
        call0   random
        movi    a14, numbers
        add     a14, a14, a2
        mov     a2, a14
        l32i    a3, a12, 0
        call0   sum
        movi    a3, results
        s32i    a2, a3, 0
        mov     a2, a14
        l32i    a3, a12, 0
        call0   maximum
        movi    a3, results
        s32i    a2, a3, 4
        mov     a2, a3
        movi    a3, 8
        call0   report
        addi    a13, a13, 1
        bnei    a13, 4, next_start
        addi    a12, a12, 4
        movi    a2, sizes_end
        bltu    a12, a2, next_size
        j       exit
        .size   _start, . - _start

        .section .rodata
        .align  4
sizes:  .word   0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 500, 1000
sizes_end:

        .bss
        .align  64
numbers: .space REGION
results: .space 8
