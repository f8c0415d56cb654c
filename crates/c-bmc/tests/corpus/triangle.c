/* The classification of triangles, as papers on test generation have it. */
int f(int a, int b, int c)
{
    int kind;
    if (a <= 0 || b <= 0 || c <= 0)
        return 4;
    kind = 0;
    if (a == b)
        kind = kind + 1;
    if (a == c)
        kind = kind + 2;
    if (b == c)
        kind = kind + 3;
    if (kind == 0) {
        if (a + b <= c || b + c <= a || a + c <= b)
            return 4;
        return 1;
    }
    if (kind > 3)
        return 3;
    if (kind == 1 && a + b > c)
        return 2;
    if (kind == 2 && a + c > b)
        return 2;
    if (kind == 3 && b + c > a)
        return 2;
    return 4;
}
