/* A mix in the manner of CoreMark: linked list, matrix, state machine and CRC,
 * each feeding the next. Own code; its figures are not CoreMark scores.
 * argv[1] = number of iterations. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_ITERATIONS 4
#define NODES 80
#define N 12
#define TEXT 240

static uint32_t random_state = 12345;

static uint32_t random16(void)
{
    random_state = random_state * 1103515245u + 12345u;
    return random_state >> 16;
}

static uint16_t crc16(uint16_t crc, uint16_t data)
{
    for (int i = 0; i < 16; i++) {
        int carry = (crc ^ data) & 1;
        crc >>= 1;
        data >>= 1;
        if (carry)
            crc ^= 0xa001;
    }
    return crc;
}

static uint16_t crc16_word(uint16_t crc, uint32_t data)
{
    return crc16(crc16(crc, data & 0xffff), data >> 16);
}

/* ------------------------------------------------------------------- list -- */

struct node {
    struct node *next;
    int16_t key, value;
};

static struct node nodes[NODES];

static int by_key(const struct node *a, const struct node *b)
{
    return a->key - b->key;
}

static int by_value(const struct node *a, const struct node *b)
{
    return a->value - b->value;
}

static struct node *list_make(void)
{
    struct node *head = NULL;

    for (int i = 0; i < NODES; i++) {
        nodes[i].key = random16() & 0x7fff;
        nodes[i].value = i * 7 % NODES;
        nodes[i].next = head;
        head = &nodes[i];
    }
    return head;
}

static struct node *list_reverse(struct node *head)
{
    struct node *done = NULL;

    while (head) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}

static struct node *list_find(struct node *head, int16_t value)
{
    while (head && head->value != value)
        head = head->next;
    return head;
}

static struct node *list_sort(struct node *head,
                              int (*compare)(const struct node *, const struct node *))
{
    struct node *slow = head, *fast, *second, *merged = NULL, **tail = &merged;

    if (!head || !head->next)
        return head;
    for (fast = head->next; fast && fast->next; fast = fast->next->next)
        slow = slow->next;
    second = slow->next;
    slow->next = NULL;

    head = list_sort(head, compare);
    second = list_sort(second, compare);
    while (head && second) {
        struct node **least = compare(head, second) <= 0 ? &head : &second;
        *tail = *least;
        tail = &(*least)->next;
        *least = *tail;
    }
    *tail = head ? head : second;
    return merged;
}

static uint16_t list_crc(const struct node *head, uint16_t crc)
{
    for (; head; head = head->next)
        crc = crc16(crc, (uint16_t)(head->key ^ head->value));
    return crc;
}

static uint16_t list_step(struct node **list, uint16_t seed)
{
    struct node *head = list_reverse(*list);
    uint16_t crc = seed;

    for (int i = 0; i < 8; i++) {
        struct node *found = list_find(head, (seed >> i) % NODES);
        if (found) {
            found->key ^= seed & 0x0fff;
            crc = crc16(crc, (uint16_t)found->key);
        }
    }
    head = list_sort(head, by_key);
    crc = list_crc(head, crc);
    head = list_sort(head, by_value);
    crc = list_crc(head, crc);
    *list = head;
    return crc;
}

/* ----------------------------------------------------------------- matrix -- */

static int16_t matrix_a[N][N], matrix_b[N][N];
static int32_t matrix_c[N][N];

static void matrix_make(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            matrix_a[i][j] = (int16_t)(random16() & 0xff) - 128;
            matrix_b[i][j] = (int16_t)(random16() & 0xff) - 128;
        }
    }
}

static uint16_t matrix_crc(uint16_t crc)
{
    for (int i = 0; i < N; i++) {
        uint32_t sum = 0;
        for (int j = 0; j < N; j++)
            sum = (sum << 1 | sum >> 31) + (uint32_t)matrix_c[i][j];
        crc = crc16_word(crc, sum);
    }
    return crc;
}

static uint16_t matrix_step(uint16_t seed)
{
    uint16_t crc = seed;
    int16_t offset = seed & 15;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix_a[i][j] += offset;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix_c[i][j] = matrix_a[i][j] * offset;
    crc = matrix_crc(crc);

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < N; k++)
                sum += matrix_a[i][k] * matrix_b[k][j];
            matrix_c[i][j] = sum;
        }
    }
    crc = matrix_crc(crc);

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < N; k++) {
                int32_t p = matrix_a[i][k] * matrix_b[k][j];
                sum += (p >> 2 & 0xf) * (p >> 5 & 0x7f);
            }
            matrix_c[i][j] = sum;
        }
    }
    crc = matrix_crc(crc);

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix_a[i][j] -= offset;
    return crc;
}

/* ---------------------------------------------------------- state machine -- */

enum state { START, INVALID, SIGN, INTEGER, FRACTION, EXPONENT, EXP_SIGN, EXP_DIGITS, STATES };

static char text[TEXT + 1];
static uint32_t finals[STATES], transitions[STATES];

static void text_make(void)
{
    static const char *const words[] = {
        "5012", "-874", "+122", "35.54400", ".1234500", "-110.700", "+0.64400",
        "5.500e+3", "-.123e-2", "-87e+832", "+0.6e-12", "T0.3e-1F", "-T.T++Tq", "1T3.4e4z",
    };
    size_t used = 0;

    for (;;) {
        const char *word = words[random16() % (sizeof words / sizeof words[0])];
        size_t length = strlen(word);
        if (used + length + 1 > TEXT)
            break;
        memcpy(text + used, word, length);
        used += length;
        text[used++] = ',';
    }
    text[used] = 0;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *scan(const char *p, enum state *final)
{
    enum state s = START;

    for (; *p && *p != ','; p++) {
        enum state before = s;
        char c = *p;
        switch (s) {
        case START:
            s = is_digit(c) ? INTEGER : c == '+' || c == '-' ? SIGN : c == '.' ? FRACTION : INVALID;
            break;
        case SIGN:
            s = is_digit(c) ? INTEGER : c == '.' ? FRACTION : INVALID;
            break;
        case INTEGER:
            if (!is_digit(c))
                s = c == '.' ? FRACTION : c == 'e' || c == 'E' ? EXPONENT : INVALID;
            break;
        case FRACTION:
            if (!is_digit(c))
                s = c == 'e' || c == 'E' ? EXPONENT : INVALID;
            break;
        case EXPONENT:
            s = c == '+' || c == '-' ? EXP_SIGN : INVALID;
            break;
        case EXP_SIGN:
        case EXP_DIGITS:
            s = is_digit(c) ? EXP_DIGITS : INVALID;
            break;
        default:
            break;
        }
        if (s != before)
            transitions[before]++;
    }
    *final = s;
    return *p ? p + 1 : p;
}

static void text_flip(char mask, int step)
{
    for (int i = step; text[i] && i < TEXT - step; i += step)
        if (text[i] != ',' && (text[i] ^ mask) != ',' && text[i] != mask)
            text[i] ^= mask;
}

static uint16_t state_step(uint16_t seed)
{
    uint16_t crc = seed;
    int step = 3 + (seed & 7);

    memset(finals, 0, sizeof finals);
    memset(transitions, 0, sizeof transitions);
    for (int pass = 0; pass < 2; pass++) {
        for (const char *p = text; *p;) {
            enum state final;
            p = scan(p, &final);
            finals[final]++;
        }
        text_flip(1, step); /* the second pass undoes the first */
    }
    for (int i = 0; i < STATES; i++)
        crc = crc16_word(crc16_word(crc, finals[i]), transitions[i]);
    return crc;
}

int main(int argc, char **argv)
{
    int iterations = argc > 1 ? atoi(argv[1]) : DEFAULT_ITERATIONS;
    uint16_t crc = 0, crc_list = 0, crc_matrix = 0, crc_state = 0;
    struct node *list = list_make();

    matrix_make();
    text_make();
    for (int i = 0; i < iterations; i++) {
        crc_list = list_step(&list, crc);
        crc_matrix = matrix_step(crc_list);
        crc_state = state_step(crc_matrix);
        crc = crc16(crc, crc_state);
    }
    printf("coremark: %d iterations\n", iterations);
    printf("list   %04x\n", (unsigned)crc_list);
    printf("matrix %04x\n", (unsigned)crc_matrix);
    printf("state  %04x\n", (unsigned)crc_state);
    printf("final  %04x\n", (unsigned)crc);
    return 0;
}
