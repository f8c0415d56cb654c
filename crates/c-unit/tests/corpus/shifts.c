/* test shift
   x=1 n=4 u=1 c=1
   x=-1 n=1 u=1 c=1
   x=3 n=30 u=1 c=1
   x=1 n=30 u=3 c=1
   x=1 n=31 u=1 c=1
   x=1 n=0 u=1 c=-1
   x=-1 n=0 u=1 c=1 */
int shift(int x, int n, unsigned u, signed char c) {
    unsigned char small = 200;
    c <<= 1;
    small <<= 2;
    u <<= n;
    return (x << n) > 4 && u > 1 && c > 0;
}
