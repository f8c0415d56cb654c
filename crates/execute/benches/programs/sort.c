/* Bubble sort of an array: loads and stores with indices. */
#include <stdio.h>
static int values[200];
static void sort(int *v, int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (v[j] > v[j + 1]) {
                int held = v[j];
                v[j] = v[j + 1];
                v[j + 1] = held;
            }
}
int main(void) {
    unsigned seed = 1, sum = 0;
    for (int round = 0; round < ROUNDS / 10; round++) {
        for (int i = 0; i < 200; i++) {
            seed = seed * 1103515245 + 12345;
            values[i] = (int)(seed >> 16);
        }
        sort(values, 200);
        sum += (unsigned)values[100];
    }
    printf("%u\n", sum);
    return 0;
}
