/* test pick
   a=0 b=0 c=0
   a=0 b=1 c=1
   a=5 b=1 c=0
   a=5 b=0 c=1 */
/* Of a choice with a constant in one arm, no operation gives the value there: that is said, and the rest is measured. */
int pick(int a, int b, int c) {
    int r = 0;
    if (c ? -1 : a)
        r = 1;
    if (b && (c ? -1 : a) && r)
        r += 2;
    while (c > 0 ? 0 : a)
        a--;
    int chosen = c ? -1 : a;
    if (b || chosen)
        r += 4;
    return r + ((c ? a : 1) && b);
}
