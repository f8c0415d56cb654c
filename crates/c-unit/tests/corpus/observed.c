/* test observed
   c=0 x=1 y=5
   c=1 x=1 y=5
   c=1 x=0 y=0 */
int kept;
int observed(int c, int x, int y) {
    int a = 0, b = 7, d = 0;
    if (c)
        a = 4;
    else
        a = 4;
    if (x)
        b = 7;
    d = c ? 3 : 3;
    if (y > 2)
        kept = y;
    if (c && x)
        y = 0;
    return a + b + d;
}
