/* test known
   a=0 b=0 c=0 r=0
   a=0 b=1 c=1 r=1
   a=5 b=0 c=0 r=1
   a=2 b=0 c=4 r=1
   a=1 b=3 c=0 r=0
   a=9 b=1 c=2 r=1 */
int known(int a, int b, int c, int r) {
    int n = 0;
    if ((c ? -1 : a) && r)
        n |= 1;
    if (!(c ? a : 0) || b)
        n |= 2;
    if (c ? -1 : 2)
        n |= 4;
    if (r && (c > 3 ? 2 : a > 2 ? 0 : b))
        n |= 8;
    int x = (c ? 5 : a) && b;
    int y = r || (a && b ? 0 : 7);
    while ((c > 3 ? 2 : b) && n < 300)
        n += 100;
    do
        n += 1000;
    while ((a > 4 ? 0 : c ? r : -1) && n < 3000);
    return n + 10000 * x + 20000 * y;
}
