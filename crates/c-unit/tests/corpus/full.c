/* test full
   a=0 b=0 p=false q=true x=0.0
   a=2 b=1 p=true q=true x=1.5
   a=1 b=2 p=true q=false x=-1.0
   a=1 b=1 p=false q=false x=nan */
int full(int a, int b, _Bool p, _Bool q, double x) {
    int result = (a > 1) & (b < 2);
    result += (a > b) | p;
    result += p ^ q;
    result += (a < b) == q;
    result += p != !b;
    if (x > 0.5 || x != x)
        result += 10;
    if (x)
        result += 20;
    if ((a < b) ? p : q)
        result += 40;
    return result;
}
