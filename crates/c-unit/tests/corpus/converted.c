/* test converted
   a=3 p=true q=false
   a=3 p=false q=true
   a=4 p=true q=true
   a=4 p=false q=false */
int converted(int a, _Bool p, _Bool q) {
    _Bool both = p & (a == 3);
    _Bool one = p | q;
    q = both ^ one;
    return both + 2 * one + 4 * q;
}
