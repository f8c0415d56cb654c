/* Operands that are never evaluated have no decisions. */
#include <stddef.h>
#include <stdint.h>
struct bits { unsigned a : (1 && 1) + 1, b : 3 > 2; };
enum { FIRST = 1 || 0, SECOND = FIRST == 1 };
_Static_assert(sizeof(int) == 4 && FIRST, "sizes");
int unevaluated(int a, int b, uint8_t u) {
    _Static_assert(FIRST || 0, "first");
    int fixed[3 > 2 ? 4 : 5];
    int variable[a > 2 ? a : 5];
    __typeof__(a && b) same = 0;
    static int once = 3 > 2;
    enum local { THIRD = 1 && 1 };
    struct inner { int x[(2 > 1) + 1]; };
    same += sizeof(a && b) + _Alignof(int) + sizeof(struct inner);
    same += (__typeof__(a || b))3;
    same += __builtin_constant_p(a && b);
    same += __builtin_choose_expr(sizeof(a) == 4, a && b, a || b);
    same += _Generic(a, int: a > 1, default: a > 2);
    same += _Generic((char *)0, int: a > 1, default: a > 2);
    same += _Generic(a > 3, unsigned: 1, int: 2);
    same += _Generic(u, unsigned char: a > 4, default: a > 5);
    same += _Generic(u, uint8_t: a > 6, default: a > 7);
    same += _Generic(u, uint8_t: a, default: b);
    same += _Generic(u, uint8_t: (long)(a > 8), default: (char)(a > 9)) > 0;
    switch (a) {
    case 1 > 0: same++; break;
    case (2 && 3) + 1: same--;
    }
    return same + fixed[0] + variable[0] + once + THIRD + SECOND + (int)offsetof(struct inner, x[1]);
}
