/* test values
   a=0 b=0 c=0
   a=1 b=0 c=1
   a=1 b=1 c=0
   a=0 b=1 c=1 */
#include <stdbool.h>
int sink(int x) { return x + 1; }
int table[2] = { 10, 20 };

int values(int a, int b, bool c) {
    int x = a && b;
    int y = !(a || b);
    bool flag = a;
    x += sink(a && c);
    x += table[a || b];
    y += a == (b || c);
    if (sink(a && b) > 1 && c)
        y += 8;
    flag = a < b;
    if ((flag = b) || c)
        y += 16;
    return !(x || y) || flag;
}
