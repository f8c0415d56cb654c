/* test debounce
   in=1 ; in=1 ; in=1 ; in=0
   in=0 ; in=1 ; in=0 */
int debounce(_Bool in) {
    static unsigned char count;
    static _Bool stable;
    if (in == stable)
        count = 0;
    else if (++count >= 3) {
        stable = in;
        count = 0;
    }
    return stable && !count;
}
