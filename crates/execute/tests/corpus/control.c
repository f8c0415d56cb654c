/* Control: loops, switches, goto, computed goto, conditional expressions, short circuit, statement expressions. */
#include <stdio.h>
#include <stdlib.h>

enum colour { RED, GREEN = 5, BLUE };

static const char *name(enum colour c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    }
    return "?";
}

static int classify(int n) {
    int seen = 0;
    switch (n) {
    case -5 ... -1: seen += 1; break;
    case 0: seen += 10; /* fall through */
    case 1: seen += 100;
    case 2: seen += 1000; break;
    case 1000000: seen = 7; break;
    default: seen = -1;
    }
    return seen;
}

static long long_switch(unsigned long n) {
    switch (n) {
    case 0x100000000UL: return 1;
    case 0xffffffffffffffffUL: return 2;
    case 3: return 3;
    }
    return 0;
}

static int interpret(const char *program) {
    static void *labels[] = {&&push, &&add, &&mul, &&stop};
    int stack[10], top = 0;
    const char *at = program;
#define NEXT goto *labels[*at == '+' ? 1 : *at == '*' ? 2 : *at ? 0 : 3]
    NEXT;
push:
    stack[top++] = *at++ - '0';
    NEXT;
add:
    top--;
    stack[top - 1] += stack[top];
    at++;
    NEXT;
mul:
    top--;
    stack[top - 1] *= stack[top];
    at++;
    NEXT;
stop:
    return stack[0];
}

static int evaluations;
static int test(int value) {
    evaluations = evaluations * 10 + value;
    return value > 4;
}

static void copy(short *to, const short *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void) {
    printf("%s %s %s\n", name(RED), name(GREEN), name(BLUE));
    for (int i = -6; i < 5; i++)
        printf("%d ", classify(i));
    printf("%d %ld %ld %ld\n", classify(1000000), long_switch(1UL << 32), long_switch(-1UL), long_switch(4));
    printf("%d\n", interpret("234*+5+"));
    int a = test(1) && test(9), b = test(8) || test(2), c = !(test(3) || test(4)) && (test(5) | test(6));
    printf("%d %d %d %d\n", a, b, c, evaluations);
    int x = ({ int y = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; y += i; } y; });
    printf("%d %d\n", x, x > 10 ? x < 20 ? 1 : 2 : 3);
    int i = 0;
again:
    if (i++ < 3) {
        printf("%d", i);
        goto again;
    }
    do
        printf("%c", 'a' + i);
    while (++i < 8);
    printf("\n");
    short from[21], to[21] = {0};
    for (int k = 0; k < 21; k++)
        from[k] = (short)(k * k);
    copy(to, from, 21);
    printf("%d %d %d\n", to[0], to[13], to[20]);
    unsigned primes = 0;
    char sieve[1000] = {0};
    for (unsigned p = 2; p < 1000; p++) {
        if (sieve[p])
            continue;
        primes++;
        for (unsigned multiple = p * p; multiple < 1000; multiple += p)
            sieve[multiple] = 1;
    }
    printf("%u\n", primes);
    if (primes != 168)
        abort();
    exit(3);
}
