/* test jumps
   a=0 b=0 c=0
   a=2 b=1 c=1
   a=1 b=0 c=1
   a=0 b=3 c=0 */
int jumps(int a, int b, int c) {
    int n = 0;
again:
    if (a-- > 0 && b)
        goto again;
    if (n < 3 || c > 5) {
        n++;
        goto inside;
    }
    for (; n < 5 && b; n++) {
inside:
        if (c && n == 4)
            goto out;
    }
    void *where = a && b ? &&left : &&right;
    goto *where;
left:
    n += 100;
right:
    n += a || b;
out:
    switch (b && c) {
    case 0:
        n++;
        break;
    case 1:
        n += 2;
    }
    return n;
    if (a && b)
        n = 4;
dead:
    n = b || c;
    goto dead;
}
