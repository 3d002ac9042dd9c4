/* A program in the manner of Dhrystone: records, enumerations, string
 * comparison, small procedures and global arrays. Own code; its figures are
 * not Dhrystone scores. argv[1] = number of runs. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_RUNS 300
#define NOINLINE __attribute__((noinline))

enum colour { RED, GREEN, BLUE, WHITE, BLACK };

struct record {
    struct record *link;
    enum colour colour, mark;
    int count;
    char label[32];
};

static struct record first, second;
static int numbers[50], table[50][50];
static int global_int;
static char global_char = 'A';
static int global_flag;

static NOINLINE int later(const char *a, const char *b)
{
    int i = 2;

    while (i <= 2 && a[i] != b[i + 1])
        i++;
    if (strcmp(a, b) > 0) {
        global_int = i + 7;
        return 1;
    }
    return 0;
}

static NOINLINE enum colour next_colour(enum colour c)
{
    switch (c) {
    case RED:
        return GREEN;
    case GREEN:
        return global_int > 100 ? RED : BLACK;
    case BLUE:
        return GREEN;
    case WHITE:
        return BLUE;
    default:
        return WHITE;
    }
}

static NOINLINE void add_offset(int a, int b, int *sum)
{
    *sum = b + a + 2;
}

static NOINLINE void fill_tables(int *row, int (*grid)[50], int where, int value)
{
    int at = where + 5;

    row[at] = value;
    row[at + 1] = row[at];
    row[at + 30] = at;
    for (int i = at; i <= at + 1; i++)
        grid[at][i] = at;
    grid[at][at - 1]++;
    grid[at + 20][at] = row[at];
    global_int = 5;
}

static NOINLINE void change_record(struct record *r)
{
    struct record *next = r->link;

    *next = first;
    r->count = 5;
    next->count = r->count;
    next->link = r->link;
    if (next->colour == RED) {
        next->count = 6;
        next->mark = next_colour(r->mark);
        next->link = first.link;
        add_offset(next->count, 10, &next->count);
    } else {
        *r = *next;
    }
}

static NOINLINE int same_char(char a, char b)
{
    char c = a;

    if (c != b)
        return 0;
    global_char = c;
    return 1;
}

static NOINLINE void set_globals(void)
{
    global_flag = (global_char == 'A') | global_flag;
    global_char = 'B';
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : DEFAULT_RUNS;
    int a = 0, b = 0, c = 0, matches = 0;
    enum colour colour = GREEN;
    char text1[32], text2[32];

    first.link = &second;
    first.colour = RED;
    first.mark = BLUE;
    first.count = 40;
    strcpy(first.label, "SYNTHETIC LOAD, THE RECORD");
    strcpy(text1, "SYNTHETIC LOAD, 1ST STRING");
    numbers[8] = 10;

    for (int run = 1; run <= runs; run++) {
        global_char = 'A';
        set_globals();
        a = 2;
        b = 3;
        strcpy(text2, "SYNTHETIC LOAD, 2ND STRING");
        colour = BLUE;
        global_flag = !later(text1, text2);
        while (a < b) {
            c = 5 * a - b;
            add_offset(a, b, &c);
            a++;
        }
        fill_tables(numbers, table, a, c);
        change_record(&first);
        for (char ch = 'A'; ch <= global_char; ch++) {
            if (same_char(ch, 'C')) {
                colour = next_colour(colour);
                strcpy(text2, "SYNTHETIC LOAD, 3RD STRING");
                b = run;
                global_int = run;
            } else {
                matches++;
            }
        }
        b = b * a;
        a = b / c;
        b = 7 * (b - c) - a;
        if (global_char == 'B')
            a += 9 - global_int;
    }

    printf("dhrystone: %d runs\n", runs);
    printf("ints %d %d %d, matches %d\n", a, b, c, matches);
    printf("globals %d %d %c, colour %d\n", global_int, global_flag, global_char, colour);
    printf("arrays %d %d %d\n", numbers[8], table[8][7], table[28][8]);
    printf("first  %d %d %d %s\n", first.colour, first.mark, first.count, first.label);
    printf("second %d %d %d %s\n", second.colour, second.mark, second.count, second.label);
    printf("texts '%s' '%s'\n", text1, text2);
    return 0;
}
