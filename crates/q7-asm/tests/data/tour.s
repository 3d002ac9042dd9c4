# A tour of the syntax; every line assembles.
        .file   "tour.s"
        .literal_position
        .literal .Lmask, 0x0f0f0f0f
        .literal .Ltable, table, table + 4
        .text
        .global _start
        .type   _start, @function
        .p2align 2
_start: movi    a2, -1; movi a3, 0x12345678   // fits; does not
        movi    a4, table                     /* a symbol */
        l32r    a5, .Lmask
        mov     a6, a5
        rsr     a7, sar
        wsr     a7, 3
        wur     a7, threadptr
1:      addi    sp, sp, -16
        bnez    a2, 1b
        beqz    a2, 1f
        { add a2, a3, a4 }
        {x24:
            or a2, a3, a4
        }
        .begin  no-transform
        movi    a2, LIMIT
        .end    no-transform
        all4    b0, b4:b5:b6:b7
        any8    b1, b8..b15
        call0   helper
1:      ret.n
        .size   _start, . - _start

        .section ".text.helper", "ax", @progbits
helper: jx      a0
        .weak   helper

        .section .rodata
        .align  4
table:  .word   1, helper, -2, 'A', (table + 4) - table
        .byte   1, 2, 3
        .short  0x1234
        .quad   -1
        .ascii  "a" "b", "c\n\0"
        .asciz  "text ; # not a comment"
        .type   table, @object
        .size   table, . - table

        .data
        .equ    LIMIT, 5 * (3 + 4)
        count = LIMIT << 1
counter:
        .word   count, .
        .space  12, 0xff
        .fill   2, 2, 0x1234
        . = . + 4
        .local  scratch
        .comm   scratch, 64, 16
        .comm   shared, 4
        .lcomm  private, 8
        .bss
zeros:  .zero   32
        .section .note.GNU-stack, "", @progbits
        .ident  "tour"
        .end
not read any more
