#include "common.h"

enum { REGION = 896 };
static uint8_t source[REGION], target[REGION + 4];

int main(void)
{
    static const int cases[][2] = {
        {0, 0},   {1, 0},     {63, 128}, {64, 128},  {65, 128},  {100, 0},
        {100, 255}, {128, 1}, {200, 200}, {333, 30}, {640, 100}, {700, 250},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int size = cases[i][0], limit = cases[i][1];
        fill(source, REGION);
        fill(target, REGION);
        const uint8_t *from = source + 64 + random_bits(63);
        uint8_t *to = target + 64 + random_bits(63);
        uint32_t count = 0;
        for (int k = 0; k < size; k++)
            if (from[k] >= limit)
                to[count++] = from[k];
        for (int byte = 0; byte < 4; byte++)
            target[REGION + byte] = count >> 8 * byte;
        report(target, REGION + 4);
        for (int k = 0; k < size; k++)
            target[64 + k] = from[k] >= limit ? from[k] + 40 : from[k];
        report(target, REGION);
    }
}
