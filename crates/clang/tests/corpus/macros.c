/* Conditions from macros: two on one line, nested, in arguments, in a header. */
#include <ctype.h>
#include "macros.h"
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define BOTH(x, y) ((x) && (y))
#define IS_SET(word, bit) (((word) & (1u << (bit))) != 0)
#define CHECK(c) do { if (!(c)) return -1; } while (0)
#define EMPTY
#define OBJECT (limit > 3 && limit < 9)
#define PASTE(a, b) a##b
extern int limit;
int macros(int a, int b, unsigned word) {
    int x = MAX(a, b) + MAX(b, 3);
    if (BOTH(a > 1, BOTH(b, x))) x = 1;
    if (IS_SET(word, 3) && IS_SET(word, 4)) x = 2;
    CHECK(a == 1 || b == 2);
    CHECK( MAX(a,
               b) > 3 );
    if (OBJECT) x = 4;
    if (EMPTY a EMPTY && b) x = 5;
    if (PASTE(li, mit) > 3) x = 6;
    if (isdigit(a) || isspace(b)) x = 7;
    return IN_HEADER(a) ? x : checked(x);
}
