/* Decisions that are values: assignment, initialiser, argument, return value, index, operand, statement. */
#include <stdbool.h>
struct pair { int left, right; bool both; };
int use(int, bool);
int table[2];
bool values(int a, int b, struct pair *p, bool flag) {
    int x = a && b;
    int sum = (a < b) + (a == 3) * 2;
    bool copied = flag;
    bool converted = a & 4;
    bool truth = true;
    struct pair both = {a > 1, .right = !b, a || b};
    x = !(a || b);
    x += a != b;
    p->both = p->left <= p->right;
    use(a && b, a);
    table[a > 0 && b] = use(x, a == b) > 2;
    x = table[!a] ? 1 : 2;
    a && use(a, flag);
    (void)(a >= b);
    double scaled = (a > b) * 0.5;
    copied = converted = flag;
    return x == sum || truth || both.left || scaled > 0.25 || p->both;
}
int negated(int a, int b) { return !(a || b); }
