/* test apply
   f=NULL x=1
   f=negate x=3
   f=same x=4 */
int negate(int x) { return -x; }
int same(int x) { return x; }
int apply(int (*f)(int), int x) { return f && f(x) > 0 ? 1 : 0; }
