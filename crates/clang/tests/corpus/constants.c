/* Conditions that can only have one value are listed. */
#include <stddef.h>
enum { OFF, ON };
static int array[3];
extern int absent(void) __attribute__((weak));
extern int object __attribute__((weak));
int constants(int a, int b) {
    const int four = 4;
    int x = 0;
    if (1 && a) x = 1;
    if (0 && a) x = 2;
    if (sizeof(x) == 4 && b) x = 3;
    while (1) { if (a--) break; }
    do x++; while (0);
    if (OFF || ON) x = 4;
    if (a && "never mind") x = 5;
    if (array && b) x = 6;
    if (constants && b) x = 7;
    if (absent && absent()) x = 8;
    if (&object && object) x = 9;
    if (NULL || a) x = 10;
    if (1.5 && a) x = 11;
    if (four == 4 && a) x = 12;
    if (!"text") x = 13;
    if (0) x = 14;
    if (1) x = 15; else x = a && b;
    for (; 2 > 1;) { if (x++ > 20) break; }
    return 3 < 4;
}
