#include "common.h"

enum { SOURCE = 1280, TARGET = 704 };
static uint8_t source[SOURCE], target[TARGET];

int main(void)
{
    static const int sizes[] = {0, 1, 63, 64, 65, 127, 128, 129, 255, 256, 500, 1200};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fill(source, SOURCE);
        fill(target, TARGET);
        const uint8_t *from = source + random_bits(63);
        uint8_t *to = target + 64 + random_bits(63);
        uint16_t counts[256] = {0};
        for (int k = 0; k < sizes[i]; k++)
            counts[from[k]]++;
        for (int value = 0; value < 256; value++) {
            to[2 * value] = counts[value];
            to[2 * value + 1] = counts[value] >> 8;
        }
        report(target, TARGET);
    }
}
