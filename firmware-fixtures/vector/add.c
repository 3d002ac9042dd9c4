#include "common.h"

enum { REGION = 2560 };
static uint8_t first[REGION], second[REGION], target[REGION];

int main(void)
{
    static const int cases[][3] = {
        {0, 3, 8},   {5, 0, 8},   {1, 1, 1},    {7, 11, 7},     {31, 5, 40},    {32, 5, 32},
        {33, 5, 64}, {64, 4, 64}, {65, 3, 101}, {100, 11, 217}, {217, 11, 217},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int width = cases[i][0], height = cases[i][1], stride = cases[i][2];
        fill(first, REGION);
        fill(second, REGION);
        fill(target, REGION);
        const uint8_t *a = first + 64 + random_bits(63);
        const uint8_t *b = second + 64 + random_bits(63);
        uint8_t *to = target + 64 + random_bits(63);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int sum = a[y * stride + x] + b[y * stride + x];
                to[y * stride + x] = sum > 255 ? 255 : sum;
            }
        }
        report(target, REGION);
    }
}
