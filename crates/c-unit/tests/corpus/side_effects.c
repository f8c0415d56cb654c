/* test side_effects
   a=0 b=0 c=0 note()[0]=0
   a=1 b=0 c=1 note()[0]=1
   a=1 b=1 c=0
   a=0 b=1 c=1
   a=2 b=2 c=0 */
int note(int what);

int side_effects(int a, int b, int c) {
    int n = 0, m = 9;
    a && note(b);
    a || (n = 3);
    if (b || (n = m = 0))
        n++;
    (void)(a && b);
    if (a && (m = b || c))
        n += 2;
    if (b && (m = a ? b : c) && c)
        n += 4;
    n += a && (m = c && b);
    n += (a && b, c) && b;
    n += 1 ? a && b : a || c;
    if (a++ && b-- && --c)
        n += 8;
    while (({ int more = a && n > 90; if (more || c) n -= 2; more; }) && n)
        n--;
    return n + m;
}
