/* test macros
   a=0 b=0
   a=1 b=0
   a=5 b=3
   a=-2 b=9 */
#include <assert.h>
#include <ctype.h>
#define BOTH(x, y) ((x) > 0 && (y) > 0)
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define IS_ODD(x) ((x) & 1)

int macros(int a, int b) {
    assert(a > -10 && b < 100);
    int n = BOTH(a, b) + BOTH(b, a + 1);
    n += CLAMP(a, 0, 3);
    if (IS_ODD(a) || IS_ODD(b)) n++;
    if (isdigit(a + '0') && a) n += 10;
    return n;
}
