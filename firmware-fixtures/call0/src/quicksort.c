/* Sorting: an own recursive quicksort through a comparison function, against
 * a heap sort of the same data, and the library's qsort() on records.
 * argv[1] = number of elements (at most 100000). */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_COUNT 1000
#define MAX_COUNT 100000

static int32_t a[MAX_COUNT], b[MAX_COUNT];
static unsigned long calls;

static int ascending(int32_t x, int32_t y)
{
    calls++;
    return x < y;
}

static int descending(int32_t x, int32_t y)
{
    calls++;
    return y < x;
}

static void swap(int32_t *x, int32_t *y)
{
    int32_t t = *x;
    *x = *y;
    *y = t;
}

static void quicksort(int32_t *v, int low, int high, int (*before)(int32_t, int32_t))
{
    while (low < high) {
        int32_t pivot = v[low + (high - low) / 2];
        int i = low, j = high;

        while (i <= j) {
            while (before(v[i], pivot))
                i++;
            while (before(pivot, v[j]))
                j--;
            if (i <= j)
                swap(&v[i++], &v[j--]);
        }
        /* Recurse into the smaller part: the stack stays shallow. */
        if (j - low < high - i) {
            quicksort(v, low, j, before);
            low = i;
        } else {
            quicksort(v, i, high, before);
            high = j;
        }
    }
}

static void sift_down(int32_t *v, int root, int count)
{
    int child;

    while ((child = 2 * root + 1) < count) {
        if (child + 1 < count && v[child] < v[child + 1])
            child++;
        if (v[root] >= v[child])
            return;
        swap(&v[root], &v[child]);
        root = child;
    }
}

static void heapsort(int32_t *v, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--)
        sift_down(v, i, count);
    for (int i = count - 1; i > 0; i--) {
        swap(&v[0], &v[i]);
        sift_down(v, 0, i);
    }
}

struct person {
    char name[12];
    int age;
};

static int by_age_then_name(const void *x, const void *y)
{
    const struct person *p = x, *q = y;

    return p->age != q->age ? p->age - q->age : strcmp(p->name, q->name);
}

static uint32_t hash(const int32_t *v, int count)
{
    uint32_t h = 2166136261u;

    for (int i = 0; i < count; i++)
        h = (h ^ (uint32_t)v[i]) * 16777619u;
    return h;
}

int main(int argc, char **argv)
{
    struct person people[] = {
        {"rosa", 41}, {"emil", 33}, {"ada", 41}, {"jun", 7}, {"noor", 33}, {"ivo", 68}, {"zoe", 7},
    };
    int count = argc > 1 ? atoi(argv[1]) : DEFAULT_COUNT;
    uint32_t x = 88172645u;

    if (count < 1 || count > MAX_COUNT)
        count = DEFAULT_COUNT;
    for (int i = 0; i < count; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        a[i] = b[i] = (int32_t)x >> (i & 15);
    }

    printf("elements %d, unsorted %08" PRIx32 "\n", count, hash(a, count));
    quicksort(a, 0, count - 1, ascending);
    heapsort(b, count);
    printf("least %" PRId32 ", greatest %" PRId32 "\n", a[0], a[count - 1]);
    printf("quick %08" PRIx32 ", heap %08" PRIx32 ", %s\n", hash(a, count), hash(b, count),
           memcmp(a, b, count * sizeof a[0]) ? "DIFFERENT" : "same");
    quicksort(a, 0, count - 1, descending);
    printf("descending %08" PRIx32 ", comparisons %lu\n", hash(a, count), calls);

    qsort(people, sizeof people / sizeof people[0], sizeof people[0], by_age_then_name);
    for (size_t i = 0; i < sizeof people / sizeof people[0]; i++)
        printf("%s %d\n", people[i].name, people[i].age);
    return 0;
}
