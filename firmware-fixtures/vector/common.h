/* The C side of rt/rt.s. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t state = 1;

static uint32_t next(void) { return state = state * 1664525u + 1013904223u; }

static inline uint32_t random_bits(uint32_t mask) { return next() >> 16 & mask; }

static inline void fill(uint8_t *to, size_t size)
{
    while (size--)
        *to++ = next() >> 24;
}

static inline void report(const void *from, size_t size)
{
    uint32_t hash = 0x811c9dc5u;
    for (const uint8_t *byte = from; size--; byte++)
        hash = (hash ^ *byte) * 0x01000193u;
    printf("%08x\n", (unsigned)hash);
}
