/* Recursion: little but calls. */
#include <stdio.h>
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int main(void) {
    int sum = 0;
    for (int i = 0; i < ROUNDS / 100; i++)
        sum += fibonacci(18);
    printf("%d\n", sum);
    return 0;
}
