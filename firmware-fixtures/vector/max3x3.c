#include "common.h"

enum { REGION = 2560 };
static uint8_t source[REGION], target[REGION];

int main(void)
{
    static const int cases[][4] = {
        {0, 2, 4, 4},     {1, 1, 1, 3},      {2, 5, 9, 11},     {61, 3, 64, 64},
        {62, 3, 64, 64},  {63, 3, 64, 65},   {64, 11, 64, 66},  {65, 4, 100, 67},
        {126, 3, 128, 128}, {128, 2, 160, 144}, {178, 11, 180, 180},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int width = cases[i][0], height = cases[i][1], to_stride = cases[i][2], from_stride = cases[i][3];
        fill(source, REGION);
        fill(target, REGION);
        const uint8_t *from = source + 64 + random_bits(63);
        uint8_t *to = target + 64 + random_bits(63);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                uint8_t most = 0;
                for (int dy = 0; dy < 3; dy++)
                    for (int dx = 0; dx < 3; dx++)
                        if (from[(y + dy) * from_stride + x + dx] > most)
                            most = from[(y + dy) * from_stride + x + dx];
                to[y * to_stride + x] = most;
            }
        }
        report(target, REGION);
    }
}
