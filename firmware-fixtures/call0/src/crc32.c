/* CRC-32 (IEEE 802.3), table-driven and bit by bit, over a generated buffer.
 * argv[1] = number of passes of the table-driven loop. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PASSES 8
#define SIZE 4096

static uint32_t table[256];
static uint8_t buffer[SIZE];

static uint32_t shift_bits(uint32_t crc)
{
    for (int i = 0; i < 8; i++)
        crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    return crc;
}

static uint32_t crc_table(uint32_t crc, const uint8_t *p, size_t size)
{
    crc = ~crc;
    while (size--)
        crc = crc >> 8 ^ table[(crc ^ *p++) & 0xff];
    return ~crc;
}

static uint32_t crc_bitwise(uint32_t crc, const uint8_t *p, size_t size)
{
    crc = ~crc;
    while (size--)
        crc = shift_bits(crc ^ *p++);
    return ~crc;
}

int main(int argc, char **argv)
{
    int passes = argc > 1 ? atoi(argv[1]) : DEFAULT_PASSES;
    static const char check[] = "123456789";
    uint32_t x = 1, crc = 0;

    for (uint32_t i = 0; i < 256; i++)
        table[i] = shift_bits(i);
    for (int i = 0; i < SIZE; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        buffer[i] = (uint8_t)x;
    }

    printf("check  %08" PRIx32 "\n", crc_table(0, (const uint8_t *)check, strlen(check)));
    printf("table  %08" PRIx32 "\n", crc_table(0, buffer, SIZE));
    printf("bits   %08" PRIx32 "\n", crc_bitwise(0, buffer, SIZE));
    for (int i = 0; i < passes; i++)
        crc = crc_table(crc, buffer, SIZE);
    printf("passes %08" PRIx32 " (%d)\n", crc, passes);
    return 0;
}
