#include "common.h"

enum { REGION = 1280 };
static uint8_t source[REGION], target[REGION];

int main(void)
{
    static const int sizes[] = {0, 1, 2, 31, 63, 64, 65, 127, 128, 129, 191, 192, 200, 255, 640, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int pair = 0; pair < 3; pair++) {
            fill(source, REGION);
            fill(target, REGION);
            int from = 64 + (pair * random_bits(63) & 63);
            int to = 64 + (pair * random_bits(63) & 63);
            for (int k = 0; k < sizes[i]; k++)
                target[to + k] = source[from + k];
            report(target, REGION);
        }
    }
}
