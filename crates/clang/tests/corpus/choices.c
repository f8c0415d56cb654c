/* Choices, with and without Boolean arms. */
_Bool choices(int a, int b, int c, _Bool p, _Bool q) {
    int x = a ? b : c;
    if (a ? b < c : b > c) x++;
    if (a ? b : c) x++;
    _Bool y = a ? p : q;
    x = (a && b ? c : 0) > 2;
    x += a ?: b;
    y = p ?: q;
    if (a > 3 ?: b > 3) x++;
    x = a ? b ? 1 : 2 : c ? 3 : 4;
    return y && (a ? p : (b ? q : x < 3));
}
