/* test sum
   n=1
   n=40 */
/* What nobody has written is zero, on the executor and as machine code. */
#include <stdlib.h>
static int dirty(int n) {
    int scratch[16];
    for (int i = 0; i < 16; i++)
        scratch[i] = n + i;
    return scratch[n & 15];
}

int sum(int n) {
    int result = dirty(n);
    int local[16], other;
    int *heap = malloc(64);
    if (!heap)
        return -1;
    if (local[n & 7] || other)
        result += 1000;
    result += local[n & 7] + heap[n & 15] + other;
    free(heap);
    return result;
}
