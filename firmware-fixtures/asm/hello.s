# Writes a line through semihosting and exits.
#
# SIMCALL takes the number of the call in a2 and arguments from a3 on: 4 is write(file, buffer, size),
# 1 is exit(status).

        .set    SYS_exit, 1
        .set    SYS_write, 4
        .set    STDOUT, 1

        .text
        .global _start
        .type   _start, @function
_start:
        movi    a2, SYS_write
        movi    a3, STDOUT
        movi    a4, message
        _movi   a5, message_end - message
        simcall 0
        movi    a2, SYS_exit
        movi    a3, 0
        simcall 0
        .size   _start, . - _start

        .section .rodata
        .type   message, @object
message:
        .ascii  "Hello, Vision-Q7!\n"
message_end:
        .size   message, message_end - message
