/* Compiler support routines that the cross libgcc lacks: integer division,
 * 64-bit multiplication and shifts, and IEEE 754 soft-float (round to nearest
 * even, subnormals included). Written to be read, not to be fast. Nothing here
 * may use an operation that GCC would turn back into the routine itself. */

#include <stdint.h>

/* ------------------------------------------------------- 64-bit integers -- */

union pair {
    uint64_t whole;
    struct {
        uint32_t lo, hi;
    };
};

uint64_t __ashldi3(uint64_t value, int n)
{
    union pair x = {value};

    if (n >= 32) {
        x.hi = x.lo << (n - 32);
        x.lo = 0;
    } else if (n > 0) {
        x.hi = x.hi << n | x.lo >> (32 - n);
        x.lo <<= n;
    }
    return x.whole;
}

uint64_t __lshrdi3(uint64_t value, int n)
{
    union pair x = {value};

    if (n >= 32) {
        x.lo = x.hi >> (n - 32);
        x.hi = 0;
    } else if (n > 0) {
        x.lo = x.lo >> n | x.hi << (32 - n);
        x.hi >>= n;
    }
    return x.whole;
}

int64_t __ashrdi3(int64_t value, int n)
{
    union pair x = {value};

    if (n >= 32) {
        x.lo = (int32_t)x.hi >> (n - 32);
        x.hi = (int32_t)x.hi >> 31;
    } else if (n > 0) {
        x.lo = x.lo >> n | x.hi << (32 - n);
        x.hi = (int32_t)x.hi >> n;
    }
    return x.whole;
}

/* 32 x 32 -> 64 from 16-bit halves: the compiler knows no MULUH here. */
static uint64_t mul32(uint32_t a, uint32_t b)
{
    uint32_t al = a & 0xffff, ah = a >> 16, bl = b & 0xffff, bh = b >> 16;
    uint32_t low = al * bl;
    uint32_t mid1 = ah * bl + (low >> 16);
    uint32_t mid2 = al * bh + (mid1 & 0xffff);
    union pair r;

    r.lo = mid2 << 16 | (low & 0xffff);
    r.hi = ah * bh + (mid1 >> 16) + (mid2 >> 16);
    return r.whole;
}

uint64_t __muldi3(uint64_t left, uint64_t right)
{
    union pair a = {left}, b = {right}, r = {mul32(a.lo, b.lo)};

    r.hi += a.lo * b.hi + a.hi * b.lo;
    return r.whole;
}

/* -------------------------------------------------------------- division -- */

static uint32_t udivmod32(uint32_t n, uint32_t d, uint32_t *rest)
{
    uint32_t r = 0;

    /* The quotient enters n from below while the dividend leaves it. */
    for (int i = 0; i < 32; i++) {
        uint32_t carry = r >> 31;
        r = r << 1 | n >> 31;
        n <<= 1;
        if (carry || r >= d) {
            r -= d;
            n |= 1;
        }
    }
    *rest = r;
    return n;
}

static uint32_t top_bit(uint64_t x)
{
    return (uint32_t)(x >> 32) >> 31;
}

static uint64_t udivmod64(uint64_t n, uint64_t d, uint64_t *rest)
{
    uint64_t r = 0;

    for (int i = 0; i < 64; i++) {
        uint32_t carry = top_bit(r);
        r = r + r + top_bit(n);
        n += n;
        if (carry || r >= d) {
            r -= d;
            n |= 1;
        }
    }
    *rest = r;
    return n;
}

#define DIVISION(U, S, suffix, udivmod)                                        \
    U __udiv##suffix(U n, U d)                                                 \
    {                                                                          \
        U rest;                                                                \
        return udivmod(n, d, &rest);                                           \
    }                                                                          \
    U __umod##suffix(U n, U d)                                                 \
    {                                                                          \
        U rest;                                                                \
        udivmod(n, d, &rest);                                                  \
        return rest;                                                           \
    }                                                                          \
    S __div##suffix(S n, S d)                                                  \
    {                                                                          \
        U rest, q = udivmod(n < 0 ? -(U)n : (U)n, d < 0 ? -(U)d : (U)d, &rest); \
        return (n < 0) != (d < 0) ? -q : q;                                    \
    }                                                                          \
    S __mod##suffix(S n, S d)                                                  \
    {                                                                          \
        U rest;                                                                \
        udivmod(n < 0 ? -(U)n : (U)n, d < 0 ? -(U)d : (U)d, &rest);            \
        return n < 0 ? -rest : rest;                                           \
    }

DIVISION(uint32_t, int32_t, si3, udivmod32)
DIVISION(uint64_t, int64_t, di3, udivmod64)

/* ------------------------------------------------------------ soft-float -- */

/* Both formats are computed in one wide form and rounded once, in pack(). */

enum kind { ZERO, FINITE, INFINITE, NOT_A_NUMBER };

struct num {
    enum kind kind;
    uint32_t sign;
    int exp;       /* value = frac * 2^(exp - 62) */
    uint64_t frac; /* after unpack(): bit 62 is the leading one */
};

struct format {
    int frac_bits, exp_max, bias, sign_bit;
};

static const struct format f32 = {23, 0xff, 127, 31};
static const struct format f64 = {52, 0x7ff, 1023, 63};

/* Shifts right; bits that fall off are remembered in the lowest bit, so that
 * a later rounding still sees "a little more than". */
static uint64_t shift_right_jam(uint64_t x, int n)
{
    if (n <= 0)
        return x;
    if (n >= 64)
        return x != 0;
    return x >> n | ((x << (64 - n)) != 0);
}

static struct num unpack(uint64_t bits, const struct format *f)
{
    struct num n;
    int exp = (uint32_t)(bits >> f->frac_bits) & f->exp_max;
    uint64_t hidden = (uint64_t)1 << f->frac_bits;

    n.sign = (uint32_t)(bits >> f->sign_bit) & 1;
    n.frac = bits & (hidden - 1);
    if (exp == f->exp_max) {
        n.kind = n.frac ? NOT_A_NUMBER : INFINITE;
    } else if (exp == 0 && n.frac == 0) {
        n.kind = ZERO;
    } else {
        n.kind = FINITE;
        if (exp == 0)
            exp = 1;
        else
            n.frac |= hidden;
        n.frac <<= 62 - f->frac_bits;
        n.exp = exp - f->bias;
        while (!top_bit(n.frac + n.frac)) {
            n.frac += n.frac;
            n.exp--;
        }
    }
    return n;
}

static uint64_t pack(struct num n, const struct format *f)
{
    uint64_t sign = (uint64_t)n.sign << f->sign_bit;
    uint64_t infinity = (uint64_t)f->exp_max << f->frac_bits;
    uint32_t guard;
    int exp, shift = 63 - f->frac_bits;

    switch (n.kind) {
    case NOT_A_NUMBER:
        return infinity | (uint64_t)1 << (f->frac_bits - 1);
    case INFINITE:
        return sign | infinity;
    case ZERO:
        return sign;
    case FINITE:
        break;
    }

    while (!top_bit(n.frac)) {
        n.frac += n.frac;
        n.exp--;
    }
    exp = n.exp + 1 + f->bias;
    if (exp >= f->exp_max)
        return sign | infinity;
    if (exp < 1) { /* subnormal */
        shift += 1 - exp;
        exp = 1;
    }

    n.frac = shift_right_jam(n.frac, shift - 2);
    guard = (uint32_t)n.frac & 3;
    n.frac >>= 2;
    if (guard == 3 || (guard == 2 && ((uint32_t)n.frac & 1)))
        n.frac++;

    /* The leading one and a carry out of the rounding add to the exponent;
     * a carry out of the largest exponent gives infinity, as it should. */
    return sign | (((uint64_t)(exp - 1) << f->frac_bits) + n.frac);
}

static struct num nan_num(void)
{
    return (struct num){.kind = NOT_A_NUMBER};
}

static struct num add(struct num a, struct num b)
{
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER)
        return nan_num();
    if (a.kind == INFINITE)
        return b.kind == INFINITE && a.sign != b.sign ? nan_num() : a;
    if (b.kind == INFINITE)
        return b;
    if (a.kind == ZERO && b.kind == ZERO) {
        a.sign &= b.sign;
        return a;
    }
    if (a.kind == ZERO)
        return b;
    if (b.kind == ZERO)
        return a;

    if (a.exp < b.exp) {
        struct num t = a;
        a = b;
        b = t;
    }
    b.frac = shift_right_jam(b.frac, a.exp - b.exp);
    if (a.sign == b.sign) {
        a.frac += b.frac;
    } else if (a.frac == b.frac) {
        a.kind = ZERO;
        a.sign = 0;
    } else if (a.frac > b.frac) {
        a.frac -= b.frac;
    } else {
        a.frac = b.frac - a.frac;
        a.sign = b.sign;
    }
    return a;
}

static struct num sub(struct num a, struct num b)
{
    b.sign ^= 1;
    return add(a, b);
}

static struct num mul(struct num a, struct num b)
{
    union pair x = {a.frac}, y = {b.frac}, low, high;
    uint64_t mid1, mid2;

    a.sign ^= b.sign;
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER)
        return nan_num();
    if (a.kind == INFINITE || b.kind == INFINITE) {
        if (a.kind == ZERO || b.kind == ZERO)
            return nan_num();
        a.kind = INFINITE;
        return a;
    }
    if (a.kind == ZERO || b.kind == ZERO) {
        a.kind = ZERO;
        return a;
    }

    /* Upper half of the 128-bit product, the lower half jammed. */
    low.whole = mul32(x.lo, y.lo);
    mid1 = mul32(x.hi, y.lo) + low.hi;
    mid2 = mul32(x.lo, y.hi) + (uint32_t)mid1;
    high.whole = mul32(x.hi, y.hi) + (mid1 >> 32) + (mid2 >> 32);
    a.frac = high.whole | (((uint32_t)mid2 | low.lo) != 0);
    a.exp += b.exp + 2;
    return a;
}

static struct num div(struct num a, struct num b)
{
    uint64_t q = 0, r = a.frac;

    a.sign ^= b.sign;
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER)
        return nan_num();
    if (a.kind == b.kind && a.kind != FINITE) /* 0/0, inf/inf */
        return nan_num();
    if (a.kind == INFINITE || b.kind == ZERO) {
        a.kind = INFINITE;
        return a;
    }
    if (a.kind == ZERO || b.kind == INFINITE) {
        a.kind = ZERO;
        return a;
    }

    for (int i = 0; i < 64; i++) {
        q += q;
        if (r >= b.frac) {
            r -= b.frac;
            q |= 1;
        }
        r += r;
    }
    a.frac = q | (r != 0);
    a.exp -= b.exp + 1;
    return a;
}

static int is_nan(uint64_t bits, const struct format *f)
{
    uint64_t magnitude = bits & (((uint64_t)1 << f->sign_bit) - 1);

    return magnitude > (uint64_t)f->exp_max << f->frac_bits;
}

/* An integer that orders like the number; both zeros give 0. */
static int64_t order(uint64_t bits, const struct format *f)
{
    int64_t magnitude = bits & (((uint64_t)1 << f->sign_bit) - 1);

    return bits >> f->sign_bit ? -magnitude : magnitude;
}

/* What libgcc promises: the sign of a - b, and `unordered` for a NaN. */
static int compare(uint64_t a, uint64_t b, const struct format *f, int unordered)
{
    int64_t x = order(a, f), y = order(b, f);

    if (is_nan(a, f) || is_nan(b, f))
        return unordered;
    return x < y ? -1 : x > y;
}

static uint64_t magnitude_of(struct num n)
{
    if (n.kind == ZERO || n.kind == NOT_A_NUMBER)
        return 0;
    if (n.kind == INFINITE || n.exp > 63)
        return UINT64_MAX;
    if (n.exp < 0)
        return 0;
    return n.exp == 63 ? n.frac + n.frac : n.frac >> (62 - n.exp);
}

static uint64_t to_integer(struct num n)
{
    uint64_t m = magnitude_of(n);

    return n.sign ? -m : m;
}

static struct num from_unsigned(uint64_t value)
{
    return (struct num){.kind = value ? FINITE : ZERO, .exp = 62, .frac = value};
}

static struct num from_signed(int64_t value)
{
    struct num n = from_unsigned(value < 0 ? -(uint64_t)value : (uint64_t)value);

    n.sign = value < 0;
    return n;
}

/* The bit patterns stand in for float and double: the ABI passes them alike. */
#define BINARY(T, m, F, name)                                                  \
    T __##name##m##f3(T a, T b)                                                \
    {                                                                          \
        return pack(name(unpack(a, F), unpack(b, F)), F);                      \
    }

#define COMPARE(T, m, F, name, unordered)                                      \
    int __##name##m##f2(T a, T b)                                              \
    {                                                                          \
        return compare(a, b, F, unordered);                                    \
    }

#define FROM(T, m, F, name, I, from)                                           \
    T __##name##m##f(I value)                                                  \
    {                                                                          \
        return pack(from(value), F);                                           \
    }

#define TO(T, m, F, name, I, i)                                                \
    I __##name##m##f##i(T a)                                                   \
    {                                                                          \
        return to_integer(unpack(a, F));                                       \
    }

#define SOFT_FLOAT(T, m, F)                                                    \
    BINARY(T, m, F, add)                                                       \
    BINARY(T, m, F, sub)                                                       \
    BINARY(T, m, F, mul)                                                       \
    BINARY(T, m, F, div)                                                       \
    COMPARE(T, m, F, eq, 1)                                                    \
    COMPARE(T, m, F, ne, 1)                                                    \
    COMPARE(T, m, F, lt, 1)                                                    \
    COMPARE(T, m, F, le, 1)                                                    \
    COMPARE(T, m, F, gt, -1)                                                   \
    COMPARE(T, m, F, ge, -1)                                                   \
    int __unord##m##f2(T a, T b)                                               \
    {                                                                          \
        return is_nan(a, F) || is_nan(b, F);                                   \
    }                                                                          \
    FROM(T, m, F, floatsi, int32_t, from_signed)                               \
    FROM(T, m, F, floatunsi, uint32_t, from_unsigned)                          \
    FROM(T, m, F, floatdi, int64_t, from_signed)                               \
    FROM(T, m, F, floatundi, uint64_t, from_unsigned)                          \
    TO(T, m, F, fix, int32_t, si)                                              \
    TO(T, m, F, fixuns, uint32_t, si)                                          \
    TO(T, m, F, fix, int64_t, di)                                              \
    TO(T, m, F, fixuns, uint64_t, di)

SOFT_FLOAT(uint32_t, s, &f32)
SOFT_FLOAT(uint64_t, d, &f64)

uint64_t __extendsfdf2(uint32_t a)
{
    return pack(unpack(a, &f32), &f64);
}

uint32_t __truncdfsf2(uint64_t a)
{
    return pack(unpack(a, &f64), &f32);
}
