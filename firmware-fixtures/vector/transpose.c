#include "common.h"

enum { REGION = 3584 };
static uint8_t source[REGION], target[REGION];

int main(void)
{
    static const int cases[][2] = {{64, 64}, {64, 66}, {70, 64}, {98, 103}, {103, 90}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int to_stride = cases[i][0], from_stride = cases[i][1];
        fill(source, REGION);
        fill(target, REGION);
        const uint8_t *from = source + 64 + random_bits(63);
        uint8_t *to = target + 64 + random_bits(63);
        for (int row = 0; row < 32; row++)
            for (int column = 0; column < 32; column++)
                for (int byte = 0; byte < 2; byte++)
                    to[column * to_stride + 2 * row + byte] = from[row * from_stride + 2 * column + byte];
        report(target, REGION);
    }
}
