/* Integer printf formats and the string functions of the C library. */

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void formats(void)
{
    char small[8];
    int n;

    printf("[%d] [%i] [%u] [%x] [%X] [%o] [%c] [%s] [%%]\n", -42, 42, 42u, 0xbeefu, 0xbeefu, 8u, 'q', "text");
    printf("[%d] [%d] [%u] [%x]\n", INT_MAX, INT_MIN, UINT_MAX, UINT_MAX);
    printf("[%6d] [%-6d] [%06d] [%+d] [% d] [%+d]\n", 123, 123, -123, 5, 5, -5);
    printf("[%#x] [%#o] [%#X] [%08x] [%.6d] [%8.4d] [%-8.4x]\n", 255u, 8u, 255u, 0xfeedu, 77, -77, 0xau);
    printf("[%10s] [%-10s] [%.3s] [%8.2s] [%*d] [%-*d] [%.*s]\n", "right", "left", "cutting", "cut", 5, 1, 5, 2, 2, "xyz");
    printf("[%hhd] [%hd] [%hhu] [%hu] [%ld] [%lu] [%zu]\n", 300, 70000, 300, 70000, -7L, 7UL, sizeof small);
    n = snprintf(small, sizeof small, "%s-%d", "truncated", 12345);
    printf("snprintf %d '%s'\n", n, small);
    n = sprintf(small, "%03d", 7);
    printf("sprintf %d '%s'\n", n, small);
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void strings(void)
{
    char buffer[64] = "The quick brown fox", copy[64];
    char words[] = "alpha,beta;;gamma";
    char *end;
    long value;

    printf("strlen %u strnlen %u\n", (unsigned)strlen(buffer), (unsigned)strnlen(buffer, 9));
    strcpy(copy, buffer);
    strcat(copy, " jumps");
    strncat(copy, " over and over", 5);
    printf("copy '%s'\n", copy);
    printf("strcmp %d %d %d strncmp %d memcmp %d\n", sign(strcmp("abc", "abd")), sign(strcmp("abd", "abc")),
           sign(strcmp(buffer, buffer)), sign(strncmp("abcd", "abzz", 2)), sign(memcmp("\x80", "\x01", 1)));
    printf("strchr %d strrchr %d strstr %d none %d\n", (int)(strchr(buffer, 'o') - buffer),
           (int)(strrchr(buffer, 'o') - buffer), (int)(strstr(buffer, "brown") - buffer),
           strstr(buffer, "bread") == NULL);
    printf("strspn %u strcspn %u\n", (unsigned)strspn("112358x13", "0123456789"), (unsigned)strcspn("hello, all", " ,"));

    memmove(buffer + 4, buffer, 10); /* the ranges overlap */
    printf("memmove up   '%s'\n", buffer);
    memmove(buffer, buffer + 3, 12);
    printf("memmove down '%s'\n", buffer);
    memset(buffer + 2, '*', 5);
    printf("memset '%s'\n", buffer);

    for (char *w = strtok(words, ",;"); w; w = strtok(NULL, ",;"))
        printf("token %s\n", w);

    printf("atoi %d %d\n", atoi("  -917 apples"), atoi("none"));
    value = strtol("0x7fffABCDz", &end, 0);
    printf("strtol %lx rest '%s'\n", value, end);
    printf("strtoul %lu\n", strtoul("4294967295", NULL, 10));

    for (char *p = copy; *p; p++)
        *p = (char)(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p));
    printf("case '%s'\n", copy);
}

int main(void)
{
    formats();
    strings();
    return 0;
}
