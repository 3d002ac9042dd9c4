/* Copies standard input to standard output in upper case, then counts it. */

#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c, bytes = 0, lines = 0;

    while ((c = getchar()) != EOF) {
        putchar(toupper(c));
        bytes++;
        lines += c == '\n';
    }
    printf("%d bytes, %d lines\n", bytes, lines);
    return 0;
}
