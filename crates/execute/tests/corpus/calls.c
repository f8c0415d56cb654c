/* Calls: recursion, pointers to functions, variadic functions, structures as arguments, callbacks. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small {
    int a, b;
};

struct pair {
    long a;
    double b;
};

struct large {
    long words[6];
    char tail;
};

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static operation operations[] = {add, sub, mul};

static operation choose(char c) { return operations[c == '+' ? 0 : c == '-' ? 1 : 2]; }

static int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

static double total(const char *kinds, ...) {
    va_list list, copy;
    double sum = 0;
    va_start(list, kinds);
    va_copy(copy, list);
    for (const char *kind = kinds; *kind; kind++) {
        switch (*kind) {
        case 'i': sum += va_arg(list, int); break;
        case 'l': sum += va_arg(list, long); break;
        case 'd': sum += va_arg(list, double); break;
        case 's': sum += strlen(va_arg(list, char *)); break;
        case 'S': {
            struct small s = va_arg(list, struct small);
            sum += s.a * 10 + s.b;
            break;
        }
        case 'P': {
            struct pair p = va_arg(list, struct pair);
            sum += p.a * p.b;
            break;
        }
        case 'L': {
            struct large l = va_arg(list, struct large);
            sum += l.words[5] + l.tail;
            break;
        }
        }
    }
    if (*kinds == 'i')
        sum += 1000 * va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return sum;
}

static int print_all(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}

static struct small swapped(struct small s) { return (struct small){s.b, s.a}; }
static struct pair doubled(struct pair p) { return (struct pair){2 * p.a, 2 * p.b}; }
static struct large shifted(struct large l) {
    memmove(l.words, l.words + 1, 5 * sizeof(long));
    l.tail++;
    return l;
}

static int compare_ints(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int apply(operation f, int n, ...) {
    va_list list;
    va_start(list, n);
    int value = va_arg(list, int);
    while (--n)
        value = f(value, va_arg(list, int));
    va_end(list);
    return value;
}

int main(int argc, char **argv) {
    (void)argv;
    printf("%d %d %d\n", choose('+')(3, 4), choose('-')(3, 4), (*choose('*'))(3, 4));
    printf("%d %d %d\n", ackermann(2, 3), is_even(101), is_odd(101));
    struct small small = {3, 4};
    struct pair pair = {5, 0.5};
    struct large large = {{1, 2, 3, 4, 5, 6}, 'a'};
    printf("%g\n", total("ildsSPLid", 7, 1L << 40, 2.25, "four", small, pair, large, -3, 0.125));
    printf("%g\n", total("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.5));
    printf("%g\n", total("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    small = swapped(small);
    pair = doubled(pair);
    struct large moved = shifted(large);
    printf("%d%d %ld %g %ld %ld %c %c\n", small.a, small.b, pair.a, pair.b, moved.words[0], large.words[0], moved.tail, large.tail);
    char text[20];
    int length = print_all(text, sizeof text, "%s-%d-%5.2f-%c%s", "abc", 42, 3.14159, 'x', "and more of it");
    printf("%d %s\n", length, text);
    int numbers[] = {5, -3, 99, 0, 12, 7, -3, 1000, 44};
    qsort(numbers, 9, sizeof numbers[0], compare_ints);
    for (int i = 0; i < 9; i++)
        printf("%d ", numbers[i]);
    int key = 44, missing = 45;
    int *found = bsearch(&key, numbers, 9, sizeof key, compare_ints);
    printf("%td %d\n", found - numbers, bsearch(&missing, numbers, 9, sizeof key, compare_ints) == NULL);
    const char *names[] = {"pear", "apple", "fig", "cherry"};
    qsort(names, 4, sizeof names[0], compare_names);
    printf("%s %s %s %s\n", names[0], names[1], names[2], names[3]);
    printf("%d %d\n", apply(add, 4, 1, 2, 3, 4), apply(mul, 5, 1, 2, 3, 4, 5));
    int (*length_of)(const char *) = (int (*)(const char *))strlen;
    (void)length_of;
    return argc + 41;
}
