#include "common.h"

enum { REGION = 2176 };
static uint8_t numbers[REGION];

int main(void)
{
    static const int sizes[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 500, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int start = 0; start < 4; start++) {
            fill(numbers, REGION);
            for (int k = 0; start == 0 && k < REGION; k++)
                numbers[k] |= 128;
            const uint8_t *from = numbers + random_bits(63);
            int32_t sum = 0, most = -32768;
            for (int k = 0; k < sizes[i]; k++) {
                int number = (int16_t)(from[2 * k] | from[2 * k + 1] << 8);
                sum += number;
                if (number > most)
                    most = number;
            }
            uint8_t results[8];
            for (int byte = 0; byte < 4; byte++) {
                results[byte] = (uint32_t)sum >> 8 * byte;
                results[4 + byte] = (uint32_t)most >> 8 * byte;
            }
            report(results, sizeof results);
        }
    }
}
