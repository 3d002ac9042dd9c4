/* Standard input and output of the fixtures over SIMCALL. */

#include <stdio.h>

enum { SYS_exit = 1, SYS_read = 3, SYS_write = 4 };

static int simcall(int number, int arg0, const void *arg1, unsigned arg2)
{
    register int a2 __asm__("a2") = number;
    register int a3 __asm__("a3") = arg0;
    register const void *a4 __asm__("a4") = arg1;
    register unsigned a5 __asm__("a5") = arg2;

    __asm__ volatile("simcall" : "+r"(a2), "+r"(a3) : "r"(a4), "r"(a5) : "memory");
    return a2;
}

static char out[256];
static unsigned out_used;
static char in[256];
static unsigned in_used, in_size;

static void flush_out(void)
{
    unsigned done = 0;

    while (done < out_used) {
        int n = simcall(SYS_write, 1, out + done, out_used - done);
        if (n <= 0)
            break;
        done += n;
    }
    out_used = 0;
}

static int put(char c, FILE *stream)
{
    (void)stream;
    out[out_used++] = c;
    if (c == '\n' || out_used == sizeof out)
        flush_out();
    return (unsigned char)c;
}

static int get(FILE *stream)
{
    (void)stream;
    if (in_used == in_size) {
        int n = simcall(SYS_read, 0, in, sizeof in);
        if (n <= 0)
            return _FDEV_EOF;
        in_used = 0;
        in_size = n;
    }
    return (unsigned char)in[in_used++];
}

static FILE console = FDEV_SETUP_STREAM(put, get, NULL, _FDEV_SETUP_RW);

FILE *const stdin = &console;
FILE *const stdout = &console;

_Noreturn void _exit(int status)
{
    flush_out();
    for (;;)
        simcall(SYS_exit, status, NULL, 0);
}
