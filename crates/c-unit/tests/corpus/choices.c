/* test choices
   a=0 b=0 c=0 r=0
   a=0 b=1 c=0 r=1
   a=0 b=0 c=2 r=1
   a=1 b=0 c=3 r=1
   a=1 b=4 c=0 r=1
   a=2 b=1 c=1 r=0 */
int choices(int a, int b, int c, int r) {
    int n = 0;
    if ((a ? b : c) && r)
        n |= 1;
    if (r && (a > 1 ? b : c))
        n |= 2;
    int x = r && (a ? b : c);
    int y = (a && b ? c : r) && r;
    if (a ? b : c)
        n |= 4;
    if (!(a ? b : c + 1))
        n |= 8;
    if ((a ?: c) && r)
        n |= 16;
    n |= (r || (a ?: b)) << 5;
    _Bool yes = a ? 1 : 0, no = b ? 0 : 1;
    if (c ? 0 : 1)
        n |= 64;
    n |= (yes ^ no) << 7;
    return n + 100 * x + 1000 * y;
}
