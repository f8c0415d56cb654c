/* Objects: arrays, structures, unions, pointers, the heap, copies, variable-length arrays. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
    short x;
    double y;
    char name[5];
};

union shape {
    struct point point;
    unsigned char bytes[sizeof(struct point)];
    long words[2];
};

struct node {
    struct node *next, *other;
    int value;
};

static int counter;
static int table[3][4] = {{1, 2, 3}, {4, 5}, {6}};
static int *const middle = &table[1][1];
static const char *names[] = {"alpha", "beta", "gamma"};
static struct point origin = {.y = 2.5, .name = "orig"};

static struct point moved(struct point p, short by) {
    p.x += by;
    p.y *= 2;
    return p;
}

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->other = list ? list->next : NULL;
    node->value = value;
    return node;
}

static int sum_of_square(int n) {
    int square[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            square[i][j] = i * n + j;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += square[i][n - 1 - i];
    return sum;
}

static int calls(void) {
    static int times = 10;
    return ++times + counter++;
}

static void fill(unsigned char *to, size_t n, int with) {
    while (n--)
        *to++ = (unsigned char)with++;
}

int main(void) {
    struct point p = moved(origin, 7), q;
    q = p;
    q.name[0] = 'O';
    printf("%d %g %s %s %zu\n", q.x, q.y, q.name, p.name, offsetof(struct point, name));

    union shape shape;
    memset(&shape, 0, sizeof shape);
    shape.point.x = 0x1234;
    shape.words[1] = 0x400921fb54442d18;
    printf("%02x%02x %.10f\n", shape.bytes[0], shape.bytes[1], shape.point.y);

    struct node *list = NULL;
    for (int i = 0; i < 1000; i++)
        list = push(list, i * i);
    long sum = 0;
    for (struct node *node = list; node; node = node->next)
        sum += node->value + (node->other ? node->other->value : 1);
    printf("%ld\n", sum);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }

    printf("%d %d %d\n", *middle, middle[-1], (int)(&table[2][0] - middle));
    for (int i = 0; i < 3; i++)
        printf("%s %zu %c\n", names[i], strlen(names[i]), *(names[i] + i));

    for (int n = 1; n < 6; n++)
        printf("%d ", sum_of_square(n));
    printf("%d %d\n", calls(), calls());

    unsigned char *bytes = calloc(16, 1);
    fill(bytes + 4, 8, 250);
    bytes = realloc(bytes, 32);
    memmove(bytes + 6, bytes + 4, 8);
    uint32_t word;
    memcpy(&word, bytes + 7, sizeof word);
    printf("%08x %d\n", word, memcmp(bytes + 6, bytes + 4, 8) > 0);
    free(bytes);

    int numbers[] = {5, 3, 9, 1};
    int *end = numbers + 4, total = 0;
    for (int *at = numbers; at != end; ++at)
        total = total * 10 + *at;
    printf("%d %td %d\n", total, end - numbers, end > numbers);
    uintptr_t address = (uintptr_t)&numbers[2];
    address += sizeof(int);
    printf("%d\n", *(int *)address);
    int (*grid)[4] = table;
    printf("%d %zu\n", grid[1][0] + (*(grid + 2))[0], sizeof *grid);
    struct {
        int length;
        char text[];
    } *flexible = malloc(sizeof(int) + 6);
    flexible->length = 5;
    strcpy(flexible->text, "hello");
    printf("%d %s\n", flexible->length, flexible->text);
    free(flexible);
    return 0;
}
