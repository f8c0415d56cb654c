/* test convert
   x=1.5 n=0
   x=0.0 n=3 */
_Bool kept;
int convert(float x, int n) {
    _Bool part = 0.3, none = 0.0, yes = 1, no = 0, many = 7;
    _Bool number = x;
    kept = n;
    return part + none + yes + no + many + number;
}
