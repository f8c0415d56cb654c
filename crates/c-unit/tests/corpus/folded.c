/* test folded
   a=0
   a=1 */
int other(void);

int folded(int a) {
    int n = 0;
    if (1 && a)
        n = 1;
    if (a && 0)
        n = 2;
    if (a || 1)
        n += 4;
    n += a && 1;
    n += 0 || a;
    if (sizeof(int) == 4 && a)
        n += 8;
    if (other && a)
        n += 16;
    if (0)
        n = 99;
    do {
        n += 32;
    } while (0);
    while (1) {
        if (n++ > 40)
            break;
    }
    return n;
    n = 7;
}
