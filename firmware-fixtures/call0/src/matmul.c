/* Integer matrix multiplication: 8-, 16- and 32-bit elements, and 32-bit ones
 * with a 64-bit sum. argv[1] = number of repetitions. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_REPETITIONS 1
#define N 20

static int8_t a8[N][N], b8[N][N];
static int16_t a16[N][N], b16[N][N];
static uint32_t a32[N][N], b32[N][N], c32[N][N];
static int64_t c64[N][N];

#define MULTIPLY(c, a, b, sum_type, product_type)                              \
    for (int i = 0; i < N; i++) {                                              \
        for (int j = 0; j < N; j++) {                                          \
            sum_type sum = 0;                                                  \
            for (int k = 0; k < N; k++)                                        \
                sum += (product_type)a[i][k] * b[k][j];                        \
            c[i][j] = sum;                                                     \
        }                                                                      \
    }

static void show32(const char *name)
{
    uint32_t trace = 0, sum = 0;

    for (int i = 0; i < N; i++) {
        trace += c32[i][i];
        for (int j = 0; j < N; j++)
            sum = sum * 31 + c32[i][j];
    }
    printf("%-4s corner %08" PRIx32 " trace %08" PRIx32 " sum %08" PRIx32 "\n", name,
           c32[0][N - 1], trace, sum);
}

static void show64(const char *name)
{
    uint64_t trace = 0, sum = 0;

    for (int i = 0; i < N; i++) {
        trace += (uint64_t)c64[i][i];
        for (int j = 0; j < N; j++)
            sum = sum * 31 + (uint64_t)c64[i][j];
    }
    printf("%-4s trace %08" PRIx32 "%08" PRIx32 " sum %08" PRIx32 "%08" PRIx32 "\n", name,
           (uint32_t)(trace >> 32), (uint32_t)trace, (uint32_t)(sum >> 32), (uint32_t)sum);
}

int main(int argc, char **argv)
{
    int repetitions = argc > 1 ? atoi(argv[1]) : DEFAULT_REPETITIONS;
    uint32_t x = 2463534242u;

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            x = x * 1664525u + 1013904223u;
            a32[i][j] = x;
            a16[i][j] = (int16_t)(x >> 16);
            a8[i][j] = (int8_t)(x >> 24);
            x = x * 1664525u + 1013904223u;
            b32[i][j] = x;
            b16[i][j] = (int16_t)(x >> 16);
            b8[i][j] = (int8_t)(x >> 24);
        }
    }

    for (int r = 0; r < repetitions; r++) {
        MULTIPLY(c32, a8, b8, uint32_t, int32_t)
        if (r == 0)
            show32("8");
        MULTIPLY(c32, a16, b16, uint32_t, int32_t)
        if (r == 0)
            show32("16");
        MULTIPLY(c32, a32, b32, uint32_t, uint32_t)
        if (r == 0)
            show32("32");
        MULTIPLY(c64, (int32_t)a32, (int32_t)b32, uint64_t, int64_t)
        a32[0][0] += c32[N - 1][N - 1]; /* no repetition is the same */
    }
    show32("32");
    show64("64");
    return 0;
}
