/* 64-bit integer arithmetic and IEEE 754 single and double precision. Every
 * result is shown as a bit pattern: a few singly, all of them in a hash. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static uint32_t hash;
static unsigned results;

/* Prints one result in `every`, and hashes all. */
static void note(uint64_t bits, unsigned every, const char *what)
{
    uint32_t hi = (uint32_t)(bits >> 32), lo = (uint32_t)bits;

    if (results++ % every == 0)
        printf("  %s %08" PRIx32 "%08" PRIx32 "\n", what, hi, lo);
    hash = (hash ^ lo) * 16777619u;
    hash = (hash ^ hi) * 16777619u;
}

static void begin(const char *name)
{
    printf("%s\n", name);
    hash = 2166136261u;
    results = 0;
}

static void end(void)
{
    printf("  %u results, hash %08" PRIx32 "\n", results, hash);
}

/* ------------------------------------------------------------- integers -- */

/* volatile: the arithmetic must happen at run time. */
static volatile const uint64_t integers[] = {
    1, 2, 7, 10, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x123456789abcdef0,
    0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffff9, 0xffffffff00000000, 0xffffffffffffffff,
};

static void integer_arithmetic(void)
{
    begin("integers");
    for (unsigned i = 0; i < COUNT(integers); i++) {
        for (unsigned j = 0; j < COUNT(integers); j++) {
            uint64_t a = integers[i], b = integers[j];
            int64_t sa = (int64_t)a, sb = (int64_t)b;

            note(a + b, 101, "add");
            note(a - b, 101, "sub");
            note(a * b, 101, "mul");
            note(a / b, 101, "udiv");
            note(a % b, 101, "umod");
            if (!(sa == INT64_MIN && sb == -1)) {
                note((uint64_t)(sa / sb), 101, "div");
                note((uint64_t)(sa % sb), 101, "mod");
            }
            note((uint64_t)((int64_t)(int32_t)a * (int32_t)b), 101, "mul32");
            note((uint64_t)(uint32_t)a * (uint32_t)b, 101, "umul32");
            note(a << (j * 4), 101, "shl");
            note(a >> (j * 4 + 1), 101, "shr");
            note((uint64_t)(sa >> (j * 4 + 3)), 101, "sar");
            note((uint64_t)((a < b) | (sa < sb) << 1 | (a == b) << 2), 101, "cmp");
        }
    }
    end();
}

/* ------------------------------------------------------- floating point -- */

static volatile const uint32_t floats[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40490fdb, 0x3eaaaaab, 0xc2f6e979, /* 0 1 pi 1/3 -123.456 */
    0x4b800000, 0x4b7fffff, 0x33800000, 0x33ffffff,                                     /* around 2^24, 2^-24 */
    0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x5f000000,                         /* least, greatest, 2^63 */
    0x7f800000, 0xff800000, 0x7fc00000,                                                 /* infinities, NaN */
};

static volatile const uint64_t doubles[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x400921fb54442d18, 0x3fd5555555555555, 0xc05edd2f1a9fbe77,
    0x4340000000000000, 0x433fffffffffffff, 0x3ca0000000000000, 0x3cafffffffffffff,
    0x0000000000000001, 0x800fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
    0x43e0000000000000, 0x36a0000000000000, 0x36a0000000000001, 0x47efffffefffffff, /* float's limits */
    0x47effffff0000000, 0x3810000000000000, 0x3ff0000010000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
};

/* The sign and payload of a computed NaN are not specified: use one for all. */
static uint64_t float_bits(float x)
{
    uint32_t bits;

    if (x != x)
        return 0x7fc00000;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t double_bits(double x)
{
    uint64_t bits;

    if (x != x)
        return 0x7ff8000000000000;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float as_float(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static double as_double(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

#define COMPARISONS(a, b)                                                      \
    (uint64_t)((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5)

#define PAIRS(type, values, as, bits)                                          \
    for (unsigned i = 0; i < COUNT(values); i++) {                             \
        for (unsigned j = 0; j < COUNT(values); j++) {                         \
            type a = as(values[i]), b = as(values[j]);                         \
            note(bits(a + b), 97, "add");                                      \
            note(bits(a - b), 97, "sub");                                      \
            note(bits(a * b), 97, "mul");                                      \
            note(bits(a / b), 97, "div");                                      \
            note(COMPARISONS(a, b), 97, "cmp");                                \
        }                                                                      \
    }

/* Only values that fit are converted: the rest is undefined in C. */
#define TO_INTEGERS(type, x)                                                   \
    do {                                                                       \
        if (x > -(type)2147483648.0 && x < (type)2147483648.0)                 \
            note((uint64_t)(uint32_t)(int32_t)x, 7, "to int32");               \
        if (x >= 0 && x < (type)4294967296.0)                                  \
            note((uint64_t)(uint32_t)x, 7, "to uint32");                       \
        if (x > -(type)9223372036854775808.0 && x < (type)9223372036854775808.0) \
            note((uint64_t)(int64_t)x, 7, "to int64");                         \
        if (x >= 0 && x < (type)18446744073709551616.0)                        \
            note((uint64_t)x, 7, "to uint64");                                 \
    } while (0)

static void conversions(void)
{
    begin("conversions");
    for (unsigned i = 0; i < COUNT(floats); i++) {
        float x = as_float(floats[i]);
        note(double_bits(x), 7, "float to double");
        TO_INTEGERS(float, x);
    }
    for (unsigned i = 0; i < COUNT(doubles); i++) {
        double x = as_double(doubles[i]);
        note(float_bits((float)x), 7, "double to float");
        TO_INTEGERS(double, x);
    }
    for (unsigned i = 0; i < COUNT(integers); i++) {
        uint64_t x = integers[i];
        note(float_bits((float)x), 7, "uint64 to float");
        note(float_bits((float)(int64_t)x), 7, "int64 to float");
        note(float_bits((float)(uint32_t)x), 7, "uint32 to float");
        note(float_bits((float)(int32_t)x), 7, "int32 to float");
        note(double_bits((double)x), 7, "uint64 to double");
        note(double_bits((double)(int64_t)x), 7, "int64 to double");
        note(double_bits((double)(uint32_t)x), 7, "uint32 to double");
        note(double_bits((double)(int32_t)x), 7, "int32 to double");
    }
    end();
}

/* Operands of every exponent: random bit patterns. */
static void random_operands(void)
{
    uint64_t s = 0x9e3779b97f4a7c15;

    begin("random operands");
    for (int i = 0; i < 100; i++) {
        uint64_t p, q;

        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        p = s;
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        /* Every other pair of doubles has close exponents. */
        q = i & 1 ? s : (s & 0x801fffffffffffff) | (p & 0x7fe0000000000000);
        note(double_bits(as_double(p) + as_double(q)), 97, "add");
        note(double_bits(as_double(p) - as_double(q)), 97, "sub");
        note(double_bits(as_double(p) * as_double(q)), 97, "mul");
        note(double_bits(as_double(p) / as_double(q)), 97, "div");
        note(float_bits(as_float((uint32_t)p) + as_float((uint32_t)q)), 97, "fadd");
        note(float_bits(as_float((uint32_t)p) * as_float((uint32_t)q)), 97, "fmul");
        note(float_bits(as_float((uint32_t)p) / as_float((uint32_t)q)), 97, "fdiv");
    }
    end();
}

int main(void)
{
    integer_arithmetic();

    begin("float");
    PAIRS(float, floats, as_float, float_bits)
    end();

    begin("double");
    PAIRS(double, doubles, as_double, double_bits)
    end();

    conversions();
    random_operands();
    return 0;
}
