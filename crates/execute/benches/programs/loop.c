/* Sums and remainders in a plain loop. */
#include <stdio.h>
int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < ROUNDS * 1000; i++) {
        sum += i ^ (sum >> 3);
        if (sum % 7 == 3)
            sum -= i;
    }
    printf("%u\n", sum);
    return 0;
}
