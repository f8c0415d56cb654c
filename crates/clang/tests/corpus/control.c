/* Control statements: their tests are always decisions. */
int control(int a, int b, const int *p) {
    int n = 0;
    if (a)
        n = 1;
    else if (a == b && *p)
        n = 2;
    while (n < 10 || !b)
        n++;
    do {
        n -= 2;
        if (n == 5) continue;
    } while (n > 0 && b);
    for (;;) {
        if (n++ > 3) break;
    }
    for (int i = 0; i < a; i++)
        n += i;
    for (; b != 0 && n;) b--;
    n = a ? b : n;
    goto out;
out:
    return n;
}
